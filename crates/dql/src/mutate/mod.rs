//! A request that changes data, to its plan: data as lists of values, and a stage for each kind of change.
//!
//! ```text
//!   Changes ──batch──> typed rows: nodes, values, edges, removals, predicates that are new
//!                         │
//!                         └──stages──> plan: nodes found or made; then for each kind a list, joined with the nodes
//! ```
//!
//! The plan depends on which kinds of change there are and on which predicates, never on how many quads or on their
//! values, so that requests of one program share it. What a removal finds is removed before anything is set.

mod alter;
mod answer;
mod batch;
mod claims;
mod names;
mod nodes;
mod removals;
mod stages;
mod values;
mod variables;

pub(crate) use alter::altered;
pub(crate) use stages::{Change, translate_changes};
pub use values::value_of_variable;
