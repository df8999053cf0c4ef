//! Adjacency lists as they leave a store: slices, valid only while the sink looks at them.

use std::ops::ControlFlow;

use millrace_model::{Direction, EdgeId, EdgeTypeId, VertexId};

/// Neighbours in a run; the embedded store's ids fit 4 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Neighbours<'a> {
    /// Ids below 2^32.
    Narrow(&'a [u32]),
    /// Any ids.
    Wide(&'a [VertexId]),
}

/// The edges beside the neighbours of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunEdges<'a> {
    /// Whole ids.
    Wide(&'a [EdgeId]),
    /// Slots of one source partition: edge id = `base | slot`.
    OutSlots {
        /// The source's partition ordinal, shifted to its place.
        base: u64,
        /// Slot of each edge.
        slots: &'a [u32],
    },
    /// Slots in the partition of the neighbour, which is the source: edge id = `base` + the
    /// neighbour's partition (bits 16 and up of its id) shifted to its place + slot.
    InSlots {
        /// 0, but for edges of a partition that has overflow partitions.
        base: u64,
        /// Slot of each edge.
        slots: &'a [u32],
    },
    /// Ids that follow one another: edge `i` is `first + i`. Out lists after a bulk load.
    Consecutive {
        /// The first edge.
        first: EdgeId,
    },
}

/// A piece of one vertex's list: edges of one type in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The type of all edges in it.
    pub edge_type: EdgeTypeId,
    /// `Out` or `In`: whether the frontier's vertex is the source or the target.
    pub direction: Direction,
    /// Whether the neighbours ascend.
    pub sorted: bool,
    /// The other ends.
    pub neighbours: Neighbours<'a>,
    /// The edges, in the same order.
    pub edges: RunEdges<'a>,
}

/// Takes runs as a store walks a frontier.
pub trait RunSink {
    /// A run of the list of the frontier's `row`. All runs of a row come together, out before in,
    /// types in the order asked for, rows in frontier order. The slices die with the call.
    /// `Break` ends the expansion early. A sink collects: it may ask the store again on its own
    /// thread, but not wait for another thread that does, since the store may hold a lock.
    fn run(&mut self, row: usize, run: Run<'_>) -> ControlFlow<()>;
}

impl<F: FnMut(usize, Run<'_>) -> ControlFlow<()>> RunSink for F {
    fn run(&mut self, row: usize, run: Run<'_>) -> ControlFlow<()> {
        self(row, run)
    }
}

/// Bits of an edge id below the ordinal of its source's partition.
pub const EDGE_SLOT_BITS: u32 = 32;

/// Bits of a vertex id within its partition.
pub const PARTITION_BITS: u32 = 16;

impl Neighbours<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Neighbours::Narrow(ids) => ids.len(),
            Neighbours::Wide(ids) => ids.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbour at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> VertexId {
        match self {
            Neighbours::Narrow(ids) => VertexId(u64::from(ids[index])),
            Neighbours::Wide(ids) => ids[index],
        }
    }
}

impl Run<'_> {
    /// How many edges it has.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// The edge at `index`.
    #[inline]
    pub fn edge(&self, index: usize) -> EdgeId {
        match self.edges {
            RunEdges::Wide(edges) => edges[index],
            RunEdges::OutSlots { base, slots } => EdgeId(base | u64::from(slots[index])),
            RunEdges::InSlots { base, slots } => {
                let ordinal = self.neighbours.get(index).0 >> PARTITION_BITS;
                EdgeId(base | ordinal << EDGE_SLOT_BITS | u64::from(slots[index]))
            }
            RunEdges::Consecutive { first } => EdgeId(first.0 + index as u64),
        }
    }
}
