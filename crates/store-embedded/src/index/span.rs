//! The spans of positions in which an entry of an index is there, as the delta of a shard has them.
//!
//! A *based* span says only when the entry ends; the base says that it is there.

use millrace_model::LogPosition;

const FOREVER: LogPosition = LogPosition(u64::MAX);

/// When an entry is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<T> {
    /// Which of those that share a place in the delta.
    pub(super) what: T,
    from: LogPosition,
    until: LogPosition,
    /// The base has the entry, and this only says when it ends.
    based: bool,
}

impl<T> Span<T> {
    /// An entry that came.
    pub(super) fn since(at: LogPosition, what: T) -> Span<T> {
        Span { what, from: at, until: FOREVER, based: false }
    }

    /// An entry of the base that went.
    pub(super) fn of_base_until(at: LogPosition, what: T) -> Span<T> {
        Span { what, from: LogPosition(0), until: at, based: true }
    }

    /// Whether the entry came after the base, and is still there.
    pub(super) fn is_open(&self) -> bool {
        !self.based && self.until == FOREVER
    }

    /// When the entry went, if the delta alone had it.
    fn ended(&self) -> Option<LogPosition> {
        (!self.based && self.until != FOREVER).then_some(self.until)
    }

    /// The entry goes.
    pub(super) fn end(&mut self, at: LogPosition) {
        self.until = at;
    }

    /// Whether the delta alone has the entry at a position.
    pub(super) fn is_there(&self, at: LogPosition) -> bool {
        !self.based && self.from <= at && at < self.until
    }

    /// Whether the base has the entry, and it is gone at a position.
    pub(super) fn ends_base(&self, at: LogPosition) -> bool {
        self.based && self.until <= at
    }

    /// Whether the base has the entry.
    pub(super) fn is_of_base(&self) -> bool {
        self.based
    }

    /// Goes over to a base that holds all up to a checkpoint position. Returns whether the span is
    /// still needed: for later changes, or by readers from the oldest on.
    fn rebase(&mut self, checkpoint: LogPosition, oldest: LogPosition) -> bool {
        let in_base = self.from <= checkpoint && checkpoint < self.until;
        // If the old base had it and the new one does not, readers before its end still do.
        self.based = in_base;
        !(in_base && self.until == FOREVER) && oldest < self.until
    }

    /// The first change of it after a checkpoint position.
    fn change_after(&self, checkpoint: LogPosition) -> Option<LogPosition> {
        [self.from, self.until].into_iter().find(|at| checkpoint < *at && *at != FOREVER)
    }
}

/// Goes over to a base that holds all up to a checkpoint position, with every span of a delta;
/// gives the first change that is not in the base.
pub(super) fn rebase<'a, T: 'a>(
    spans: impl Iterator<Item = &'a mut Vec<Span<T>>>,
    (checkpoint, oldest): (LogPosition, LogPosition),
) -> Option<LogPosition> {
    let mut first = None;
    for spans in spans {
        first = spans.iter().filter_map(|span| span.change_after(checkpoint)).chain(first).min();
        spans.retain_mut(|span| span.rebase(checkpoint, oldest));
    }
    first
}

/// The first end of an entry that a delta alone had: before it there is nothing to forget, so a
/// delta in which entries only came is not walked over.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstEnd(LogPosition);

impl Default for FirstEnd {
    fn default() -> FirstEnd {
        FirstEnd(FOREVER)
    }
}

impl FirstEnd {
    /// The first one in a delta, by a walk.
    pub(super) fn of<T>(delta: impl Iterator<Item = Span<T>>) -> FirstEnd {
        FirstEnd(delta.filter_map(|span| span.ended()).min().unwrap_or(FOREVER))
    }

    /// Notes an end.
    pub(super) fn note(&mut self, at: LogPosition) {
        self.0 = self.0.min(at);
    }

    /// Whether readers from the oldest on need all there is.
    pub(super) fn is_after(&self, oldest: LogPosition) -> bool {
        oldest < self.0
    }
}

/// Bytes of the delta of a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeltaBytes {
    /// All of it.
    pub all: usize,
    /// Of these, the bytes that the next base takes over; the rest is there for readers.
    pub fresh: usize,
}

/// How many bytes a delta has, kept as it changes: admission asks often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) bytes: usize,
    /// The most bytes that are there for readers of older bases only.
    pinned: usize,
}

impl Sizes {
    /// Sets the bytes left after the spans that no reader needs were freed.
    pub(super) fn freed_to(&mut self, bytes: usize) {
        let freed = self.bytes.saturating_sub(bytes);
        self.pinned = self.pinned.saturating_sub(freed).min(bytes);
        self.bytes = bytes;
    }

    /// Sets the bytes left after a new base was installed.
    pub(super) fn rebased(&mut self, bytes: usize) {
        (self.bytes, self.pinned) = (bytes, bytes);
    }

    pub(super) fn delta_bytes(&self) -> DeltaBytes {
        DeltaBytes { all: self.bytes, fresh: self.bytes - self.pinned }
    }
}

/// Bytes of the spans of one place in a delta.
pub(super) fn byte_size<T>(spans: &Vec<Span<T>>) -> usize {
    spans.capacity() * size_of::<Span<T>>()
}

/// Frees spans that no reader from the oldest on needs.
pub(super) fn forget<T>(spans: &mut Vec<Span<T>>, oldest: LogPosition) {
    spans.retain(|span| span.based || oldest < span.until);
}
