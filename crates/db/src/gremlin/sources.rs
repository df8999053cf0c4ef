//! What a traversal source is called, and the graph it stands for.
//!
//! A source is a graph of the database by its name; `g` and `graph` are the default one, unless a graph or
//! an alias of the request has that name.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use super::Request;
use crate::database::Database;
use crate::graph::Graph;

/// The source of traversals that name none.
pub(super) const DEFAULT_SOURCE: &str = "g";

/// The names of the default graph.
const DEFAULT_NAMES: [&str; 2] = [DEFAULT_SOURCE, "graph"];

/// The graph of a source.
pub(super) fn graph_of(database: &Database, request: &Request, source: &str) -> Result<Arc<Graph>> {
    let alias = request.aliases.iter().find(|(name, _)| name == source);
    let name = alias.map_or(source, |(_, name)| name.as_str());
    if let Some(graph) = database.find_graph(name) {
        return Ok(graph);
    }
    if DEFAULT_NAMES.contains(&name) {
        let default = &database.settings().gremlin.graph;
        // The first request that may write makes it.
        if request.is_read_only {
            return database.graph_to_read(default);
        }
        return database.ensure_graph(default);
    }
    let detail = format!("there is no graph `{name}`");
    let known = database.graphs().join(", ");
    let help = format!("there is {DEFAULT_SOURCE}, {known}; an alias of the request may name one");
    Err(Error::new(ErrorKind::BadInput, detail).with_help(help))
}
