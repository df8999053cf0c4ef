//! The graph behind the name of a database.

use std::sync::Arc;

use millrace_db::{Database, Graph};
use millrace_model::{Error, ErrorKind, Result};

/// The database that is the default graph.
const DEFAULT_DATABASE: &str = "neo4j";

/// The database that tools send commands to: they mean the same in each graph, so it is the default one.
const SYSTEM_DATABASE: &str = "system";

/// The graph of a request.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The name of the database, as clients have it.
    pub(crate) database: Arc<str>,
    /// The name of the graph.
    pub(crate) graph: Arc<str>,
}

impl Target {
    /// The graph of the name of a database.
    pub(crate) fn of(database: &Database, name: Option<&str>) -> Result<Target> {
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
            let own = [DEFAULT_DATABASE.to_owned()];
            let databases: Vec<String> = own.into_iter().chain(database.graphs()).collect();
            let help = format!(
                "databases: {}; PUT /graphs/{name} at the address of `listen.admin` makes it",
                databases.join(", ")
            );
            return Err(Error::new(ErrorKind::NotFound, detail).with_help(help));
        }
        Ok(Target { database: name.into(), graph: name.into() })
    }

    /// The graph itself; `None` until a query has made it.
    pub(crate) fn find(&self, database: &Database) -> Result<Option<Arc<Graph>>> {
        database.find_graph(&self.graph)
    }
}
