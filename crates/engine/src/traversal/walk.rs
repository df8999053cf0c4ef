//! How an expansion walks: types, direction, loops. Shared by all that expand.

use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeTypeId, Error, Result, VertexId};
use millrace_plan::Loops;
use millrace_store::{Neighbours, Run as StoreRun, RunSink, Snapshot};

use crate::context::{Context, EdgeTypes, Guard};
use crate::limits;

/// The edges an expansion walks.
pub(crate) struct Walk {
    pub(crate) types: EdgeTypes,
    pub(crate) direction: Direction,
    /// Whether a loop that `both` sees from its two ends counts once.
    pub(crate) loops_once: bool,
}

impl Walk {
    pub(crate) fn new(types: EdgeTypes, direction: Direction, loops: Loops) -> Walk {
        let loops_once = direction == Direction::Both && loops == Loops::Once;
        Walk { types, direction, loops_once }
    }

    /// The types to ask the store for, or `None` if none of those named is known.
    pub(crate) fn resolve(&mut self, context: &Context) -> Option<StoreWalk<'_>> {
        let (direction, loops_once) = (self.direction, self.loops_once);
        let types = self.types.resolve(context);
        let none = types.is_some_and(<[EdgeTypeId]>::is_empty);
        (!none).then_some(StoreWalk { types, direction, loops_once })
    }
}

/// A walk in the store's numbers.
#[derive(Clone, Copy)]
pub(crate) struct StoreWalk<'a> {
    pub(crate) types: Option<&'a [EdgeTypeId]>,
    pub(crate) direction: Direction,
    pub(crate) loops_once: bool,
}

impl StoreWalk<'_> {
    /// Walks a frontier, looking at deadline and cancel flag on the way.
    pub(crate) fn expand(
        &self,
        graph: &dyn Snapshot,
        guard: &Guard,
        frontier: &[VertexId],
        sink: impl FnMut(usize, StoreRun<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let mut sink = Checked { sink, guard, walked: 0, failed: None };
        graph.expand(frontier, self.types, self.direction, &mut sink)?;
        sink.failed.map_or(Ok(()), Err)
    }

    /// Whether loops in this run were seen before, from their other end, and count once.
    #[inline]
    pub(crate) fn sees_loops_again(&self, run: &StoreRun<'_>) -> bool {
        self.loops_once && run.direction == Direction::In
    }

    /// The neighbours of a run by pieces: without the second sights of loops, if they count once.
    pub(crate) fn pieces(
        &self,
        run: &StoreRun<'_>,
        own: VertexId,
        mut each: impl FnMut(Neighbours<'_>) -> Result<()>,
    ) -> Result<()> {
        if !self.sees_loops_again(run) {
            return each(run.neighbours);
        }
        match run.neighbours {
            Neighbours::Narrow(ids) => ids
                .split(|&id| VertexId(u64::from(id)) == own)
                .try_for_each(|piece| each(Neighbours::Narrow(piece))),
            Neighbours::Wide(ids) => {
                ids.split(|&id| id == own).try_for_each(|piece| each(Neighbours::Wide(piece)))
            }
        }
    }

    /// The neighbours of all vertices of a frontier, one list behind the other, and the length of each list.
    pub(crate) fn lists(
        &self,
        graph: &dyn Snapshot,
        guard: &Guard,
        frontier: &[VertexId],
    ) -> Result<(Vec<VertexId>, Vec<usize>)> {
        let (mut entries, mut lengths) = (Vec::new(), vec![0; frontier.len()]);
        self.expand(graph, guard, frontier, |row, run| {
            let before = entries.len();
            self.pieces(&run, frontier[row], |piece| {
                match piece {
                    Neighbours::Narrow(ids) => {
                        entries.extend(ids.iter().map(|&id| VertexId(u64::from(id))));
                    }
                    Neighbours::Wide(ids) => entries.extend_from_slice(ids),
                }
                Ok(())
            })?;
            lengths[row] += entries.len() - before;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((entries, lengths))
    }

    /// The length of each vertex's list at most: loops may count twice. No list is walked.
    pub(crate) fn lengths(&self, graph: &dyn Snapshot, frontier: &[VertexId]) -> Result<Vec<u64>> {
        let mut lengths = Vec::with_capacity(frontier.len());
        graph.degrees(frontier, self.types, self.direction, &mut lengths)?;
        Ok(lengths)
    }

    /// The degree of each vertex; loops count as the walk counts them.
    pub(crate) fn degrees(
        &self,
        graph: &dyn Snapshot,
        guard: &Guard,
        frontier: &[VertexId],
    ) -> Result<Vec<u64>> {
        let mut degrees = Vec::with_capacity(frontier.len());
        if !self.loops_once {
            graph.degrees(frontier, self.types, self.direction, &mut degrees)?;
            return Ok(degrees);
        }
        degrees.resize(frontier.len(), 0);
        self.expand(graph, guard, frontier, |row, run| {
            self.pieces(&run, frontier[row], |piece| {
                degrees[row] += piece.len() as u64;
                Ok(())
            })?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(degrees)
    }
}

/// A sink that may fail, and that stops when time is up.
struct Checked<'g, F> {
    sink: F,
    guard: &'g Guard,
    walked: usize,
    failed: Option<Error>,
}

impl<F: FnMut(usize, StoreRun<'_>) -> Result<ControlFlow<()>>> RunSink for Checked<'_, F> {
    #[inline]
    fn run(&mut self, row: usize, run: StoreRun<'_>) -> ControlFlow<()> {
        self.walked += run.len() + 1;
        if limits::CHECK_NEIGHBOURS < self.walked {
            self.walked = 0;
            if let Err(error) = self.guard.check() {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        (self.sink)(row, run).unwrap_or_else(|error| {
            self.failed = Some(error);
            ControlFlow::Break(())
        })
    }
}
