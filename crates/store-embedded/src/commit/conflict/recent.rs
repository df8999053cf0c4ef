//! The keys that recent commits changed: they decide whether a hit in the conflict table is a write
//! conflict.
//!
//! ```text
//!   closed chunks, oldest first │ open chunk
//!   chunk: first position, keys, where the keys of each commit end
//!          slots: keys that nearly every commit changes (a type, a partition), newest position only
//! ```
//!
//! A commit that hits a shared cell looks here, outside of the sequencer's lock, at the commits
//! since its snapshot, and knows. The bound is on keys; commits older than the oldest chunk are not
//! known. The answer is exact both ways: a key that is not found here, in a time that is wholly
//! covered, did not change.

use std::collections::VecDeque;
use std::sync::Arc;

use millrace_model::{LogPosition, WriteConflict};

use crate::base::commit_limits::{RECENT_CHUNK_KEYS, RECENT_KEYS_MAX, RECENT_SLOTS};
use crate::commit::conflict::mark::{LANE_OTHER, LANE_SHIFT};
use crate::sync::Mutex;

/// Keys of recent commits.
pub(crate) struct Recent {
    state: Mutex<State>,
    keys_max: usize,
}

#[derive(Default)]
struct State {
    closed: VecDeque<Arc<Chunk>>,
    open: Chunk,
    /// Keys in the closed chunks.
    keys: usize,
    /// The last commit that was let go, or does not fit.
    forgotten: u64,
}

/// The keys of commits that follow one another.
#[derive(Clone, Default)]
struct Chunk {
    first: u64,
    /// Where the keys of each commit end.
    ends: Vec<u32>,
    keys: Vec<u64>,
    /// Keys of the last lane, by some of their bits: the newest position of each. One that finds
    /// its slot taken is among the others.
    slots: Vec<(u64, u64)>,
}

/// The known changes of a set of keys since a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// None changed up to this position.
    Nothing(u64),
    /// The newest change of one of them.
    Change(WriteConflict),
    /// No longer remembered.
    TooOld,
}

impl Recent {
    /// Remembers about as many keys.
    pub(crate) fn new(keys_max: usize) -> Self {
        Self { state: Mutex::default(), keys_max: keys_max.min(RECENT_KEYS_MAX) }
    }

    /// Notes the keys that the commit at `position` changes. Positions ascend.
    pub(crate) fn push(&self, position: u64, keys: impl Iterator<Item = u64>) {
        let mut state = self.state.lock();
        if !state.open.ends.is_empty() && state.open.next() != position {
            state.close(self.keys_max);
        }
        state.open.push(position, keys);
        if RECENT_CHUNK_KEYS <= state.open.keys.len() || RECENT_CHUNK_KEYS <= state.open.ends.len()
        {
            state.close(self.keys_max);
        }
    }

    /// Whether one of the keys changed after `snapshot`.
    pub(crate) fn look(&self, keys: &KeySet, snapshot: u64) -> Seen {
        let (chunks, open) = {
            let state = self.state.lock();
            if snapshot < state.forgotten {
                return Seen::TooOld;
            }
            let later = state.closed.iter().rev().take_while(|chunk| snapshot < chunk.last());
            (later.map(Arc::clone).collect::<Vec<_>>(), state.open.since(snapshot))
        };
        let last = if open.ends.is_empty() { None } else { Some(open.last()) };
        let last = last.or_else(|| chunks.first().map(|chunk| chunk.last()));
        let chunks = std::iter::once(&open).chain(chunks.iter().map(|chunk| &**chunk));
        let found = chunks.filter_map(|chunk| chunk.newest(keys, snapshot)).next();
        found.map_or(Seen::Nothing(last.unwrap_or(snapshot)), Seen::Change)
    }
}

impl State {
    fn close(&mut self, keys_max: usize) {
        let chunk = std::mem::take(&mut self.open);
        self.keys += chunk.size();
        self.closed.push_back(Arc::new(chunk));
        while keys_max < self.keys
            && let Some(oldest) = self.closed.pop_front()
        {
            self.keys -= oldest.size();
            self.forgotten = oldest.last();
        }
    }
}

impl Chunk {
    fn push(&mut self, position: u64, keys: impl Iterator<Item = u64>) {
        if self.ends.is_empty() {
            self.first = position;
            self.slots = vec![(0, 0); RECENT_SLOTS];
        }
        for key in keys {
            if key >> LANE_SHIFT & 0b11 == LANE_OTHER {
                let slot = &mut self.slots[slot_of(key)];
                if slot.0 == key || slot.1 == 0 {
                    *slot = (key, position);
                    continue;
                }
            }
            self.keys.push(key);
        }
        self.ends.push(u32::try_from(self.keys.len()).expect("a commit changes < 2^32 keys"));
    }

    /// The position of the commit that would follow.
    fn next(&self) -> u64 {
        self.first + self.ends.len() as u64
    }

    fn last(&self) -> u64 {
        self.next() - 1
    }

    fn size(&self) -> usize {
        self.keys.len() + self.ends.len() / 2 + 2 * RECENT_SLOTS
    }

    /// Where the keys of commits after `snapshot` begin.
    fn start(&self, snapshot: u64) -> usize {
        match snapshot.checked_sub(self.first) {
            None => 0,
            Some(before) => {
                self.ends.get(before as usize).map_or(self.keys.len(), |end| *end as usize)
            }
        }
    }

