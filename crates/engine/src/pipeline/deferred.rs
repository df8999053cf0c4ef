//! Errors belong to rows: where one fails, the rows before it go on first.
//!
//! A caller that has enough of the rows before never asks again, and the error is never raised. The
//! failing row is found by halving, since a prefix fails exactly if it holds that row; only errors
//! that a row can cause are treated so, not limits or failures of the store.

use millrace_model::{Batch, Error, ErrorKind, Result};

use super::stages::Upstream;
use crate::expressions::is_wide;
use crate::run::Run;

/// An error or rows that wait for the next pull.
#[derive(Debug, Default)]
pub(crate) struct Deferred {
    error: Option<Error>,
    /// Rows behind those that were large enough for one pull.
    rest: Option<Batch>,
    /// How many were, if not all; 0 before.
    rows_max: usize,
}

impl Deferred {
    pub(crate) fn begin(&mut self) {
        *self = Deferred::default();
    }

    /// Whether there is one.
    pub(crate) fn is_waiting(&self) -> bool {
        self.error.is_some()
    }

    /// Raises the error that waits, if there is one.
    pub(crate) fn raise(&mut self) -> Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// The rows that wait, or the next ones.
    pub(crate) fn pull(
        &mut self,
        input: &mut Upstream<'_>,
        run: &Run<'_>,
    ) -> Result<Option<Batch>> {
        self.raise()?;
        match self.rest.take() {
            Some(rest) => Ok(Some(rest)),
            None => input.next(run),
        }
    }

    /// Like [`Deferred::evaluate`]; where the values of all rows are too large together, of the first rows alone, and
    /// the rest waits for the next [`Deferred::pull`].
    pub(crate) fn evaluate_some<T>(
        &mut self,
        batch: &Batch,
        mut evaluate: impl FnMut(&Batch) -> Result<T>,
    ) -> Result<(Batch, T)> {
        let len_max = if self.rows_max == 0 { batch.len } else { self.rows_max };
        let mut len = len_max.min(batch.len);
        loop {
            let first = if len == batch.len { batch.clone() } else { prefix(batch, len) };
            match self.evaluate(first, &mut evaluate) {
                Err(error) if is_wide(&error) && 1 < len => len = len.div_ceil(4),
                done => {
                    if len < batch.len {
                        let behind: Vec<u32> = (len as u32..batch.len as u32).collect();
                        (self.rest, self.rows_max) = (Some(batch.take(&behind)), len);
                    }
                    return done;
                }
            }
        }
    }

    /// The result of `evaluate` for the batch, or for the rows before the first that fails.
    pub(crate) fn evaluate<T>(
        &mut self,
        batch: Batch,
        mut evaluate: impl FnMut(&Batch) -> Result<T>,
    ) -> Result<(Batch, T)> {
        let error = match evaluate(&batch) {
            Ok(result) => return Ok((batch, result)),
            Err(error) if batch.len < 2 || !belongs_to_a_row(&error) => return Err(error),
            Err(error) => error,
        };
        // Rows 0..good do not fail, rows 0..bad do.
        let (mut good, mut bad) = (0, batch.len);
        let mut last = error;
        let mut best = None;
        while good + 1 < bad {
            let middle = usize::midpoint(good, bad);
            let prefix = prefix(&batch, middle);
            match evaluate(&prefix) {
                Ok(result) => {
                    good = middle;
                    best = Some((prefix, result));
                }
                Err(error) if belongs_to_a_row(&error) => {
                    bad = middle;
                    last = error;
                }
                Err(error) => return Err(error),
            }
        }
        match best {
            Some(best) => {
                self.error = Some(last);
                Ok(best)
            }
            None => Err(last),
        }
    }
}

fn belongs_to_a_row(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::BadQuery | ErrorKind::BadInput)
}

fn prefix(batch: &Batch, len: usize) -> Batch {
    let rows: Vec<u32> = (0..len as u32).collect();
    batch.take(&rows)
}
