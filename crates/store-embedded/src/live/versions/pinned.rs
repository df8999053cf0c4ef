//! The positions that readers pin. A version that none of them reads is freed, however old the
//! oldest reader is.

use millrace_model::LogPosition;

/// Where readers are, and where the next ones may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PinnedSnapshots {
    /// Ascending; every reader before `next` is at one of these.
    positions: Vec<LogPosition>,
    /// A reader may be, or come to be, at any position from here on.
    next: LogPosition,
}

impl PinnedSnapshots {
    /// Readers are at `positions`, ascending, and perhaps anywhere from `next` on.
    pub fn new(mut positions: Vec<LogPosition>, next: LogPosition) -> PinnedSnapshots {
        debug_assert!(positions.is_sorted(), "positions ascend");
        positions.retain(|position| *position < next);
        positions.dedup();
        PinnedSnapshots { positions, next }
    }

    /// Readers may be anywhere from `oldest` on.
    pub fn since(oldest: LogPosition) -> PinnedSnapshots {
        PinnedSnapshots { positions: Vec::new(), next: oldest }
    }

    /// No reader is, or will be, before this.
    pub fn oldest(&self) -> LogPosition {
        self.positions.first().copied().unwrap_or(self.next)
    }

    /// A reader may be, or come to be, at any position from here on.
    pub(crate) fn next(&self) -> LogPosition {
        self.next
    }

    /// Whether some reader needs a version that is valid from `from` until just before `until`.
    #[inline]
    pub fn needs(&self, from: LogPosition, until: LogPosition) -> bool {
        if self.next < until {
            return true;
        }
        let first = self.positions.partition_point(|position| *position < from);
        self.positions.get(first).is_some_and(|position| *position < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_between_two_readers_are_not_needed() {
        let pinned = PinnedSnapshots::new([3, 7, 7, 20].map(LogPosition).to_vec(), LogPosition(10));
        let needed = |from, until| pinned.needs(LogPosition(from), LogPosition(until));
        assert_eq!(pinned.oldest(), LogPosition(3));
        assert!(needed(1, 4) && needed(3, 4) && needed(4, 8) && needed(9, 11) && needed(10, 99));
        assert!(!needed(1, 3) && !needed(4, 7) && !needed(8, 10));
        let anywhere = PinnedSnapshots::since(LogPosition(5));
        assert!(anywhere.needs(LogPosition(1), LogPosition(6)));
        assert!(!anywhere.needs(LogPosition(1), LogPosition(5)));
    }
}
