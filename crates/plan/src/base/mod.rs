//! What a plan is named with: names of the graph, columns, parameters and `Let`s by number, kinds of elements; and
//! the limits of the crate.
//!
//! Small values without a plan around them enter, and nothing of the crate is imported. An item that knows an
//! expression or an operator is theirs.

pub mod columns;
mod elements;
pub mod limits;
mod names;
mod nearest;

pub(crate) use columns::ColumnSet;
pub(crate) use columns::keep_live;
pub use elements::{ElementKind, End};
pub use names::{ColumnId, LetId, Name, ParameterId, PlanNames};
pub use nearest::nearest;
