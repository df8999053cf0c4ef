//! Which elements a batch creates, as ranges of ids: leases give ids in ranges, so they are few.

use std::ops::Range;

use millrace_store::Changes;

/// A set of ids.
#[derive(Debug, Default)]
pub(crate) struct IdRanges {
    /// Behind those finished; a batch that creates one stretch of ids needs no more than this.
    last: Range<u64>,
    ranges: Vec<Range<u64>>,
}

/// The elements that a batch creates.
#[derive(Debug, Default)]
pub(crate) struct Created {
    pub(crate) vertices: IdRanges,
    pub(crate) edges: IdRanges,
}

impl Created {
    /// Adds the elements that a part of a batch creates; the error is an id that is created twice.
    pub(crate) fn add(&mut self, part: &Changes) -> Result<(), u64> {
        for block in &part.vertices {
            self.vertices.add(block.ids.iter().map(|id| id.0));
        }
        for block in &part.edges {
            self.edges.add(block.ids.iter().map(|id| id.0));
        }
        self.vertices.sort()?;
        self.edges.sort()
    }
}

impl IdRanges {
    /// Adds ids; [`IdRanges::sort`] comes before any question.
    pub(crate) fn add(&mut self, ids: impl Iterator<Item = u64>) {
        for id in ids {
            if self.last.end == id && !self.last.is_empty() {
                self.last.end += 1;
            } else {
                self.begin(id);
            }
        }
    }

    /// Begins a stretch of ids.
    fn begin(&mut self, id: u64) {
        let before = std::mem::replace(&mut self.last, id..id + 1);
        if !before.is_empty() {
            self.ranges.push(before);
        }
    }

    /// Makes the set ready for questions; the error is an id that was added twice.
    pub(crate) fn sort(&mut self) -> Result<(), u64> {
        if self.ranges.is_empty() {
            return Ok(());
        }
        if !self.last.is_empty() {
            self.ranges.push(std::mem::take(&mut self.last));
        }
        self.ranges.sort_unstable_by_key(|range| range.start);
        if let Some(pair) = self.ranges.windows(2).find(|pair| pair[1].start < pair[0].end) {
            return Err(pair[1].start);
        }
        // The parts of a batch go on where the one before ended.
        self.ranges.dedup_by(|next, kept| {
            let goes_on = kept.end == next.start;
            if goes_on {
                kept.end = next.end;
            }
            goes_on
        });
        Ok(())
    }

    pub(crate) fn contains(&self, id: u64) -> bool {
        if self.ranges.is_empty() {
            return self.last.contains(&id);
        }
        let after = self.ranges.partition_point(|range| range.start <= id);
        after.checked_sub(1).is_some_and(|at| id < self.ranges[at].end)
    }

    /// The first id beyond all of them.
    pub(crate) fn bound(&self) -> u64 {
        self.ranges.last().map_or(self.last.end, |range| range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_any_order_are_found_and_a_second_one_is_named() {
        let of = |ids: &[u64]| {
            let mut set = IdRanges::default();
            set.add(ids.iter().copied());
            set.sort().map(|()| set)
        };
        let set = of(&[7, 8, 9, 1, 2, 20]).unwrap();
        let found: Vec<u64> = (0..25).filter(|id| set.contains(*id)).collect();
        assert_eq!(found, [1, 2, 7, 8, 9, 20]);
        assert_eq!(set.bound(), 21);
        assert_eq!(of(&[5, 6, 7, 6]).unwrap_err(), 6);
        let one = of(&[5, 6, 7]).unwrap();
        assert_eq!([4, 5, 7, 8].map(|id| one.contains(id)), [false, true, true, false]);
        let mut more = of(&[1, 2, 5]).unwrap();
        more.add([3, 4, 9].into_iter());
        more.sort().unwrap();
        assert_eq!((more.contains(4), more.contains(6), more.bound()), (true, false, 10));
        more.add([9].into_iter());
        assert_eq!(more.sort(), Err(9));
        assert_eq!((one.bound(), of(&[]).unwrap().contains(0)), (8, false));
    }
}
