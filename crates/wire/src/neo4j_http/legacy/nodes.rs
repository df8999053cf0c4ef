//! Nodes, their relationships, and how many these are.

use std::sync::Arc;

use millrace_model::Value;

use super::failure::Failure;
use super::names::element_of;
use super::operation::{Adjacent, Direction, Kind, Operation};
use super::properties::properties_of;
use super::routes::{At, Made, Route, Target, route};
use crate::http::Method::{Delete, Get, Post};
use crate::neo4j_http::results::ElementKind;

const NODE: ElementKind = ElementKind::Node;

pub(super) const ROUTES: &[Route] = &[
    route(Post, "/node", "201, `Location`: a node with the properties of the body, if any", |at| {
        made(Kind::CreateNode { properties: properties_of(&at.body()?)? })
    }),
    route(Get, "/node/{id}", "200: the node", |at| made(Kind::Get(at.subject(NODE)?))),
    route(Delete, "/node/{id}", "204; 409 while it has relationships", |at| {
        made(Kind::Delete(at.subject(NODE)?))
    }),
    route(Get, "/node/{id}/degree/{direction}", "200: how many relationships", |at| {
        made(Kind::Degree(adjacent(at, "")?))
    }),
    route(Get, "/node/{id}/degree/{direction}/{types}", "200: the same of types `A&B`", |at| {
        made(Kind::Degree(adjacent(at, at.text("types"))?))
    }),
    route(
        Post,
        "/node/{id}/relationships",
        "201, `Location`: a relationship to `to` of `type` with the properties `data`",
        create_relationship,
    ),
    route(
        Get,
        "/node/{id}/relationships/{direction}",
        "200: its relationships, `all`, `in` or `out`",
        |at| made(Kind::Relationships(adjacent(at, "")?)),
    ),
    route(
        Get,
        "/node/{id}/relationships/{direction}/{types}",
        "200: the same of types `A&B`",
        |at| made(Kind::Relationships(adjacent(at, at.text("types"))?)),
    ),
];

pub(super) fn made(kind: Kind) -> Made {
    Ok(Target::Operation(Operation(kind)))
}

fn adjacent(at: &At<'_>, types: &str) -> Result<Adjacent, Failure> {
    let direction = match at.text("direction") {
        "all" => Direction::All,
        "in" => Direction::In,
        "out" => Direction::Out,
        other => {
            let message = format!("`{other}` is no direction: write `all`, `in` or `out`");
            return Err(Failure::bad_input(message));
        }
    };
    let types = types.split('&').filter(|name| !name.trim().is_empty()).map(Value::from).collect();
    Ok(Adjacent { node: at.element(NODE)?, direction, types: Value::list(types) })
}

fn create_relationship(at: &At<'_>) -> Made {
    let body = at.body()?;
    let Value::Map(pairs) = &body else {
        let message =
            "the body must be an object: {\"to\": ADDRESS, \"type\": NAME, \"data\": {…}}";
        return Err(Failure::bad_input(message));
    };
    let find = |name: &str| {
        let found = pairs.iter().find(|(key, _)| key.as_str() == Some(name));
        found.map(|(_, value)| value)
    };
    let missing = |name: &str| Failure::bad_input(format!("the body has no `{name}`"));
    let end = element_of(find("to").ok_or_else(|| missing("to"))?, NODE, at.references)?;
    let label = match find("type") {
        Some(Value::String(label)) if !label.is_empty() => Arc::clone(label),
        Some(_) => return Err(Failure::bad_input("`type` must be a name")),
        None => return Err(missing("type")),
    };
    let properties = properties_of(find("data").unwrap_or(&Value::Null))?;
    let start = at.element(NODE)?;
    made(Kind::CreateRelationship { start, end, label, properties })
}
