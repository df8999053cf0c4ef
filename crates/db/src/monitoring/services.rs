//! What runs beside the listeners in one process with the database, as health and metrics show it: consumers of queues.
//!
//! The server shows services without knowing their crates; a service is added by the program that starts it.

use std::sync::Arc;

use parking_lot::RwLock;

use crate::monitoring::Metric;

/// A service.
pub trait Service: Send + Sync {
    /// Its name in `/health`: `queue.people`.
    fn name(&self) -> String;

    /// Why it does not work now, and the remedy; `None` while it works.
    fn problem(&self) -> Option<String>;

    /// Its numbers.
    fn metrics(&self) -> Vec<Metric>;
}

/// The services of a database.
#[derive(Default)]
pub(crate) struct Services(RwLock<Vec<Arc<dyn Service>>>);

impl Services {
    pub(crate) fn add(&self, service: Arc<dyn Service>) {
        self.0.write().push(service);
    }

    pub(crate) fn all(&self) -> Vec<Arc<dyn Service>> {
        self.0.read().clone()
    }

    pub(crate) fn metrics(&self) -> Vec<Metric> {
        self.all().iter().flat_map(|service| service.metrics()).collect()
    }
}
