//! What one way may not have twice: the edges of a trail, the vertices of an acyclic path.

use millrace_model::{EdgeId, VertexId};
use millrace_plan::PathMode;
use rustc_hash::FxHashSet;

use super::tree::Step;
use crate::limits::WALKED_LISTED_MAX;

/// The edges or vertices of the way that a search goes on from, by numbers.
pub(super) struct Walked {
    ways: PathMode,
    /// Step by step; `None` where a step has nothing that may not come again.
    list: Vec<Option<u64>>,
    /// The same, of a long way.
    set: FxHashSet<u64>,
}

impl Walked {
    pub(super) fn new(ways: PathMode) -> Walked {
        Walked { ways, list: Vec::new(), set: FxHashSet::default() }
    }

    /// The number of a step by an edge to a vertex.
    #[inline]
    pub(super) fn key(&self, edge: EdgeId, vertex: VertexId) -> Option<u64> {
        match self.ways {
            PathMode::Walk => None,
            PathMode::Acyclic | PathMode::CheapestAcyclic(_) => Some(vertex.0),
            PathMode::Trail
            | PathMode::AnyShortest
            | PathMode::AllShortest
            | PathMode::CheapestTrails(_)
            | PathMode::CheapestGroups(_) => Some(edge.0),
        }
    }

    /// The number of a step that was made; the start of a trail has no edge.
    #[inline]
    pub(super) fn key_of(&self, step: &Step) -> Option<u64> {
        let is_acyclic = matches!(self.ways, PathMode::Acyclic | PathMode::CheapestAcyclic(_));
        if step.is_start() && !is_acyclic {
            return None;
        }
        self.key(step.edge, step.vertex)
    }

    /// Whether the way has a number.
    #[inline]
    pub(super) fn has(&self, key: Option<u64>) -> bool {
        let Some(own) = key else { return false };
        if self.list.len() <= WALKED_LISTED_MAX {
            self.list.contains(&key)
        } else {
            self.set.contains(&own)
        }
    }

    pub(super) fn push(&mut self, key: Option<u64>) {
        self.list.push(key);
        if self.list.len() == WALKED_LISTED_MAX + 1 {
            self.set.extend(self.list.iter().flatten());
        } else if WALKED_LISTED_MAX < self.list.len() {
            self.set.extend(key);
        }
    }

    pub(super) fn pop(&mut self) {
        let last = self.list.pop().flatten();
        if self.list.len() == WALKED_LISTED_MAX {
            self.set.clear();
        } else if let Some(last) = last.filter(|_| WALKED_LISTED_MAX < self.list.len()) {
            self.set.remove(&last);
        }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.set.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ways_forget_what_they_leave_as_short_ones_do() {
        let mut walked = Walked::new(PathMode::Trail);
        let numbers = || 0..3 * WALKED_LISTED_MAX as u64;
        numbers().for_each(|number| walked.push(Some(number)));
        assert!(numbers().all(|number| walked.has(Some(number))) && !walked.has(None));
        for number in numbers().rev() {
            walked.pop();
            assert!(!walked.has(Some(number)), "{number}");
            assert!((0..number).all(|before| walked.has(Some(before))), "{number}");
        }
    }
}
