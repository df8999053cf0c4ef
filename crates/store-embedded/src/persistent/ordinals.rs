//! The numbers of partitions: the partition of an edge id, and the partition of the vertices at the
//! sources of its edges.

use millrace_model::EdgeId;
use millrace_store::run::EDGE_SLOT_BITS;

use crate::base::limits::{EDGE_ORDINALS_MAX, PARTITIONS_MAX};

/// The ordinal an edge's id is of; `None` for an id no store gave.
#[inline]
pub(crate) fn ordinal_of_edge(edge: EdgeId) -> Option<u32> {
    let ordinal = edge.0 >> EDGE_SLOT_BITS;
    (ordinal < (PARTITIONS_MAX * EDGE_ORDINALS_MAX) as u64).then_some(ordinal as u32)
}

/// The partition of an edge's source; `None` for an id no store gave.
pub(crate) fn edge_partition(edge: EdgeId) -> Option<u32> {
    ordinal_of_edge(edge).map(home)
}

/// The ordinal of the vertices that the edges of a partition start from.
#[inline]
pub(crate) fn home(ordinal: u32) -> u32 {
    ordinal % PARTITIONS_MAX as u32
}
