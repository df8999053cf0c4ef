//! A run that is pulled batch by batch: a caller that stops early pays only for the rows it has read.
//!
//! A plan with an effect runs to its end before the first batch is emitted, pulled or not.

use millrace_model::{Batch, Result};
use millrace_plan::Parameter;

use super::prepared::Prepared;
use crate::context::Context;
use crate::element_ids;
use crate::operators::{BatchPieces, units};
use crate::pipeline::Scopes;
use crate::rows::paths_as_values;
use crate::run::Run;

/// Rows of a run under way.
pub struct Cursor<'a> {
    prepared: &'a mut Prepared,
    source: Source<'a>,
    context: &'a Context,
    held_before: u64,
    emitted: u64,
    done: bool,
}

enum Source<'a> {
    /// The operators.
    Pulled(Box<Run<'a>>),
    /// All their rows.
    Complete(BatchPieces),
}

impl Prepared {
    /// Begins a run; its rows come from the cursor.
    pub fn cursor<'a>(
        &'a mut self,
        context: &'a Context,
        parameters: &'a [Parameter],
    ) -> Result<Cursor<'a>> {
        let held_before = context.held_bytes();
        let (emitted, done) = (0, false);
        if self.has_effect() {
            let source = Source::Complete(BatchPieces::new(self.run(context, parameters)?));
            return Ok(Cursor { prepared: self, source, context, held_before, emitted, done });
        }
        let run = self.begin_run(context, parameters, false)?;
        let begun = self.run_lets(&run);
        let source = Source::Pulled(Box::new(run));
        let cursor = Cursor { prepared: self, source, context, held_before, emitted, done };
        begun?;
        if let Source::Pulled(run) = &cursor.source {
            cursor.prepared.root.begin([Batch::unit()], Scopes::First(1), run);
        }
        Ok(cursor)
    }
}

impl Cursor<'_> {
    /// The next rows, never none; `None` at the end, and again after an error.
    pub fn next_batch(&mut self) -> Result<Option<Batch>> {
        if self.done {
            return Ok(None);
        }
        let next = self.pull();
        self.done = !matches!(next, Ok(Some(_)));
        next
    }

    fn pull(&mut self) -> Result<Option<Batch>> {
        let run = match &mut self.source {
            // The run has counted and translated them already.
            Source::Complete(pieces) => return Ok(pieces.next(self.context.guard())),
            Source::Pulled(run) => run,
        };
        let Some(batch) = self.prepared.root.next(run)? else { return Ok(None) };
        run.count(&batch, &mut self.emitted)?;
        let output = self.prepared.output.iter();
        let columns = output.map(|&slot| batch.columns[slot].clone()).collect();
        let mut batch = paths_as_values(Batch { columns, ordinals: None, ..batch });
        if self.prepared.in_units {
            batch = units(&batch, run)?;
        }
        element_ids::to_external(batch, self.context).map(Some)
    }
}

/// What the operators still hold is no longer needed.
impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        let held = self.context.held_bytes().saturating_sub(self.held_before);
        self.context.guard().release(held);
    }
}
