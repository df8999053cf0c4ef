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
//!             ── live: existence bits of the vertices, for committers
//! ```
//!
//! A reader takes the newest root with a checkpoint position that is not after its own position, and
//! in that root the version of every list and record at its own position. The lock does *not* make
//! a batch appear atomically, stamps do. It is held for at most a chunk of rows, so a commit may be
//! applied between two chunks of a reader, which skips it both times because it is later.
//!
//! Edges that find no slot in the partition of their source go to an overflow partition,
//! 2^16 above: it has lists for the same locals, and no vertices.
//!
//! This module knows partitions only. Graphs, the validation of commits and the log belong to the
//! modules above it; files are read through images.

mod checkpoint;
mod list;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod versions;
mod write;

use std::sync::Arc;

use millrace_model::{EdgeId, EdgeTypeId, LogPosition, VertexId};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

pub use checkpoint::delta_at::{DeltaLayer, EdgeRoom};
pub use table::Partitions;
pub use versions::pinned::PinnedSnapshots;
pub use write::route::{Commit, EdgeSpan, PartitionPart, route};

use crate::persistent::home;
use crate::persistent::image::Image;
use table::{Common, CurrentPins};
#[cfg(not(all(test, feature = "loom")))]
use versions::chunk_lock::ChunkLock;
#[cfg(all(test, feature = "loom"))]
pub(crate) use versions::chunk_lock::ChunkLock;
use versions::existence::ExistenceBitmap;
use versions::root::Root;
use versions::state::State;
use write::edge_slots::EdgeSlots;

/// 2^16 consecutive vertices, their edges and the properties of both.
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
    /// An ordinal of 2^16 or more is an overflow partition, which has only edges: those that found
    /// no slot in the partition of their source. Its low 16 bits are the ordinal of that partition.
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

/// A partition as a reader at one position sees it.
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
