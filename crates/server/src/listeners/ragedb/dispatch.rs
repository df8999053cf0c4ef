//! Responses to all messages but scripts and files: on the thread that received the request if that does
//! not block, else on a blocking thread.
//!
//! Statuses are RageDB's: 200 with a value, 201 for what was made, 204 for what was changed, 304
//! where nothing was.

use millrace_db::model::{Error, ErrorKind, Result, Value};
use millrace_db::plan::Runner;
use millrace_db::ragedb::elements::{self, NodeName, Target, Way};
use millrace_db::{Database, RequestLimits};
use millrace_wire::http::Response;
use millrace_wire::ragedb::{GraphChange, IndexChange, Request, SchemaRequest};

use super::{element_json, translate};

/// The answer to a message.
pub(super) fn answer(database: &Database, request: Request, limits: &RequestLimits) -> Response {
    response(database, request, limits).unwrap_or_else(|error| Response::error(&error))
}

/// Whether [`try_answer`] knows its kind.
pub(super) fn may_run_inline(request: &Request) -> bool {
    matches!(
        request,
        Request::Neighbors { .. }
            | Request::Relationships { .. }
            | Request::Degree { .. }
            | Request::Show { .. }
            | Request::ShowProperty { .. }
            | Request::ShowProperties { .. }
    )
}

/// The answer of a small read, without blocking; `None`: [`answer`] gives it, on a thread that may block.
pub(super) fn try_answer(
    database: &Database,
    request: &Request,
    limits: &RequestLimits,
) -> Option<Response> {
    type Work<'a> = &'a mut dyn FnMut(&mut dyn Runner) -> Result<Option<Response>>;
    let try_on = |graph: &str, work: Work<'_>| {
        let graph = database.try_graph(graph)?;
        let response = graph.try_read(limits, |runner| work(runner))?;
        Some(response.unwrap_or_else(|error| Response::error(&error)))
    };
    match request {
        Request::Neighbors { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            try_on(graph, &mut |runner| {
                let few = elements::try_neighbors(runner, &node, &way)?;
                Ok(few.as_ref().map(element_json::response))
            })
        }
        Request::Relationships { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            try_on(graph, &mut |runner| {
                let few = elements::try_relationships(runner, &node, &way)?;
                Ok(few.as_ref().map(element_json::response))
            })
        }
        Request::Degree { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            try_on(graph, &mut |runner| Ok(Some(shown(&degree(runner, &node, &way)?))))
        }
        Request::Show { graph, target } => {
            let target = translate::target(target.clone());
            try_on(graph, &mut |runner| Ok(Some(shown(&show(runner, graph, &target)?))))
        }
        Request::ShowProperty { graph, target, property } => {
            let target = translate::target(target.clone());
            try_on(graph, &mut |runner| {
                Ok(Some(shown(&elements::property(runner, &target, property)?)))
            })
        }
        Request::ShowProperties { graph, target } => {
            let target = translate::target(target.clone());
            try_on(graph, &mut |runner| Ok(Some(shown(&elements::properties(runner, &target)?))))
        }
        _ => None,
    }
}

fn degree(runner: &mut dyn Runner, node: &NodeName, way: &Way) -> Result<Value> {
    let degree = Value::I64(elements::degree(runner, node, way)?);
    Ok(Value::map(vec![(Value::from("degree"), degree)]))
}

fn show(runner: &mut dyn Runner, graph: &str, target: &Target) -> Result<Value> {
    elements::show(runner, target)?.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("there is no such element in {graph}"))
    })
}

fn changed(is_changed: bool, status: u16) -> Response {
    Response::empty(if is_changed { status } else { 304 })
}

fn made(value: &Value) -> Response {
    Response::value(201, value)
}

fn shown(value: &Value) -> Response {
    Response::value(200, value)
}

