//! What values of Lua become outside its own memory, counted while it grows: a table that a script lists a
//! thousand times is copied a thousand times, in one call.
//!
//! The deadline and the memory bound are those in force for the thread. What is made here is held for one
//! call; a result that stays is reserved by its session.

use std::cell::Cell;

use millrace_model::query_limits::{require_room, step, stop, stoppable};

use crate::error::raise;
use crate::limits::GROWTH_BYTES_STEP;

/// Entries that are sorted without a look at the deadline.
const SORTED_UNCHECKED_MAX: usize = 1 << 16;

/// Bytes that a call holds, before a session counts them.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    bytes: Cell<usize>,
    /// Bytes for which there was room.
    asked: Cell<usize>,
}

impl Growth {
    /// Counts entries about to be made, of so many bytes each: fails where they are too many, or the time is up.
    pub(crate) fn add(&self, entries: usize, bytes_each: usize) -> mlua::Result<()> {
        step(entries as u64).map_err(raise)?;
        let bytes = self.bytes.get().saturating_add(entries.saturating_mul(bytes_each));
        self.bytes.set(bytes);
        if self.asked.get().saturating_add(GROWTH_BYTES_STEP) <= bytes {
            require_room(bytes.saturating_add(GROWTH_BYTES_STEP) as u64).map_err(raise)?;
            self.asked.set(bytes);
        }
        Ok(())
    }

    /// Bytes held now.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// The bytes from now on, after parts were dropped.
    pub(crate) fn shrink_to(&self, bytes: usize) {
        self.bytes.set(bytes.min(self.bytes.get()));
        self.asked.set(bytes.min(self.asked.get()));
    }
}

/// Puts entries in order; many of them with looks at the deadline.
pub(crate) fn sort<T: Ord>(entries: &mut [T]) -> mlua::Result<()> {
    step(entries.len() as u64).map_err(raise)?;
    if entries.len() <= SORTED_UNCHECKED_MAX {
        entries.sort_unstable();
        return Ok(());
    }
    let compare = |left: &T, right: &T| {
        if let Err(error) = step(1) {
            stop(error);
        }
        left.cmp(right)
    };
    stoppable(|| entries.sort_unstable_by(compare)).map_err(raise)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use millrace_model::query_limits::{QueryLimits, enforce};
    use millrace_model::{Error, ErrorKind, Result};

    use super::*;

    struct AtMost(u64);

    impl QueryLimits for AtMost {
        fn check(&self) -> Result<()> {
            Ok(())
        }

        fn require_room(&self, bytes: u64) -> Result<()> {
            if bytes <= self.0 {
                return Ok(());
            }
            Err(Error::new(ErrorKind::LimitReached, "enough"))
        }
    }

    #[test]
    fn what_is_made_together_is_bounded() {
        let _limits = enforce(Arc::new(AtMost(8 << 20)));
        let growth = Growth::default();
        let list = || growth.add(1 << 20, 4);
        assert!(list().is_ok() && list().is_err());
        growth.shrink_to(0);
        assert!((0..100).all(|_| {
            let is_room = list().is_ok();
            growth.shrink_to(0);
            is_room
        }));
        assert!((0..1 << 24).any(|_| growth.add(1, 1).is_err()));
    }

    #[test]
    fn many_entries_are_sorted() {
        let mut entries: Vec<u64> = (0..1 << 17).map(|id: u64| id * 7_919 % 100_003).collect();
        sort(&mut entries).expect("no limits");
        assert!(entries.is_sorted());
    }
}
