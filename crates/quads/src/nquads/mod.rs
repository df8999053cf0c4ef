//! N-Quads and N-Triples in Dgraph's dialect: relative names (`<m.0zzv45m>`), facets `(k=v)`, one
//! statement a line. A statement borrows from its text unless an escape forces a copy.
//!
//! Differences from the W3C grammar: IRIs may be relative; language tags are free (real data has
//! `@zh-Hant` and worse); the label may stand before or after the facets. A load reads lines (`line`), and refuses by
//! name what only a mutation may have (`statements`): `*`, `uid(…)` and `val(…)`.
//!
//! Everything about the syntax of statements; what becomes of them is not known here.

mod datatype;
mod facets;
mod line;
mod literal;
mod statements;
mod terms;
mod variables;

pub use datatype::Datatype;
pub(crate) use facets::at_start;
pub use facets::{Facet, FacetValue};
pub use line::{Object, Quad, parse_line};
pub use literal::{Literal, UnknownType, escape_into};
pub(crate) use statements::split_language;
pub use statements::{Statement, Statements, parse_block, parse_statements};
pub use terms::{Node, NodeKind};
pub(crate) use variables::parse_call;
