//! Operators that read all their input before they give their first row.
//!
//! Barriers, aggregates, sorts and writes differ only in `complete`, which maps the whole input to the
//! whole result. Waiting, emitting in pieces and releasing memory are done here.

use millrace_model::{Batch, Result};

use super::shared::{Part, Shared};
use super::stages::{BatchSize, Operator, Pipeline, Upstream};
use crate::context::Guard;
use crate::run::{Charge, Run};

/// An operator on its whole input.
pub(crate) trait Whole: Send {
    /// Whether the next operator wants all rows in one batch, as a hop wants a frontier.
    fn gives_whole(&self) -> bool {
        false
    }

    /// Drops the state of an earlier run.
    fn forget(&mut self) {}

    /// The pipelines inside, for `explain`.
    fn inner(&self) -> Vec<&Pipeline> {
        Vec::new()
    }

    /// Lets threads share the operators up to this one.
    fn share(&mut self, _shared: Shared) {}

    /// What it holds for all rows of its input; `None` if it has no parts.
    fn part(
        &mut self,
        _input: &mut Upstream<'_>,
        _charge: &mut Charge,
        _run: &Run<'_>,
    ) -> Result<Option<Part>> {
        Ok(None)
    }

    /// All rows it gives.
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch>;
}

/// An operator that writes, and does nothing where there is no row.
pub(crate) trait WholeWrite: Send {
    /// All rows it gives for its whole input.
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch>;
}

impl<T: WholeWrite> Whole for T {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        run.context.transaction()?;
        input.read_all(charge, run)?.map_or(Ok(Batch::default()), |batch| self.write(batch, run))
    }
}

/// Such an operator in a pipeline.
pub(crate) struct Completing<T> {
    operator: T,
    result: Option<BatchPieces>,
    charge: Charge,
}

impl<T: Whole> Completing<T> {
    pub(crate) fn new(operator: T) -> Completing<T> {
        Completing { operator, result: None, charge: Charge::default() }
    }
}

impl<T: Whole> Operator for Completing<T> {
    fn begin(&mut self, run: &Run<'_>) {
        self.operator.forget();
        self.result = None;
        self.charge.release(run);
    }

    fn fill(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<()> {
        if self.result.is_none() {
            let whole = self.operator.complete(input, &mut self.charge, run)?;
            self.result = Some(match self.operator.gives_whole() {
                true => BatchPieces::at_once(whole),
                false => BatchPieces::new(whole),
            });
        }
        Ok(())
    }

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        self.fill(input, run)?;
        Ok(self.result.as_mut().and_then(|pending| pending.next(run.context.guard())))
    }

    fn inner(&self) -> Vec<&Pipeline> {
        self.operator.inner()
    }

    fn share(&mut self, shared: Shared) {
        self.operator.share(shared);
    }

    fn part(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<(Part, u64)>> {
        let part = self.operator.part(input, &mut self.charge, run)?;
        // The caller takes the part and releases its bytes.
        let held = self.charge.take();
        Ok(part.map(|part| (part, held)))
    }
}

/// The next piece of a batch, if one is being emitted. After the last, the batch is dropped.
pub(crate) fn next_piece(pending: &mut Option<BatchPieces>, run: &Run<'_>) -> Option<Batch> {
    let piece = pending.as_mut()?.next(run.context.guard());
    if piece.is_none() {
        *pending = None;
    }
    piece
}

/// A complete batch that is emitted in pieces.
pub(crate) struct BatchPieces {
    whole: Batch,
    emitted: usize,
    size: BatchSize,
}

impl BatchPieces {
    pub(crate) fn new(whole: Batch) -> BatchPieces {
        BatchPieces { whole, emitted: 0, size: BatchSize::collected() }
    }

    fn at_once(whole: Batch) -> BatchPieces {
        BatchPieces { whole, emitted: 0, size: BatchSize::whole() }
    }

    /// The next rows; `None` at the end.
    pub(crate) fn next(&mut self, guard: &Guard) -> Option<Batch> {
        let len = self.whole.len;
        if self.emitted == len {
            return None;
        }
        let start = self.emitted;
        self.emitted = (start + self.size.next(guard)).min(len);
        if start == 0 && self.emitted == len {
            self.emitted = 0;
            return Some(std::mem::take(&mut self.whole));
        }
        let rows: Vec<u32> = (start as u32..self.emitted as u32).collect();
        Some(self.whole.take(&rows))
    }
}
