//! Schemas of DQL: what a load and an `alter` make of one. The syntax is the crate `dql`; how values of a declared type
//! are stored is `ingest` for files.
//!
//! ```text
//!   text ──> schema ──> predicates of a load
//!                  ├──> notes of the catalog    definition.dql.predicate.NAME, definition.dql.type.NAME
//!                  └──> indexes
//! ```

mod indexes;
mod schema;

pub use indexes::{PredicateIndexes, indexes_of};
pub use schema::{DqlSchema, PREDICATE_NOTES, TYPE_NOTES};
