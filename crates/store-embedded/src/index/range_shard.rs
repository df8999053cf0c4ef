//! One shard of an ordered index: which elements had a key of its range, and when.
//!
//! It answers *candidates*, as hash shards do, and must not miss one. A reader before the base's
//! checkpoint position may find an element with a changed value under both keys; its record at the
//! snapshot says which one counts.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use millrace_model::LogPosition;
use parking_lot::RwLock;
use rustc_hash::FxHashSet;

use super::span::{DeltaBytes, FirstEnd, Sizes, Span, byte_size, forget, rebase};
use crate::base::error::{Error, Result};
use crate::folder::SectionMemory;
use crate::persistent::image::{Pinned, Section};
use crate::persistent::segment::{RangeBase, RangeBaseBuilder, RangeEntry};

/// A shard: keys from `lower` on, below the next one's.
#[derive(Debug)]
pub struct RangeShard {
    /// Its number, never reused within its index.
    pub number: u32,
    /// No key of it is below.
    pub lower: Vec<u8>,
    state: RwLock<State>,
}

#[derive(Clone, Debug)]
struct State {
    base: Arc<Section<RangeBase>>,
    /// The last position that is in the base.
    checkpoint: LogPosition,
    delta: BTreeMap<RangeEntry, Vec<Span<()>>>,
    /// The first change that is not in the base.
    first: Option<LogPosition>,
    oldest: LogPosition,
    first_end: FirstEnd,
    /// Readers before it were ended.
    ended_before: LogPosition,
    sizes: Sizes,
}

/// A place of the delta beside its key's bytes and its spans; nodes of the tree are half empty at
/// most.
const PLACE_BYTES: usize = size_of::<(RangeEntry, Vec<Span<()>>)>() * 3 / 2;

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
}

impl Window {
    /// Leaves out all up to an entry, or from it on where it is gone through from above.
    pub fn go_behind(&mut self, (key, id): &RangeEntry, descending: bool) {
        if descending {
            self.end = Some((key.clone(), *id));
        } else {
            self.start = (key.clone(), *id + 1);
        }
    }

    fn contains(&self, entry: &RangeEntry) -> bool {
        self.start <= *entry && self.is_before_end(entry)
    }

    fn is_before_end(&self, entry: &RangeEntry) -> bool {
        self.end.as_ref().is_none_or(|end| entry < end)
    }
}

impl State {
    fn new(base: Arc<Section<RangeBase>>, checkpoint: LogPosition) -> State {
        let delta = BTreeMap::new();
        let (oldest, ended_before) = (LogPosition(0), LogPosition(0));
        let (first_end, sizes) = (FirstEnd::default(), Sizes::default());
        State { base, checkpoint, delta, first: None, oldest, first_end, ended_before, sizes }
    }

    fn is_ended(&self, entry: &RangeEntry, at: LogPosition) -> bool {
        let spans = self.delta.get(entry);
        spans.is_some_and(|spans| spans.iter().any(|span| span.ends_base(at)))
    }

    fn add(&mut self, at: LogPosition, entry: RangeEntry) {
        self.put(entry, |spans| spans.push(Span::since(at, ())));
    }

    fn remove(&mut self, at: LogPosition, entry: RangeEntry) {
        self.first_end.note(at);
        self.put(entry, |spans| match spans.iter_mut().find(|span| span.is_open()) {
            Some(span) => span.end(at),
            None => spans.push(Span::of_base_until(at, ())),
        });
    }

    /// Changes the spans of an entry in the delta, and counts their bytes.
    fn put(&mut self, entry: RangeEntry, change: impl FnOnce(&mut Vec<Span<()>>)) {
        let (bytes, of_key) = (&mut self.sizes.bytes, entry.0.capacity());
        let spans = self.delta.entry(entry).or_insert_with(|| {
            *bytes += PLACE_BYTES + of_key;
            Vec::with_capacity(1)
        });
        let before = if spans.is_empty() { 0 } else { byte_size(spans) };
        change(spans);
        *bytes = *bytes + byte_size(spans) - before;
    }

    /// The bytes of the delta by a walk.
    fn walk(&self) -> usize {
        let place = |(entry, spans): (&RangeEntry, &Vec<Span<()>>)| {
            PLACE_BYTES + entry.0.capacity() + byte_size(spans)
        };
        self.delta.iter().map(place).sum()
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
        self.first_end = FirstEnd::of(self.delta.values());
        let left = self.walk();
        self.sizes.freed_to(left);
    }

