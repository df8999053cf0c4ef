//! The chain of batches as recovery follows it, and the batches nothing vouches for yet.
//!
//! A batch is emitted when a later one says that it was durable, or at the very end. The rest is
//! then the tail that is copied (see [the module](super)).

use std::collections::VecDeque;

use crate::base::error::Result;
use crate::log::format::{BatchHeader, Frame, Frames, Mark};

/// A batch that was read and is whole.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) header: BatchHeader,
    /// The mark of the chain after it.
    pub(super) mark: Mark,
    /// Where it is in its file.
    pub(super) offset: u64,
    pub(super) payload: Vec<u8>,
}

/// Called with each recovered frame.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Frame<'_>) -> Result<()>;

#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The last batch that was handed on or, before the first, the place it follows.
    pub(super) vouched: Mark,
    /// The batches after it, oldest first.
    pub(super) unconfirmed: VecDeque<Batch>,
    /// The position the log begins after, once a batch was found.
    pub(super) starts_after: Option<u64>,
}

impl Chain {
    /// Where the chain ends so far.
    pub(super) fn end(&self) -> Mark {
        self.unconfirmed.back().map_or(self.vouched, |batch| batch.mark)
    }

    /// Whether a batch continues the chain. Only the first of a file may begin it.
    pub(super) fn fits(&self, batch: &Batch, first_of_file: bool) -> bool {
        let (header, end) = (&batch.header, self.end());
        match self.starts_after {
            None => first_of_file,
            Some(_) => header.sequence == end.batch + 1 && header.previous_checksum == end.checksum,
        }
    }

    /// Adds a batch that fits, and emits the batches that it vouches for.
    pub(super) fn push(&mut self, batch: Batch, visit: Visit<'_>) -> Result<()> {
        let header = batch.header;
        if self.starts_after.is_none() {
            self.starts_after = Some(header.durable_before);
            self.vouched = Mark {
                batch: header.sequence - 1,
                checksum: header.previous_checksum,
                position: header.durable_before,
            };
        }
        while let Some(unconfirmed) =
            self.unconfirmed.pop_front_if(|h| h.header.sequence <= header.durable_batch)
        {
            self.vouched = unconfirmed.mark;
            Frames { rest: &unconfirmed.payload }.try_for_each(&mut *visit)?;
        }
        self.unconfirmed.push_back(batch);
        Ok(())
    }

    /// Hands on the tail, and gives it back to be copied.
    pub(super) fn finish(self, visit: Visit<'_>) -> Result<VecDeque<Batch>> {
        for batch in &self.unconfirmed {
            Frames { rest: &batch.payload }.try_for_each(&mut *visit)?;
        }
        Ok(self.unconfirmed)
    }
}
