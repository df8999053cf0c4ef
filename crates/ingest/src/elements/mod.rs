//! Vertices and edges as files of elements say them, shared by the formats that do: GraphSON, the
//! JSON of APOC, GraphML. Gathered into one graph in memory, then handed to the store.
//!
//! An id that an element of a graph can have becomes its external id: a number from 1 or a text.
//! Any other becomes the text of the key `xid` of a vertex, and is dropped of an edge. A vertex
//! exists by a record of its own; being an edge's end does not make one. No syntax of a format enters
//! here: its reader makes records.

mod emit;
mod finish;
mod graph;
mod record;
mod repeats;

pub(crate) use graph::ElementGraph;
pub(crate) use record::{EdgeRecord, Id, OwnEdge, Records, Repeated, VertexRecord};

/// Key of an id of a vertex that cannot be an external id; the same as that of a name in N-Quads.
const XID: &str = "xid";
