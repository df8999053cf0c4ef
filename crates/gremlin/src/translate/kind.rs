//! What is known, before a plan runs, of what a traverser is at.

use millrace_plan::ColumnId;

/// What a column of traversers' objects holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Vertices.
    Vertex,
    /// Edges.
    Edge,
    /// Maps.
    Map,
    /// Entries of maps.
    Entry,
    /// Lists.
    List,
    /// What `aggregate` collected: a list here, in Java a set that counts how often each thing is in it.
    Collected,
    /// Paths.
    Path,
    /// Properties of elements, as things.
    Property,
    /// Values that are no element and hold none.
    Scalar,
    /// Anything: only the run knows.
    Any,
}

impl Kind {
    /// What holds either.
    pub(crate) fn or(self, other: Kind) -> Kind {
        if self == other { self } else { Kind::Any }
    }
}

/// Where a traverser is: a column, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    /// The column.
    pub column: ColumnId,
    /// What it holds.
    pub kind: Kind,
}

impl At {
    /// A column of a kind.
    pub(crate) fn new(column: ColumnId, kind: Kind) -> At {
        At { column, kind }
    }
}
