//! One shard of the exact and unique indexes: which elements had values of a hash, and when.
//!
//! A shard answers *candidates*. The seek compares the values of each candidate's record at the
//! snapshot, so equal hashes of different values, and entries older or newer than they should be,
//! cost time and never an answer. A shard must not miss a candidate, so an entry that was removed
//! stays for the readers before.

use std::sync::Arc;

use millrace_model::{IndexId, LogPosition};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::span::{DeltaBytes, FirstEnd, Sizes, Span, byte_size, forget, rebase};
use super::usage::Usage;
use crate::base::error::{Error, Result};
use crate::base::fetch::fetch;
use crate::persistent::image::Section;
use crate::persistent::segment;

/// An entry: an element had values of this hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexEntry {
    /// The index.
    pub index: IndexId,
    /// The hash of the values.
    pub hash: u64,
    /// The vertex or edge.
    pub id: u64,
}

/// The entries of a shard at a checkpoint position, sorted, as a checkpoint writes and recovery
/// reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexBase {
    /// The last position that is in it.
    pub checkpoint: LogPosition,
    /// The entries, ascending.
    pub entries: Vec<IndexEntry>,
}

/// One shard.
#[derive(Debug)]
pub struct IndexShard {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    base: Arc<IndexBase>,
    /// The entries of the base of one index, where they are in a file and not in `base`.
    stored: Option<(IndexId, Section<segment::IndexBase>)>,
    delta: FxHashMap<(IndexId, u64), Vec<Span<u64>>>,
    /// The first change that is not in the base.
    first: Option<LogPosition>,
    oldest: LogPosition,
    first_end: FirstEnd,
    /// Readers before it were ended.
    ended_before: LogPosition,
    sizes: Sizes,
    /// How many entries more the delta makes of the base's.
    more: i64,
}

/// Hashes that are looked up before the first is answered.
const LOOKUPS_MAX: usize = 16;

/// A hash that is looked up, with its spans.
#[derive(Clone, Copy, Debug, Default)]
struct Asked<'s> {
    row: u32,
    hash: u64,
    spans: &'s [Span<u64>],
}

/// Bytes of an entry of a base in a file.
const STORED_ENTRY_BYTES: u64 = 16;

/// A place of the delta: key, spans, a byte of the table, and an eighth of it free.
const PLACE_BYTES: usize = (size_of::<((IndexId, u64), Vec<Span<u64>>)>() + 1) * 8 / 7;

impl IndexBase {
    /// The ids of an index's entries with this hash, ascending.
    fn ids(&self, index: IndexId, hash: u64) -> impl Iterator<Item = u64> + '_ {
        let first = self.entries.partition_point(|entry| (entry.index, entry.hash) < (index, hash));
        let rest = self.entries[first..].iter();
        rest.take_while(move |entry| (entry.index, entry.hash) == (index, hash)).map(|at| at.id)
    }
}

impl State {
    /// The changes of a hash since the base.
    fn spans(&self, index: IndexId, hash: u64) -> &[Span<u64>] {
        self.delta.get(&(index, hash)).map_or(&[][..], Vec::as_slice)
    }

    fn candidates(
        &self,
        at: LogPosition,
        index: IndexId,
        (hash, spans): (u64, &[Span<u64>]),
        ids: &mut Vec<u64>,
    ) -> Result<()> {
        if at < self.ended_before {
            return Err(Error::SnapshotTooOld { at });
        }
        let ended = |id: u64| spans.iter().any(|span| span.what == id && span.ends_base(at));
        ids.extend(self.base.ids(index, hash).filter(|id| !ended(*id)));
        if let Some(stored) = self.stored.as_ref().filter(|(own, _)| *own == index) {
            let stored = stored.1.get()?;
            ids.extend(stored.ids(hash).iter().copied().filter(|id| !ended(*id)));
        }
        ids.extend(spans.iter().filter(|span| span.is_there(at)).map(|span| span.what));
        ids.sort_unstable();
        ids.dedup();
        Ok(())
    }

    /// The entries of the base, read if they are in a file.
    fn base_entries(&self) -> Result<Vec<IndexEntry>> {
        let mut entries = self.base.entries.clone();
        if let Some((index, stored)) = &self.stored {
            let entry = |(hash, id)| IndexEntry { index: *index, hash, id };
            entries.extend(stored.get()?.iter().map(entry));
        }
        Ok(entries)
    }

