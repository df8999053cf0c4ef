//! A frontier over all partitions, in chunks of rows: each partition of a chunk is locked once.
//!
//! Rows keep their order, so a chunk of a frontier that is not sorted by id lies in many
//! partitions, and all of them are locked while it is walked. Nothing is locked between chunks,
//! so an apply waits for one chunk.

use std::ops::{ControlFlow, Range};

use millrace_model::{Direction, EdgeTypeId, LogPosition, Result, VertexId};
use millrace_store::RunSink;

use crate::base::limits::{CHUNK_PARTITIONS_MAX, CHUNK_ROWS_MAX, ROWS_AHEAD};
use crate::live::read::expand::{Lane, add_degrees, expand, lanes};
use crate::live::versions::chunk_lock::ReadGuard;
use crate::live::versions::state::State;
use crate::live::{Partition, Partitions, View, ordinal_of_vertex};

/// The edge types and direction that an expansion walks, and its snapshot.
#[derive(Clone, Copy)]
struct Walk<'a> {
    at: LogPosition,
    types: Option<&'a [EdgeTypeId]>,
    direction: Direction,
}

/// The rows of a chunk: which are next, and where each one's partition is.
#[derive(Default)]
struct Chunk {
    rows: Range<usize>,
    /// The partitions of the rows, in order of first use.
    ordinals: Vec<Option<u32>>,
    /// Of each row, the place of its partition; empty if there is only one.
    places: Vec<u8>,
}

impl Chunk {
    /// Takes the next rows of a frontier; says whether there are some.
    fn next(&mut self, frontier: &[VertexId]) -> bool {
        let start = self.rows.end;
        let rest = &frontier[start..];
        let rest = &rest[..rest.len().min(CHUNK_ROWS_MAX)];
        let Some(first) = rest.first() else { return false };
        let first = ordinal_of_vertex(*first);
        self.ordinals.clear();
        self.ordinals.push(first);
        self.places.clear();
        let same = rest.iter().take_while(|vertex| ordinal_of_vertex(**vertex) == first).count();
        if same == rest.len() {
            self.rows = start..start + same;
            return true;
        }
        self.places.resize(same, 0);
        for vertex in &rest[same..] {
            let Some(place) = self.place(ordinal_of_vertex(*vertex)) else { break };
            self.places.push(place);
        }
        self.rows = start..start + self.places.len();
        true
    }

    /// The place of a partition, given if it is new; `None` if that is one too many.
    fn place(&mut self, ordinal: Option<u32>) -> Option<u8> {
        let known = self.ordinals.iter().rposition(|own| *own == ordinal);
        let place = known.or_else(|| {
            let place = self.ordinals.len();
            (place < CHUNK_PARTITIONS_MAX).then(|| {
                self.ordinals.push(ordinal);
                place
            })
        })?;
        Some(place as u8)
    }

    #[inline]
    fn place_of(&self, index: usize) -> usize {
        self.places.get(index).map_or(0, |place| usize::from(*place))
    }
}

impl Partition {
    /// Calls `look` with the view of a reader at `at`, under the lock.
    pub(in crate::live) fn with_view<R>(
        &self,
        at: LogPosition,
        look: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R> {
        let state = self.state.read();
        look(self.view(at, &state)?)
    }

    fn view<'a>(&self, at: LogPosition, state: &'a State) -> Result<View<'a>> {
        Ok(View { ordinal: self.ordinal, at, root: state.root(at)? })
    }
}

