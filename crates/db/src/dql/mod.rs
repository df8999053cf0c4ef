//! DQL's schema in a graph: what a load and an `alter` make of one, the procedures that DQL's plans call, and which indexes
//! its words mean. The syntax is the crate `dql`; how values of a declared type are stored is `ingest` for files.
//!
//! ```text
//!   text ──> schema ──> predicates of a load
//!                  ├──> notes of the catalog    definition.dql.predicate.NAME, definition.dql.type.NAME
//!                  └──> indexes
//!   plan of a mutation ──dql.define──> note of a predicate that is new
//!                  └─dql.index_language─> indexes of its values in a language that is new
//!                     ──dql.typed───> a value of a variable as one of the predicate's type
//!   an order by p@de   ──dql.collated─> keys of that language
//!   plan of @groupby   ──dql.first───> the first value of a list
//!   plan of /alter     ──dql.alter────> notes of predicates and types; indexes made and dropped
//!   plan of a query    ──dql.similar──> nodes that are nearest, of an index of vectors
//! ```

mod alter;
mod collated;
mod define;
mod definition;
mod first;
mod indexes;
mod languages;
mod schema;
mod similar;
mod typed;

use std::sync::Arc;

use millrace_engine::procedures::Procedure;

pub(crate) use alter::{loaded_names, notes_without_schema, serves_predicate};
pub(crate) use definition::definition_of;
pub use indexes::{PredicateIndexes, indexes_of};
pub use schema::{DqlSchema, PREDICATE_NOTES, TYPE_NOTES};

/// The procedures of DQL's plans.
pub(crate) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![
        Arc::new(define::Define),
        Arc::new(languages::IndexLanguage),
        Arc::new(alter::Alter),
        Arc::new(collated::Collated),
        Arc::new(first::First),
        Arc::new(typed::Typed),
        Arc::new(similar::Similar),
    ]
}
