//! The transaction that a client has begun, and the graph that it or a query asks.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::session::ExplicitTransaction;
use millrace_db::{Database, Graph};
use millrace_model::{Error, ErrorKind, Result};

/// The database that is the default graph.
pub(super) const DEFAULT_DATABASE: &str = "neo4j";

/// The database that tools send commands to: they mean the same in each graph, so it is the default one.
const SYSTEM_DATABASE: &str = "system";

/// The graph of a request.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The name of the database, as clients have it.
    pub(super) database: Arc<str>,
    /// The name of the graph.
    pub(super) graph: Arc<str>,
}

impl Target {
    /// The graph of the name of a database.
    pub(super) fn of(database: &Database, name: Option<&str>) -> Result<Target> {
        let Some(name) = name.filter(|name| *name != DEFAULT_DATABASE) else {
            let graph = Arc::from(database.settings().cypher_graph());
            return Ok(Target { database: DEFAULT_DATABASE.into(), graph });
        };
        if database.find_graph(name)?.is_none() {
            if name == SYSTEM_DATABASE {
                let graph = Arc::from(database.settings().cypher_graph());
                return Ok(Target { database: name.into(), graph });
            }
            let detail = format!("there is no database `{name}`");
            let help = format!(
                "databases: {DEFAULT_DATABASE}, {}; PUT /graphs/{name} at the address of `listen.admin` makes it",
                database.graphs().join(", ")
            );
            return Err(Error::new(ErrorKind::NotFound, detail).with_help(help));
        }
        Ok(Target { database: name.into(), graph: name.into() })
    }

    /// The graph itself; `None` until a query has made it.
    pub(super) fn find(&self, database: &Database) -> Result<Option<Arc<Graph>>> {
        database.find_graph(&self.graph)
    }
}

/// An open transaction.
pub(super) struct OpenTransaction {
    pub(super) inner: ExplicitTransaction,
    pub(super) target: Arc<Target>,
    pub(super) is_read_only: bool,
    /// When it must be done.
    pub(super) deadline: Option<Instant>,
}
