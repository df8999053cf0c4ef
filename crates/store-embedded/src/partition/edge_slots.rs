//! Leases of edge slots: runs of 1,024 of one edge type, from the one ordinal of a partition.
//!
//! It has a small lock of its own, so that a lease never waits for an apply. After a restart every
//! type begins a fresh run: what is left of the old ones was perhaps shown to somebody, and a slot
//! is never used twice.

use millrace_model::{EdgeTypeId, Error, ErrorKind, Result};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::limits::{EDGE_RUN_BITS, EDGE_SLOTS_MAX};

const RUN_SLOTS: u32 = 1 << EDGE_RUN_BITS;
const RUNS_MAX: u32 = (EDGE_SLOTS_MAX >> EDGE_RUN_BITS) as u32;

/// The lease of one partition's edge slots.
#[derive(Debug, Default)]
pub(crate) struct EdgeSlots {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first run nobody has.
    next_run: u32,
    /// The next slot of each type, and how many are left of its run.
    current: FxHashMap<EdgeTypeId, (u32, u32)>,
}

impl EdgeSlots {
    /// Leases start behind the runs an image knows.
    pub(crate) fn behind(next_run: u32) -> EdgeSlots {
        EdgeSlots { state: Mutex::new(State { next_run, current: FxHashMap::default() }) }
    }

    /// Calls `take` with each of `count` fresh slots of the type.
    pub(crate) fn lease(
        &self,
        ordinal: u32,
        edge_type: EdgeTypeId,
        count: usize,
        mut take: impl FnMut(u32),
    ) -> Result<()> {
        let mut state = self.state.lock();
        for _ in 0..count {
            let slot = match state.current.get_mut(&edge_type) {
                Some((next, left)) if *left != 0 => {
                    let slot = *next;
                    *next = slot.wrapping_add(1);
                    *left -= 1;
                    slot
                }
                _ => state.begin_run(ordinal, edge_type)?,
            };
            take(slot);
        }
        Ok(())
    }

    /// Takes whole runs, one after the other, that are used for one type and never leased again.
    pub(crate) fn lease_runs(&self, ordinal: u32, edge_type: EdgeTypeId, runs: u32) -> Result<u32> {
        let mut state = self.state.lock();
        if RUNS_MAX - state.next_run < runs {
            let detail = format!("{runs} runs of edge ids of type {edge_type:?} do not fit");
            return Err(used_up(ordinal, &detail));
        }
        let first = state.next_run;
        state.next_run += runs;
        Ok(first)
    }

    /// Learns that a run is in use: from a replayed edge, an overlay, a bulk load.
    pub(crate) fn note_runs(&self, next_run: u32) {
        let mut state = self.state.lock();
        state.next_run = state.next_run.max(next_run);
    }
}

impl State {
    fn begin_run(&mut self, ordinal: u32, edge_type: EdgeTypeId) -> Result<u32> {
        if RUNS_MAX <= self.next_run {
            return Err(used_up(ordinal, "none is left"));
        }
        let first = self.next_run << EDGE_RUN_BITS;
        self.next_run += 1;
        self.current.insert(edge_type, (first + 1, RUN_SLOTS - 1));
        Ok(first)
    }
}

fn used_up(ordinal: u32, detail: &str) -> Error {
    let detail = format!(
        "the vertices {} to {} have used three quarters of their 2^32 edge ids: {detail}",
        u64::from(ordinal) << 16,
        (u64::from(ordinal) << 16) + 0xffff,
    );
    Error::new(ErrorKind::LimitReached, detail)
        .with_help("let the new edges begin at other vertices, for instance at copies")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_runs_of_their_own_and_slots_are_never_leased_twice() {
        let slots = EdgeSlots::behind(3);
        let (mut likes, mut knows) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            slots.lease(0, EdgeTypeId(1), 500, |slot| likes.push(slot)).unwrap();
            slots.lease(0, EdgeTypeId(2), 1, |slot| knows.push(slot)).unwrap();
        }
        assert_eq!(&likes[..1_024], (3 * 1_024..4 * 1_024).collect::<Vec<u32>>());
        assert_eq!(likes[1_024], 5 * 1_024);
        assert_eq!(knows, [4 * 1_024, 4 * 1_024 + 1, 4 * 1_024 + 2]);
        slots.note_runs(9);
        slots.lease(0, EdgeTypeId(3), 1, |slot| assert_eq!(slot, 9 * 1_024)).unwrap();
    }

    #[test]
    fn an_ordinal_that_is_used_up_says_so() {
        let slots = EdgeSlots::behind(RUNS_MAX - 1);
        slots.lease(7, EdgeTypeId(1), 1_024, |slot| assert!(slot < 3 << 30)).unwrap();
        let error = slots.lease(7, EdgeTypeId(1), 1, |_| {}).unwrap_err();
        assert_eq!(error.kind, ErrorKind::LimitReached);
        assert!(error.detail.contains("458752 to 524287"), "{error}");
    }
}
