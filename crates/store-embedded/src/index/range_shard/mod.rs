//! One shard of an ordered index: which elements had a key of its range, and when.
//!
//! It answers *candidates*, as hash shards do, and must not miss one. A reader before the base's
//! checkpoint position may find an element with a changed value under both keys; its record at the
//! snapshot says which one counts.

mod layer;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use millrace_model::LogPosition;
use parking_lot::RwLock;
use rustc_hash::FxHashSet;

pub use self::layer::RangeLayer;
use self::layer::Saved;
use super::neighbours::CoveredBase;
use super::postings::{IdRange, Postings};
use super::range_lists::Lists;
use super::range_parts::RangeParts;
use super::span::{DeltaBytes, FirstEnd, Sizes};
use super::usage::Usage;
use crate::base::error::{Error, Result};
use crate::folder::SectionMemory;
use crate::persistent::image::{Pinned, Section};
use crate::persistent::segment::{BaseFile, RangeBase, RangeEntry};

/// A shard: keys from `lower` on, below the next one's.
#[derive(Debug)]
pub struct RangeShard {
    /// Its number, never reused within its index.
    pub number: u32,
    /// No key of it is below.
    pub lower: Vec<u8>,
    state: RwLock<State>,
}

/// An entry that a commit added, or removed.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'e> {
    /// The position of the commit.
    pub at: LogPosition,
    /// Whether it was added.
    pub added: bool,
    /// Its key.
    pub key: &'e [u8],
    /// The element that has the key.
    pub id: u64,
}

#[derive(Clone, Debug)]
struct State {
    base: Arc<Section<RangeBase>>,
    /// How many entries the base has, and how many more the delta makes of these.
    entries: (u64, i64),
    /// The last position that is in the base.
    checkpoint: LogPosition,
    delta: Delta,
    /// What delta layers hold of it.
    saved: Saved,
    /// A position at or before the first change that is neither in the base nor in a delta layer.
    first: Option<LogPosition>,
    /// The last change.
    last: LogPosition,
    oldest: LogPosition,
    first_end: FirstEnd,
    /// Readers before it were ended.
    ended_before: LogPosition,
    sizes: Sizes,
}

/// What a base has no longer.
type Ended = FxHashSet<(u64, Vec<u8>)>;

/// The changes since the base, by key.
pub(super) type Delta = BTreeMap<Box<[u8]>, Postings>;

/// A key of the delta beside its bytes and what is beside its postings; nodes of the tree are half empty at most.
const KEY_BYTES: usize = size_of::<(Box<[u8]>, Postings)>() * 3 / 2;

/// Entries from `start` on and below `end`; without an end, all of them.
#[derive(Clone, Debug)]
pub struct Window {
    /// The first that may be in it.
    pub start: RangeEntry,
    /// The first behind it.
    pub end: Option<RangeEntry>,
}

/// A new base of a shard, or of a part of one: where it begins, and its entries.
#[derive(Debug)]
pub struct RangePart {
    /// The number of the shard it is of.
    pub number: u32,
    /// No key of it is below.
    pub lower: Vec<u8>,
    /// Its entries.
    pub base: Arc<Section<RangeBase>>,
    /// How many there are.
    pub entries: u64,
}

impl Window {
    /// All entries.
    pub fn everything() -> Window {
        Window { start: RangeEntry::default(), end: None }
    }

    /// Leaves out all up to an entry, or from it on where it is gone through from above.
    pub fn go_behind(&mut self, (key, id): &RangeEntry, descending: bool) {
        if descending {
            self.end = Some((key.clone(), *id));
        } else {
            self.start = (key.clone(), *id + 1);
        }
    }

    /// Whether no entry is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.end.as_ref().is_some_and(|end| *end <= self.start)
    }

    /// The ids of a key that are in it.
    pub(super) fn ids_of(&self, key: &[u8]) -> IdRange {
        let first = match self.start.0.as_slice().cmp(key) {
            Ordering::Less => 0,
            Ordering::Equal => self.start.1,
            Ordering::Greater => return IdRange::NONE,
        };
        let Some((end, id)) = &self.end else { return IdRange { first, end: None } };
        match key.cmp(end) {
            Ordering::Less => IdRange { first, end: None },
            Ordering::Equal => IdRange { first, end: Some(*id) },
            Ordering::Greater => IdRange::NONE,
        }
    }
}

