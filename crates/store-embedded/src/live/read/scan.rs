//! Scans and counts over all partitions at one position, in pieces.

use std::ops::{ControlFlow, Range};

use millrace_model::{Direction, EdgeId, EdgeTypeId, LabelId, LogPosition, Result, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};
use millrace_store::{EdgeRows, Neighbours, Run, RunEdges, ScanCursor, Scanned};

use crate::base::limits::{CHUNK_ROWS_MAX, PARTITIONS_MAX};
use crate::live::list::local_map::PAGE_LOCALS;
use crate::live::read::expand::{Lane, lanes};
use crate::live::versions::state::State;
use crate::live::{Partition, Partitions, View};
use crate::persistent::image::{Half, List, SlotSlice};

/// Vertex ids of this store are below this.
const VERTEX_BOUND: u64 = (PARTITIONS_MAX as u64) << PARTITION_BITS;

/// A label is in few places of a partition if fewer than this share of its locals have it.
const SPARSE_SHARE: u64 = 8;

/// Changes are fetched so many pages before they are read.
const FETCHED_PAGES: usize = 4;

/// Locals of a partition.
const LOCALS: usize = 1 << PARTITION_BITS;

/// Takes the edges that a scan lists.
pub trait EdgeList {
    /// How many it has.
    fn count(&self) -> usize;

    /// Takes a run of a source.
    fn add(&mut self, source: VertexId, run: &Run<'_>);

    /// Takes the edges of several sources that stand one behind the other, if it wants nothing but them; says so.
    fn add_edges(&mut self, _base: u64, _list: &List<'_>) -> bool {
        false
    }
}

impl EdgeList for EdgeRows {
    fn count(&self) -> usize {
        self.edges.len()
    }

    fn add(&mut self, source: VertexId, run: &Run<'_>) {
        self.edges.add(source, run);
        let len = self.edges.len();
        match run.neighbours {
            Neighbours::Narrow(ids) => {
                self.targets.extend(ids.iter().map(|id| VertexId(u64::from(*id))));
            }
            Neighbours::Wide(ids) => self.targets.extend_from_slice(ids),
        }
        self.types.resize(len, run.edge_type);
        self.sources.resize(len, source);
    }
}

impl EdgeList for Vec<EdgeId> {
    fn count(&self) -> usize {
        self.len()
    }

    fn add_edges(&mut self, base: u64, list: &List<'_>) -> bool {
        match list.slots {
            SlotSlice::Explicit(slots) => {
                self.extend(slots.iter().map(|slot| EdgeId(base | u64::from(*slot))));
            }
            SlotSlice::Implied { first } => {
                let first = base | u64::from(first);
                self.extend((first..first + list.len() as u64).map(EdgeId));
            }
        }
        true
    }

