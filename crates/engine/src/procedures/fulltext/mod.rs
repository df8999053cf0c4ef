//! Full text: procedures that search an index of scored words, under Neo4j's names.
//!
//! ```text
//!   search       `db.index.fulltext.queryNodes`, `queryRelationships`: elements by falling score
//!     evaluate   a query over the entries of an index: elements with scores
//!       scored   lists of these: united, intersected, subtracted
//!       corpus   the indexes, properties and counts that a search asks
//!   older        the procedures that made and dropped such indexes before Neo4j 5; the list of analyzers
//! ```
//!
//! The entries carry what a score needs, so no record is read, except for phrases, and where the entries may be of
//! another moment than the snapshot: then records judge.

mod corpus;
mod evaluate;
mod older;
mod scored;
mod search;

use std::sync::Arc;

use crate::context::Procedure;

/// The procedures of this family.
pub(super) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![
        Arc::new(search::QUERY_NODES),
        Arc::new(search::QUERY_RELATIONSHIPS),
        Arc::new(older::Analyzers),
        Arc::new(older::CREATE_NODE_INDEX),
        Arc::new(older::CREATE_RELATIONSHIP_INDEX),
        Arc::new(older::DropIndex),
    ]
}
