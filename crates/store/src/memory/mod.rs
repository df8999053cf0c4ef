//! The obvious implementation of the contract: whole graphs as immutable versions of maps.
//!
//! Other stores are compared with it, so it is plainly right before it is fast: each commit
//! copies the maps it changes. Nothing here is durable.
//!
//! ```text
//!   MemoryBackend ── name ──> MemoryStore ── current ──> Arc<GraphVersion>  (a Snapshot)
//!                                │ commit: Conflicts, then a changed copy becomes current
//! ```
//!
//! What the contract asks for enters, and nothing for speed. No transaction is named here: they are tested over it.

mod apply;
mod conflicts;
mod graph_version;
mod memory_store;
mod snapshot;

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use parking_lot::Mutex;

use crate::backend::{Backend, DurabilityMode, Guarantees, Store};
use crate::changes::Isolation;
use memory_store::MemoryStore;

/// Graphs in memory.
#[derive(Default)]
pub struct MemoryBackend {
    graphs: Mutex<BTreeMap<String, Arc<MemoryStore>>>,
}

impl MemoryBackend {
    /// A backend without graphs.
    pub fn new() -> MemoryBackend {
        MemoryBackend::default()
    }
}

impl Backend for MemoryBackend {
    fn graphs(&self) -> Vec<String> {
        self.graphs.lock().keys().cloned().collect()
    }

    fn graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        match self.graphs.lock().get(name) {
            Some(store) => Ok(store.clone()),
            None => Err(no_graph(name)),
        }
    }

    fn create_graph(&self, name: &str) -> Result<Arc<dyn Store>> {
        let mut graphs = self.graphs.lock();
        if graphs.contains_key(name) {
            let detail = format!("there is a graph named {name} already");
            return Err(Error::new(ErrorKind::AlreadyExists, detail));
        }
        let store = Arc::new(MemoryStore::new(name));
        graphs.insert(name.to_string(), store.clone());
        Ok(store)
    }

    fn drop_graph(&self, name: &str) -> Result<()> {
        let store = self.graphs.lock().remove(name).ok_or_else(|| no_graph(name))?;
        store.close();
        Ok(())
    }

    fn checkpoint(&self) -> Result<()> {
        Ok(())
    }

    fn guarantees(&self) -> Guarantees {
        Guarantees {
            isolation: &[Isolation::Snapshot, Isolation::Serializable],
            durability: DurabilityMode::Process,
            durability_modes: &[DurabilityMode::Process],
            graphs_change_elsewhere: false,
            vertices_max: None,
            partition_edges_max: None,
        }
    }

    fn metrics(&self) -> Vec<(&'static str, &'static str, f64)> {
        let count = self.graphs.lock().len() as f64;
        vec![("millrace_graphs", "Open graphs.", count)]
    }
}

fn no_graph(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no graph named {name}"))
}
