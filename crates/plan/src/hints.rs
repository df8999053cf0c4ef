//! What a front end may know of a graph when it makes a plan: how many elements there are.
//!
//! Plain values, and only hints: a plan is right whatever they say. Counts are rounded down to a power of two, so
//! that plans made while a graph grows are mostly equal. Empty hints change no plan.

use std::collections::BTreeMap;

use crate::op::OwnerName;
use crate::plan::Name;

/// Counts of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Vertices; `None`: unknown.
    pub vertices: Option<u64>,
    /// Vertices by label. Where `vertices` is known, a label that is not here has none.
    pub labels: BTreeMap<Name, u64>,
    /// Edges by type.
    pub edge_types: BTreeMap<Name, u64>,
    /// Indexes.
    pub indexes: Vec<IndexHint>,
}

/// What is known of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexHint {
    /// The owner of its elements.
    pub owner: OwnerName,
    /// Its keys, in order.
    pub keys: Vec<Name>,
    /// Entries at most, if that is known.
    pub entries: Option<u64>,
    /// Different keys, if that is known: of a unique index as many as entries.
    pub distinct: Option<u64>,
}

/// A count as hints have it: rounded down to a power of two.
pub fn rounded(count: u64) -> u64 {
    count.checked_ilog2().map_or(0, |bits| 1 << bits)
}

impl Hints {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Hints::default()
    }

    /// Vertices with a label, or all; `None`: unknown.
    pub fn vertices_with(&self, label: Option<&Name>) -> Option<u64> {
        let all = self.vertices?;
        Some(label.map_or(all, |label| self.labels.get(label).copied().unwrap_or(0)))
    }

    /// About how many of so many vertices with a label have one value of a key, by an index of it: without
    /// known keys the square root. `None`: no index has it.
    pub fn vertices_by_key(&self, label: Option<&Name>, key: &Name, of: u64) -> Option<u64> {
        let is_owner = |owner: &OwnerName| match owner {
            OwnerName::Label(own) => Some(own) == label,
            OwnerName::AllVertices => true,
            OwnerName::EdgeType(_) => false,
        };
        let has_key = |index: &&IndexHint| index.keys == [key.clone()] && is_owner(&index.owner);
        let indexes = self.indexes.iter().filter(has_key);
        let each = indexes.map(|index| match (index.entries, index.distinct) {
            (Some(entries), Some(distinct)) => entries.div_ceil(distinct.max(1)).min(of),
            _ => of.isqrt(),
        });
        each.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_rounded_down_to_powers_of_two() {
        assert_eq!([0, 1, 3, 4, 1_000, u64::MAX].map(rounded), [0, 1, 2, 4, 512, 1 << 63]);
    }

    #[test]
    fn the_best_index_says_how_many_have_a_value() {
        let index = |owner, distinct| IndexHint {
            owner,
            keys: vec!["k".into()],
            entries: Some(64),
            distinct,
        };
        let (label, other): (Name, Name) = ("A".into(), "B".into());
        let mut hints =
            Hints { indexes: vec![index(OwnerName::AllVertices, None)], ..Hints::default() };
        assert_eq!(hints.vertices_by_key(Some(&label), &"k".into(), 100), Some(10));
        hints.indexes.push(index(OwnerName::Label(label.clone()), Some(64)));
        assert_eq!(hints.vertices_by_key(Some(&label), &"k".into(), 100), Some(1));
        assert_eq!(hints.vertices_by_key(Some(&other), &"k".into(), 100), Some(10));
        assert_eq!(hints.vertices_by_key(Some(&label), &"i".into(), 100), None);
    }
}
