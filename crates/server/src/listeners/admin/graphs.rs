//! Graphs and their schemas, on a thread that may wait.

use std::sync::Arc;

use millrace_db::plan::{Definition, OwnerName};
use millrace_db::{Database, Graph, RequestLimits};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::admin::{Isolation, Request, SchemaChange, SchemaOwner};
use millrace_wire::http::Response;

/// The answer to a request about graphs.
pub(super) fn answer(
    database: &Database,
    request: Request,
    limits: &RequestLimits,
) -> Result<Response> {
    match request {
        Request::ListGraphs => {
            let graphs = database.graphs();
            let shown = graphs.iter().filter_map(|name| match show(database, name) {
                // Dropped meanwhile.
                Err(error) if error.kind == ErrorKind::NotFound => None,
                shown => Some(shown),
            });
            Ok(Response::value(200, &Value::list(shown.collect::<Result<_>>()?)))
        }
        Request::ShowGraph { graph } => Ok(Response::value(200, &show(database, &graph)?)),
        Request::MakeGraph { graph, isolation } => make(database, &graph, isolation, limits),
        Request::DropGraph { graph } => {
            find(database, &graph)?;
            database.drop_graph(&graph)?;
            Ok(Response::empty(204))
        }
        Request::ShowSchema { graph } => {
            Ok(Response::value(200, &find(database, &graph)?.schema()?))
        }
        Request::ChangeSchema { graph, changes } => {
            let graph = find(database, &graph)?;
            let changes: Vec<Definition> = changes.into_iter().map(definition).collect();
            graph.change_schema(&changes, limits)?;
            Ok(Response::value(200, &graph.schema()?))
        }
        other => {
            let detail = format!("this is answered elsewhere: {other:?}");
            Err(Error::new(ErrorKind::Bug, detail))
        }
    }
}

/// The graph of a name.
pub(super) fn find(database: &Database, name: &str) -> Result<Arc<Graph>> {
    database.find_graph(name)?.ok_or_else(|| {
        let error = Error::new(ErrorKind::NotFound, format!("there is no graph named {name}"));
        let known = format!("graphs: {}", database.graphs().join(", "));
        let how_to_make = format!("PUT /graphs/{name} creates it");
        error.with_help(database.help_of_missing(name, &known, &how_to_make))
    })
}

fn show(database: &Database, name: &str) -> Result<Value> {
    let graph = find(database, name)?;
    let size = database.graph_size(name)?;
    let name = graph.name();
    let isolation = match graph.demands_serializable()? {
        true => Isolation::Serializable,
        false => Isolation::Snapshot,
    };
    let word = Isolation::ALL.iter().find(|(known, _)| *known == isolation);
    let count = |count: u64| Value::I64(i64::try_from(count).unwrap_or(i64::MAX));
    Ok(Value::map(vec![
        (Value::from("name"), Value::from(name)),
        (Value::from("vertices"), count(size.vertices)),
        (Value::from("edges"), count(size.edges)),
        (Value::from("isolation"), word.map_or(Value::Null, |(_, word)| Value::from(*word))),
    ]))
}

fn make(
    database: &Database,
    name: &str,
    isolation: Option<Isolation>,
    limits: &RequestLimits,
) -> Result<Response> {
    // A name that stands for another graph makes that one, as a query that writes would.
    let name = database.settings().graph_named(name).unwrap_or(name);
    let (graph, status) = match database.create_graph(name) {
        Ok(made) => (made, 201),
        Err(error) if error.kind == ErrorKind::AlreadyExists => (find(database, name)?, 200),
        Err(error) => return Err(error),
    };
    if let Some(isolation) = isolation {
        let demanded = isolation == Isolation::Serializable;
        if graph.demands_serializable()? != demanded {
            graph.demand_serializable(demanded, limits)?;
        }
    }
    Ok(Response::value(status, &show(database, name)?))
}

fn definition(change: SchemaChange) -> Definition {
    let names = |keys: Vec<String>| keys.iter().map(|key| key.as_str().into()).collect();
    match change {
        SchemaChange::CreateType(of) => Definition::CreateOwner(owner(of)),
        SchemaChange::DropType(of) => Definition::DropOwner(owner(of)),
        SchemaChange::CreateIndex(of, keys, kind) => {
            Definition::CreateIndex { owner: owner(of), keys: names(keys), kind }
        }
        SchemaChange::CreateMadeIndex(of, keys, method) => {
            let (owner, method) = (owner(of), method.as_str().into());
            Definition::CreateMadeIndex { owner, keys: names(keys), method }
        }
        SchemaChange::DropMadeIndex(of, keys, method) => {
            let (owner, method) = (owner(of), method.as_str().into());
            Definition::DropMadeIndex { owner, keys: names(keys), method }
        }
        SchemaChange::DropIndex(of, keys, kind) => {
            Definition::DropIndex { owner: owner(of), keys: names(keys), kind }
        }
        SchemaChange::CreateProperty(of, key, kind, required) => {
            let (owner, key) = (owner(of), key.as_str().into());
            Definition::CreateProperty { owner, key, kind, required }
        }
        SchemaChange::DropProperty(of, key) => {
            Definition::DropProperty { owner: owner(of), key: key.as_str().into() }
        }
    }
}

fn owner(owner: SchemaOwner) -> OwnerName {
    match owner {
        SchemaOwner::Label(name) => OwnerName::Label(name.as_str().into()),
        SchemaOwner::EdgeType(name) => OwnerName::EdgeType(name.as_str().into()),
    }
}
