//! A large scan and what is done with its rows up to an operator that reads all of them, shared among threads.
//!
//! ```text
//!   Scan ──> Filter ──> Project ──> Aggregate      one thread: as it stands
//!
//!   piece 0 ──> Scan, Filter, Project, Aggregate ──> part ┐
//!   piece 1 ──> Scan, Filter, Project, Aggregate ──> part ├─> absorbed in the order of pieces
//!   piece 2 ──> …                                         ┘
//! ```
//!
//! A *part* is what the operator holds for the rows of a piece: states of folds by group, or the rows that are among the
//! first ones. Parts are absorbed in the order of the scan, so groups come in the order of their first row, lists have
//! their values in order, and ties are decided as on one thread. Sums of doubles are exact, so no order changes them.

use std::ops::RangeInclusive;
use std::sync::Arc;

use millrace_model::query_limits::enforce;
use millrace_model::{Batch, Result};
use millrace_plan::Plan;
use millrace_store::ScanCursor;
use parking_lot::Mutex;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::stages::{Counters, Upstream};
use crate::folds::FoldState;
use crate::run::Run;
use crate::run::RunState;
use crate::{limits, threads};

/// Which scans are shared, and how large their pieces are.
pub(crate) struct Pieces {
    /// Elements of a scan that is shared, at least.
    pub(crate) scan_min: u64,
    /// Elements of a piece.
    pub(crate) elements: RangeInclusive<u64>,
}

/// What an operator holds for the rows of a piece.
pub(crate) enum Part {
    /// Rows as they are.
    Rows(Batch),
    /// The first row of each group, and the states of the folds by group.
    Groups { firsts: Batch, folds: Vec<FoldState> },
}

/// The operators of a piece, on one thread.
pub(crate) trait Worker: Send {
    /// The part of the piece that the run's context has; and the counters of the operators before the last.
    fn part(&mut self, run: &Run<'_>) -> Result<(Part, u64, Vec<Counters>)>;
}

/// Makes the operators of a piece.
pub(crate) type MakeWorker = fn(&Plan) -> Result<Box<dyn Worker>>;

/// Operators from a scan to one that reads all its rows, as a plan of their own.
pub(crate) struct Shared {
    plan: Arc<Plan>,
    /// Whether rows become many by a hop, so that a small scan may be much work.
    expands: bool,
    make: MakeWorker,
    /// Those that were made, while no thread has them.
    workers: Mutex<Vec<Box<dyn Worker>>>,
}

impl Shared {
    pub(crate) fn new(plan: Plan, expands: bool, make: MakeWorker) -> Shared {
        Shared { plan: Arc::new(plan), expands, make, workers: Mutex::default() }
    }

    /// Which scans are worth waking threads, and how large their pieces are.
    fn pieces(&self, run: &Run<'_>) -> Result<Pieces> {
        let is_large = || -> Result<bool> {
            Ok(limits::PARALLEL_SCAN_MIN <= run.context.graph().count_edges(None)?)
        };
        if let Some(elements) = run.context.guard().piece_elements() {
            return Ok(Pieces { scan_min: 1, elements: elements..=elements });
        }
        let (scan_min, least) = match self.expands && is_large()? {
            true => (limits::PARALLEL_HOPS_MIN, limits::PIECE_HOPS_MIN),
            false => (limits::PARALLEL_SCAN_MIN, limits::PIECE_ELEMENTS_MIN),
        };
        Ok(Pieces { scan_min, elements: least..=limits::PIECE_ELEMENTS_MAX })
    }

    /// Gives `absorb` the parts of all pieces, in order, with the bytes that each holds; says whether it did. Else nothing
    /// was read, and one thread does it.
    pub(crate) fn run(
        &self,
        input: &mut Upstream<'_>,
        run: &Run<'_>,
        absorb: &mut dyn FnMut(Part) -> Result<()>,
    ) -> Result<bool> {
        let is_wanted = run.context.guard().piece_elements().is_some();
        if threads::count() == 1 && !is_wanted || run.context.piece().is_some() {
            return Ok(false);
        }
        let pieces = input.scan_pieces(&self.pieces(run)?, run)?;
        let Some(shared) = run.context.shared().filter(|_| 1 < pieces.len()) else {
            return Ok(false);
        };
        let taken = threads::take();
        if taken.is_none() && !is_wanted {
            return Ok(false);
        }
        let (parameters, compare, seed, profiled) = run.begun_as();
        let part = |piece: &ScanCursor| -> Result<(Part, u64, Vec<Counters>)> {
            let worker = self.workers.lock().pop();
            let mut worker = worker.map_or_else(|| (self.make)(&self.plan), Ok)?;
            let context = shared.of_piece(*piece);
            let limits = enforce(context.limits());
            let state = RunState::new(parameters.into(), (compare, seed), profiled);
            let part = worker.part(&state.run(&context));
            limits.finish()?;
            let part = part?;
            self.workers.lock().push(worker);
            Ok(part)
        };
        let guard = run.context.guard();
        // As many at once as there are threads, some times over: what they hold is bounded, and few wait at the end.
        for wave in pieces.chunks(threads::count() * limits::PIECES_A_THREAD) {
            let parts: Vec<Result<_>> = match &taken {
                Some(taken) => {
                    taken.install(|| wave.par_iter().with_max_len(1).map(&part).collect())
                }
                None => wave.iter().map(&part).collect(),
            };
            let mut failed = None;
            for part in parts {
                match part {
                    Ok((part, held, counters)) => {
                        input.add_counters(&counters);
                        if failed.is_none() {
                            failed = absorb(part).err();
                        }
                        guard.release(held);
                    }
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            if let Some(error) = failed {
                return Err(error);
            }
            run.context.check()?;
        }
        Ok(true)
    }
}
