//! Operators that go along edges: to neighbours, along paths, to the ends of an edge.

pub(super) mod degree;
pub(super) mod endpoints;
pub(super) mod expand;
pub(super) mod expand_into;
pub(super) mod intersect;
pub(super) mod neighbours;
pub(super) mod path_expand;
pub(super) mod path_pattern;
pub(super) mod path_step;
pub(super) mod recursive_expand;
pub(super) mod trail_endpoints;

pub use intersect::IntersectArm;
pub use path_pattern::{
    ParallelEdges, PathAccept, PathAlternative, PathLeg, PathMode, PathOrder, PathPattern, PathTest,
};

/// How often `both` sees a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loops {
    /// Twice, as Gremlin counts.
    Twice,
    /// Once, as Cypher counts.
    Once,
}

impl Loops {
    /// The words behind a hop that sees loops once.
    fn print(self) -> &'static str {
        match self {
            Loops::Once => " loops once",
            Loops::Twice => "",
        }
    }
}
