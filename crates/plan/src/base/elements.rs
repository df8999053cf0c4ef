//! The kinds of elements, and the ends of an edge.

/// Vertices or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// Vertices.
    Vertex,
    /// Edges.
    Edge,
}

/// An end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Where it starts.
    Source,
    /// Where it leads.
    Target,
}
