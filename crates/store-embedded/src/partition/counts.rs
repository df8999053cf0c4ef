//! How many there are, at any position a reader may hold: a count at the root and the steps since.

use millrace_model::Position;

use crate::limits::COUNT_STEPS_MIN;

/// One count over time.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    /// The count before the first step.
    floor: u64,
    /// Positions at which it changed, with the count from there on.
    steps: Vec<(Position, u64)>,
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
    pub(crate) fn at(&self, at: Position) -> u64 {
        let next = self.steps.partition_point(|(from, _)| *from <= at);
        next.checked_sub(1).map_or(self.floor, |place| self.steps[place].1)
    }

    /// Changes the count from `at` on. Steps no reader at `oldest` or later needs go when there
    /// are many.
    #[inline]
    pub(crate) fn add(&mut self, at: Position, change: i64, oldest: Position) {
        let newest = self.steps.last().map_or(self.floor, |(_, count)| *count);
        let count = newest.checked_add_signed(change).expect("what is counted down was counted up");
        match self.steps.last_mut() {
            Some((from, last)) if *from == at => *last = count,
            _ => self.steps.push((at, count)),
        }
        if self.fold_at <= self.steps.len() {
            self.forget(oldest);
        }
    }

    /// Frees the steps that no reader at `oldest` or later needs.
    pub(crate) fn forget(&mut self, oldest: Position) {
        let past = self.steps.partition_point(|(from, _)| *from <= oldest);
        if let Some(last) = past.checked_sub(1) {
            self.floor = self.steps[last].1;
            self.steps.drain(..past);
        }
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
            count.add(Position(at), if at % 5 == 0 { -1 } else { 1 }, Position(100));
        }
        let naive = |at: u64| 5 + at - 2 * (at / 5);
        for at in 100..=5_000 {
            assert_eq!(count.at(Position(at)), naive(at));
        }
        count.forget(Position(4_999));
        assert_eq!(count.at(Position(4_999)), naive(4_999));
        assert_eq!(count.steps.len(), 1);
    }
}
