//! Scans and counts over all partitions at one position, in pieces.

use std::ops::ControlFlow;

use millrace_model::{EdgeTypeId, LabelId, LogPosition, Result, VertexId};
use millrace_store::run::PARTITION_BITS;
use millrace_store::{EdgeRows, Neighbours, Run, ScanCursor};

use crate::base::limits::{CHUNK_ROWS_MAX, PARTITIONS_MAX};
use crate::live::list::local_map::PAGE_LOCALS;
use crate::live::versions::state::State;
use crate::live::{Partition, Partitions, View};
use crate::persistent::image::Half;

/// Vertex ids of this store are below this.
const VERTEX_BOUND: u64 = (PARTITIONS_MAX as u64) << PARTITION_BITS;

/// Locals of a partition.
const LOCALS: usize = 1 << PARTITION_BITS;

impl Partitions {
    /// Appends up to `rows_max` vertices with the label (`None`: all) at a position, ids ascending.
    pub fn scan_vertices(
        &self,
        at: LogPosition,
        label: Option<LabelId>,
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        let full = vertices.len() + rows_max;
        while !cursor.finished && vertices.len() < full {
            let Some(partition) = self.partition_from(cursor.next) else {
                cursor.finished = true;
                break;
            };
            let first = partition.first_vertex();
            let from = cursor.next.saturating_sub(first) as u16;
            let rows = CHUNK_ROWS_MAX.min(full - vertices.len());
            let next = partition.scan(at, label, (from, rows), vertices)?;
            cursor.next = first + next as u64;
        }
        Ok(())
    }

    /// Appends about `rows_max` edges of the types at a position: type by type in the order given,
    /// by source within a type, a source's edges together.
    pub fn scan_edges(
        &self,
        at: LogPosition,
        types: &[EdgeTypeId],
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut EdgeRows,
    ) -> Result<()> {
        let full = edges.edges.len() + rows_max.max(1);
        while !cursor.finished && edges.edges.len() < full {
            let (place, vertex) = (cursor.next / VERTEX_BOUND, cursor.next % VERTEX_BOUND);
            let Some(edge_type) = types.get(place as usize) else {
                cursor.finished = true;
                break;
            };
            let Some(partition) = self.partition_from(vertex) else {
                cursor.next = (place + 1) * VERTEX_BOUND;
                continue;
            };
            let first = partition.first_vertex();
            let from = vertex.saturating_sub(first) as u16;
            let full = full.min(edges.edges.len() + CHUNK_ROWS_MAX);
            let next = self.with_views(partition.ordinal, at, |views| {
                scan_type(views, *edge_type, from, full, edges)
            })?;
            cursor.next = place * VERTEX_BOUND + first + next as u64;
        }
        Ok(())
    }

    /// How many vertices have the label (`None`: all) at a position.
    pub fn count_vertices(&self, at: LogPosition, label: Option<LabelId>) -> Result<u64> {
        self.count(at, |state| state.counts.of_label(label, at))
    }

    /// How many edges are of the type (`None`: all) at a position.
    pub fn count_edges(&self, at: LogPosition, edge_type: Option<EdgeTypeId>) -> Result<u64> {
        self.count(at, |state| match edge_type {
            None => state.counts.edges.values().map(|count| count.at(at)).sum(),
            Some(edge_type) => state.counts.edges.get(&edge_type).map_or(0, |count| count.at(at)),
        })
    }

    fn count(&self, at: LogPosition, count: impl Fn(&State) -> u64) -> Result<u64> {
        let mut sum = 0;
        for partition in self.iter() {
            let state = partition.state.read();
            state.root(at)?;
            sum += count(&state);
        }
        Ok(sum)
    }

    /// The first partition with vertices at or above one.
    fn partition_from(&self, vertex: u64) -> Option<&Partition> {
        let ordinal = u32::try_from(vertex >> PARTITION_BITS).ok()?;
        self.from(ordinal).next().map(|partition| &**partition)
    }
}

impl Partition {
    fn first_vertex(&self) -> u64 {
        u64::from(self.ordinal) << PARTITION_BITS
    }

    /// Appends up to `rows` vertices from a local on; says at which local to go on. A partition in which none has the
    /// label is passed over.
    fn scan(
        &self,
        at: LogPosition,
        label: Option<LabelId>,
        (from, rows): (u16, usize),
        vertices: &mut Vec<VertexId>,
    ) -> Result<usize> {
        let state = self.state.read();
        let view = View { ordinal: self.ordinal, at, root: state.root(at)? };
        let count = state.counts.of_label(label, at);
        // Of a scan that begins here: behind the last of them there is none.
        let rows_max = if from == 0 { count } else { u64::MAX };
        if count == 0 {
            return Ok(LOCALS);
        }
        view.scan(label, (from, rows), rows_max, vertices)
    }
}

impl View<'_> {
    /// Appends up to `rows` vertices from a local on; says at which local to go on.
    fn scan(
        self,
        label: Option<LabelId>,
        (from, rows): (u16, usize),
        count_max: u64,
        vertices: &mut Vec<VertexId>,
    ) -> Result<usize> {
        let reader = self.vertices()?;
        let asked = label.map(|label| reader.with_label(label));
        let first = self.first_vertex();
        let (mut left, mut count_left) = (rows, count_max);
        for page in usize::from(from) / PAGE_LOCALS..LOCALS / PAGE_LOCALS {
            if count_left == 0 {
                break;
            }
            for local in reader.page(page, from, asked.as_ref()) {
                if left == 0 {
                    return Ok(usize::from(local));
                }
                vertices.push(VertexId(first | u64::from(local)));
                left -= 1;
                count_left = count_left.saturating_sub(1);
            }
        }
        Ok(LOCALS)
    }
}

/// Appends the edges of a type from the views of the same vertices, source by source from a local
/// on, until there are `full` or the vertices end; says at which local to go on.
fn scan_type(
    views: &[View<'_>],
    edge_type: EdgeTypeId,
    from: u16,
    full: usize,
    edges: &mut EdgeRows,
) -> Result<usize> {
    let lanes = views.iter().map(|view| view.lane(edge_type, Half::Out));
    let lanes: Vec<_> = lanes.collect::<Result<_>>()?;
    let first = views.first().map_or(0, View::first_vertex);
    let mut from = usize::from(from);
    while from < LOCALS && edges.edges.len() < full {
        let next = lanes.iter().filter_map(|lane| lane.next_local(from as u16)).min();
        let Some(local) = next else { return Ok(LOCALS) };
        let source = VertexId(first | u64::from(local));
        let mut add = |_: usize, run: Run<'_>| {
            add_run(source, &run, edges);
            ControlFlow::Continue(())
        };
        let _: ControlFlow<()> = lanes.iter().try_for_each(|lane| lane.runs_of(local, &mut add));
        from = usize::from(local) + 1;
    }
    Ok(from)
}

fn add_run(source: VertexId, run: &Run<'_>, edges: &mut EdgeRows) {
    let len = edges.edges.len() + run.len();
    edges.edges.extend((0..run.len()).map(|index| run.edge(index)));
    match run.neighbours {
        Neighbours::Narrow(ids) => {
            edges.targets.extend(ids.iter().map(|id| VertexId(u64::from(*id))));
        }
        Neighbours::Wide(ids) => edges.targets.extend_from_slice(ids),
    }
    edges.types.resize(len, run.edge_type);
    edges.sources.resize(len, source);
}
