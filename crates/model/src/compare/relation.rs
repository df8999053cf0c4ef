//! Where comparisons differ by language, and how two values relate.

use std::cmp::Ordering;

/// Where a language's comparisons differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareMode {
    /// Null is a value, equal to itself and lowest; types that do not compare are unequal
    /// (Gremlin).
    NullIsValue,
    /// A comparison with null is unknown, also inside lists and maps, and so is `<` between types (Cypher).
    NullIsUnknown,
    /// Null equals null; nothing else compares across types (Lua, DQL).
    Plain,
}

/// How two values relate by a language's `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One is less, or they are equal.
    Ordered(Ordering),
    /// Neither is less, greater or equal: every comparison is false.
    Apart,
    /// Every comparison is unknown.
    Unknown,
}

impl Relation {
    /// The truth of a comparison that holds for some orders; `None` is unknown.
    pub fn holds(self, wanted: impl FnOnce(Ordering) -> bool) -> Option<bool> {
        match self {
            Relation::Ordered(order) => Some(wanted(order)),
            Relation::Apart => Some(false),
            Relation::Unknown => None,
        }
    }
}
