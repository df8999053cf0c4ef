//! N-Quads and N-Triples in Dgraph's dialect: relative names (`<m.0zzv45m>`), facets `(k=v)`, one
//! statement a line. A statement borrows from its line unless an escape forces a copy.
//!
//! Differences from the W3C grammar: IRIs may be relative; language tags are free (real data has
//! `@zh-Hant` and worse); the label may stand before or after the facets. Forms that Dgraph accepts and
//! a load refuses by name: `*` (delete), `uid(…)` and `val(…)` (upsert), passwords and geometry.
//!
//! All of one format, from its syntax to its changes; what two formats need belongs below.

mod batches;
mod block;
mod datatype;
mod emit;
mod facets;
mod graph;
mod line;
mod literal;
mod terms;
pub mod vocabulary;

pub(crate) use batches::{forget_blank_names, load_batches};
pub(crate) use block::parse_block;
pub use datatype::Datatype;
pub(crate) use emit::emit;
pub use facets::{Facet, FacetValue};
pub(crate) use graph::QuadGraph;
pub use line::{Object, Quad, parse_line};
pub use literal::{Literal, UnknownType, escape_into};
pub use terms::{Node, NodeKind};
