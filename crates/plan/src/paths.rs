//! PathMode through the graph of more than one edge: what a `PathExpand` walks.

use millrace_model::Direction;

use crate::op::Loops;
use crate::plan::{ColumnId, Name};

/// Paths from a vertex: shorter ones first, then in list order, edge by edge.
#[derive(Clone, Debug, PartialEq)]
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
    pub ways: PathMode,
    /// An edge is walked only from vertices that lie fewer edges than this from the start, counted
    /// over all edges that may be walked, whatever ways there are; `None`: from anywhere. A way
    /// may be longer.
    pub radius: Option<u64>,
    /// What an edge costs; `None`: one.
    pub weight: Option<PathWeight>,
}

/// What ways cost: the sum of a property of their edges, added up edge by edge in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct PathWeight {
    /// The property. An edge is walked only where it is a number, and not below 0.
    pub key: Name,
    /// What a way costs at least.
    pub least: Option<f64>,
    /// What it costs at most.
    pub most: Option<f64>,
}

/// Which ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathMode {
    /// All.
    Walk,
    /// Those that walk no edge twice.
    Trail,
    /// Those that visit no vertex twice.
    Acyclic,
    /// For each end the first of the shortest.
    AnyShortest,
    /// For each end all of the shortest.
    AllShortest,
    /// For each end the first so many of those that walk no edge twice, in order of cost, then
    /// shorter ones first, then in list order. They are emitted in that order.
    CheapestTrails(u64),
    /// The same of those that visit no vertex twice.
    CheapestAcyclic(u64),
}

impl PathMode {
    /// How many of the cheapest ways to an end are taken, if that is said.
    pub fn cheapest(self) -> Option<u64> {
        match self {
            PathMode::CheapestTrails(count) | PathMode::CheapestAcyclic(count) => Some(count),
            PathMode::Walk | PathMode::Trail | PathMode::Acyclic => None,
            PathMode::AnyShortest | PathMode::AllShortest => None,
        }
    }

    /// Whether only the shortest ways to an end are taken.
    pub fn is_shortest(self) -> bool {
        matches!(self, PathMode::AnyShortest | PathMode::AllShortest)
    }
}
