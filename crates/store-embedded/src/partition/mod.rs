//! The live partition: 2^16 vertices, their lists, their edges, at every pinned snapshot.
//!
//! ```text
//!   Partition ── lock ──> State ── roots, newest first, at most two
//!                                    Root ── position, base (Image), transaction layer (Image of one out-of-line commit)
//!                                         ── Delta: lists    prefix + stamped tail, by local
//!                                                   vertices record versions, by local
//!                                                   runs     new edges in slot order
//!                                                   edges    record versions, by slot
//!             ── slots: leases of edge ids
//!             ── live: which vertices are there by now, for committers
//! ```
//!
//! A reader takes the newest root whose checkpoint position is not after its own position, and of
//! everything in it what was there at that position. The lock does *not* make a batch appear
//! atomically, stamps do. It is held for at most a chunk of rows, so a commit may be applied
//! between two chunks of a reader, which skips it both times because it is later.
//!
//! Edges that find no slot in the partition of their source go to an overflow partition,
//! 2^16 above: it has lists for the same locals, and no vertices.

mod ahead;
mod apply;
mod cells;
mod checkpoint;
#[cfg(test)]
mod checkpoint_test;
mod chunk_lock;
mod chunks;
#[cfg(test)]
mod concurrent_test;
mod counts;
mod delta;
mod delta_at;
#[cfg(test)]
mod differential_test;
mod edge_rows;
mod edge_run;
mod edge_slots;
mod edges;
mod elements;
mod existence;
mod expand;
#[cfg(test)]
mod expand_test;
mod frontier;
#[cfg(test)]
mod hub_test;
mod image_at;
mod imaging;
mod local_map;
mod modified_list;
mod moving;
#[cfg(test)]
mod overflow_test;
mod pinned;
mod prefix;
mod record;
mod root;
mod route;
mod scan;
mod state;
mod table;
mod tail;
mod traces;
mod vertices;
mod writes;

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, LogPosition, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

pub use delta_at::{DeltaLayer, EdgeRoom};
pub use pinned::PinnedSnapshots;
pub use route::{Commit, EdgeSpan, PartitionPart, route};
pub use table::Partitions;

use crate::image::Image;
use crate::limits::{EDGE_ORDINALS_MAX, PARTITIONS_MAX};
#[cfg(not(all(test, feature = "loom")))]
use chunk_lock::ChunkLock;
#[cfg(all(test, feature = "loom"))]
pub(crate) use chunk_lock::ChunkLock;
use edge_slots::EdgeSlots;
use existence::ExistenceBitmap;
use root::Root;
use state::State;
use table::{Common, CurrentPins};

/// 2^16 consecutive vertices and what hangs on them.
#[derive(Debug)]
pub struct Partition {
    ordinal: u32,
    slots: EdgeSlots,
    live: ExistenceBitmap,
    pinned: CurrentPins,
    state: ChunkLock<State>,
}

impl Partition {
    /// A partition as an image has it.
    fn new(base: Arc<Image>, common: &Common) -> Partition {
        // The first run of all is not used: its first edge would be 0, which is never an id.
        let next_run = base.runs.next_run().max(u32::from(base.ordinal == 0));
        Partition {
            ordinal: base.ordinal,
            slots: EdgeSlots::behind(next_run, common.edge_runs_max),
            live: ExistenceBitmap::default(),
            pinned: common.pinned.clone(),
            state: ChunkLock::new(State::new(base)),
        }
    }

    /// Which partition it is: the high bits of its edges' ids, and, below 2^16, of its vertices'.
    /// One of 2^16 and more has only edges: those that found no slot in the partition of their
    /// source, whose ordinal is the low 16 bits.
    pub fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Leases a fresh id for each of up to `count` edges of the type; says for how many.
    fn lease_edges(
        &self,
        edge_type: EdgeTypeId,
        count: usize,
        mut take: impl FnMut(EdgeId),
    ) -> usize {
        let base = u64::from(self.ordinal) << EDGE_SLOT_BITS;
        self.slots.lease(edge_type, count, |slot| take(EdgeId(base | u64::from(slot))))
    }
}

/// What a reader at one position has of a partition.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) ordinal: u32,
    pub(crate) at: LogPosition,
    pub(crate) root: &'a Root,
}

impl View<'_> {
    /// The id of the vertex at local 0.
    fn first_vertex(&self) -> u64 {
        u64::from(home(self.ordinal)) << PARTITION_BITS
    }
}

/// The partition of a vertex; `None` beyond 2^32.
#[inline]
fn ordinal_of_vertex(vertex: VertexId) -> Option<u32> {
    u32::try_from(vertex.0).ok().map(|vertex| vertex >> PARTITION_BITS)
}

/// The ordinal an edge's id is of; `None` for an id no store gave.
#[inline]
fn ordinal_of_edge(edge: EdgeId) -> Option<u32> {
    let ordinal = edge.0 >> EDGE_SLOT_BITS;
    (ordinal < (PARTITIONS_MAX * EDGE_ORDINALS_MAX) as u64).then_some(ordinal as u32)
}

/// The partition of an edge's source; `None` for an id no store gave.
pub(crate) fn edge_partition(edge: EdgeId) -> Option<u32> {
    ordinal_of_edge(edge).map(home)
}

/// The ordinal of the vertices whose edges are in a partition.
#[inline]
pub(crate) fn home(ordinal: u32) -> u32 {
    ordinal % PARTITIONS_MAX as u32
}

/// The place of a vertex in its partition.
#[inline]
fn local(vertex: VertexId) -> u16 {
    vertex.0 as u16
}

/// The slot of an edge in its source's partition.
#[inline]
fn slot(edge: EdgeId) -> u32 {
    edge.0 as u32
}

/// A vertex id as lists hold it.
#[inline]
fn narrow(vertex: VertexId) -> u32 {
    u32::try_from(vertex.0).expect("vertices at 2^32 and above are refused when they are created")
}
