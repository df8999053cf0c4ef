//! N-Quads and N-Triples in Dgraph's dialect, whose syntax is in [`millrace_quads`]. Forms that Dgraph accepts and
//! a load refuses by name: `*` (delete), `uid(…)` and `val(…)` (upsert), geometry, and without a schema passwords. With a
//! schema values have its types, and Dgraph's JSON makes the same statements.
//!
//! All of one format, from its lines to its changes; what two formats need belongs below.

mod batches;
mod block;
mod declared;
mod emit;
mod graph;
mod json;

pub(crate) use batches::{forget_blank_names, load_batches};
pub(crate) use block::{BlockRules, parse_block};
pub(crate) use emit::emit;
pub(crate) use graph::QuadGraph;
pub(crate) use json::parse_json_block;
pub use millrace_quads::{
    Datatype, Facet, FacetValue, Literal, Node, NodeKind, Object, Quad, UnknownType, escape_into,
    parse_line, vocabulary,
};
