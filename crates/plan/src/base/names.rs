//! The names in a plan: those of the user's graph as texts, and its own columns, parameters and `Let`s by number.

use std::sync::Arc;

/// A name of the user's graph: a label, an edge type, a key.
pub type Name = Arc<str>;

/// A column of a plan; unique in the whole plan, subplans included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u32);

/// A parameter of a plan, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(pub u32);

/// A `Let` of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetId(pub u32);

/// The names of one plan, for what checks or prints a part of it without the whole.
pub trait PlanNames {
    /// The name of a column.
    fn column(&self, column: ColumnId) -> Option<&Name>;

    /// How many columns have a name.
    fn columns_named(&self, name: &str) -> usize;

    /// The name of a parameter.
    fn parameter(&self, parameter: ParameterId) -> Option<&Name>;

    /// The name of a `Let`, and the columns that it keeps.
    fn binding(&self, id: LetId) -> Option<(&Name, &[ColumnId])>;
}
