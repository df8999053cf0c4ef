//! Numbers of requests in the app's memory, until there are enough for a batch.

use std::sync::{Mutex, PoisonError};

/// What has accumulated.
pub(super) struct Accumulator {
    full: usize,
    numbers: Mutex<Vec<u64>>,
}

impl Accumulator {
    /// Batches of so many.
    pub(super) fn of(full: usize) -> Accumulator {
        Accumulator { full, numbers: Mutex::default() }
    }

    /// Adds a number. The one that fills a batch takes it along; numbers that come meanwhile begin the next.
    pub(super) fn add(&self, number: u64) -> Option<Vec<u64>> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.push(number);
        (self.full <= numbers.len()).then(|| std::mem::take(&mut *numbers))
    }

    /// Takes what there is.
    pub(super) fn take(&self) -> Vec<u64> {
        std::mem::take(&mut *self.numbers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_fills_a_batch_takes_it_along() {
        let three = Accumulator::of(3);
        assert_eq!((three.add(1), three.add(2)), (None, None));
        assert_eq!(three.add(3), Some(vec![1, 2, 3]));
        assert_eq!(three.add(4), None);
        assert_eq!(three.take(), [4]);
        assert!(three.take().is_empty());
        assert_eq!(Accumulator::of(1).add(7), Some(vec![7]));
    }
}
