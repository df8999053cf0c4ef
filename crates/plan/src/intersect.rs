//! What an `Intersect` walks: several bound vertices to what all of them lead to.

use millrace_model::Direction;

use crate::op::Loops;
use crate::plan::{ColumnId, Name};

/// The common neighbours of several vertices of a row: each row, once for every choice of an edge
/// for each arm that lead to one vertex, by its id. A null vertex has no neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intersect {
    /// The vertices and where one goes from them; one arm at least.
    pub arms: Vec<IntersectArm>,
    /// A new column for the common neighbour.
    pub to: ColumnId,
}

/// One of the vertices, and which of its edges count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntersectArm {
    /// The vertex.
    pub from: ColumnId,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way, seen from the vertex.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
}
