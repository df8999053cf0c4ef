//! The elements that had one key since the base: ids ascending, each with the spans in which it had the key.
//!
//! Nearly every span of a delta says "since a position", so these are pairs of sixteen bytes. Other spans stand beside
//! them. Where many elements have the key they are in chunks, so that few are moved when one comes between.

use millrace_model::LogPosition;

use super::span::{Span, forget, rebase};

/// The elements of a key.
#[derive(Clone, Debug)]
pub(super) enum Postings {
    /// One element that came.
    Came(Since),
    /// One element of the base that went.
    Went(Since),
    /// Any others, by id; without a chunk there is none.
    Many(Vec<Chunk>),
}

/// An element, and the position of its change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Since {
    id: u64,
    at: LogPosition,
}

/// Elements next to each other.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Its ids begin here; those below the first chunk's are in that chunk, too.
    first: u64,
    /// Elements that came and are still there, by id.
    since: Vec<Since>,
    /// All other spans, by id.
    others: Vec<Span<u64>>,
}

/// Ids from the first on and below the end, if there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdRange {
    pub(super) first: u64,
    pub(super) end: Option<u64>,
}

/// A chunk with so many spans is split before it takes another.
const CHUNK_SPANS_MAX: usize = 256;

impl IdRange {
    pub(super) const ALL: IdRange = IdRange { first: 0, end: None };
    pub(super) const NONE: IdRange = IdRange { first: 0, end: Some(0) };

    /// The part of a list by id that is inside.
    pub(super) fn of<T>(self, list: &[T], id: impl Fn(&T) -> u64) -> &[T] {
        let list = &list[list.partition_point(|one| id(one) < self.first)..];
        let len = self.end.map_or(list.len(), |end| list.partition_point(|one| id(one) < end));
        &list[..len]
    }

    pub(super) fn contains(self, id: u64) -> bool {
        self.first <= id && self.end.is_none_or(|end| id < end)
    }
}

impl Since {
    /// The span of an element of the base that went.
    fn of_base(self) -> Span<u64> {
        Span::of_base_until(self.at, self.id)
    }
}

impl Chunk {
    fn of(since: Vec<Since>, others: Vec<Span<u64>>) -> Chunk {
        let firsts = since.first().map(|own| own.id).into_iter();
        let first = firsts.chain(others.first().map(|span| span.what)).min().unwrap_or_default();
        Chunk { first, since, others }
    }

    fn byte_size(&self) -> usize {
        self.since.capacity() * size_of::<Since>() + self.others.capacity() * size_of::<Span<u64>>()
    }

    fn len(&self) -> usize {
        self.since.len() + self.others.len()
    }

    fn is_below(&self, id: u64) -> bool {
        let last = self.others.last().map(|span| span.what);
        self.since.last().map(|own| own.id).max(last).is_none_or(|last| last < id)
    }

    fn add(&mut self, came: Since) {
        // Ids nearly always ascend.
        if self.since.last().is_none_or(|last| last.id <= came.id) {
            return self.since.push(came);
        }
        let behind = self.since.partition_point(|other| other.id <= came.id);
        self.since.insert(behind, came);
    }

    fn remove(&mut self, gone: Since) {
        let own = self.since.partition_point(|other| other.id < gone.id);
        let span = match self.since.get(own).filter(|own| own.id == gone.id) {
            Some(came) => {
                let mut span = Span::since(came.at, gone.id);
                span.end(gone.at);
                self.since.remove(own);
                span
            }
            None => gone.of_base(),
        };
        let behind = self.others.partition_point(|other| other.what <= span.what);
        self.others.insert(behind, span);
    }

    /// The ids from about the middle on, in a chunk of their own; `None` if all have one id.
    fn split(&mut self) -> Option<Chunk> {
        let middle = match self.since.len() < self.others.len() {
            true => self.others[self.others.len() / 2].what,
            false => self.since[self.since.len() / 2].id,
        };
        let since = self.since.partition_point(|own| own.id < middle);
        let others = self.others.partition_point(|span| span.what < middle);
        if since + others == 0 {
            return None;
        }
        Some(Chunk::of(self.since.split_off(since), self.others.split_off(others)))
    }

