//! The graph behind the name of a database.

use std::sync::Arc;

use millrace_db::session::GraphNames;
use millrace_db::settings::COMMAND_DATABASE;
pub(crate) use millrace_db::settings::CYPHER_DATABASE as DEFAULT_DATABASE;
use millrace_db::{Database, Graph};
use millrace_model::{Error, ErrorKind, Result};

/// The graph of a request.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The name of the database, as clients have it.
    pub(crate) database: Arc<str>,
    /// The name of the graph.
    pub(crate) graph: Arc<str>,
    /// Whether only commands may be sent to it.
    is_for_commands: bool,
}

impl Target {
    /// The graph of the name of a database, in any case.
    pub(crate) fn of(database: &Database, name: Option<&str>) -> Result<Target> {
        let name = name.map(|name| database.name_in_any_case(name)).transpose()?;
        let Some(name) = name.as_deref().filter(|name| *name != DEFAULT_DATABASE) else {
            let graph = Arc::from(database.settings().cypher_graph());
            let database = DEFAULT_DATABASE.into();
            return Ok(Target { database, graph, is_for_commands: false });
        };
        let settings = database.settings();
        let Some(graph) = settings.graph_named(name) else {
            // Commands run on the default graph.
            let graph = Arc::from(settings.cypher_graph());
            return Ok(Target { database: name.into(), graph, is_for_commands: true });
        };
        if settings.alias_of(name).is_none() && database.find_graph(name)?.is_none() {
            let detail = format!("there is no database `{name}`");
            let own = [DEFAULT_DATABASE.to_owned()];
            let databases: Vec<String> = own.into_iter().chain(database.graphs()).collect();
            let known = format!("databases: {}", databases.join(", "));
            let how_to_make =
                format!("PUT /graphs/{name} at the admin address (`listen.admin`) makes it");
            let help = database.help_of_missing(name, &known, &how_to_make);
            let error = Error::new(ErrorKind::NotFound, detail).with_name("DatabaseNotFound");
            return Err(error.with_help(help));
        }
        Ok(Target { database: name.into(), graph: graph.into(), is_for_commands: false })
    }

    /// The graphs that names in a query stand for.
    pub(crate) fn graph_names(&self) -> GraphNames {
        let alias = || (DEFAULT_DATABASE.to_owned(), COMMAND_DATABASE.to_owned());
        let aliases = self.is_for_commands.then(alias).into_iter().collect();
        GraphNames { default: Arc::clone(&self.graph), aliases }
    }

    /// The graph itself; `None` until a query has made it.
    pub(crate) fn find(&self, database: &Database) -> Result<Option<Arc<Graph>>> {
        database.find_graph(&self.graph)
    }
}
