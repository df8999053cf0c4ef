//! The procedures that the engine has: those that need only the graph.
//!
//! One file for each family, one line in [`Procedures::builtin`]; others are registered from above. What a procedure
//! is, is in `context`. No operator and no expression enters: a procedure reads the graph, its arguments and the catalog.

mod builtin;
mod catalog;
mod expansion;
mod fulltext;
mod listing;
mod metadata;
mod names;
mod schema;

pub use crate::context::{Arguments, Procedure, Procedures, RowStream, Yielded};
