//! The graph that a name in a request stands for.
//!
//! A name is a graph of the database, or an alias of the request. A language has names of its own for the
//! default graph of the request (`g` in Gremlin): the first stands for it whatever other graphs are called, the
//! others unless a graph has that name. In Cypher names are the same in any case. Names of other
//! languages stand for the graphs of the settings.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};

use crate::database::Database;
use crate::graph::Graph;
use crate::request::Request;

/// The graph of a name.
pub(super) fn graph_of(database: &Database, request: &Request, name: &str) -> Result<Arc<Graph>> {
    let name = &*meant(database, request, name)?;
    let default_names = request.source.language.default_graph_names();
    let is_default = default_names.first().is_some_and(|own| *own == name);
    if !is_default && let Some(graph) = database.find_graph(name)? {
        return Ok(graph);
    }
    let missing = match default_names.contains(&name) {
        true => Some(&*request.graphs.default),
        false => database.settings().alias_of(name),
    };
    // The first request that may write makes it.
    match missing {
        Some(graph) if request.is_read_only => database.graph_to_read(graph),
        Some(graph) => database.ensure_graph(graph),
        None => Err(unknown(database, default_names, name)),
    }
}

/// The name of the graph that a name stands for, whether or not the graph is there.
pub(super) fn graph_name_of(database: &Database, request: &Request, name: &str) -> Arc<str> {
    // What fails here fails where the graph is needed.
    let name = &*meant(database, request, name).unwrap_or(Cow::Borrowed(name));
    let name = match request.source.language.default_graph_names().contains(&name) {
        true => &*request.graphs.default,
        false => name,
    };
    Arc::from(database.settings().graph_named(name).unwrap_or(name))
}

/// The name of the default graph of a request.
pub(super) fn default_name_of(database: &Database, request: &Request) -> Arc<str> {
    let name = &*request.graphs.default;
    Arc::from(database.settings().graph_named(name).unwrap_or(name))
}

/// Whether a name stands for no graph: only commands may be sent to it.
pub(super) fn is_for_commands(database: &Database, request: &Request, name: &str) -> Result<bool> {
    let name = &*meant(database, request, name)?;
    let is_reserved = request.source.language.command_graph_name() == Some(name);
    Ok(is_reserved && database.find_graph(name)?.is_none())
}

/// The name that a name of the request stands for.
fn meant<'a>(database: &Database, request: &'a Request, name: &'a str) -> Result<Cow<'a, str>> {
    if let Some(meant) = aliased(request, name) {
        return Ok(Cow::Borrowed(meant));
    }
    let language = request.source.language;
    if !language.ignores_case_of_graphs() || language.default_graph_names().contains(&name) {
        return Ok(Cow::Borrowed(name));
    }
    let name = database.name_in_any_case(name)?;
    Ok(aliased(request, &name).map_or(name, Cow::Borrowed))
}

/// The name that an alias of the request stands for.
fn aliased<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let alias = request.graphs.aliases.iter().find(|(own, _)| own == name);
    alias.map(|(_, meant)| meant.as_str())
}

fn unknown(database: &Database, default_names: &[&str], name: &str) -> Error {
    let mut known = database.graphs();
    if let Some(first) = default_names.first() {
        known.retain(|known| known != first);
        known.insert(0, (*first).to_owned());
    }
    let detail = format!("there is no graph `{name}`");
    let how_to_make = format!(
        "create one with `PUT /graphs/{name}` at the admin address (`listen.admin`), or with [graphs] in the settings \
         file"
    );
    let known = format!("graphs: {}", known.join(", "));
    let help = database.help_of_missing(name, &known, &how_to_make);
    Error::new(ErrorKind::BadInput, detail).with_name("DatabaseNotFound").with_help(help)
}
