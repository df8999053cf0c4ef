//! From the one row that a query's plan gives to the answer that a client reads.
//!
//! ```text
//!   row of bags, one for each level ──┐
//!   layout: names, nesting, columns ───┴──> JSON, or N-Quads
//! ```
//!
//! The bag of a level has the columns of its nodes, beside the node each was reached from; the writer nests the levels by
//! them. Which rows there are is settled in the plan: nothing is filtered, ordered or computed here, but for what a node
//! without fields means: it is left out.

mod facets;
mod flat;
mod groups;
mod json;
mod layout;
mod level;
mod node;
mod paths;
mod rdf;
mod recursion;
mod recursion_rdf;

pub(crate) use json::JsonAnswer;
pub(crate) use layout::{
    BlockKind, BlockLayout, Facets, Field, FieldKind, GroupLayout, LevelLayout, NodeLayout,
    PathsLayout, RecursionLayout, RecursionStep, RowLayout,
};
