//! Results as they come, to frames or to one body.
//!
//! Frames of a request that wrote are held until its commit is visible, as it may have to be run again;
//! then they leave together.

use millrace_db::Results;
use millrace_model::{DetachedElements, Error, MemoryBudget, MemoryShare, Profile, Result, Value};
use millrace_wire::gremlin::{
    AnswerForm, Batches, Datum, Refusal, RequestId, Response, status, write_response,
};

use super::sender::Sender;
use crate::query::check_size;

/// How the responses to a request are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResponseOptions {
    pub(super) id: RequestId,
    pub(super) form: AnswerForm,
    /// Results of one frame.
    pub(super) batch_size: usize,
    /// Whether a result is sent with its bulk.
    pub(super) has_bulk: bool,
    /// Bytes of frames that may be held.
    pub(super) bytes_max: u64,
}

/// Results on their way into frames.
pub(super) struct Frames {
    options: ResponseOptions,
    sender: Sender,
    batches: Batches,
    /// Whether none leaves before the end.
    is_whole: bool,
    streams: bool,
    held: Vec<Vec<u8>>,
    held_bytes: u64,
    /// Bytes of results that are in no frame yet.
    pending_bytes: u64,
    share: MemoryShare,
    /// Whether a result has no form in the format.
    is_unwritable: bool,
}

/// Frames that wait for a commit, and their sender.
pub(super) struct Held {
    options: ResponseOptions,
    sender: Sender,
    frames: Vec<Vec<u8>>,
    /// Their bytes, until each is the sender's.
    _share: MemoryShare,
}

impl Frames {
    pub(super) fn new(options: ResponseOptions, sender: Sender, memory: &MemoryBudget) -> Frames {
        Frames {
            options,
            sender,
            batches: Batches::new(options.id, options.batch_size, options.has_bulk),
            is_whole: false,
            streams: false,
            held: Vec::new(),
            held_bytes: 0,
            pending_bytes: 0,
            share: memory.share(),
            is_unwritable: false,
        }
    }

    /// The same for frames of which none leaves before the end.
    pub(super) fn whole(options: ResponseOptions, sender: Sender, memory: &MemoryBudget) -> Frames {
        Frames { is_whole: true, ..Frames::new(options, sender, memory) }
    }

    /// Where its frames go.
    pub(super) fn sender(&self) -> &Sender {
        &self.sender
    }

    /// All frames that did not leave, the last one with them.
    pub(super) fn finish(self) -> Held {
        let Frames { options, sender, batches, mut held, share, .. } = self;
        held.push(options.form.write(&batches.finish()));
        Held { options, sender, frames: held, _share: share }
    }

    /// Sends an error instead of the held frames.
    pub(super) fn fail(self, error: &Error) {
        let ResponseOptions { id, form, .. } = self.options;
        let response = if self.is_unwritable {
            let refusal = Refusal { id: Some(id), code: status::UNWRITABLE, error: error.clone() };
            refusal.response()
        } else {
            Response::error(Some(id), error)
        };
        self.sender.send(form, form.write(&response));
    }

    fn feed(&mut self, result: Datum, bulk: u64) -> Result<()> {
        self.pending_bytes += result.byte_size() as u64;
        self.share.reserve(self.held_bytes + self.pending_bytes)?;
        self.batches.feed(result, bulk);
        while let Some(response) = self.batches.next() {
            self.leave(&response)?;
        }
        Ok(())
    }

    fn leave(&mut self, response: &Response) -> Result<()> {
        let bytes = write_response(response, self.options.form.format).inspect_err(|_| {
            self.is_unwritable = true;
        })?;
        self.pending_bytes = 0;
        if self.streams {
            return self.sender.send_ahead(self.options.form, bytes);
        }
        self.held_bytes += bytes.len() as u64;
        self.held.push(bytes);
        check_size(self.held_bytes, self.options.bytes_max, SIZE_HELP)
    }
}

impl Results for Frames {
    fn begin(&mut self, streams: bool) {
        self.batches =
            Batches::new(self.options.id, self.options.batch_size, self.options.has_bulk);
        self.held.clear();
        (self.held_bytes, self.pending_bytes) = (0, 0);
        self.streams = streams && !self.is_whole;
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        let mut both = values.iter().zip(weights);
        both.try_for_each(|(value, bulk)| self.feed(Datum::of(value, elements), *bulk))
    }

    fn wait(&mut self) -> Result<()> {
        if self.streams { self.sender.wait_for_room() } else { Ok(()) }
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.feed(Datum::TraversalMetrics(Box::new(profile.clone())), 1)
    }
}

impl Held {
    /// Sends them, if their commit is visible.
    pub(super) fn send(self, visible: Result<()>) {
        let ResponseOptions { id, form, .. } = self.options;
        let sent = match visible {
            Ok(()) => {
                let mut frames = self.frames.into_iter();
                frames.try_for_each(|bytes| self.sender.send_results(form, bytes))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            self.sender.send(form, form.write(&Response::error(Some(id), &error)));
        }
    }
}

/// Results of one body.
pub(crate) struct Whole {
    id: RequestId,
    batches: Batches,
    count: u64,
    bytes_max: u64,
    bytes: u64,
    share: MemoryShare,
}

/// The remedy for results that are too large.
const SIZE_HELP: &str =
    "request fewer results, or read them over WebSocket in a request that does not write";

/// The minimum charge of a result in a body, in bytes.
const RESULT_BYTES: u64 = 16;

impl Whole {
    pub(crate) fn new(id: RequestId, bytes_max: u64, memory: &MemoryBudget) -> Whole {
        let (batches, share) = (Batches::new(id, usize::MAX, false), memory.share());
        Whole { id, batches, count: 0, bytes_max, bytes: 0, share }
    }

    /// The answer, and its share of memory until it is written.
    pub(crate) fn finish(self) -> (Response, MemoryShare) {
        (self.batches.finish(), self.share)
    }
}

impl Results for Whole {
    fn begin(&mut self, _streams: bool) {
        self.batches = Batches::new(self.id, usize::MAX, false);
        (self.count, self.bytes) = (0, 0);
    }

    fn take(
        &mut self,
        values: &[Value],
        weights: &[u64],
        elements: &DetachedElements,
    ) -> Result<()> {
        for (value, bulk) in values.iter().zip(weights) {
            self.count = self.count.saturating_add(*bulk);
            check_size(self.count.saturating_mul(RESULT_BYTES), self.bytes_max, SIZE_HELP)?;
            let result = Datum::of(value, elements);
            self.bytes += result.byte_size() as u64;
            // Each of equal results has a place of its own.
            self.share.reserve(self.bytes + self.count.saturating_mul(RESULT_BYTES))?;
            self.batches.feed(result, *bulk);
        }
        Ok(())
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.batches.feed(Datum::TraversalMetrics(Box::new(profile.clone())), 1);
        Ok(())
    }
}