impl Partitions {
    /// Walks the lists of a frontier at a position and gives the sink their runs: rows in order,
    /// a row's runs together, out before in, types in the order asked for (`None`: all, ascending).
    /// A vertex that has no lists has no runs. `Break` ends it.
    pub fn expand(
        &self,
        at: LogPosition,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        let walk = Walk { at, types, direction };
        let mut ranges = Vec::with_capacity(frontier.len().min(ROWS_AHEAD));
        let mut chunk = Chunk::default();
        while chunk.next(frontier) {
            let (first, rows) = (chunk.rows.start, &frontier[chunk.rows.clone()]);
            let flow = self.with_lanes(&chunk, walk, |lanes| {
                let lanes_of = |index: usize| &*lanes[chunk.place_of(index)];
                match lanes {
                    [lanes] if lanes.len() == 1 => {
                        expand(|_| lanes.first(), first, rows, &mut ranges, sink)
                    }
                    _ if lanes.iter().all(|lanes| lanes.len() <= 1) => {
                        expand(|index| lanes_of(index).first(), first, rows, &mut ranges, sink)
                    }
                    _ => expand(lanes_of, first, rows, &mut ranges, sink),
                }
            })?;
            if flow == ControlFlow::Break(()) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Appends the degree of each vertex of a frontier; under `Both` a loop counts twice.
    pub fn degrees(
        &self,
        at: LogPosition,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        let walk = Walk { at, types, direction };
        let first = degrees.len();
        degrees.resize(first + frontier.len(), 0);
        let degrees = &mut degrees[first..];
        let mut chunk = Chunk::default();
        while chunk.next(frontier) {
            let rows = &frontier[chunk.rows.clone()];
            let degrees = &mut degrees[chunk.rows.clone()];
            self.with_lanes(&chunk, walk, |lanes| match lanes {
                [lanes] => add_degrees(|_| lanes, rows, degrees),
                _ => add_degrees(|index| &lanes[chunk.place_of(index)], rows, degrees),
            })?;
        }
        Ok(())
    }

    /// Calls `look` with the lanes of each partition of a chunk, all of them locked.
    fn with_lanes<R>(
        &self,
        chunk: &Chunk,
        walk: Walk<'_>,
        look: impl FnOnce(&[Vec<Lane<'_>>]) -> R,
    ) -> Result<R> {
        let Walk { at, types, direction } = walk;
        if let ([ordinal], false) = (&chunk.ordinals[..], self.has_overflow()) {
            let Some(partition) = self.get(*ordinal) else { return Ok(look(&[Vec::new()])) };
            return partition.with_view(at, |view| Ok(look(&[lanes(&[view], types, direction)?])));
        }
        let partitions: Vec<Vec<&Partition>> = chunk
            .ordinals
            .iter()
            .map(|ordinal| ordinal.map_or_else(Vec::new, |ordinal| self.of_vertices(ordinal)))
            .collect();
        let locked = lock(&partitions);
        let lanes = partitions.iter().zip(&locked).map(|(partitions, states)| {
            let views = partitions.iter().zip(states);
            let views = views.map(|(partition, state)| partition.view(at, state));
            lanes(&views.collect::<Result<Vec<_>>>()?, types, direction)
        });
        Ok(look(&lanes.collect::<Result<Vec<_>>>()?))
    }

    /// Calls `look` with the views that a reader at `at` has of all partitions with edges of the
    /// vertices of an ordinal, under the locks.
    pub(in crate::live) fn with_views<R>(
        &self,
        ordinal: u32,
        at: LogPosition,
        look: impl FnOnce(&[View<'_>]) -> Result<R>,
    ) -> Result<R> {
        let partitions = [self.of_vertices(ordinal)];
        let locked = lock(&partitions);
        let views = partitions[0].iter().zip(&locked[0]);
        let views = views.map(|(partition, state)| partition.view(at, state));
        look(&views.collect::<Result<Vec<_>>>()?)
    }

    fn of_vertices(&self, ordinal: u32) -> Vec<&Partition> {
        if self.has_overflow() {
            return self.all_of(ordinal).map(|partition| &**partition).collect();
        }
        self.get(Some(ordinal)).into_iter().map(|partition| &**partition).collect()
    }
}

fn lock<'a>(partitions: &[Vec<&'a Partition>]) -> Vec<Vec<ReadGuard<'a, State>>> {
    partitions.iter().flatten().for_each(|partition| partition.state.give_way());
    let guards = |partitions: &Vec<&'a Partition>| {
        partitions.iter().map(|partition| partition.state.read()).collect()
    };
    partitions.iter().map(guards).collect()
}
