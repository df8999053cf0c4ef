//! The parts of a database that its graphs share, and the parts of a graph that transactions share, in every
//! language.

use std::sync::Arc;

use millrace_engine::{PlanPool, Samples};
use millrace_model::MemoryBudget;
use millrace_store::Store;

use crate::monitoring::Counters;
use crate::procedures::Registry;
use crate::resources::CommitNotifier;
use crate::settings::Settings;

/// The parts of a database that its graphs share.
pub(crate) struct DatabaseParts {
    pub(crate) settings: Settings,
    pub(crate) commit_notifier: Arc<CommitNotifier>,
    pub(crate) counters: Arc<Counters>,
    /// Operators of plans between two runs: in the statement cache.
    pub(crate) plan_pool: Arc<dyn PlanPool>,
    pub(crate) procedures: Arc<Registry>,
    /// The memory that requests of the process may take.
    pub(crate) memory: MemoryBudget,
}

/// The parts of a graph that its languages share.
pub(crate) struct GraphParts {
    pub(crate) name: Arc<str>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) counters: Arc<Counters>,
    /// Operators of plans between two runs, of the database.
    pub(crate) plan_pool: Arc<dyn PlanPool>,
    /// The procedures of the database.
    pub(crate) procedures: Arc<Registry>,
    /// The memory that requests of the process may take.
    pub(crate) memory: MemoryBudget,
    /// What plans know of its degrees.
    pub(crate) samples: Samples,
}

impl GraphParts {
    pub(crate) fn new(name: &str, store: Arc<dyn Store>, database: &DatabaseParts) -> GraphParts {
        GraphParts {
            name: name.into(),
            store,
            counters: Arc::clone(&database.counters),
            plan_pool: Arc::clone(&database.plan_pool),
            procedures: Arc::clone(&database.procedures),
            memory: database.memory.clone(),
            samples: Samples::default(),
        }
    }
}
