//! The marks: items on which two transactions can conflict, and their keys.
//!
//! ```text
//!   key = 60 bits of hash(graph, thing) │ lane: written, incident, deleted, other │ 2 bits free
//! ```
//!
//! Two things that share a key by chance (1 in 2^60) make a transaction lose for nothing, too
//! rarely to matter. The marks of one vertex differ in their lane only, so that they lie in one
//! cache line of the table.

use millrace_model::{EdgeId, EdgeTypeId, GraphId, IndexId, KeyId, Owner, VertexId};
use millrace_store::ReadUnit;

/// Where the lane stands in a key.
pub(crate) const LANE_SHIFT: u32 = 2;
/// The bits of a key that are free.
pub(crate) const FREE_BITS: u64 = 0b11;

const LANE_WRITTEN: u64 = 0;
const LANE_INCIDENT: u64 = 1;
const LANE_DELETED: u64 = 2;
/// The lane of everything that two transactions may have in common without modifying the same
/// element.
pub(crate) const LANE_OTHER: u64 = 3;

/// Something two transactions can conflict on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The record of a vertex, or any part of it.
    Written(VertexId),
    /// The record of a vertex, by a commit that asked for all of it.
    WrittenWhole(VertexId),
    /// One key of a vertex.
    WrittenKey(VertexId, KeyId),
    /// The lists of a vertex.
    Incident(VertexId),
    /// The end of a vertex.
    Deleted(VertexId),
    /// The record of an edge, or any part of it, or its end.
    Edge(EdgeId),
    /// The record of an edge, by a commit that asked for all of it, or its end.
    EdgeWhole(EdgeId),
    /// One key of an edge.
    EdgeKey(EdgeId, KeyId),
    /// An edge of a type that is a set: its ends.
    Pair(EdgeTypeId, VertexId, VertexId),
    /// A value of a unique index, by hash.
    Unique(IndexId, u64),
    /// A key that `Merge` matched on.
    Claim(u64),
    /// The definitions of a graph.
    Catalog,
    /// The definitions of one owner.
    Schema(Owner),
    /// A partition that a load fills: every id of it is a vertex from then on.
    Filled(u64),
    /// That all must be serializable: for commits that were judged when they need not be.
    Demanded,
    /// The end of an index: for its readers, as later commits set no mark for it.
    Dropped(IndexId),
    /// A bulk load: for transactions that read of something that it was not there.
    Loaded,
    /// The definitions of some edge type: for commits that write an edge and do not know its type.
    SchemaOfEdges,
    /// A unit that serializable transactions read, where no other mark shows its change.
    Read(ReadUnit),
}

impl Mark {
    /// Its number in a graph.
    pub(crate) fn key(self, graph: GraphId) -> u64 {
        let (class, number, lane) = self.spread();
        let hash = mix(number ^ mix(class << 32 | u64::from(graph.0)));
        hash & !0b1111 | lane << LANE_SHIFT
    }

    /// Class, number and lane; the marks of a vertex share their class, and so do the writes to an
    /// edge.
    fn spread(self) -> (u64, u64, u64) {
        match self {
            Mark::Written(vertex) => (1, vertex.0, LANE_WRITTEN),
            Mark::WrittenWhole(vertex) => (1, vertex.0, LANE_OTHER),
            Mark::Incident(vertex) => (1, vertex.0, LANE_INCIDENT),
            Mark::Deleted(vertex) => (1, vertex.0, LANE_DELETED),
            Mark::Edge(edge) => (2, edge.0, LANE_WRITTEN),
            Mark::EdgeWhole(edge) => (2, edge.0, LANE_OTHER),
            Mark::Unique(index, hash) => (3, mix(hash) ^ u64::from(index.0), LANE_OTHER),
            Mark::Claim(hash) => (4, hash, LANE_OTHER),
            Mark::Catalog => (5, 0, LANE_OTHER),
            Mark::SchemaOfEdges => (5, 1, LANE_OTHER),
            Mark::Loaded => (5, 2, LANE_OTHER),
            Mark::Demanded => (5, 3, LANE_OTHER),
            Mark::Dropped(index) => (19, u64::from(index.0), LANE_OTHER),
            Mark::Filled(partition) => (18, partition, LANE_OTHER),
            Mark::Schema(owner) => (6, owner_number(owner), LANE_OTHER),
            Mark::Read(unit) => spread_unit(unit),
            Mark::WrittenKey(vertex, key) => (15, mix(vertex.0) ^ u64::from(key.0), LANE_OTHER),
            Mark::EdgeKey(edge, key) => (16, mix(edge.0) ^ u64::from(key.0), LANE_OTHER),
            Mark::Pair(edge_type, source, target) => {
                let ends = mix(mix(source.0) ^ target.0);
                (17, ends ^ u64::from(edge_type.0), LANE_OTHER)
            }
        }
    }
}

/// The marks that say whether a unit changed. The record and the lists of a vertex, and an edge,
/// have marks of their own anyway, so a writer sets nothing more for them.
pub(crate) fn marks_of_unit(unit: ReadUnit) -> [Option<Mark>; 2] {
    match unit {
        ReadUnit::Vertex(vertex) => [Some(Mark::Written(vertex)), Some(Mark::Deleted(vertex))],
        ReadUnit::Edge(edge) => [Some(Mark::Edge(edge)), None],
        ReadUnit::List(vertex) => [Some(Mark::Incident(vertex)), None],
        ReadUnit::Seek(index, _) | ReadUnit::Index(index) => {
            [Some(Mark::Read(unit)), Some(Mark::Dropped(index))]
        }
        ReadUnit::Label(_) | ReadUnit::EdgeType(_) | ReadUnit::Vertices(_) | ReadUnit::Edges(_) => {
            [Some(Mark::Read(unit)), None]
        }
    }
}

fn spread_unit(unit: ReadUnit) -> (u64, u64, u64) {
    match unit {
        ReadUnit::Vertex(vertex) | ReadUnit::List(vertex) => (7, vertex.0, LANE_OTHER),
        ReadUnit::Edge(edge) => (8, edge.0, LANE_OTHER),
        ReadUnit::Seek(index, hash) => (9, mix(hash) ^ u64::from(index.0), LANE_OTHER),
        ReadUnit::Index(index) => (10, u64::from(index.0), LANE_OTHER),
        ReadUnit::Label(label) => (11, label.map_or(u64::MAX, |label| label.0.into()), LANE_OTHER),
        ReadUnit::EdgeType(kind) => (12, kind.map_or(u64::MAX, |kind| kind.0.into()), LANE_OTHER),
        ReadUnit::Vertices(partition) => (13, partition, LANE_OTHER),
        ReadUnit::Edges(partition) => (14, partition, LANE_OTHER),
    }
}

fn owner_number(owner: Owner) -> u64 {
    match owner {
        Owner::Label(label) => 1 << 32 | u64::from(label.0),
        Owner::EdgeType(edge_type) => 2 << 32 | u64::from(edge_type.0),
        Owner::AllVertices => 3 << 32,
        Owner::AllEdges => 4 << 32,
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^ number >> 32
}
