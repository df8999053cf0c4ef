//! The procedures that queries may call: the engine's own, and those that a program registers.
//!
//! A procedure has a signature, by which front ends check calls before a query runs. It is called once for a batch of
//! arguments.

use std::sync::Arc;

pub use millrace_engine::Context;
pub use millrace_engine::procedures::{Procedure, Procedures, Yielded};
pub use millrace_plan::{Argument, Signature, Signatures, ValueType, YieldedColumn};
use parking_lot::RwLock;

/// The procedures of a database.
#[derive(Default)]
pub(crate) struct Registry(RwLock<Procedures>);

impl Registry {
    /// Those there are now.
    pub(crate) fn current(&self) -> Procedures {
        self.0.read().clone()
    }

    /// Adds procedures; one of a name that is there already takes its place.
    pub(crate) fn register(&self, procedures: Vec<Arc<dyn Procedure>>) {
        let mut known = self.0.write();
        *known = known.with(procedures);
    }
}
