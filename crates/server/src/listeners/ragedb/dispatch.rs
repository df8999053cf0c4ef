//! Responses to all messages but scripts and files.
//!
//! Statuses are RageDB's: 200 with a value, 201 after a creation, 204 after a change, 304
//! without one.

use millrace_db::plan::Runner;
use millrace_db::ragedb::elements::{self, NodeName, Target, Way};
use millrace_db::{Database, RequestLimits, Ticket};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::http::Response;
use millrace_wire::ragedb::{GraphChange, IndexChange, Request, SchemaRequest};

use super::{element_json, translate};

/// The response to a message, and the ticket of its commit: the response is valid once that is visible.
pub(super) type Answered = (Response, Option<Ticket>);

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

/// The answer to a message. An attempt on a thread that must not block fails before it has an effect.
pub(super) fn answer(
    database: &Database,
    request: &Request,
    limits: &RequestLimits,
) -> Result<Answered> {
    let response = match request {
        Request::ListGraphs => {
            let names = database.graphs().iter().map(|name| Value::from(name.as_str())).collect();
            Ok(shown(&Value::list(names)))
        }
        Request::ShowGraph { graph } => show_graph(database, graph),
        Request::ChangeGraph { graph, change } => change_graph(database, graph, *change),
        Request::DropSchema { graph } => {
            database.empty_graph(graph)?;
            Ok(Response::empty(202))
        }
        Request::GraphHealth { graph } => show_graph(database, graph),
        Request::Unsupported { what } => {
            let detail = format!("{what} is not supported yet");
            Err(Error::new(ErrorKind::Unsupported, detail))
        }
        Request::Hello | Request::Admin(_) | Request::Script { .. } => Err(misplaced(request)),
        Request::AddNode { .. }
        | Request::AddRelationship { .. }
        | Request::Remove { .. }
        | Request::ChangeProperties { .. } => return write(database, request, limits),
        Request::Schema { graph, request } => {
            return schema(database, graph, request.clone(), limits);
        }
        Request::List { .. }
        | Request::Find { .. }
        | Request::Show { .. }
        | Request::ShowProperty { .. }
        | Request::ShowProperties { .. }
        | Request::Degree { .. }
        | Request::Neighbors { .. }
        | Request::Relationships { .. }
        | Request::Connected { .. } => read(database, request, limits),
    };
    response.map(|response| (response, None))
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

fn read(database: &Database, request: &Request, limits: &RequestLimits) -> Result<Response> {
    let in_graph = |graph: &str, work: &mut dyn FnMut(&mut dyn Runner) -> Result<Value>| {
        let graph = database.graph(graph)?;
        graph.read(limits, |runner| work(runner)).map(|value| shown(&value))
    };
    match request {
        Request::List { graph, element, type_name, page } => in_graph(graph, &mut |runner| {
            let (element, page) = (translate::element(*element), translate::page(*page));
            elements::list(runner, element, type_name.as_deref(), page)
        }),
        Request::Find { graph, element, type_name, property, operation, value, page } => {
            in_graph(graph, &mut |runner| {
                let owner = (translate::element(*element), type_name.as_str());
                let condition = translate::condition(*operation);
                let page = translate::page(*page);
                elements::find(runner, owner, (property, condition, value), page)
            })
        }
        Request::Show { graph, target } => {
            let target = translate::target(target.clone());
            in_graph(graph, &mut |runner| show(runner, graph, &target))
        }
        Request::ShowProperty { graph, target, property } => {
            let target = translate::target(target.clone());
            in_graph(graph, &mut |runner| elements::property(runner, &target, property))
        }
        Request::ShowProperties { graph, target } => {
            let target = translate::target(target.clone());
            in_graph(graph, &mut |runner| elements::properties(runner, &target))
        }
        Request::Degree { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            in_graph(graph, &mut |runner| degree(runner, &node, &way))
        }
        Request::Neighbors { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            let graph = database.graph(graph)?;
            let all = graph.read(limits, |runner| elements::neighbors(runner, &node, &way))?;
            Ok(element_json::response(&all))
        }
        Request::Relationships { graph, node, way } => {
            let (node, way) = (translate::node(node.clone()), translate::way(way.clone()));
            let graph = database.graph(graph)?;
            let all = graph.read(limits, |runner| elements::relationships(runner, &node, &way))?;
            Ok(element_json::response(&all))
        }
        Request::Connected { graph, node, other, way } => {
            let (node, other) = (translate::node(node.clone()), translate::node(other.clone()));
            let way = translate::way(way.clone());
            in_graph(graph, &mut |runner| elements::connected(runner, &node, &other, &way))
        }
        other => Err(misplaced(other)),
    }
}

fn write(database: &Database, request: &Request, limits: &RequestLimits) -> Result<Answered> {
    match request {
        Request::AddNode { graph, type_name, key, properties } => {
            let graph = database.graph(graph)?;
            let (node, ticket) = graph
                .commit(limits, |runner| elements::add_node(runner, type_name, key, properties))?;
            Ok((made(&node), ticket))
        }
        Request::AddRelationship { graph, type_name, source, target, properties } => {
            let ends = (translate::node(source.clone()), translate::node(target.clone()));
            let (relationship, ticket) = database.graph(graph)?.commit(limits, |runner| {
                elements::add_relationship(runner, type_name, (&ends.0, &ends.1), properties)
            })?;
            let missing = "one of the two nodes does not exist";
            let missing = || Error::new(ErrorKind::BadInput, missing);
            Ok((made(&relationship.ok_or_else(missing)?), ticket))
        }
        Request::Remove { graph, target } => {
            let target = translate::target(target.clone());
            let work = |runner: &mut dyn Runner| elements::remove(runner, &target);
            change(database, (graph, limits), 204, work)
        }
        Request::ChangeProperties { graph, target, change: wanted } => {
            let target = translate::target(target.clone());
            let wanted = translate::properties(wanted.clone());
            let work =
                |runner: &mut dyn Runner| elements::change_properties(runner, &target, &wanted);
            change(database, (graph, limits), 204, work)
        }
        other => Err(misplaced(other)),
    }
}

/// Commits work that says whether it changes something; the status if it does.
fn change(
    database: &Database,
    (graph, limits): (&str, &RequestLimits),
    status: u16,
    work: impl FnMut(&mut dyn Runner) -> Result<bool>,
) -> Result<Answered> {
    let (is_changed, ticket) = database.graph(graph)?.commit(limits, work)?;
    Ok((changed(is_changed, status), ticket))
}

fn schema(
    database: &Database,
    graph: &str,
    request: SchemaRequest,
    limits: &RequestLimits,
) -> Result<Answered> {
    use translate::{element, owner};
    type Read<'a> = &'a mut dyn FnMut(&mut dyn Runner) -> Result<Value>;
    type Write<'a> = &'a mut dyn FnMut(&mut dyn Runner) -> Result<bool>;
    let read = |work: Read<'_>| {
        let value = database.graph(graph)?.read(limits, |runner| work(runner))?;
        Ok((shown(&value), None))
    };
    let write = |status: u16, work: Write<'_>| {
        change(database, (graph, limits), status, |runner| work(runner))
    };
    match request {
        SchemaRequest::Types(kind) => read(&mut |runner| elements::types(runner, element(kind))),
        SchemaRequest::ShowType(of) => {
            let of = owner(of);
            read(&mut |runner| elements::type_properties(runner, &of))
        }
        SchemaRequest::ShowProperty(of, property) => {
            let of = owner(of);
            read(&mut |runner| elements::property_type(runner, &of, &property))
        }
        SchemaRequest::Indexes(kind, of) => {
            read(&mut |runner| elements::indexes(runner, element(kind), of.as_deref()))
        }
        SchemaRequest::DeclareType(of) => {
            let of = owner(of);
            write(201, &mut |runner| elements::declare_type(runner, &of))
        }
        SchemaRequest::DropType(of) => {
            let of = owner(of);
            write(204, &mut |runner| elements::drop_type(runner, &of))
        }
        SchemaRequest::DeclareProperty(of, property, kind) => {
            let of = owner(of);
            write(201, &mut |runner| elements::declare_property(runner, &of, &property, kind))
        }
        SchemaRequest::DropProperty(of, property) => {
            let of = owner(of);
            write(204, &mut |runner| elements::drop_property(runner, &of, &property))
        }
        SchemaRequest::ChangeIndex(of, property, IndexChange::Create(kind)) => {
            let of = owner(of);
            write(201, &mut |runner| elements::declare_index(runner, &of, &property, kind))
        }
        SchemaRequest::ChangeIndex(of, property, IndexChange::Drop(kind)) => {
            let of = owner(of);
            write(204, &mut |runner| elements::drop_index(runner, &of, &property, kind))
        }
    }
}
