//! The memory that an operator holds, counted against the budget of its run.

use millrace_model::{Batch, CountedOnce, Result};

use super::state::Run;
use crate::rows::batch_bytes_once;

/// Bytes an operator reserves; released when it begins again or the run ends. Those of an earlier
/// run were released when that ended.
#[derive(Debug, Default)]
pub(crate) struct Charge {
    bytes: u64,
    /// The run that holds them.
    run: u64,
    /// What batches that are held share.
    counted: CountedOnce,
}

impl Charge {
    /// Counts more bytes.
    pub(crate) fn grow(&mut self, bytes: u64, run: &Run<'_>) -> Result<()> {
        self.forget_earlier(run);
        run.charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Counts a batch that is held until the release: memory that it shares with others held counts once.
    pub(crate) fn hold(&mut self, batch: &Batch, run: &Run<'_>) -> Result<()> {
        self.forget_earlier(run);
        let bytes = batch_bytes_once(batch, &mut self.counted);
        self.grow(bytes, run)
    }

    /// Counts this many bytes in all.
    pub(crate) fn set(&mut self, bytes: u64, run: &Run<'_>) -> Result<()> {
        self.forget_earlier(run);
        if self.bytes < bytes {
            return self.grow(bytes - self.bytes, run);
        }
        run.context.guard().release(self.bytes - bytes);
        self.bytes = bytes;
        Ok(())
    }

    /// Hands the bytes over: the caller releases them.
    pub(crate) fn take(&mut self) -> u64 {
        self.counted = CountedOnce::default();
        std::mem::take(&mut self.bytes)
    }

    fn forget_earlier(&mut self, run: &Run<'_>) {
        if self.run != run.number() {
            *self = Charge { run: run.number(), ..Charge::default() };
        }
    }

    /// Gives all back.
    pub(crate) fn release(&mut self, run: &Run<'_>) {
        self.forget_earlier(run);
        self.counted = CountedOnce::default();
        run.context.guard().release(std::mem::take(&mut self.bytes));
    }
}
