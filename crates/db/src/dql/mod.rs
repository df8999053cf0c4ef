//! DQL's schema in a graph: the procedures that its plans call, and which indexes its words mean.
//!
//! ```text
//!   plan of a mutation ──dql.declare──> note of a predicate that is new
//!   plan of /alter     ──dql.alter────> notes of predicates and types; indexes made and dropped
//! ```
//!
//! What a text means belongs to the crate `dql`; a graph's catalog, to its store. No request and no session is known here.

mod alter;
mod declare;
mod indexes;

use std::sync::Arc;

use millrace_engine::procedures::Procedure;

/// The procedures of DQL's plans.
pub(crate) fn procedures() -> Vec<Arc<dyn Procedure>> {
    vec![Arc::new(declare::Declare), Arc::new(alter::Alter)]
}
