//! Which elements a batch creates, as ranges of ids: leases give ids in ranges, so they are few.

use std::ops::Range;

use millrace_store::Changes;

/// A set of ids.
#[derive(Debug, Default)]
pub(crate) struct IdRanges {
    ranges: Vec<Range<u64>>,
}

/// What a batch creates.
#[derive(Debug, Default)]
pub(crate) struct Created {
    pub(crate) vertices: IdRanges,
    pub(crate) edges: IdRanges,
}

impl Created {
    /// What all parts of a batch create; the error is an id that is created twice.
    pub(crate) fn of(parts: &[&Changes]) -> Result<Created, u64> {
        let blocks = parts.iter().flat_map(|part| &part.vertices);
        let vertices = blocks.flat_map(|block| block.ids.iter().map(|id| id.0));
        let blocks = parts.iter().flat_map(|part| &part.edges);
        let edges = blocks.flat_map(|block| block.ids.iter().map(|id| id.0));
        Ok(Created { vertices: IdRanges::of(vertices)?, edges: IdRanges::of(edges)? })
    }
}

impl IdRanges {
    /// The set of these ids; the error is one that is there twice.
    fn of(ids: impl Iterator<Item = u64>) -> Result<IdRanges, u64> {
        let mut set = IdRanges::default();
        set.add(ids);
        set.finish()
    }

    /// Adds ids; [`IdRanges::finish`] comes before any question.
    pub(crate) fn add(&mut self, ids: impl Iterator<Item = u64>) {
        for id in ids {
            match self.ranges.last_mut() {
                Some(last) if last.end == id => last.end += 1,
                _ => self.ranges.push(id..id + 1),
            }
        }
    }

    /// The set, ready for questions; the error is an id that was added twice.
    pub(crate) fn finish(mut self) -> Result<IdRanges, u64> {
        self.ranges.sort_unstable_by_key(|range| range.start);
        match self.ranges.windows(2).find(|pair| pair[1].start < pair[0].end) {
            Some(pair) => Err(pair[1].start),
            None => Ok(self),
        }
    }

    pub(crate) fn contains(&self, id: u64) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= id);
        after.checked_sub(1).is_some_and(|at| id < self.ranges[at].end)
    }

    /// The first id beyond all of them.
    pub(crate) fn bound(&self) -> u64 {
        self.ranges.last().map_or(0, |range| range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_any_order_are_found_and_a_second_one_is_named() {
        let set = IdRanges::of([7, 8, 9, 1, 2, 20].into_iter()).unwrap();
        let found: Vec<u64> = (0..25).filter(|id| set.contains(*id)).collect();
        assert_eq!(found, [1, 2, 7, 8, 9, 20]);
        assert_eq!(set.bound(), 21);
        assert_eq!(IdRanges::of([5, 6, 7, 6].into_iter()).unwrap_err(), 6);
    }
}