    /// The first `max` entries of the base in a window, from either side.
    fn of_base(
        &self,
        at: LogPosition,
        window: &Window,
        descending: bool,
        max: usize,
    ) -> Result<Vec<RangeEntry>> {
        let base = self.base.get()?;
        let mut found = Vec::new();
        if base.is_empty() {
            return Ok(found);
        }
        let first = base.block_of(&window.start.0, window.start.1);
        let last =
            window.end.as_ref().map_or(base.blocks() - 1, |(key, id)| base.block_of(key, *id));
        let mut visit = |block: usize| {
            let mut entries = base.block(block);
            if descending {
                entries.reverse();
            }
            let inside = entries.into_iter().filter(|entry| window.contains(entry));
            found.extend(inside.filter(|entry| !self.is_ended(entry, at)));
            found.len() < max
        };
        if descending {
            (first..=last).rev().all(&mut visit);
        } else {
            (first..=last).all(&mut visit);
        }
        Ok(found)
    }

    /// The first `max` entries of the delta in a window, from either side.
    fn of_delta(
        &self,
        at: LogPosition,
        window: &Window,
        descending: bool,
        max: usize,
    ) -> Vec<RangeEntry> {
        let end = window.end.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
        if window.end.as_ref().is_some_and(|end| *end <= window.start) {
            return Vec::new();
        }
        let spans = self.delta.range((Bound::Included(&window.start), end));
        let covers = |spans: &Vec<Span<()>>| spans.iter().any(|span| span.is_there(at));
        let live =
            |(entry, spans): (&RangeEntry, &Vec<Span<()>>)| covers(spans).then(|| entry.clone());
        if descending {
            spans.rev().filter_map(live).take(max).collect()
        } else {
            spans.filter_map(live).take(max).collect()
        }
    }

    /// Goes over to a base that holds all up to a checkpoint position; keeps later changes, and
    /// spans that readers from the oldest on may still need.
    fn install(&mut self, base: Arc<Section<RangeBase>>, checkpoint: LogPosition) {
        let first = rebase(self.delta.values_mut(), (checkpoint, self.oldest));
        self.delta.retain(|_, spans| !spans.is_empty());
        self.first_end = FirstEnd::of(self.delta.values());
        let left = self.walk();
        self.sizes.rebased(left);
        (self.base, self.checkpoint, self.first) = (base, checkpoint, first);
    }
}

impl RangeShard {
    /// A shard with the base that a checkpoint wrote.
    pub fn new(part: RangePart, checkpoint: LogPosition) -> RangeShard {
        let RangePart { number, lower, base } = part;
        RangeShard { number, lower, state: RwLock::new(State::new(base, checkpoint)) }
    }

    /// A shard without entries.
    pub fn empty(number: u32, lower: Vec<u8>) -> RangeShard {
        let base = Arc::new(Section::of(RangeBase::default()));
        RangeShard::new(RangePart { number, lower, base }, LogPosition(0))
    }

    /// Applies the removal or addition of an entry by a commit. A commit that the base covers is
    /// skipped.
    pub fn apply(&self, at: LogPosition, added: bool, entry: RangeEntry) {
        let mut state = self.state.write();
        if at <= state.checkpoint {
            return;
        }
        state.first.get_or_insert(at);
        if added { state.add(at, entry) } else { state.remove(at, entry) }
    }

    /// Appends up to `max` candidates of a window at a position, from either side.
    pub fn candidates(
        &self,
        at: LogPosition,
        window: &Window,
        descending: bool,
        max: usize,
        found: &mut Vec<RangeEntry>,
    ) -> Result<()> {
        let state = self.state.read();
        if at < state.ended_before {
            return Err(Error::SnapshotTooOld { at });
        }
        let mut all = state.of_base(at, window, descending, max)?;
        let fresh = state.of_delta(at, window, descending, max);
        drop(state);
        if !fresh.is_empty() {
            all.extend(fresh);
            all.sort_unstable();
            if descending {
                all.reverse();
            }
            all.dedup();
        }
        all.truncate(max);
        found.append(&mut all);
        Ok(())
    }

