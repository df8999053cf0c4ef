//! Identity: newtypes for everything that is counted or named by a number.
//!
//! A [`VertexId`] is 64 bits here; that the embedded store keeps dense 32-bit slots is its affair.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $int:ty, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub $int);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A vertex, unique in its graph and never reused.
    VertexId, u64, "v"
);
id!(
    /// An edge, unique in its graph; 63 bits, never reused.
    EdgeId, u64, "e"
);
id!(
    /// The number of an interned label name.
    LabelId, u32, "label#"
);
id!(
    /// The number of an interned edge type name.
    EdgeTypeId, u32, "type#"
);
id!(
    /// The number of an interned property key name.
    KeyId, u32, "key#"
);
id!(
    /// An index of a graph.
    IndexId, u32, "index#"
);
id!(
    /// A graph of a data folder; never reused, even after the graph is dropped.
    GraphId, u32, "graph#"
);
id!(
    /// A place in the one order of commits: one number for each transaction.
    LogPosition, u64, "@"
);

/// Which end of an edge an expansion starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// Out, then in.
    Both,
}

impl Direction {
    /// The one or two plain directions this one stands for, out first.
    pub fn halves(self) -> &'static [Direction] {
        match self {
            Direction::Out => &[Direction::Out],
            Direction::In => &[Direction::In],
            Direction::Both => &[Direction::Out, Direction::In],
        }
    }

    /// The same edges seen from their other ends.
    pub fn reverse(self) -> Direction {
        match self {
            Direction::Out => Direction::In,
            Direction::In => Direction::Out,
            Direction::Both => Direction::Both,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Out => "out",
            Direction::In => "in",
            Direction::Both => "both",
        })
    }
}
