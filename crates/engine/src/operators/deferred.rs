//! Errors belong to rows: where one fails, the rows before it go on first.
//!
//! A caller that has enough of the rows before never asks again, and the error is never raised. The
//! failing row is found by halving, since a prefix fails exactly if it holds that row; only errors
//! that a row can cause are treated so, not limits or failures of the store.

use millrace_model::{Batch, Error, ErrorKind, Result};

/// An error that waits for the next pull.
#[derive(Debug, Default)]
pub(super) struct Deferred(Option<Error>);

impl Deferred {
    pub(super) fn begin(&mut self) {
        self.0 = None;
    }

    /// Whether there is one.
    pub(super) fn is_waiting(&self) -> bool {
        self.0.is_some()
    }

    /// Raises the error that waits, if there is one.
    pub(super) fn raise(&mut self) -> Result<()> {
        self.0.take().map_or(Ok(()), Err)
    }

    /// The result of `evaluate` for the batch, or for the rows before the first that fails.
    pub(super) fn evaluate<T>(
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
                self.0 = Some(last);
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