impl State {
    fn new(base: Arc<Section<RangeBase>>, entries: u64, checkpoint: LogPosition) -> State {
        let delta = BTreeMap::new();
        let (oldest, ended_before) = (LogPosition(0), LogPosition(0));
        let (first_end, sizes) = (FirstEnd::default(), Sizes::default());
        State {
            base,
            entries: (entries, 0),
            checkpoint,
            delta,
            saved: Saved::default(),
            first: None,
            last: checkpoint,
            oldest,
            first_end,
            ended_before,
            sizes,
        }
    }

    /// The last position that is in the base or in a delta layer.
    fn covered(&self) -> LogPosition {
        self.checkpoint.max(self.saved.at)
    }

    /// Changes the postings of a key in the delta, and counts their bytes.
    fn change<'a>(&mut self, key: &[u8], changes: impl Iterator<Item = &'a Applied<'a>>) {
        let State { delta, sizes, first_end, entries, .. } = self;
        let change = |postings: &mut Postings| {
            for Applied { at, added, id, .. } in changes {
                sizes.bytes += if *added {
                    entries.1 += 1;
                    postings.add(*at, *id)
                } else {
                    entries.1 -= 1;
                    first_end.note(*at);
                    postings.remove(*at, *id)
                };
            }
        };
        if let Some(postings) = delta.get_mut(key) {
            return change(postings);
        }
        let mut postings = Postings::default();
        change(&mut postings);
        sizes.bytes += KEY_BYTES + key.len();
        delta.insert(key.into(), postings);
    }

    /// The bytes of the delta by a walk.
    fn walk(&self) -> usize {
        let keys = self.delta.iter();
        keys.map(|(key, postings)| KEY_BYTES + key.len() + postings.byte_size()).sum()
    }

    fn find_first_end(&mut self) {
        self.first_end = FirstEnd::of(self.delta.values().flat_map(Postings::ending));
    }

    /// Frees entries not needed by any reader at `oldest` or later that was not ended.
    fn forget(&mut self, oldest: LogPosition) {
        self.oldest = oldest.max(self.ended_before);
        let oldest = self.oldest;
        if self.first_end.is_after(oldest) {
            return;
        }
        self.delta.retain(|_, postings| {
            postings.forget(oldest);
            !postings.is_empty()
        });
        self.find_first_end();
        let left = self.walk();
        self.sizes.freed_to(left);
    }

    /// Goes over to a base that holds all up to a checkpoint position; keeps later changes, and
    /// spans that readers from the oldest on may still need.
    fn install(&mut self, part: RangePart, checkpoint: LogPosition) {
        let (oldest, mut first) = (self.oldest, None);
        self.delta.retain(|_, postings| {
            first = postings.rebase(checkpoint, oldest).into_iter().chain(first).min();
            !postings.is_empty()
        });
        self.find_first_end();
        let left = self.walk();
        self.sizes.rebased(left);
        let more = self.delta.values().map(|postings| {
            let (came, went) = postings.counts(IdRange::ALL);
            came as i64 - went as i64
        });
        self.entries = (part.entries, more.sum());
        (self.base, self.checkpoint, self.first) = (part.base, checkpoint, first);
        self.saved = Saved::default();
    }
}

impl RangeShard {
    /// A shard with the base that a checkpoint wrote.
    pub fn new(part: RangePart, checkpoint: LogPosition) -> RangeShard {
        let RangePart { number, lower, base, entries } = part;
        RangeShard { number, lower, state: RwLock::new(State::new(base, entries, checkpoint)) }
    }

    /// A shard without entries.
    pub fn empty(number: u32, lower: Vec<u8>) -> RangeShard {
        let base = Arc::new(Section::of(RangeBase::default()));
        RangeShard::new(RangePart { number, lower, base, entries: 0 }, LogPosition(0))
    }

