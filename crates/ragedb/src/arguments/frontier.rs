//! What a call starts from: a vertex, or vertices and links of a bulk call.

use millrace_model::VertexId;
use millrace_plan::ElementKind;

/// How a call names its vertex.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// By id.
    Id(VertexId),
    /// By type and key.
    Key { label: String, key: String },
}

/// Vertices or links that a bulk call starts from.
pub(crate) struct Frontier {
    /// The vertices.
    pub(crate) nodes: Vec<u64>,
    /// The edge of each link; `None` if the argument is ids.
    pub(crate) edges: Option<Vec<u64>>,
}

impl Frontier {
    /// The ids of one kind of element; links have both.
    pub(crate) fn ids(&self, element: ElementKind) -> &[u64] {
        match (element, &self.edges) {
            (ElementKind::Edge, Some(edges)) => edges,
            (ElementKind::Edge, None) | (ElementKind::Vertex, _) => &self.nodes,
        }
    }

    /// The same, when nothing else of the frontier is needed.
    pub(crate) fn ids_of(self, element: ElementKind) -> Vec<u64> {
        match (element, self.edges) {
            (ElementKind::Edge, Some(edges)) => edges,
            (ElementKind::Edge, None) | (ElementKind::Vertex, _) => self.nodes,
        }
    }
}
