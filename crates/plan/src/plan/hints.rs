//! What a front end may know of a graph when it makes a plan: how many elements there are.
//!
//! Plain values, and only hints: a plan is right whatever they say. Counts are rounded down to a power of two, so
//! that plans made while a graph grows are mostly equal. Empty hints change no plan. Hints are of the names that a
//! text [mentions](Mentioned), so they cost what the text has and not what the graph has.

use std::collections::BTreeMap;

use millrace_model::Direction;

use crate::base::Name;
use crate::op::OwnerName;

/// What a text may ask of hints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentioned {
    /// Whether it has patterns. Without, its hints are empty.
    pub patterns: bool,
    /// Whether it has hops.
    pub hops: bool,
    /// Whether it has hops of any type.
    pub untyped_hops: bool,
    /// Words that may be labels or edge types, each once.
    pub names: Vec<Name>,
}

/// Counts of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Vertices; `None`: unknown.
    pub vertices: Option<u64>,
    /// Vertices by label. Where `vertices` is known, a label that is not here has none.
    pub labels: BTreeMap<Name, u64>,
    /// Edges by type.
    pub edge_types: BTreeMap<Name, u64>,
    /// Edges of all types; `None`: those of `edge_types`.
    pub edges: Option<u64>,
    /// Edges of a vertex by its label and their type, where a sample was taken.
    pub degrees: BTreeMap<Name, BTreeMap<Name, DegreeHint>>,
    /// Edges of a vertex of any type by its label, where a sample was taken.
    pub all_degrees: BTreeMap<Name, DegreeHint>,
    /// Indexes.
    pub indexes: Vec<IndexHint>,
}

/// About how many edges of a type a vertex has, in sixteenths, rounded down to a power of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DegreeHint {
    /// Those that lead out of it.
    pub out: u64,
    /// Those that lead to it.
    pub into: u64,
    /// Whether exactly one leads out of each vertex of the sample.
    pub one_out: bool,
    /// Whether exactly one leads to each.
    pub one_into: bool,
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

    /// About how many edges of some types (`None`: all) a vertex with a label has; `None`: unknown.
    pub fn degree(
        &self,
        label: &Name,
        types: Option<&[Name]>,
        direction: Direction,
    ) -> Option<f64> {
        let of = |hint: &DegreeHint| match direction {
            Direction::Out => hint.out,
            Direction::In => hint.into,
            Direction::Both => hint.out + hint.into,
        };
        let known = self.degrees.get(label);
        let of_type = |name: &Name| match known?.get(name) {
            Some(hint) => Some(of(hint)),
            // A type that the graph has was not sampled yet; of one that it does not have there is no edge.
            None => (!self.edge_types.contains_key(name)).then_some(0),
        };
        let sixteenths: u64 = match (types, self.all_degrees.get(label)) {
            (Some(types), _) => types.iter().map(of_type).sum::<Option<u64>>()?,
            (None, Some(all)) => of(all),
            (None, None) => known?.values().map(of).sum(),
        };
        Some(sixteenths as f64 / 16.0)
    }

    /// Edges of all types.
    pub fn edges(&self) -> u64 {
        self.edges.unwrap_or_else(|| self.edge_types.values().sum())
    }

    /// Whether each vertex with a label seems to have one edge of a type.
    pub fn has_one(&self, label: &Name, edge_type: &Name, direction: Direction) -> bool {
        let hint = self.degrees.get(label).and_then(|known| known.get(edge_type));
        hint.is_some_and(|hint| match direction {
            Direction::Out => hint.one_out,
            Direction::In => hint.one_into,
            Direction::Both => false,
        })
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
    fn degrees_of_types_are_added() {
        let hint = |out, into| DegreeHint { out, into, ..DegreeHint::default() };
        let types = [("A".into(), hint(32, 8)), ("B".into(), hint(16, 0))];
        let degrees = BTreeMap::from([("L".into(), BTreeMap::from(types))]);
        let hints = Hints { degrees, ..Hints::default() };
        let (label, kind): (Name, Name) = ("L".into(), "A".into());
        assert_eq!(
            hints.degree(&label, Some(std::slice::from_ref(&kind)), Direction::Both),
            Some(2.5)
        );
        assert_eq!(hints.degree(&label, None, Direction::Out), Some(3.0));
        assert_eq!(hints.degree(&kind, None, Direction::Out), None);
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