    /// Calls back with each candidate at a position, in no order; some twice. A base that `skips` takes is left out:
    /// it is given what the base has no longer.
    pub fn each_candidate(
        &self,
        at: LogPosition,
        skips: &mut dyn FnMut(&Pinned<RangeBase>, &FxHashSet<(u64, Vec<u8>)>) -> bool,
        visit: &mut dyn FnMut(&[u8], u64),
    ) -> Result<()> {
        let state = self.state.read();
        if at < state.ended_before {
            return Err(Error::SnapshotTooOld { at });
        }
        let base = state.base.get()?;
        // What the base has no longer is little, and may be compared in vain: the record says so.
        let mut ended = FxHashSet::default();
        for ((key, id), spans) in &state.delta {
            if spans.iter().any(|span| span.ends_base(at)) {
                ended.insert((*id, key.clone()));
            }
            if spans.iter().any(|span| span.is_there(at)) {
                visit(key, *id);
            }
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

    /// The first change that is not in the base: the log is needed from there.
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
        let everything = Window { start: (Vec::new(), 0), end: None };
        let mut entries = Vec::new();
        self.candidates(checkpoint, &everything, false, usize::MAX, &mut entries)?;
        Ok(in_parts(&self.lower, &entries, bytes_max))
    }

    /// Puts a base in place that holds all up to a checkpoint position.
    pub fn install(&self, base: Arc<Section<RangeBase>>, checkpoint: LogPosition) {
        self.state.write().install(base, checkpoint);
    }

    /// The shards it becomes when it is split; itself it stays as it is, for readers that hold it.
    pub fn split(&self, parts: Vec<RangePart>, checkpoint: LogPosition) -> Vec<RangeShard> {
        let old = self.state.read().clone();
        let uppers: Vec<Option<Vec<u8>>> =
            parts.iter().skip(1).map(|part| Some(part.lower.clone())).chain([None]).collect();
        let shards = parts.into_iter().zip(uppers).map(|(part, upper)| {
            let RangePart { number, lower, base } = part;
            let inside = |key: &Vec<u8>| lower <= *key && upper.as_ref().is_none_or(|up| key < up);
            let delta = old.delta.iter().filter(|((key, _), _)| inside(key));
            let delta = delta.map(|(entry, spans)| (entry.clone(), spans.clone())).collect();
            let mut state = State { delta, ..old.clone_without_delta() };
            state.install(base, checkpoint);
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

    /// Whether the bytes are those that a walk finds.
    #[cfg(test)]
    pub(super) fn is_counted(&self) -> bool {
        let state = self.state.read();
        state.sizes.bytes == state.walk()
    }
}

impl State {
    fn clone_without_delta(&self) -> State {
        let State { base, checkpoint, first, oldest, ended_before, .. } = self;
        State {
            first: *first,
            oldest: *oldest,
            ended_before: *ended_before,
            ..State::new(Arc::clone(base), *checkpoint)
        }
    }
}

/// Entries in bases of at most about `bytes_max` bytes each, split between keys. Where they are
/// more than one holds, each is half full, so that the next split is far.
pub fn in_parts(
    lower: &[u8],
    entries: &[RangeEntry],
    bytes_max: usize,
) -> Vec<(Vec<u8>, RangeBase)> {
    let whole = part(entries);
    if whole.1 <= bytes_max {
        return vec![(lower.to_vec(), whole.0)];
    }
    let (mut parts, mut first) = (Vec::new(), 0);
    let mut builder = RangeBaseBuilder::default();
    for (at, (key, id)) in entries.iter().enumerate() {
        let full = bytes_max / 2 <= builder.byte_size();
        if full && first < at && entries[at - 1].0 != *key {
            parts.push((lower_of(lower, entries, first), builder.finish()));
            (builder, first) = (RangeBaseBuilder::default(), at);
        }
        builder.push(key, *id);
    }
    parts.push((lower_of(lower, entries, first), builder.finish()));
    parts
}

fn lower_of(lower: &[u8], entries: &[RangeEntry], first: usize) -> Vec<u8> {
    if first == 0 { lower.to_vec() } else { entries[first].0.clone() }
}

fn part(entries: &[RangeEntry]) -> (RangeBase, usize) {
    let mut builder = RangeBaseBuilder::default();
    entries.iter().for_each(|(key, id)| builder.push(key, *id));
    let bytes = builder.byte_size();
    (builder.finish(), bytes)
}
