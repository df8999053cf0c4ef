//! A graph of neighbours over the vectors in the bases of an index: a search walks it instead of comparing all of them, and
//! misses few.
//!
//! ```text
//!   graph    nodes in layers (Malkov and Yashunin, 2016: HNSW), each linked to near ones on its layer; searches
//!   insert   new nodes: their neighbours are searched on all cores, then linked one after the other
//!   cover    which bases a graph is over, and how it follows when checkpoints put others in their place
//!   stored   the graph as its file has it, and one of a file over the bases that are there now
//! ```
//!
//! A node has no copy of its vector: it says where in a base the vector is, and the graph pins the bases. An entry that the
//! graph does not cover is compared by its shard, so nothing that a commit made visible is missed for want of a node.

mod cover;
#[cfg(test)]
mod cover_test;
mod graph;
mod insert;
mod stored;
#[cfg(test)]
mod stored_test;

pub(super) use cover::Cover;
pub(super) use graph::CoveredBase;
