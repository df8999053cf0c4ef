//! An open database.

use std::path::Path;
use std::sync::Arc;

use millrace_db::{Database as Inner, Settings};
use millrace_model::Result;

use crate::graph::Graph;

/// Opens a data folder, or makes it. Only one process may have it open.
pub fn open(folder: impl AsRef<Path>) -> Result<Database> {
    open_with(folder, Settings::default())
}

/// The same with other settings than the usual ones.
pub fn open_with(folder: impl AsRef<Path>, settings: Settings) -> Result<Database> {
    Inner::open(folder.as_ref(), settings).map(Database::of)
}

/// A database in memory: nothing of it outlives the program.
pub fn in_memory() -> Result<Database> {
    Inner::in_memory(Settings::default()).map(Database::of)
}

/// The graphs of one folder. It is closed when it and its last graph are dropped; acknowledged writes are on disk.
pub struct Database(Arc<Open>);

/// Closes the database with its last handle.
pub(crate) struct Open(pub(crate) Inner);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Database {
    fn of(inner: Inner) -> Database {
        Database(Arc::new(Open(inner)))
    }

    /// The graph of a name, made if there is none. Names have letters, digits, `_`, `-` and `.`.
    pub fn graph(&self, name: &str) -> Result<Graph> {
        let graph = self.0.0.ensure_graph(name)?;
        Ok(Graph::new(Arc::clone(&self.0), graph))
    }

    /// The names of all graphs, ascending.
    pub fn graphs(&self) -> Vec<String> {
        self.0.0.graphs()
    }

    /// Drops a graph with all that is in it, durably.
    pub fn drop_graph(&self, name: &str) -> Result<()> {
        self.0.0.drop_graph(name)
    }

    /// Writes all changes that are only in the log to segments, for a fast next start.
    pub fn checkpoint(&self) -> Result<()> {
        self.0.0.checkpoint()
    }
}