    fn add(&mut self, at: LogPosition, entry: IndexEntry) {
        self.more += 1;
        self.put(entry, |spans| spans.push(Span::since(at, entry.id)));
    }

    fn remove(&mut self, at: LogPosition, entry: IndexEntry) {
        self.more -= 1;
        self.first_end.note(at);
        let open = |span: &&mut Span<u64>| span.what == entry.id && span.is_open();
        self.put(entry, |spans| match spans.iter_mut().find(open) {
            Some(span) => span.end(at),
            None => spans.push(Span::of_base_until(at, entry.id)),
        });
    }

    /// Changes the spans of an entry's hash in the delta, and counts their bytes.
    fn put(&mut self, entry: IndexEntry, change: impl FnOnce(&mut Vec<Span<u64>>)) {
        let bytes = &mut self.sizes.bytes;
        let spans = self.delta.entry((entry.index, entry.hash)).or_insert_with(|| {
            *bytes += PLACE_BYTES;
            // Most hashes have one element.
            Vec::with_capacity(1)
        });
        let before = if spans.is_empty() { 0 } else { byte_size(spans) };
        change(spans);
        *bytes = *bytes + byte_size(spans) - before;
    }

    /// The bytes of the delta by a walk.
    fn walk(&self) -> usize {
        self.delta.values().map(|spans| PLACE_BYTES + byte_size(spans)).sum()
    }

    /// Frees entries not needed by any reader at `oldest` or later that was not ended.
    fn forget(&mut self, oldest: LogPosition) {
        self.oldest = oldest.max(self.ended_before);
        let oldest = self.oldest;
        if self.first_end.is_after(oldest) {
            return;
        }
        self.delta.retain(|_, spans| {
            forget(spans, oldest);
            !spans.is_empty()
        });
        self.first_end = FirstEnd::of(self.delta.values().flatten().copied());
        let left = self.walk();
        self.sizes.freed_to(left);
    }
}

impl IndexShard {
    /// A shard with the base that a checkpoint wrote.
    pub fn new(base: Arc<IndexBase>) -> IndexShard {
        IndexShard { state: RwLock::new(State { base, ..State::default() }) }
    }

    /// Applies the entries that commits removed and added, positions ascending. Those up to the
    /// base's checkpoint position are in it already and are skipped.
    pub fn apply(&self, group: &[(LogPosition, &[IndexEntry], &[IndexEntry])]) {
        let mut state = self.state.write();
        for (at, removed, added) in group {
            if *at <= state.base.checkpoint {
                continue;
            }
            state.first.get_or_insert(*at);
            removed.iter().for_each(|entry| state.remove(*at, *entry));
            added.iter().for_each(|entry| state.add(*at, *entry));
        }
    }

