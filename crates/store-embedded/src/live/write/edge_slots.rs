//! Leases of edge slots: runs of 1,024 of one edge type, from one ordinal of a partition, as long
//! as no more than three quarters of its slots are used.
//!
//! It has a small lock of its own, so that a lease never waits for an apply. After a restart every
//! type begins a fresh run: the remaining slots of the old ones may have been reported to a client,
//! and a slot is never used twice. A run of which nothing was committed is in no log, and may be
//! leased again.

use std::ops::Range;

use millrace_model::{EdgeTypeId, Error, ErrorKind};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::base::limits::EDGE_RUN_BITS;

const RUN_SLOTS: u32 = 1 << EDGE_RUN_BITS;

/// The lease of one partition's edge slots.
#[derive(Debug)]
pub(crate) struct EdgeSlots {
    /// Runs that may be leased.
    runs_max: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first run that is not leased.
    next_run: u32,
    /// The next slot of each type, and how many are left of its run.
    current: FxHashMap<EdgeTypeId, (u32, u32)>,
}

impl EdgeSlots {
    /// Leases start behind the runs an image knows, and end at `runs_max`.
    pub(crate) fn behind(next_run: u32, runs_max: u32) -> EdgeSlots {
        let state = State { next_run, current: FxHashMap::default() };
        EdgeSlots { runs_max, state: Mutex::new(state) }
    }

    /// Calls `take` with each of up to `count` fresh slots of the type, and says with how many:
    /// with fewer once the slots are used up.
    pub(crate) fn lease(
        &self,
        edge_type: EdgeTypeId,
        count: usize,
        mut take: impl FnMut(u32),
    ) -> usize {
        let mut state = self.state.lock();
        for taken in 0..count {
            let slot = match state.current.get_mut(&edge_type) {
                Some((next, left)) if *left != 0 => {
                    let slot = *next;
                    *next = slot.wrapping_add(1);
                    *left -= 1;
                    slot
                }
                _ => match state.begin_run(edge_type, self.runs_max) {
                    Some(slot) => slot,
                    None => return taken,
                },
            };
            take(slot);
        }
        count
    }

    /// Takes up to `runs` whole runs, one after the other, that are used for one type and never
    /// leased again: fewer once the slots are used up.
    pub(crate) fn lease_runs(&self, runs: u32) -> Range<u32> {
        let mut state = self.state.lock();
        let first = state.next_run;
        state.next_run += runs.min(self.runs_max.saturating_sub(first));
        first..state.next_run
    }

    /// Learns that a run is in use: from a replayed edge, a transaction layer, a bulk load.
    pub(crate) fn note_runs(&self, next_run: u32) {
        let mut state = self.state.lock();
        state.next_run = state.next_run.max(next_run);
    }
}

impl State {
    fn begin_run(&mut self, edge_type: EdgeTypeId, runs_max: u32) -> Option<u32> {
        if runs_max <= self.next_run {
            return None;
        }
        let first = self.next_run << EDGE_RUN_BITS;
        self.next_run += 1;
        self.current.insert(edge_type, (first + 1, RUN_SLOTS - 1));
        Some(first)
    }
}

/// The error of a lease that finds no slot.
pub(crate) fn used_up(ordinal: u32, detail: &str) -> Error {
    let first = u64::from(ordinal as u16) << 16;
    let detail = format!(
        "the vertices {first} to {} have used three quarters of their edge ids: {detail}",
        first + 0xffff,
    );
    Error::new(ErrorKind::LimitReached, detail)
        .with_help("let the new edges begin at other vertices, for instance at copies")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_runs_of_their_own_and_slots_are_never_leased_twice() {
        let slots = EdgeSlots::behind(3, 1 << 20);
        let (mut likes, mut knows) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            assert_eq!(slots.lease(EdgeTypeId(1), 500, |slot| likes.push(slot)), 500);
            slots.lease(EdgeTypeId(2), 1, |slot| knows.push(slot));
        }
        assert_eq!(&likes[..1_024], (3 * 1_024..4 * 1_024).collect::<Vec<u32>>());
        assert_eq!(likes[1_024], 5 * 1_024);
        assert_eq!(knows, [4 * 1_024, 4 * 1_024 + 1, 4 * 1_024 + 2]);
        slots.note_runs(9);
        slots.lease(EdgeTypeId(3), 1, |slot| assert_eq!(slot, 9 * 1_024));
    }

    #[test]
    fn an_ordinal_that_is_used_up_says_so() {
        let slots = EdgeSlots::behind(6, 7);
        assert_eq!(slots.lease(EdgeTypeId(1), 1_025, |slot| assert!(slot < 7 << 10)), 1_024);
        assert_eq!(slots.lease(EdgeTypeId(1), 1, |_| unreachable!("there is none")), 0);
        assert_eq!(slots.lease_runs(1), 7..7);
        let slots = EdgeSlots::behind(4, 7);
        assert_eq!(
            (slots.lease_runs(2), slots.lease_runs(2)),
            (4..6, 6..7),
            "the last is all there is"
        );
    }
}
