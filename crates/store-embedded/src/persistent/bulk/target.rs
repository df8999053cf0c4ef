//! The interface of a load to its graph, and the errors of a load.

use std::fmt;
use std::ops::Range;

use millrace_model::{Bits, EdgeTypeId, VertexId};

use crate::base::error::Error;
use crate::persistent::image::Image;

/// The graph that a load goes into.
pub trait LoadTarget {
    /// Which of these vertices, all of one partition and none of them made by the load, exist.
    fn exist(&mut self, vertices: &[VertexId]) -> millrace_model::Result<Bits>;

    /// Leases up to `runs` consecutive runs of edge slots of an ordinal, for good; fewer, or none,
    /// once it is used up. Edges without a slot are tried again 2^16 above, and are refused in the
    /// end.
    fn lease_runs(&mut self, ordinal: u32, runs: u32) -> millrace_model::Result<Range<u32>>;

    /// Takes the image of a partition; each comes once, by ascending ordinal.
    fn take(&mut self, image: Image) -> millrace_model::Result<()>;
}

/// Why a load failed; nothing of it remains.
#[derive(Debug)]
pub enum BulkError {
    /// Reading or writing failed.
    Store(Error),
    /// The target refused.
    Target(millrace_model::Error),
    /// An edge has an end that does not exist: create the vertex, or leave the edge out.
    MissingEnd {
        /// The end.
        vertex: VertexId,
        /// The edge's type.
        edge_type: EdgeTypeId,
        /// The edge's source.
        source: VertexId,
        /// The edge's target.
        target: VertexId,
    },
    /// A vertex id is beyond the range of this store.
    BeyondRange {
        /// The vertex.
        vertex: VertexId,
    },
}

impl From<Error> for BulkError {
    fn from(error: Error) -> BulkError {
        BulkError::Store(error)
    }
}

impl From<millrace_model::Error> for BulkError {
    fn from(error: millrace_model::Error) -> BulkError {
        BulkError::Target(error)
    }
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BulkError::Store(error) => error.fmt(f),
            BulkError::Target(error) => error.fmt(f),
            BulkError::MissingEnd { vertex, edge_type, source, target } => write!(
                f,
                "vertex {vertex} does not exist, and an edge of type number {edge_type} goes from \
                 {source} to {target}; create it first, or leave the edge out"
            ),
            BulkError::BeyondRange { vertex } => {
                write!(f, "vertex {vertex} is beyond 2^32, which is as many as a graph can have")
            }
        }
    }
}

impl std::error::Error for BulkError {}
