//! DQL, the language of Dgraph: texts to plans, and rows to answers.
//!
//! ```text
//!   page       the reference page, of the tables of all others
//!   language   DQL as a language of the database
//!   mutate     mutations ──> plans
//!   translate  queries ──> plans
//!   answer     rows ──> answers
//!   form       the forms of answers
//!   values     texts ──> values ──> JSON; the order of lists
//!   schema     what is known of a graph: predicates and types
//!   changes    mutations and changes of the schema, as data
//!   write      tree ──> text in a normal form
//!   syntax     text ──> tree: a file for each construct
//!   text       characters ──> names, strings, numbers; positions; errors of syntax
//!   tree       the syntax of documents, blocks, filters, math, mutations, schemas
//!   limits     the named bounds
//! ```
//!
//! A module imports from those below it only.
//!
//! DQL is three languages. [`parse`] reads documents: queries, mutations and upserts. [`parse_condition`] reads the
//! condition of a mutation that a client sends beside it. [`parse_schema`] reads the text of `/alter`.
//!
//! The tree says what was written. Which predicates exist, which type a value has, whether a variable has a value:
//! that is known from the schema and from the whole document, and is no question of syntax. So values keep the text
//! they were written as, and nodes that may turn out to be wrong have an [`Offset`](tree::Offset), of which
//! [`position`] makes a line and a column.

mod answer;
pub mod changes;
mod form;
pub mod language;
pub mod limits;
mod mutate;
mod page;
pub mod schema;
mod syntax;
mod text;
mod translate;
pub mod tree;
mod values;
mod write;

/// Statements of N-Quads and JSON, as clients send them.
pub mod quads {
    pub use millrace_quads::{
        Action, BlankNames, Datatype, Facet, FacetValue, Literal, Node, NodeKind, Object, Quad,
        Statement, UnknownType,
    };
}

pub use mutate::value_of_variable;
pub use page::language_page;
pub use syntax::{parse, parse_condition, parse_schema};
pub use text::position;
pub use values::first_in_order;