    /// Appends the ids that have the key at a position, the base's left out.
    fn ids(&self, at: LogPosition, range: IdRange, ids: &mut Vec<u64>) {
        let came = range.of(&self.since, |own| own.id).iter().filter(|own| own.at <= at);
        let others = range.of(&self.others, |span| span.what);
        let first = ids.len();
        ids.extend(came.map(|own| own.id));
        if !others.is_empty() {
            ids.extend(others.iter().filter(|span| span.is_there(at)).map(|span| span.what));
            ids[first..].sort_unstable();
        }
    }
}

impl Default for Postings {
    fn default() -> Postings {
        Postings::Many(Vec::new())
    }
}

impl Postings {
    /// An element comes; gives the bytes that the postings have more.
    pub(super) fn add(&mut self, at: LogPosition, id: u64) -> usize {
        let came = Since { id, at };
        if self.is_empty() {
            *self = Postings::Came(came);
            return 0;
        }
        self.change(id, |chunk| chunk.add(came))
    }

    /// An element goes; gives the bytes that the postings have more.
    pub(super) fn remove(&mut self, at: LogPosition, id: u64) -> usize {
        let gone = Since { id, at };
        if self.is_empty() {
            *self = Postings::Went(gone);
            return 0;
        }
        self.change(id, |chunk| chunk.remove(gone))
    }

    /// Changes the chunk of an id. Neither chunks nor their lists get smaller here.
    fn change(&mut self, id: u64, change: impl FnOnce(&mut Chunk)) -> usize {
        let single = match self {
            Postings::Many(_) => None,
            Postings::Came(came) => Some(Chunk::of(vec![*came], Vec::new())),
            Postings::Went(gone) => Some(Chunk::of(Vec::new(), vec![gone.of_base()])),
        };
        let mut more = 0;
        if let Some(chunk) = single {
            *self = Postings::Many(vec![chunk]);
            more += self.byte_size();
        }
        let Postings::Many(chunks) = self else { return 0 };
        let mut own = match chunks.last() {
            Some(last) if last.first <= id => chunks.len() - 1,
            _ => chunks.partition_point(|chunk| chunk.first <= id).saturating_sub(1),
        };
        if CHUNK_SPANS_MAX <= chunks[own].len() {
            // Ids that ascend fill each chunk before the next.
            let is_last = own + 1 == chunks.len() && chunks[own].is_below(id);
            let behind = match is_last {
                true => Some(Chunk { first: id, since: Vec::new(), others: Vec::new() }),
                false => chunks[own].split(),
            };
            if let Some(behind) = behind {
                let room = chunks.capacity();
                more += behind.byte_size();
                own += usize::from(behind.first <= id);
                chunks.insert(own + usize::from(id < behind.first), behind);
                more += (chunks.capacity() - room) * size_of::<Chunk>();
            }
        }
        let before = chunks[own].byte_size();
        change(&mut chunks[own]);
        more + chunks[own].byte_size() - before
    }

