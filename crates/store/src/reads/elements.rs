//! Elements by id, and edges with their ends.

use millrace_model::{Bits, EdgeId, EdgeTypeId, VertexId};

/// Vertices or edges, by id.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Vertices.
    Vertices(&'a [VertexId]),
    /// Edges.
    Edges(&'a [EdgeId]),
}

impl Elements<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Elements::Vertices(ids) => ids.len(),
            Elements::Edges(ids) => ids.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Edges in columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeRows {
    /// The edges.
    pub edges: Vec<EdgeId>,
    /// The type of each.
    pub types: Vec<EdgeTypeId>,
    /// The source of each.
    pub sources: Vec<VertexId>,
    /// The target of each.
    pub targets: Vec<VertexId>,
}

impl EdgeRows {
    /// Appends an edge.
    pub fn push(
        &mut self,
        edge: EdgeId,
        edge_type: EdgeTypeId,
        source: VertexId,
        target: VertexId,
    ) {
        self.edges.push(edge);
        self.types.push(edge_type);
        self.sources.push(source);
        self.targets.push(target);
    }
}

/// Types and ends of edges that were asked for by id, in that order.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// Which of them exist; the other columns hold defaults where not.
    pub exist: Bits,
    /// The type of each.
    pub types: Vec<EdgeTypeId>,
    /// The source of each.
    pub sources: Vec<VertexId>,
    /// The target of each.
    pub targets: Vec<VertexId>,
}
