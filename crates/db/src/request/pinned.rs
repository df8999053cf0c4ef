//! A snapshot that transactions of later requests begin on, so that they are parts of one that began with it.
//!
//! It is held by whatever keeps it, and so are the versions that it sees. Which request gets it is not known here.

use std::fmt;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, LogPosition, Result};
use millrace_store::{Snapshot, Store};

/// The name of the error of a snapshot after its graph was dropped or emptied.
pub const GRAPH_REPLACED: &str = "GraphReplaced";

/// A graph as it was once. Cheap to copy.
#[derive(Clone)]
pub struct Pinned {
    store: Arc<dyn Store>,
    snapshot: Arc<dyn Snapshot>,
}

impl Pinned {
    /// A graph as it is now.
    pub(crate) fn of(store: &Arc<dyn Store>) -> Result<Pinned> {
        Ok(Pinned { store: Arc::clone(store), snapshot: store.snapshot()? })
    }

    /// The last commit that it sees.
    pub fn position(&self) -> LogPosition {
        self.snapshot.position()
    }

    /// Whether the graph demands of its transactions that they are serializable: what they read is a part of them then.
    pub fn demands_serializable(&self) -> bool {
        self.snapshot.catalog().serializable
    }

    /// Whether nothing was committed since.
    pub fn is_newest(&self) -> bool {
        !self.store.is_dropped() && self.store.watermark().visible() <= self.position()
    }

    /// The snapshot, for a transaction on a graph; [`GRAPH_REPLACED`] where the graph is another one by now, which is no
    /// conflict: no repeat would mend it.
    pub(crate) fn snapshot_of(&self, store: &Arc<dyn Store>) -> Result<Arc<dyn Snapshot>> {
        if Arc::ptr_eq(&self.store, store) {
            return Ok(Arc::clone(&self.snapshot));
        }
        let detail = "the graph was dropped or emptied since the transaction began";
        Err(Error::new(ErrorKind::NotFound, detail).with_name(GRAPH_REPLACED))
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pinned").field("position", &self.position()).finish()
    }
}