    /// Whether no element is left.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Postings::Many(chunks) if chunks.is_empty())
    }

    /// Bytes beside the postings themselves.
    pub(super) fn byte_size(&self) -> usize {
        match self {
            Postings::Came(_) | Postings::Went(_) => 0,
            Postings::Many(chunks) => {
                let lists: usize = chunks.iter().map(Chunk::byte_size).sum();
                chunks.capacity() * size_of::<Chunk>() + lists
            }
        }
    }

    /// The chunks that may have an id of a range.
    fn chunks_of(&self, range: IdRange) -> &[Chunk] {
        let Postings::Many(chunks) = self else { return &[] };
        let first = chunks.partition_point(|chunk| chunk.first <= range.first).saturating_sub(1);
        let end = range
            .end
            .map_or(chunks.len(), |end| chunks.partition_point(|chunk| chunk.first < end).max(1));
        chunks.get(first..end).unwrap_or_default()
    }

    /// Appends ids of a range that have the key at a position, the base's left out: at least the first `max`, from
    /// either side, each once.
    pub(super) fn ids(
        &self,
        at: LogPosition,
        range: IdRange,
        (descending, max): (bool, usize),
        ids: &mut Vec<u64>,
    ) {
        let first = ids.len();
        if let Postings::Came(came) = self {
            ids.extend(Some(came.id).filter(|id| came.at <= at && range.contains(*id)));
            return;
        }
        let mut visit = |chunk: &Chunk| {
            let before = ids.len();
            chunk.ids(at, range, ids);
            if descending {
                ids[before..].reverse();
            }
            ids.len() - first < max
        };
        let chunks = self.chunks_of(range);
        match descending {
            true => chunks.iter().rev().all(&mut visit),
            false => chunks.iter().all(&mut visit),
        };
        ids.dedup();
    }

    /// Takes those out of a list of the base's ids, which ascend, that no longer have the key at a position.
    pub(super) fn drop_ended(&self, at: LogPosition, ids: &mut Vec<u64>) {
        if let Postings::Went(gone) = self {
            if gone.of_base().ends_base(at) {
                ids.retain(|id| *id != gone.id);
            }
            return;
        }
        let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return };
        let range = IdRange { first: *first, end: last.checked_add(1) };
        let others = self.chunks_of(range).iter().flat_map(|chunk| &chunk.others);
        let mut ended = others.filter(|span| span.ends_base(at)).map(|span| span.what).peekable();
        if ended.peek().is_some() {
            ids.retain(|id| {
                while ended.next_if(|gone| gone < id).is_some() {}
                ended.peek() != Some(id)
            });
        }
    }

    /// How many of the ids of a range came and are still there, and how many went.
    pub(super) fn counts(&self, range: IdRange) -> (u64, u64) {
        let of_one = |own: &Since| u64::from(range.contains(own.id));
        match self {
            Postings::Came(came) => (of_one(came), 0),
            Postings::Went(gone) => (0, of_one(gone)),
            Postings::Many(_) => {
                self.chunks_of(range).iter().fold((0, 0), |(came, went), chunk| {
                    let more = range.of(&chunk.since, |own| own.id).len() as u64;
                    let others = range.of(&chunk.others, |span| span.what).iter();
                    let fewer = others.filter(|span| span.is_of_base()).count() as u64;
                    (came + more, went + fewer)
                })
            }
        }
    }

    /// The spans that may have an end.
    pub(super) fn ending(&self) -> impl Iterator<Item = Span<u64>> + '_ {
        let gone = match self {
            Postings::Went(gone) => Some(gone.of_base()),
            Postings::Came(_) | Postings::Many(_) => None,
        };
        let chunks = self.chunks_of(IdRange::ALL).iter();
        gone.into_iter().chain(chunks.flat_map(|chunk| chunk.others.iter().copied()))
    }

    /// Frees spans that no reader from the oldest on needs.
    pub(super) fn forget(&mut self, oldest: LogPosition) {
        if let Postings::Many(chunks) = self {
            chunks.iter_mut().for_each(|chunk| forget(&mut chunk.others, oldest));
            self.shrink();
        }
    }

    /// Goes over to a base that holds all up to a checkpoint position; gives the first change that is not in it.
    pub(super) fn rebase(
        &mut self,
        checkpoint: LogPosition,
        oldest: LogPosition,
    ) -> Option<LogPosition> {
        if let Postings::Came(Since { at, .. }) = self
            && checkpoint < *at
        {
            return Some(*at);
        }
        if let Postings::Went(gone) = self
            && checkpoint < gone.at
        {
            return Some(gone.at);
        }
        let mut chunks = match std::mem::take(self) {
            Postings::Came(_) => return None,
            Postings::Went(gone) => vec![Chunk::of(Vec::new(), vec![gone.of_base()])],
            Postings::Many(chunks) => chunks,
        };
        let mut first =
            rebase(chunks.iter_mut().map(|chunk| &mut chunk.others), (checkpoint, oldest));
        for chunk in &mut chunks {
            chunk.since.retain(|own| checkpoint < own.at);
            first = chunk.since.iter().map(|own| own.at).chain(first).min();
        }
        *self = Postings::Many(chunks);
        self.shrink();
        first
    }

    /// Frees the room of spans that were taken out.
    fn shrink(&mut self) {
        let Postings::Many(chunks) = self else { return };
        chunks.retain(|chunk| chunk.len() != 0);
        for chunk in &mut *chunks {
            chunk.since.shrink_to(chunk.since.len().next_power_of_two());
            chunk.others.shrink_to(chunk.others.len().next_power_of_two());
        }
        chunks.shrink_to_fit();
        if let [chunk] = chunks.as_slice()
            && chunk.others.is_empty()
            && let [came] = chunk.since.as_slice()
        {
            *self = Postings::Came(*came);
        }
    }
}

// A key of one element, of which a unique index has millions, has nothing beside it.
const _: () = assert!(size_of::<Postings>() <= 24);