    /// Calls `found` with (row, id) for each candidate at a position: rows in order, ids ascending
    /// within a row. `found` must not ask the shard again. Fails if the base can't be read.
    pub fn seek(
        &self,
        at: LogPosition,
        index: IndexId,
        hashes: impl IntoIterator<Item = (u32, u64)>,
        mut found: impl FnMut(u32, u64),
    ) -> Result<()> {
        let state = self.state.read();
        let (mut ids, mut hashes) = (Vec::new(), hashes.into_iter());
        loop {
            // The look-ups of several hashes wait for memory together, and so do the reads of their spans.
            let mut few: [Asked<'_>; LOOKUPS_MAX] = [Asked::default(); LOOKUPS_MAX];
            let mut count = 0;
            for (own, (row, hash)) in few.iter_mut().zip(hashes.by_ref()) {
                *own = Asked { row, hash, spans: state.spans(index, hash) };
                own.spans.first().inspect(|span| fetch(*span));
                count += 1;
            }
            for asked in &few[..count] {
                ids.clear();
                state.candidates(at, index, (asked.hash, asked.spans), &mut ids)?;
                ids.iter().for_each(|id| found(asked.row, *id));
            }
            if count < LOOKUPS_MAX {
                return Ok(());
            }
        }
    }

    /// Whether the base has an entry.
    pub fn has_base(&self) -> bool {
        let state = self.state.read();
        state.stored.is_some() || !state.base.entries.is_empty()
    }

    /// The last position that is in the base.
    pub fn checkpoint(&self) -> LogPosition {
        self.state.read().base.checkpoint
    }

    /// The first change that is not in the base: the log is needed from there. `None` if the base
    /// holds everything.
    pub fn dirty_from(&self) -> Option<LogPosition> {
        self.state.read().first
    }

    /// The entries exactly at a checkpoint position, without those of indexes that are no more.
    pub fn base_at(
        &self,
        checkpoint: LogPosition,
        lives: impl Fn(IndexId) -> bool,
    ) -> Result<IndexBase> {
        let state = self.state.read();
        let ended = |entry: &IndexEntry| {
            let spans = state.delta.get(&(entry.index, entry.hash));
            spans.is_some_and(|spans| {
                spans.iter().any(|span| span.what == entry.id && span.ends_base(checkpoint))
            })
        };
        let mut entries = state.base_entries()?;
        entries.retain(|entry| !ended(entry));
        for ((index, hash), spans) in &state.delta {
            let live = spans.iter().filter(|span| span.is_there(checkpoint));
            entries.extend(live.map(|span| IndexEntry {
                index: *index,
                hash: *hash,
                id: span.what,
            }));
        }
        entries.retain(|entry| lives(entry.index));
        entries.sort_unstable();
        entries.dedup();
        Ok(IndexBase { checkpoint, entries })
    }

    /// Puts a base in place with its entries, all of one index, in a file; a seek reads them.
    pub fn install_stored(
        &self,
        checkpoint: LogPosition,
        index: IndexId,
        stored: Section<segment::IndexBase>,
    ) {
        let base = Arc::new(IndexBase { checkpoint, entries: Vec::new() });
        self.install(base, Some((index, stored)));
    }

    /// Installs a base that [`base_at`](Self::base_at) made; keeps later changes, and spans that
    /// readers from the oldest on may still need.
    pub fn install_base(&self, base: Arc<IndexBase>) {
        self.install(base, None);
    }

    fn install(
        &self,
        base: Arc<IndexBase>,
        stored: Option<(IndexId, Section<segment::IndexBase>)>,
    ) {
        let mut state = self.state.write();
        let (checkpoint, oldest) = (base.checkpoint, state.oldest);
        let first = rebase(state.delta.values_mut(), (checkpoint, oldest));
        state.delta.retain(|_, spans| !spans.is_empty());
        state.first_end = FirstEnd::of(state.delta.values().flatten().copied());
        let left = state.walk();
        state.sizes.rebased(left);
        let spans = state.delta.values().flatten();
        let counted = spans.map(|span| i64::from(span.is_open()) - i64::from(span.is_of_base()));
        state.more = counted.sum();
        state.base = base;
        state.stored = stored;
        state.first = first;
    }

    /// Frees entries that no reader at `oldest` or later finds.
    pub fn forget(&self, oldest: LogPosition) {
        self.state.write().forget(oldest);
    }

    /// Frees the spans that only readers before the base's checkpoint position find: they get the
    /// error that their snapshots are too old.
    pub fn end_readers(&self) {
        let mut state = self.state.write();
        state.ended_before = state.base.checkpoint;
        let oldest = state.oldest;
        state.forget(oldest);
    }

    /// Bytes of the changes since the base, and of the spans for readers before it.
    pub fn delta_bytes(&self) -> DeltaBytes {
        self.state.read().sizes.delta_bytes()
    }

    /// What it takes now.
    pub fn usage(&self) -> Usage {
        let state = self.state.read();
        let extent = state.stored.as_ref().and_then(|(_, stored)| stored.extent());
        let of_file = extent.map_or(0, |extent| extent.length);
        let in_memory = state.base.entries.len();
        let of_base = in_memory as u64 + of_file / STORED_ENTRY_BYTES;
        Usage {
            entries: of_base.saturating_add_signed(state.more),
            bytes: (in_memory * size_of::<IndexEntry>() + state.sizes.bytes) as u64 + of_file,
        }
    }

    /// Whether the bytes are those that a walk finds.
    #[cfg(test)]
    pub(super) fn is_counted(&self) -> bool {
        let state = self.state.read();
        state.sizes.bytes == state.walk()
    }
}