    /// Applies removals and additions of entries by commits: by key, those of an entry in the order of their positions.
    /// What the base and its delta layer cover is skipped.
    pub fn apply(&self, entries: &[Applied<'_>]) {
        let mut state = self.state.write();
        let covered = state.covered();
        for of_key in entries.chunk_by(|one, next| one.key == next.key) {
            let fresh = of_key.iter().filter(|entry| covered < entry.at);
            let Some(first) = fresh.clone().map(|entry| entry.at).min() else { continue };
            state.first = Some(state.first.map_or(first, |known| known.min(first)));
            state.last = fresh.clone().map(|entry| entry.at).fold(state.last, LogPosition::max);
            state.change(of_key[0].key, fresh);
        }
    }

    /// Calls `visit` with keys of a window at a position and ids that each has, in order from either side, up to `max`
    /// ids in all: the ids of one key may come in several calls. Gives how many came. `visit` must not ask the shard.
    pub fn visit(
        &self,
        at: LogPosition,
        window: &Window,
        (descending, max): (bool, usize),
        visit: &mut dyn FnMut(&[u8], &[u64]),
    ) -> Result<usize> {
        let state = self.state.read();
        if at < state.ended_before {
            return Err(Error::SnapshotTooOld { at });
        }
        let base = state.base.get()?;
        Ok(Lists { base: &base, delta: &state.delta, window, descending }.visit(at, max, visit))
    }

    /// How many entries a window has at the newest position, from counts of blocks.
    pub fn count(&self, window: &Window) -> Result<u64> {
        let state = self.state.read();
        let base = state.base.get()?;
        Ok(Lists { base: &base, delta: &state.delta, window, descending: false }.count())
    }

    /// Appends up to `max` candidates of a window at a position, from either side.
    pub fn candidates(
        &self,
        at: LogPosition,
        window: &Window,
        (descending, max): (bool, usize),
        found: &mut Vec<RangeEntry>,
    ) -> Result<()> {
        let mut add = |key: &[u8], ids: &[u64]| {
            found.extend(ids.iter().map(|id| (key.to_vec(), *id)));
        };
        self.visit(at, window, (descending, max), &mut add).map(drop)
    }

    /// Calls back with each candidate at a position, in no order; some twice. A base that `skips` takes is left out:
    /// it is given what the base has no longer.
    pub fn each_candidate(
        &self,
        at: LogPosition,
        skips: &mut dyn FnMut(&Pinned<RangeBase>, &Ended) -> bool,
        visit: &mut dyn FnMut(&[u8], u64),
    ) -> Result<()> {
        let state = self.state.read();
        if at < state.ended_before {
            return Err(Error::SnapshotTooOld { at });
        }
        let base = state.base.get()?;
        // What the base has no longer is little, and may be compared in vain: the record says so.
        let mut ended = Ended::default();
        let mut fresh = Vec::new();
        for (key, postings) in &state.delta {
            let gone = postings.ending().filter(|span| span.ends_base(at));
            ended.extend(gone.map(|span| (span.what, key.to_vec())));
            fresh.clear();
            postings.ids(at, IdRange::ALL, (false, usize::MAX), &mut fresh);
            fresh.iter().for_each(|id| visit(key, *id));
        }
        drop(state);
        if skips(&base, &ended) {
            return Ok(());
        }
        let ids: FxHashSet<u64> = ended.iter().map(|(id, _)| *id).collect();
        base.each(|key, id| {
            if !ids.contains(&id) || !ended.contains(&(id, key.to_vec())) {
                visit(key, id);
            }
        });
        Ok(())
    }

    /// The base, in memory.
    pub fn base(&self) -> Result<Pinned<RangeBase>> {
        self.state.read().base.get()
    }

    /// The same, and where it is stored.
    pub(super) fn covered_base(&self) -> Result<CoveredBase> {
        let state = self.state.read();
        let file = state.base.extent().map(BaseFile::of);
        Ok(CoveredBase { base: state.base.get()?, file, is_whole: true })
    }

    /// Where the memory of the base is counted, once it is in a file.
    pub fn memory(&self) -> Option<Arc<SectionMemory>> {
        self.state.read().base.extent().map(|extent| Arc::clone(&extent.memory))
    }

    /// Bytes of the delta.
    pub fn change_bytes(&self) -> usize {
        self.state.read().sizes.bytes
    }

    /// Bytes of the base and of the delta, about.
    pub fn byte_size(&self) -> usize {
        let state = self.state.read();
        let base = match state.base.extent() {
            Some(extent) => extent.length as usize,
            None => state.base.get().map_or(0, |base| base.bytes()),
        };
        base + state.sizes.bytes
    }

    /// Whether the base has an entry, or a file that says it has none.
    pub fn has_base(&self) -> bool {
        let state = self.state.read();
        state.base.extent().is_some() || state.base.get().is_ok_and(|base| !base.is_empty())
    }

    /// The last position that is in the base.
    pub fn checkpoint(&self) -> LogPosition {
        self.state.read().checkpoint
    }

    /// A position at or before the first change that is neither in the base nor in a delta layer: the log is needed from
    /// there.
    pub fn dirty_from(&self) -> Option<LogPosition> {
        self.state.read().first
    }

    /// The entries exactly at a checkpoint position, in as many bases as fit `bytes_max`: each with
    /// the lower bound of its keys, the first with the shard's own. A key is never in two of them.
    pub fn bases_at(
        &self,
        checkpoint: LogPosition,
        bytes_max: usize,
    ) -> Result<Vec<(Vec<u8>, RangeBase)>> {
        let mut parts = RangeParts::new(&self.lower, bytes_max);
        let mut push = |key: &[u8], ids: &[u64]| parts.push(key, ids);
        self.visit(checkpoint, &Window::everything(), (false, usize::MAX), &mut push)?;
        Ok(parts.finish())
    }

    /// Puts a base in place that holds all up to a checkpoint position.
    pub fn install(&self, part: RangePart, checkpoint: LogPosition) {
        self.state.write().install(part, checkpoint);
    }

    /// The shards it becomes when it is split; itself it stays as it is, for readers that hold it.
    pub fn split(&self, parts: Vec<RangePart>, checkpoint: LogPosition) -> Vec<RangeShard> {
        let old = self.state.read();
        let uppers: Vec<Bound<Box<[u8]>>> = parts
            .iter()
            .skip(1)
            .map(|part| Bound::Excluded(part.lower.as_slice().into()))
            .chain([Bound::Unbounded])
            .collect();
        let shards = parts.into_iter().zip(uppers).map(|(part, upper)| {
            let (number, lower) = (part.number, part.lower.clone());
            let from: Box<[u8]> = lower.as_slice().into();
            let delta = old.delta.range((Bound::Included(from), upper));
            let delta = delta.map(|(key, postings)| (key.clone(), postings.clone())).collect();
            let mut state = State { delta, ..old.clone_without_delta() };
            state.install(part, checkpoint);
            RangeShard { number, lower, state: RwLock::new(state) }
        });
        shards.collect()
    }

    /// Frees entries that no reader at `oldest` or later finds.
    pub fn forget(&self, oldest: LogPosition) {
        self.state.write().forget(oldest);
    }

    /// Frees the spans that only readers before the base's checkpoint position find: they get the
    /// error that their snapshots are too old.
    pub fn end_readers(&self) {
        let mut state = self.state.write();
        state.ended_before = state.checkpoint;
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
        let (of_base, more) = state.entries;
        let of_file = state.base.extent().map(|extent| extent.length);
        // A base without a file is in memory.
        let in_memory = || state.base.get().map_or(0, |base| base.heap_size() as u64);
        Usage {
            entries: of_base.saturating_add_signed(more),
            bytes: of_file.unwrap_or_else(in_memory) + state.sizes.bytes as u64,
        }
    }

    /// Whether the bytes are those that a walk finds.
    #[cfg(test)]
    pub(super) fn is_counted(&self) -> bool {
        let state = self.state.read();
        state.sizes.bytes == state.walk()
    }
}

impl State {
    fn clone_without_delta(&self) -> State {
        let State { base, checkpoint, first, last, oldest, ended_before, .. } = self;
        State {
            first: *first,
            last: *last,
            oldest: *oldest,
            ended_before: *ended_before,
            ..State::new(Arc::clone(base), 0, *checkpoint)
        }
    }
}
