//! What every transaction on a graph uses, whatever language it comes from.

use std::sync::Arc;

use millrace_engine::PlanCache;
use millrace_model::MemoryBudget;
use millrace_store::Store;

use crate::metrics::Counters;

/// The parts of a graph that its languages share.
pub(crate) struct GraphParts {
    pub(crate) name: Arc<str>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) counters: Arc<Counters>,
    /// Prepared plans, shared with the other graphs.
    pub(crate) plans: Arc<PlanCache>,
    /// The memory that requests of the process may take.
    pub(crate) memory: MemoryBudget,
}
