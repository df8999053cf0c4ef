//! Ways through the graph of more than one edge: what a `PathExpand` walks.

use millrace_model::Direction;

use crate::op::Loops;
use crate::plan::{ColumnId, Name};

/// Ways from a vertex: shorter ones first, then in list order, edge by edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    /// Where they start. Null: there are none.
    pub from: ColumnId,
    /// Where they end; `None`: anywhere.
    pub into: Option<ColumnId>,
    /// Edge types; `None`: all.
    pub types: Option<Vec<Name>>,
    /// Which way each edge is walked.
    pub direction: Direction,
    /// How `both` sees loops.
    pub loops: Loops,
    /// How many edges at least; with 0 the start itself is a way.
    pub min: u64,
    /// How many at most; a walk must have one.
    pub max: Option<u64>,
    /// Which ways there are.
    pub ways: Ways,
}

/// Which ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ways {
    /// All.
    Walk,
    /// Those that walk no edge twice.
    Trail,
    /// Those that meet no vertex twice.
    Acyclic,
    /// For each end the first of the shortest.
    AnyShortest,
    /// For each end all of the shortest.
    AllShortest,
}

impl Ways {
    /// Whether only the shortest ways to an end are taken.
    pub fn is_shortest(self) -> bool {
        matches!(self, Ways::AnyShortest | Ways::AllShortest)
    }
}
