//! What a bulk call starts from.

use millrace_plan::ElementKind;

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