fn response(database: &Database, request: Request, limits: &RequestLimits) -> Result<Response> {
    match request {
        Request::ListGraphs => {
            let names = database.graphs().iter().map(|name| Value::from(name.as_str())).collect();
            Ok(shown(&Value::list(names)))
        }
        Request::ShowGraph { graph } => show_graph(database, &graph),
        Request::ChangeGraph { graph, change } => change_graph(database, &graph, change),
        Request::DropSchema { graph } => {
            database.empty_graph(&graph)?;
            Ok(Response::empty(202))
        }
        Request::GraphHealth { graph } => show_graph(database, &graph),
        Request::Unsupported { what } => {
            let detail = format!("{what} is not supported yet");
            Err(Error::new(ErrorKind::Unsupported, detail))
        }
        Request::Hello | Request::Admin(_) | Request::Script { .. } => Err(misplaced(&request)),
        Request::AddNode { .. }
        | Request::AddRelationship { .. }
        | Request::Remove { .. }
        | Request::ChangeProperties { .. } => write(database, request, limits),
        Request::Schema { graph, request } => schema(database, &graph, request, limits),
        Request::List { .. }
        | Request::Find { .. }
        | Request::Show { .. }
        | Request::ShowProperty { .. }
        | Request::ShowProperties { .. }
        | Request::Degree { .. }
        | Request::Neighbors { .. }
        | Request::Relationships { .. }
        | Request::Connected { .. } => read(database, request, limits),
    }
}

/// The listener, or another function here, answers this one.
fn misplaced(request: &Request) -> Error {
    Error::new(ErrorKind::Bug, format!("the dispatcher does not take this request: {request:?}"))
}

fn show_graph(database: &Database, name: &str) -> Result<Response> {
    let size = database.graph_size(name)?;
    let whole = |count: u64| Value::I64(i64::try_from(count).unwrap_or(i64::MAX));
    Ok(shown(&Value::map(vec![
        (Value::from("name"), Value::from(name)),
        (Value::from("nodes"), whole(size.vertices)),
        (Value::from("relationships"), whole(size.edges)),
    ])))
}

fn change_graph(database: &Database, name: &str, change: GraphChange) -> Result<Response> {
    match change {
        GraphChange::Create => drop(database.create_graph(name)?),
        GraphChange::Empty => drop(database.empty_graph(name)?),
        GraphChange::Drop => {
            database.drop_graph(name)?;
            return Ok(Response::empty(204));
        }
    }
    show_graph(database, name)
}

fn read(database: &Database, request: Request, limits: &RequestLimits) -> Result<Response> {
    let in_graph = |graph: &str, work: &mut dyn FnMut(&mut dyn Runner) -> Result<Value>| {
        database.graph(graph)?.read(limits, |runner| work(runner)).map(|value| shown(&value))
    };
    match request {
        Request::List { graph, element, type_name, page } => in_graph(&graph, &mut |runner| {
            let (element, page) = (translate::element(element), translate::page(page));
            elements::list(runner, element, type_name.as_deref(), page)
        }),
        Request::Find { graph, element, type_name, property, operation, value, page } => {
            in_graph(&graph, &mut |runner| {
                let owner = (translate::element(element), type_name.as_str());
                let condition = translate::condition(operation);
                let page = translate::page(page);
                elements::find(runner, owner, (&property, condition, &value), page)
            })
        }
        Request::Show { graph, target } => {
            let target = translate::target(target);
            in_graph(&graph, &mut |runner| show(runner, &graph, &target))
        }
        Request::ShowProperty { graph, target, property } => {
            let target = translate::target(target);
            in_graph(&graph, &mut |runner| elements::property(runner, &target, &property))
        }
        Request::ShowProperties { graph, target } => {
            let target = translate::target(target);
            in_graph(&graph, &mut |runner| elements::properties(runner, &target))
        }
        Request::Degree { graph, node, way } => {
            let (node, way) = (translate::node(node), translate::way(way));
            in_graph(&graph, &mut |runner| degree(runner, &node, &way))
        }
        Request::Neighbors { graph, node, way } => {
            let (node, way) = (translate::node(node), translate::way(way));
            let graph = database.graph(&graph)?;
            let all = graph.read(limits, |runner| elements::neighbors(runner, &node, &way))?;
            Ok(element_json::response(&all))
        }
        Request::Relationships { graph, node, way } => {
            let (node, way) = (translate::node(node), translate::way(way));
            let graph = database.graph(&graph)?;
            let all = graph.read(limits, |runner| elements::relationships(runner, &node, &way))?;
            Ok(element_json::response(&all))
        }
        Request::Connected { graph, node, other, way } => {
            let (node, other) = (translate::node(node), translate::node(other));
            let way = translate::way(way);
            in_graph(&graph, &mut |runner| elements::connected(runner, &node, &other, &way))
        }
        other => Err(misplaced(&other)),
    }
}