    #[inline]
    fn add(&mut self, _source: VertexId, run: &Run<'_>) {
        match run.edges {
            RunEdges::Consecutive { first } => {
                self.extend((first.0..first.0 + run.len() as u64).map(EdgeId));
            }
            RunEdges::OutSlots { base, slots } => {
                self.extend(slots.iter().map(|slot| EdgeId(base | u64::from(*slot))));
            }
            RunEdges::InSlots { .. } | RunEdges::Wide(_) => {
                self.extend((0..run.len()).map(|index| run.edge(index)));
            }
        }
    }
}

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
        while let Some((partition, locals)) = self.next_locals(cursor, vertices.len() < full) {
            let rows = CHUNK_ROWS_MAX.min(full - vertices.len());
            let next = partition.scan(at, label, (locals, rows), vertices)?;
            cursor.next = partition.first_vertex() + next as u64;
        }
        Ok(())
    }

    /// Appends up to `rows_max` vertices with an edge of the types in the direction at a position, ids ascending.
    pub fn scan_vertices_with_edges(
        &self,
        at: LogPosition,
        (types, direction): (&[EdgeTypeId], Direction),
        cursor: &mut ScanCursor,
        rows_max: usize,
        vertices: &mut Vec<VertexId>,
    ) -> Result<()> {
        let full = vertices.len() + rows_max;
        while let Some((partition, locals)) = self.next_locals(cursor, vertices.len() < full) {
            let full = full.min(vertices.len() + CHUNK_ROWS_MAX);
            let first = partition.first_vertex();
            let next = self.with_views(partition.ordinal, at, |views| {
                let lanes = lanes(views, Some(types), direction)?;
                Ok(vertices_of_lists(&lanes, (first, locals), full, vertices))
            })?;
            cursor.next = first + next as u64;
        }
        Ok(())
    }

    /// The partition with the next vertices of a scan that goes on, and its locals that are left; none at the end.
    fn next_locals(
        &self,
        cursor: &mut ScanCursor,
        goes_on: bool,
    ) -> Option<(&Partition, Range<usize>)> {
        while goes_on && !cursor.finished {
            let until = cursor.until.unwrap_or(u64::MAX);
            let Some(partition) = self.partition_from(cursor.next).filter(|_| cursor.next < until)
            else {
                cursor.finished = true;
                break;
            };
            let first = partition.first_vertex();
            let from = cursor.next.saturating_sub(first) as usize;
            let to = until.saturating_sub(first).min(LOCALS as u64) as usize;
            if from < to {
                return Some((partition, from..to));
            }
            cursor.next = first + LOCALS as u64;
        }
        None
    }

    /// Appends about `rows_max` edges of the types at a position: type by type in the order given,
    /// by source within a type, a source's edges together.
    pub fn scan_edges(
        &self,
        at: LogPosition,
        types: &[EdgeTypeId],
        cursor: &mut ScanCursor,
        rows_max: usize,
        edges: &mut impl EdgeList,
    ) -> Result<()> {
        let full = edges.count() + rows_max.max(1);
        while !cursor.finished && edges.count() < full {
            let (place, vertex) = (cursor.next / VERTEX_BOUND, cursor.next % VERTEX_BOUND);
            let until = cursor.until.unwrap_or(u64::MAX);
            if until <= cursor.next {
                cursor.finished = true;
                break;
            }
            let Some(edge_type) = types.get(place as usize) else {
                cursor.finished = true;
                break;
            };
            let Some(partition) = self.partition_from(vertex) else {
                cursor.next = (place + 1) * VERTEX_BOUND;
                continue;
            };
            let first = partition.first_vertex();
            let from = vertex.saturating_sub(first) as usize;
            let to = until.saturating_sub(place * VERTEX_BOUND + first).min(LOCALS as u64) as usize;
            let full = full.min(edges.count() + CHUNK_ROWS_MAX);
            let next = self.with_views(partition.ordinal, at, |views| {
                scan_type(views, *edge_type, from..to, full, edges)
            })?;
            cursor.next = place * VERTEX_BOUND + first + next as u64;
        }
        Ok(())
    }

    /// Pieces of about so many elements, in the order of a scan.
    pub(crate) fn scan_pieces(
        &self,
        at: LogPosition,
        scanned: Scanned<'_>,
        elements: u64,
    ) -> Result<Vec<ScanCursor>> {
        let mut pieces: Vec<ScanCursor> = Vec::new();
        let split = |pieces: &mut Vec<ScanCursor>, count: u64, first: u64| {
            let parts = count.div_ceil(elements.max(1)).min(LOCALS as u64 / PAGE_LOCALS as u64);
            let pages = (LOCALS / PAGE_LOCALS) as u64;
            let bound = |part: u64| first + pages * part / parts * PAGE_LOCALS as u64;
            pieces.extend((0..parts).map(|part| ScanCursor {
                next: bound(part),
                until: Some(bound(part + 1)),
                ..ScanCursor::default()
            }));
        };
        match scanned {
            Scanned::Vertices(label) => {
                for partition in self.from(0) {
                    let count = partition.state.read().counts.of_label(label, at);
                    let first = partition.first_vertex();
                    if LOCALS as u64 / SPARSE_SHARE <= count {
                        split(&mut pieces, count, first);
                        continue;
                    }
                    // Few of its vertices have the label, perhaps all of them in one place.
                    let mut found = Vec::new();
                    partition.scan(at, label, (0..LOCALS, count as usize), &mut found)?;
                    let mut bounds: Vec<u64> =
                        found.iter().step_by(elements as usize).map(|vertex| vertex.0).collect();
                    bounds.push(first + LOCALS as u64);
                    pieces.extend(bounds.windows(2).map(|pair| ScanCursor {
                        next: pair[0],
                        until: Some(pair[1]),
                        ..ScanCursor::default()
                    }));
                }
            }
            Scanned::Edges(types) => {
                for (place, edge_type) in (0..).zip(types.unwrap_or_default()) {
                    for partition in self.from(0) {
                        let of_partition = |partition: &Partition| {
                            let state = partition.state.read();
                            state.counts.edges.get(edge_type).map_or(0, |count| count.at(at))
                        };
                        let all = self.all_of(partition.ordinal);
                        let count = all.map(|partition| of_partition(partition)).sum();
                        split(&mut pieces, count, place * VERTEX_BOUND + partition.first_vertex());
                    }
                }
            }
        }
        Ok(pieces)
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
        (locals, rows): (Range<usize>, usize),
        vertices: &mut Vec<VertexId>,
    ) -> Result<usize> {
        let state = self.state.read();
        let view = View { ordinal: self.ordinal, at, root: state.root(at)? };
        let count = state.counts.of_label(label, at);
        // Of a scan that begins here: behind the last of them there is none.
        let rows_max = if locals.start == 0 { count } else { u64::MAX };
        if count == 0 {
            return Ok(LOCALS);
        }
        view.scan(label, (locals, rows), rows_max, vertices)
    }
}

