//! What a traversal source is called, and the graph it stands for.
//!
//! A source is a graph of the database by its name. `g` is the graph of the setting `gremlin.graph`, whatever
//! other graphs are called; an alias of the request may name another one. `graph` is the same unless a graph
//! has that name.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::Request;
use crate::database::Database;
use crate::graph::Graph;

/// The source of traversals that name none.
pub(super) const DEFAULT_SOURCE: &str = "g";

/// Another name of the default graph, unless a graph has it.
const OTHER_DEFAULT_NAME: &str = "graph";

/// The graph of a source.
pub(super) fn graph_of(database: &Database, request: &Request, source: &str) -> Result<Arc<Graph>> {
    let alias = request.aliases.iter().find(|(name, _)| name == source);
    let name = alias.map_or(source, |(_, name)| name.as_str());
    let is_default = name == DEFAULT_SOURCE;
    if !is_default && let Some(graph) = database.find_graph(name) {
        return Ok(graph);
    }
    if is_default || name == OTHER_DEFAULT_NAME {
        let default = &database.settings().gremlin.graph;
        // The first request that may write makes it.
        if request.is_read_only {
            return database.graph_to_read(default);
        }
        return database.ensure_graph(default);
    }
    Err(unknown(database, name))
}

fn unknown(database: &Database, name: &str) -> Error {
    let mut known = database.graphs();
    known.retain(|known| known != DEFAULT_SOURCE);
    known.insert(0, DEFAULT_SOURCE.to_owned());
    let detail = format!("there is no graph `{name}`");
    let help = format!(
        "graphs: {}; create one with `POST /dbs/{name}` on the HTTP interface, or with [graphs] in \
         the settings file",
        known.join(", ")
    );
    Error::new(ErrorKind::BadInput, detail).with_help(help)
}
