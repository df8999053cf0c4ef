//! Rounds over a graph's edges in which each edge is gone once: DQL's `@recurse`.

use crate::op::Op;
use crate::plan::{ColumnId, Pipeline};

/// Adds what is reached from a vertex, as nested bags.
///
/// The rows of a scope are one block. It begins with a list of their vertices; in each round every
/// step goes from every list to a new list of its own, of what it reached from the list's vertices,
/// each once, by their ids. An edge (step, from, to) that the block went before is not gone again.
/// A vertex's bag holds a row (number of the step, vertex, bag of that vertex in its list) for each
/// edge gone from it, by steps; the last round's bags are empty.
#[derive(Clone, Debug, PartialEq)]
pub struct RecursiveExpand {
    /// Where it begins. From null nothing is reached.
    pub from: ColumnId,
    /// The vertex that all steps go from: all they see.
    pub at: ColumnId,
    /// The steps; each vertex is a scope of theirs.
    pub steps: Vec<Pipeline>,
    /// The column at the end of each step that holds what it reached.
    pub next: Vec<ColumnId>,
    /// How many rounds at most.
    pub depth: Option<u64>,
    /// Whether an edge is gone each time it is met; then there must be a depth.
    pub loops: bool,
    /// The new column.
    pub to: ColumnId,
}

impl Op {
    /// The recursion, if it is one.
    pub fn recurse(&self) -> Option<&RecursiveExpand> {
        if let Op::RecursiveExpand(recurse) = self { Some(recurse) } else { None }
    }
}
