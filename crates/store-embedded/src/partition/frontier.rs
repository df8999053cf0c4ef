//! A frontier over all partitions: in chunks of rows that share a partition, one lock each.
//!
//! A frontier in id order takes a lock every 1,024 rows; one in random order takes one a row, and
//! is right all the same. Nothing is locked between chunks, so an apply waits for one chunk.

use std::ops::{ControlFlow, Range};

use millrace_model::{Direction, EdgeTypeId, Position, Result, VertexId};
use millrace_store::RunSink;

use super::expand::{add_degrees, expand};
use super::{Partition, Partitions, View, ordinal_of_vertex};
use crate::limits::CHUNK_ROWS_MAX;

/// Rows of a frontier that share a partition, at most [`CHUNK_ROWS_MAX`].
pub(super) fn chunks<T: Copy>(
    rows: &[T],
    ordinal_of: impl Fn(T) -> Option<u32>,
) -> impl Iterator<Item = (Option<u32>, Range<usize>)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let ordinal = ordinal_of(*rows.get(start)?);
        let rest = rows[start..].iter().take(CHUNK_ROWS_MAX);
        let len = rest.take_while(|row| ordinal_of(**row) == ordinal).count();
        let chunk = start..start + len;
        start = chunk.end;
        Some((ordinal, chunk))
    })
}

impl Partition {
    /// Calls `look` with what a reader at `at` has, under the lock.
    pub(super) fn with_view<R>(
        &self,
        at: Position,
        look: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R> {
        let state = self.state.read();
        look(View { ordinal: self.ordinal, at, root: state.root(at)? })
    }
}

impl Partitions {
    /// Walks the lists of a frontier at a position and gives the sink their runs: rows in order,
    /// a row's runs together, out before in, types in the order asked for (`None`: all, ascending).
    /// A vertex that has no lists has no runs. `Break` ends it.
    pub fn expand(
        &self,
        at: Position,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        sink: &mut dyn RunSink,
    ) -> Result<()> {
        let mut ranges = Vec::with_capacity(frontier.len().min(CHUNK_ROWS_MAX));
        for (ordinal, chunk) in chunks(frontier, ordinal_of_vertex) {
            let Some(partition) = self.get(ordinal) else { continue };
            let flow = partition.with_view(at, |view| {
                let lanes = view.lanes(types, direction)?;
                Ok(expand(&lanes, chunk.start, &frontier[chunk], &mut ranges, sink))
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
        at: Position,
        frontier: &[VertexId],
        types: Option<&[EdgeTypeId]>,
        direction: Direction,
        degrees: &mut Vec<u64>,
    ) -> Result<()> {
        let first = degrees.len();
        degrees.resize(first + frontier.len(), 0);
        let degrees = &mut degrees[first..];
        for (ordinal, chunk) in chunks(frontier, ordinal_of_vertex) {
            let Some(partition) = self.get(ordinal) else { continue };
            partition.with_view(at, |view| {
                let lanes = view.lanes(types, direction)?;
                add_degrees(&lanes, &frontier[chunk.clone()], &mut degrees[chunk]);
                Ok(())
            })?;
        }
        Ok(())
    }
}
