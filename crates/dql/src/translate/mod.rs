//! A query to its plan: each level of a block is a set of rows (parent, node), made from the level above it.
//!
//! ```text
//!   document ──> names: fragments spread, blocks in the order of their variables
//!   block    ──> roots: where it begins ──> pages: filter, order, page ──> a `Let`, if something below reads it
//!   child    ──> levels: values of the same rows, or the next level
//!   plan     ──> one row with a bag for each level, and the layout that names their columns
//! ```
//!
//! A function of roots and filters is a file in `functions` and a line in its table. Nothing is read from a graph here,
//! and no answer is written.

mod blocks;
mod filters;
mod functions;
mod levels;
mod math;
mod operands;
mod paths;
mod predicates;
mod problems;
mod roots;
mod spread;
mod translator;
mod uses;
mod variables;

pub(crate) use functions::FUNCTIONS;
pub(crate) use operands::{Input, NOW, Values, VariableInput, text_of_value};
pub(crate) use problems::refused_where;
pub(crate) use translator::{Facts, Translated, Translator, translate};