    /// A copy of the commits after `snapshot`.
    fn since(&self, snapshot: u64) -> Chunk {
        if self.ends.is_empty() || self.last() <= snapshot {
            return Chunk::default();
        }
        let skipped = (snapshot + 1).saturating_sub(self.first) as usize;
        let start = self.start(snapshot);
        Chunk {
            first: self.first + skipped as u64,
            ends: self.ends[skipped..].iter().map(|end| end - start as u32).collect(),
            keys: self.keys[start..].to_vec(),
            slots: self.slots.clone(),
        }
    }

    /// The newest change after `snapshot` of one of the keys.
    fn newest(&self, keys: &KeySet, snapshot: u64) -> Option<WriteConflict> {
        let start = self.start(snapshot);
        let place = self.keys[start..].iter().rposition(|key| keys.contains(*key));
        let listed = place.map(|place| {
            let commit = self.ends.partition_point(|end| *end as usize <= start + place);
            WriteConflict {
                winner: LogPosition(self.first + commit as u64),
                key: self.keys[start + place],
            }
        });
        let slots = self.slots.iter().filter(|(key, at)| snapshot < *at && keys.contains(*key));
        let slotted = slots.max_by_key(|(_, at)| *at);
        let slotted =
            slotted.map(|(key, at)| WriteConflict { winner: LogPosition(*at), key: *key });
        listed.into_iter().chain(slotted).max_by_key(|lost| lost.winner)
    }
}

fn slot_of(key: u64) -> usize {
    (key >> 4) as usize % RECENT_SLOTS
}

/// A set of keys, sorted, behind a filter.
pub(crate) struct KeySet {
    filter: [u64; 64],
    keys: Vec<u64>,
}

impl KeySet {
    /// The set of these keys.
    pub(crate) fn of(keys: impl Iterator<Item = u64>) -> KeySet {
        let mut keys: Vec<u64> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        let mut filter = [0; 64];
        keys.iter().for_each(|key| filter[(key >> 58) as usize] |= 1 << (key >> 52 & 63));
        KeySet { filter, keys }
    }

    /// Whether a key is among them.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.filter[(key >> 58) as usize] >> (key >> 52 & 63) & 1 == 1
            && self.keys.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SimNumbers;

    fn keys(keys: &[u64]) -> KeySet {
        KeySet::of(keys.iter().copied())
    }

    #[test]
    fn lookups_agree_with_a_plain_list() {
        let mut random = SimNumbers::new(5);
        let recent = Recent::new(1 << 16);
        let mut plain: Vec<(u64, u64)> = Vec::new();
        let key = |random: &mut SimNumbers| {
            let number = random.below(40_000);
            number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !0b1111 | random.below(4) << LANE_SHIFT
        };
        let mut position = 10;
        for _ in 0..9_000 {
            position += 1 + u64::from(random.chance(1, 2_000));
            let own: Vec<u64> = (0..random.below(4)).map(|_| key(&mut random)).collect();
            plain.extend(own.iter().map(|key| (position, *key)));
            recent.push(position, own.into_iter());
        }
        assert_eq!(recent.state.lock().forgotten, 0);
        for _ in 0..300 {
            let wanted: Vec<u64> = (0..1 + random.below(5)).map(|_| key(&mut random)).collect();
            let snapshot = 10 + random.below(position - 9);
            let later = plain.iter().filter(|(at, own)| snapshot < *at && wanted.contains(own));
            let expected = later.map(|(at, _)| *at).max();
            match recent.look(&keys(&wanted), snapshot) {
                Seen::Nothing(to) => assert_eq!((expected, to), (None, position.max(snapshot))),
                Seen::Change(lost) => assert_eq!(expected, Some(lost.winner.0)),
                Seen::TooOld => panic!("all is remembered"),
            }
        }
    }

    #[test]
    fn the_oldest_go_first_and_are_not_known_any_more() {
        let recent = Recent::new(RECENT_CHUNK_KEYS * 2);
        for position in 1..=4 * RECENT_CHUNK_KEYS as u64 {
            recent.push(position, [position << 4].into_iter());
        }
        let last = 4 * RECENT_CHUNK_KEYS as u64;
        assert_eq!(recent.look(&keys(&[16]), 0), Seen::TooOld);
        assert_eq!(recent.look(&keys(&[16]), last - 5), Seen::Nothing(last));
        let lost = WriteConflict { winner: LogPosition(last - 4), key: (last - 4) << 4 };
        assert_eq!(recent.look(&keys(&[lost.key]), last - 5), Seen::Change(lost));
        assert_eq!(recent.look(&keys(&[lost.key]), last - 4), Seen::Nothing(last));
        assert_eq!(recent.look(&keys(&[lost.key]), last + 9), Seen::Nothing(last + 9));
    }

    #[test]
    fn a_commit_larger_than_the_bound_is_forgotten_at_once() {
        let recent = Recent::new(RECENT_CHUNK_KEYS);
        recent.push(1, (0..10 * RECENT_CHUNK_KEYS as u64).map(|key| key << 4));
        recent.push(2, [7 << 4].into_iter());
        assert_eq!(recent.look(&keys(&[7 << 4]), 0), Seen::TooOld);
        assert!(matches!(recent.look(&keys(&[7 << 4]), 1), Seen::Change(_)));
    }
}
