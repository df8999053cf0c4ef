//! How much of the order of rows is needed.

/// How much of a sequence's order later operators depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// Nothing: rows may come in any order.
    Free,
    /// Where each distinct row (on its live columns) comes first.
    FirstAppearance,
    /// All of it.
    Full,
}
