//! How many there are, at any pinned snapshot: a count, and the steps that some reader
//! needs.
//!
//! Every commit adds a step, so steps are folded as they accumulate: between two readers only the
//! last one is needed, however old the older reader is.

use millrace_model::LogPosition;

use crate::base::limits::COUNT_STEPS_MIN;
use crate::live::versions::pinned::PinnedSnapshots;

/// One count over time.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    /// The count before the first step.
    floor: u64,
    /// Positions at which it changed, with the count from there on.
    steps: Vec<(LogPosition, u64)>,
    /// Folding is tried again at this many steps.
    fold_at: usize,
}

impl Default for Count {
    fn default() -> Count {
        Count::of(0)
    }
}

impl Count {
    pub(crate) fn of(floor: u64) -> Count {
        Count { floor, steps: Vec::new(), fold_at: COUNT_STEPS_MIN }
    }

    /// The count at a position.
    pub(crate) fn at(&self, at: LogPosition) -> u64 {
        let next = self.steps.partition_point(|(from, _)| *from <= at);
        next.checked_sub(1).map_or(self.floor, |place| self.steps[place].1)
    }

    /// Changes the count from `at` on. Steps that no reader needs go when there are many.
    #[inline]
    pub(crate) fn add(&mut self, at: LogPosition, change: i64, pinned: &PinnedSnapshots) {
        let newest = self.steps.last().map_or(self.floor, |(_, count)| *count);
        let count = newest.checked_add_signed(change).expect("what is counted down was counted up");
        match self.steps.last_mut() {
            Some((from, last)) if *from == at => *last = count,
            _ => self.steps.push((at, count)),
        }
        if self.fold_at <= self.steps.len() {
            self.forget(pinned);
        }
    }

    /// Frees the steps that no reader needs.
    pub(crate) fn forget(&mut self, pinned: &PinnedSnapshots) {
        let mut kept = 0;
        for place in 0..self.steps.len() {
            let (from, count) = self.steps[place];
            let until = self.steps.get(place + 1).map_or(LogPosition(u64::MAX), |next| next.0);
            if from <= pinned.oldest() {
                self.floor = count;
            } else if pinned.needs(from, until) {
                self.steps[kept] = (from, count);
                kept += 1;
            }
        }
        self.steps.truncate(kept);
        self.fold_at = COUNT_STEPS_MIN.max(self.steps.len() * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_known_at_every_position_from_the_oldest_on() {
        let mut count = Count::of(5);
        for at in 1..=5_000 {
            count.add(
                LogPosition(at),
                if at % 5 == 0 { -1 } else { 1 },
                &PinnedSnapshots::since(LogPosition(100)),
            );
        }
        let naive = |at: u64| 5 + at - 2 * (at / 5);
        for at in 100..=5_000 {
            assert_eq!(count.at(LogPosition(at)), naive(at));
        }
        count.forget(&PinnedSnapshots::since(LogPosition(4_999)));
        assert_eq!(count.at(LogPosition(4_999)), naive(4_999));
        assert_eq!(count.steps.len(), 1);
    }

    #[test]
    fn steps_do_not_grow_with_commits_however_old_a_reader_is() {
        let mut count = Count::of(0);
        for at in 1..=100_000u64 {
            // Two readers that stay, and new ones not far behind the newest commit.
            let pinned = vec![LogPosition(10), LogPosition(500)];
            count.add(
                LogPosition(at),
                2,
                &PinnedSnapshots::new(pinned, LogPosition(at.saturating_sub(50).max(501))),
            );
            assert!(count.steps.len() <= 2 * COUNT_STEPS_MIN);
        }
        assert_eq!(count.at(LogPosition(10)), 20);
        assert_eq!(count.at(LogPosition(500)), 1_000);
        assert_eq!(count.at(LogPosition(99_980)), 2 * 99_980);
    }
}