fn write(database: &Database, request: Request, limits: &RequestLimits) -> Result<Response> {
    match request {
        Request::AddNode { graph, type_name, key, properties } => {
            let graph = database.graph(&graph)?;
            let node = graph.write(limits, |runner| {
                elements::add_node(runner, &type_name, &key, &properties)
            })?;
            Ok(made(&node))
        }
        Request::AddRelationship { graph, type_name, source, target, properties } => {
            let ends = (translate::node(source), translate::node(target));
            let relationship = database.graph(&graph)?.write(limits, |runner| {
                elements::add_relationship(runner, &type_name, (&ends.0, &ends.1), &properties)
            })?;
            let missing = "one of the two nodes does not exist";
            let missing = || Error::new(ErrorKind::BadInput, missing);
            Ok(made(&relationship.ok_or_else(missing)?))
        }
        Request::Remove { graph, target } => {
            let target = translate::target(target);
            let graph = database.graph(&graph)?;
            let is_removed = graph.write(limits, |runner| elements::remove(runner, &target))?;
            Ok(changed(is_removed, 204))
        }
        Request::ChangeProperties { graph, target, change } => {
            let (target, change) = (translate::target(target), translate::properties(change));
            let is_changed = database
                .graph(&graph)?
                .write(limits, |runner| elements::change_properties(runner, &target, &change))?;
            Ok(changed(is_changed, 204))
        }
        other => Err(misplaced(&other)),
    }
}

fn schema(
    database: &Database,
    graph: &str,
    request: SchemaRequest,
    limits: &RequestLimits,
) -> Result<Response> {
    use translate::{element, owner};
    let graph = database.graph(graph)?;
    match request {
        SchemaRequest::Types(kind) => {
            graph.read(limits, |runner| elements::types(runner, element(kind)))
        }
        SchemaRequest::ShowType(of) => {
            let of = owner(of);
            graph.read(limits, |runner| elements::type_properties(runner, &of))
        }
        SchemaRequest::ShowProperty(of, property) => {
            let of = owner(of);
            graph.read(limits, |runner| elements::property_type(runner, &of, &property))
        }
        SchemaRequest::Indexes(kind, of) => {
            graph.read(limits, |runner| elements::indexes(runner, element(kind), of.as_deref()))
        }
        SchemaRequest::DeclareType(of) => {
            let of = owner(of);
            let is_new = graph.write(limits, |runner| elements::declare_type(runner, &of))?;
            return Ok(changed(is_new, 201));
        }
        SchemaRequest::DropType(of) => {
            let of = owner(of);
            let is_gone = graph.write(limits, |runner| elements::drop_type(runner, &of))?;
            return Ok(changed(is_gone, 204));
        }
        SchemaRequest::DeclareProperty(of, property, kind) => {
            let of = owner(of);
            let is_new = graph
                .write(limits, |runner| elements::declare_property(runner, &of, &property, kind))?;
            return Ok(changed(is_new, 201));
        }
        SchemaRequest::DropProperty(of, property) => {
            let of = owner(of);
            let is_gone =
                graph.write(limits, |runner| elements::drop_property(runner, &of, &property))?;
            return Ok(changed(is_gone, 204));
        }
        SchemaRequest::ChangeIndex(of, property, change) => {
            let of = owner(of);
            return Ok(match change {
                IndexChange::Create(kind) => changed(
                    graph.write(limits, |runner| {
                        elements::declare_index(runner, &of, &property, kind)
                    })?,
                    201,
                ),
                IndexChange::Drop(kind) => changed(
                    graph.write(limits, |runner| {
                        elements::drop_index(runner, &of, &property, kind)
                    })?,
                    204,
                ),
            });
        }
    }
    .map(|value| shown(&value))
}
