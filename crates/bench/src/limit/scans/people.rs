//! Columns: a value for each node or relationship, by number.

use super::texts::Texts;

/// Nodes, numbered from 0, and the relationships between them.
#[derive(Clone, Debug, Default)]
pub struct People {
    /// Columns of nodes.
    pub name: Texts,
    /// See [`People::name`].
    pub age: Vec<i64>,
    /// See [`People::name`].
    pub city: Texts,
    /// See [`People::name`].
    pub score: Vec<f64>,
    /// See [`People::name`].
    pub email: Texts,
    /// See [`People::name`].
    pub bio: Texts,
    /// Columns of relationships.
    pub knows: Acquaintances,
}

/// Relationships, in the order in which they are loaded.
#[derive(Clone, Debug, Default)]
pub struct Acquaintances {
    /// The number of the node that each one leaves.
    pub source: Vec<u32>,
    /// The number of the node where it ends.
    pub target: Vec<u32>,
    /// A year.
    pub since: Vec<i64>,
    /// A weight.
    pub w: Vec<f64>,
    /// Another year.
    pub year: Vec<i64>,
}

/// Relationships with weights, to items that have names.
#[derive(Clone, Debug, Default)]
pub struct WeightedLikes {
    /// The names of items.
    pub items: Texts,
    /// The number of each one's item.
    pub item: Vec<u32>,
    /// Its weight.
    pub weight: Vec<f64>,
}
