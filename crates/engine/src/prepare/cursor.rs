//! A run that is pulled batch by batch: a caller that stops early pays only for the rows it has read.
//!
//! A cursor owns its operators and the state of its run, and borrows nothing: between two pulls it is a value
//! that any thread may keep. Each pull takes the context that the run began in. A plan with an effect runs to
//! its end before the first batch is emitted, pulled or not.

use std::time::{Duration, Instant};

use millrace_model::stack::with_levels;
use millrace_model::{Batch, Result};
use millrace_plan::Parameter;

use super::prepared::Prepared;
use crate::context::{Context, RunReport, element_ids};
use crate::pipeline::{BatchPieces, Scopes};
use crate::rows::paths_as_values;
use crate::run::{RunState, single_rows};

/// Rows of a run under way.
pub struct Cursor {
    prepared: Prepared,
    source: Source,
    /// Bytes that its operators hold.
    reserved: u64,
    emitted: u64,
    done: bool,
    /// Time in pulls.
    took: Duration,
}

enum Source {
    /// The operators.
    Pulled(Box<RunState<'static>>),
    /// All their rows.
    Complete(BatchPieces),
}

impl Cursor {
    /// Begins a run; its rows come from the cursor. After an error the operators are dropped.
    pub fn open(
        mut prepared: Prepared,
        context: &Context,
        parameters: &[Parameter],
    ) -> Result<Cursor> {
        let (emitted, done, took) = (0, false, Duration::ZERO);
        if prepared.has_effect() {
            let source = Source::Complete(BatchPieces::new(prepared.run(context, parameters)?));
            return Ok(Cursor { prepared, source, reserved: 0, emitted, done, took });
        }
        let reserved_before = context.reserved_bytes();
        let limits = context.enforce_limits();
        let (began, is_watched) = (Instant::now(), context.watcher().is_some());
        let state = prepared.begin_run(context, parameters, is_watched)?.into_owned();
        let state = Box::new(state);
        if is_watched {
            prepared.forget_counters();
        }
        let begun = with_levels(prepared.levels, || prepared.run_lets(&state.run(context)));
        let begun = limits.finish().and(begun);
        if begun.is_ok() {
            prepared.root.begin([Batch::unit()], Scopes::First(1), &state.run(context));
        }
        let (source, took) = (Source::Pulled(state), began.elapsed());
        let mut cursor = Cursor { prepared, source, reserved: 0, emitted, done, took };
        cursor.hold(reserved_before, context);
        match begun {
            Ok(()) => Ok(cursor),
            Err(error) => {
                cursor.close(context);
                Err(error)
            }
        }
    }

    /// The next rows, never none; `None` at the end, and again after an error.
    pub fn next_batch(&mut self, context: &Context) -> Result<Option<Batch>> {
        if self.done {
            return Ok(None);
        }
        let (began, reserved_before) = (Instant::now(), context.reserved_bytes());
        let next = self.pull(context);
        self.took += began.elapsed();
        self.hold(reserved_before, context);
        self.done = !matches!(next, Ok(Some(_)));
        next
    }

    /// Counts what its operators hold now, where so many bytes were reserved before they ran.
    fn hold(&mut self, reserved_before: u64, context: &Context) {
        let now = (self.reserved + context.reserved_bytes()).saturating_sub(reserved_before);
        context.count_cursor(self.reserved, now);
        self.reserved = now;
    }

    fn pull(&mut self, context: &Context) -> Result<Option<Batch>> {
        let state = match &mut self.source {
            // The run has counted and translated them already.
            Source::Complete(pieces) => return Ok(pieces.next(context.guard())),
            Source::Pulled(state) => state,
        };
        let limits = context.enforce_limits();
        let run = &state.run(context);
        let next = with_levels(self.prepared.levels, || self.prepared.root.next(run));
        limits.finish()?;
        let Some(batch) = next? else { return Ok(None) };
        run.count(&batch, &mut self.emitted)?;
        let output = self.prepared.output.iter();
        let columns = output.map(|&slot| batch.columns[slot].clone()).collect();
        let mut batch = paths_as_values(Batch { columns, ordinals: None, ..batch });
        if self.prepared.single_rows {
            batch = single_rows(&batch, run)?;
        }
        limits.finish()?;
        element_ids::to_external(batch, context).map(Some)
    }

    /// Ends the run and releases the memory of its operators; they may run again.
    pub fn close(self, context: &Context) -> Prepared {
        if let (Some(watcher), Source::Pulled(_)) = (context.watcher(), &self.source) {
            let (peak_bytes, rows) = (context.guard().peak_bytes(), self.emitted);
            watcher.ran(&RunReport {
                took: self.took,
                peak_bytes,
                rows,
                operators: &self.prepared,
            });
        }
        context.count_cursor(self.reserved, 0);
        context.guard().release(self.reserved);
        self.prepared
    }
}
