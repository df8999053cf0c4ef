//! The chain of batches as recovery follows it, and the batches nothing vouches for yet.
//!
//! A batch is emitted when a later one says that it was durable, or at the very end. The rest is
//! then the tail that is copied (see [the module](super)), with batches before it if they are small.

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
    /// The newest batches that were vouched for, for as long as they are small together.
    carried: Carried,
}

/// Vouched batches at the end of a chain: copied with the tail, so that their files may go.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Their bytes together are at most this.
    bytes_max: u64,
    bytes: u64,
    /// The mark of the chain before the first of them.
    pub(super) after: Mark,
    /// Oldest first.
    pub(super) batches: VecDeque<Batch>,
}

impl Carried {
    /// None, after a mark.
    pub(super) fn none(after: Mark) -> Self {
        Self { after, ..Self::default() }
    }

    fn push(&mut self, batch: Batch, before: Mark) {
        if self.batches.is_empty() {
            self.after = before;
        }
        self.bytes += batch.header.batch_bytes();
        self.batches.push_back(batch);
        while self.bytes_max < self.bytes {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some(first) = self.batches.pop_front() {
            self.bytes -= first.header.batch_bytes();
            self.after = first.mark;
        }
    }

    /// Leaves those from a batch on; none if it is not among them.
    pub(super) fn leave_from(&mut self, sequence: u64) {
        while self.batches.front().is_some_and(|first| first.header.sequence != sequence) {
            self.pop();
        }
    }

    /// Whether a batch is among them.
    pub(super) fn holds(&self, sequence: u64) -> bool {
        let first = self.batches.front().map(|batch| batch.header.sequence);
        first.is_some_and(|first| first <= sequence)
            && self.batches.back().is_some_and(|last| sequence <= last.header.sequence)
    }
}

impl Chain {
    /// A chain that keeps vouched batches of so many bytes at its end.
    pub(super) fn carrying(bytes_max: u64) -> Self {
        let carried = Carried { bytes_max, ..Carried::default() };
        Self { carried, ..Self::default() }
    }

    /// The batches at the end of those that were vouched for.
    pub(super) fn take_carried(&mut self) -> Carried {
        std::mem::take(&mut self.carried)
    }

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
            Frames { rest: &unconfirmed.payload }.try_for_each(&mut *visit)?;
            let before = std::mem::replace(&mut self.vouched, unconfirmed.mark);
            self.carried.push(unconfirmed, before);
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
