//! The ids ahead of a cursor that clients chose: a bit each.
//!
//! Ids behind the cursor are not here. Those were given, and commits find out whether a chosen one
//! is free.

use std::collections::VecDeque;
use std::ops::Range;

/// A set of ids that a cursor moves into.
#[derive(Debug, Default)]
pub(crate) struct ChosenIds {
    /// The id of the first bit.
    first: u64,
    words: VecDeque<u64>,
}

impl ChosenIds {
    /// Adds an id.
    pub(crate) fn insert(&mut self, id: u64) {
        if self.words.is_empty() {
            self.first = id & !63;
        }
        while id < self.first {
            self.words.push_front(0);
            self.first -= 64;
        }
        let word = ((id - self.first) / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id % 64);
    }

    /// The next ids from `from` on that are not in it, at most `count`.
    pub(crate) fn free_run(&self, from: u64, count: u64) -> Range<u64> {
        let start = self.next(from, false).unwrap_or(from);
        let end = self.next(start, true).unwrap_or(u64::MAX);
        start..end.min(start.saturating_add(count))
    }

    /// Forgets the ids that a cursor at `id` has passed.
    pub(crate) fn forget_below(&mut self, id: u64) {
        while self.first + 64 <= id && self.words.pop_front().is_some() {
            self.first += 64;
        }
    }

    /// The first id from `from` on that is in it, or is not. `None`: neither is in it, nor is any
    /// later one.
    fn next(&self, from: u64, chosen: bool) -> Option<u64> {
        let from = from.max(self.first * u64::from(chosen));
        let mut word = usize::try_from(from.checked_sub(self.first)? / 64).ok()?;
        let mut skipped = (1u64 << (from % 64)) - 1;
        while let Some(bits) = self.words.get(word) {
            let bits = (if chosen { *bits } else { !*bits }) & !skipped;
            if bits != 0 {
                return Some(self.first + word as u64 * 64 + u64::from(bits.trailing_zeros()));
            }
            (word, skipped) = (word + 1, 0);
        }
        (!chosen).then(|| (self.first + word as u64 * 64).max(from))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::base::random::SimNumbers;

    #[test]
    fn free_runs_are_those_of_a_plain_set() {
        for seed in 0..200 {
            let mut random = SimNumbers::new(seed);
            let (mut ids, mut plain, mut cursor) = (ChosenIds::default(), BTreeSet::new(), 1);
            for _ in 0..40 {
                for _ in 0..random.below(8) {
                    let id = cursor + random.below(200);
                    ids.insert(id);
                    plain.insert(id);
                }
                let count = 1 + random.below(90);
                let run = ids.free_run(cursor, count);
                let start = (cursor..).find(|id| !plain.contains(id)).unwrap();
                let free = (start..).take(count as usize).take_while(|id| !plain.contains(id));
                assert_eq!(run, start..start + free.count() as u64, "seed {seed}");
                cursor = run.end;
                ids.forget_below(cursor);
            }
        }
    }
}
