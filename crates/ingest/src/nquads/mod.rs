//! N-Quads and N-Triples in Dgraph's dialect, whose syntax is in [`millrace_quads`]. Forms that Dgraph accepts and
//! a load refuses by name: `*` (delete), `uid(…)` and `val(…)` (upsert), passwords and geometry.
//!
//! All of one format, from its lines to its changes; what two formats need belongs below.

mod batches;
mod block;
mod emit;
mod graph;

pub(crate) use batches::{forget_blank_names, load_batches};
pub(crate) use block::parse_block;
pub(crate) use emit::emit;
pub(crate) use graph::QuadGraph;
pub use millrace_quads::{
    Datatype, Facet, FacetValue, Literal, Node, NodeKind, Object, Quad, UnknownType, escape_into,
    parse_line, vocabulary,
};
