//! Searches from nodes in which each node is found once, at its smallest depth (`apoc.path`): the paths of a spanning
//! tree, its nodes, or the part of the graph that these are.
//!
//! ```text
//!   settings ──> Search: frontier ──expand by types──> new vertices ──labels──> the next frontier
//!                                                          └── those that the settings want are yielded
//! ```
//!
//! A level is expanded and its labels are read as one set. A search goes on only while its rows are read, so a `LIMIT`
//! behind the call ends it; what it holds is as large as what it found, and charged.

mod search;
mod settings;
mod subgraph;
mod tree;

use std::sync::Arc;

use crate::context::Procedure;

/// The procedures of this family.
pub(super) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![Arc::new(tree::Nodes), Arc::new(tree::Paths), Arc::new(subgraph::All)]
}
