//! The parts of a graph that transactions share, in every language.

use std::sync::Arc;

use millrace_model::MemoryBudget;
use millrace_store::Store;

use crate::metrics::Counters;
use crate::statements::StatementCache;

/// The parts of a graph that its languages share.
pub(crate) struct GraphParts {
    pub(crate) name: Arc<str>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) counters: Arc<Counters>,
    /// The statement cache of the database.
    pub(crate) statements: Arc<StatementCache>,
    /// The memory that requests of the process may take.
    pub(crate) memory: MemoryBudget,
}
