//! The kinds of the objects of traversers, as far as they are known before a plan runs.

use millrace_plan::ColumnId;

/// The kind of the objects in a column.
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
    /// The result of `aggregate`: a list here, in Java a multiset.
    Collected,
    /// Paths.
    Path,
    /// Properties of elements, not their values.
    Property,
    /// Values that are no element and hold none.
    Scalar,
    /// Anything: the kind is known only at run time.
    Any,
}

impl Kind {
    /// The kind of a column that holds objects of both.
    pub(crate) fn or(self, other: Kind) -> Kind {
        if self == other { self } else { Kind::Any }
    }
}

/// Where a traverser is: a column, and the kind of its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    /// The column.
    pub column: ColumnId,
    /// The kind of its objects.
    pub kind: Kind,
}

impl At {
    /// A column of a kind.
    pub(crate) fn new(column: ColumnId, kind: Kind) -> At {
        At { column, kind }
    }
}