impl View<'_> {
    /// Appends up to `rows` vertices from a local on; says at which local to go on.
    fn scan(
        self,
        label: Option<LabelId>,
        (locals, rows): (Range<usize>, usize),
        count_max: u64,
        vertices: &mut Vec<VertexId>,
    ) -> Result<usize> {
        let reader = self.vertices()?;
        let asked = label.map(|label| reader.with_label(label));
        let first = self.first_vertex();
        let (mut left, mut count_left) = (rows, count_max);
        for page in locals.start / PAGE_LOCALS..locals.end.div_ceil(PAGE_LOCALS) {
            if count_left == 0 {
                return Ok(LOCALS);
            }
            reader.fetch_page(page + FETCHED_PAGES);
            let lowest = page * PAGE_LOCALS;
            let mut listed = reader.page(page, asked.as_ref()) & within(&locals, lowest);
            if listed == u64::MAX && PAGE_LOCALS <= left {
                let start = first | lowest as u64;
                vertices.extend((start..start + PAGE_LOCALS as u64).map(VertexId));
                (left, count_left) = (left - PAGE_LOCALS, count_left.saturating_sub(64));
                continue;
            }
            while listed != 0 {
                let local = lowest + listed.trailing_zeros() as usize;
                if left == 0 {
                    return Ok(local);
                }
                listed &= listed - 1;
                vertices.push(VertexId(first | local as u64));
                (left, count_left) = (left - 1, count_left.saturating_sub(1));
            }
        }
        Ok(locals.end)
    }
}

/// A bit for each local of a page from `lowest` on that is within a range.
fn within(locals: &Range<usize>, lowest: usize) -> u64 {
    let below = |bound: usize| match bound.saturating_sub(lowest) {
        bits @ 0..PAGE_LOCALS => (1 << bits) - 1,
        _ => u64::MAX,
    };
    below(locals.end) & !below(locals.start)
}

/// Appends the vertices of lists that are not empty, from a local on, until there are `full` or the locals end; says at
/// which local to go on.
fn vertices_of_lists(
    lanes: &[Lane<'_>],
    (first, locals): (u64, Range<usize>),
    full: usize,
    vertices: &mut Vec<VertexId>,
) -> usize {
    let mut from = locals.start;
    while from < locals.end && vertices.len() < full {
        let next = lanes.iter().filter_map(|lane| lane.next_local(from as u16)).min();
        let Some(local) = next.filter(|local| usize::from(*local) < locals.end) else {
            return locals.end;
        };
        if lanes.iter().any(|lane| 0 < lane.degree(local)) {
            vertices.push(VertexId(first | u64::from(local)));
        }
        from = usize::from(local) + 1;
    }
    from
}

/// Appends the edges of a type from the views of the same vertices, source by source from a local
/// on, until there are `full` or the vertices end; says at which local to go on.
fn scan_type(
    views: &[View<'_>],
    edge_type: EdgeTypeId,
    locals: Range<usize>,
    full: usize,
    edges: &mut impl EdgeList,
) -> Result<usize> {
    let lanes = views.iter().map(|view| view.lane(edge_type, Half::Out));
    let lanes: Vec<_> = lanes.collect::<Result<_>>()?;
    let first = views.first().map_or(0, View::first_vertex);
    let mut from = locals.start;
    if let ([view], [lane]) = (views, &lanes[..])
        && let Some(lists) = lane.unmodified()
    {
        let room = full - edges.count();
        let Some((range, next)) = lists.stretch(locals.clone(), room) else {
            return Ok(locals.end);
        };
        let base = u64::from(view.ordinal) << EDGE_SLOT_BITS;
        if edges.add_edges(base, &lists.list_at(range)) {
            return Ok(next);
        }
    }
    while from < locals.end && edges.count() < full {
        let next = lanes.iter().filter_map(|lane| lane.next_local(from as u16)).min();
        let Some(local) = next.filter(|local| usize::from(*local) < locals.end) else {
            return Ok(locals.end);
        };
        let source = VertexId(first | u64::from(local));
        let mut add = |_: usize, run: Run<'_>| {
            edges.add(source, &run);
            ControlFlow::Continue(())
        };
        let _: ControlFlow<()> = lanes.iter().try_for_each(|lane| lane.runs_of(local, &mut add));
        from = usize::from(local) + 1;
    }
    Ok(from)
}
