//! The procedures that queries may call: the engine's own, those of a database, and those that a program registers.
//!
//! A procedure has a signature, by which front ends check calls before a query runs. It is called once for a batch of
//! arguments.
//!
//! A procedure knows the backend and the settings, never a request, a session or the statement cache.

mod about;
mod config;
mod databases;
mod load_csv;
mod load_json;
mod transaction;

use std::sync::Arc;

pub use millrace_engine::Context;
pub use millrace_engine::procedures::{Arguments, Procedure, Procedures, Yielded};
pub use millrace_plan::{Argument, Signature, Signatures, ValueType, YieldedColumn};
use millrace_store::Backend;
use parking_lot::RwLock;

use crate::settings::Settings;

/// The procedures that need to know a database: its graphs and its settings.
pub(crate) fn of_database(
    backend: &Arc<dyn Backend>,
    settings: &Settings,
    is_read_only: bool,
) -> Vec<Arc<dyn Procedure>> {
    let (backend, own) = (Arc::downgrade(backend), settings.clone());
    let databases = Arc::new(databases::Databases { backend, settings: own, is_read_only });
    let mut all: Vec<Arc<dyn Procedure>> = vec![
        Arc::new(about::ListSettings(settings.clone())),
        Arc::new(config::ListConfig(settings.clone())),
        Arc::new(databases::Create(Arc::clone(&databases))),
        Arc::new(databases::Drop(Arc::clone(&databases))),
        Arc::new(databases::List(Arc::clone(&databases))),
        Arc::new(databases::SetOption(databases)),
        Arc::new(load_csv::LoadCsv { folder: settings.scripts.csv_folder.clone() }),
        Arc::new(load_json::LoadJson { folder: settings.scripts.csv_folder.clone() }),
        Arc::new(transaction::GetMetadata),
        Arc::new(transaction::SetMetadata),
    ];
    all.extend(about::fixed(settings));
    all.extend(crate::dql::procedures());
    all
}

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
