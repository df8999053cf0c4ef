//! Statements about a graph: [`Quad`]s, and those that delete. Loads read them from files, Dgraph's clients send them.
//!
//! ```text
//!   mutation    the JSON of a mutation ──> statements
//!   nquads      lines, or the text of a mutation ──> quads and statements
//!   text        texts to values; JSON as a tree
//!   vocabulary  names with a meaning of their own
//!   error, limits
//! ```
//!
//! Everything here is a pure function of a text. A node is a name, a uid or a variable of a query: which vertex that is,
//! what type a predicate has, and whether a statement may change it is not known here.
#![warn(missing_docs)]

pub mod error;
pub mod limits;
mod mutation;
mod nquads;
pub mod text;
pub mod vocabulary;

pub use error::Fault;
pub use mutation::{Action, BlankNames, JsonFault, lists_of, statements_of};
pub use nquads::{
    Datatype, Facet, FacetValue, Literal, Node, NodeKind, Object, Quad, Statement, Statements,
    UnknownType, escape_into, parse_block, parse_line, parse_statements,
};
