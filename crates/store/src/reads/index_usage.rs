//! What indexes take, and how far the builds of new ones are.

use millrace_model::{Catalog, IndexId};

/// An index as it is now; newer than the snapshot that is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexUsage {
    /// The index.
    pub index: IndexId,
    /// Whether it is for use.
    pub state: IndexState,
    /// Elements that its build has read.
    pub elements_done: u64,
    /// Elements that its build reads in all; 0 where none is under way.
    pub elements_total: u64,
    /// Whether its build is to end without it, as it was dropped.
    pub is_stopped: bool,
    /// Entries; of an index that is being built, those that were made so far.
    pub entries: u64,
    /// Bytes that they take, in memory and in files; about.
    pub bytes: u64,
}

/// Whether an index is for use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexState {
    /// It is not there: it was dropped, or its build ended without it.
    #[default]
    Gone,
    /// It is being built.
    Building,
    /// It is for use.
    Ready,
}

impl IndexState {
    /// As a catalog has it.
    pub fn of(catalog: &Catalog, index: IndexId) -> IndexState {
        match (catalog.indexes.get(&index), catalog.maintained_index(index)) {
            (Some(_), _) => IndexState::Ready,
            (None, Some(_)) => IndexState::Building,
            (None, None) => IndexState::Gone,
        }
    }
}

impl IndexUsage {
    /// How far the index is, of 100. Less than that while the build is under way.
    pub fn percent(&self) -> f64 {
        match self.elements_total {
            0 => 100.0,
            total => (self.elements_done as f64 / total as f64 * 100.0).min(99.9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_build_that_is_over_is_at_100_percent() {
        let usage = |elements_done, elements_total| IndexUsage {
            elements_done,
            elements_total,
            ..IndexUsage::default()
        };
        assert_eq!(usage(0, 0).percent(), 100.0);
        assert_eq!(usage(0, 8).percent(), 0.0);
        assert_eq!(usage(2, 8).percent(), 25.0);
        assert_eq!(usage(8, 8).percent(), 99.9);
    }
}
