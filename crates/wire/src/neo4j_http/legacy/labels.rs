//! Labels of nodes, nodes of a label, and the names that the graph has.

use std::sync::Arc;

use millrace_model::Value;

use super::failure::Failure;
use super::nodes::made;
use super::operation::{AnswerKind, Kind, OfLabels, Whole, name, quoted};
use super::routes::{At, Made, Route, route};
use crate::http::Method::{Delete, Get, Post, Put};
use crate::json;
use crate::neo4j_http::results::ElementKind;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/label/{label}/nodes", "200: its nodes; `?key=\"value\"`: those with it", nodes),
    route(Get, "/labels", "200: the labels of nodes", |at| {
        names_in_use(at, "CALL db.labels() YIELD label RETURN label")
    }),
    route(Get, "/node/{id}/labels", "200: its labels", |at| {
        made(Kind::Labels(at.element(ElementKind::Node)?, OfLabels::Get))
    }),
    route(Post, "/node/{id}/labels", "204: it has the label, or labels, too", |at| {
        let labels = match at.body()? {
            Value::String(label) => one(Value::String(label))?,
            other => several(&other)?,
        };
        made(Kind::Labels(at.element(ElementKind::Node)?, OfLabels::Add(labels)))
    }),
    route(Put, "/node/{id}/labels", "204: it has these labels and no other", |at| {
        let labels = several(&at.body()?)?;
        made(Kind::Labels(at.element(ElementKind::Node)?, OfLabels::Replace(labels)))
    }),
    route(Delete, "/node/{id}/labels/{label}", "204: it does not have the label", |at| {
        let label = one(Value::from(at.text("label")))?;
        made(Kind::Labels(at.element(ElementKind::Node)?, OfLabels::Remove(label)))
    }),
    route(Get, "/propertykeys", "200: the keys of properties", |_| {
        listed("CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey")
    }),
];

fn listed(text: &'static str) -> Made {
    made(Kind::Whole(Box::new(Whole::cypher(text, Vec::new(), AnswerKind::Values))))
}

/// Names that elements have.
pub(super) fn names_in_use(at: &At<'_>, text: &'static str) -> Made {
    if at.query()?.iter().any(|(key, value)| key == "in_use" && value != "true") {
        let help = "leave it out: names that no element has any more are not listed";
        return Err(Failure::unsupported("`in_use=false`", help));
    }
    listed(text)
}

fn one(label: Value) -> Result<Value, Failure> {
    several(&Value::list(vec![label]))
}

fn several(labels: &Value) -> Result<Value, Failure> {
    let is_label = |label: &Value| label.as_str().is_some_and(|name| !name.is_empty());
    match labels {
        Value::List(names) if names.iter().all(is_label) => Ok(labels.clone()),
        Value::List(_) => Err(Failure::bad_input("labels are names")),
        other => {
            let message =
                format!("labels are a {}, and must be a list of names", other.type_name());
            Err(Failure::bad_input(message))
        }
    }
}

fn nodes(at: &At<'_>) -> Made {
    let label = name(at.text("label"), "label")?;
    let mut text = format!("MATCH (n:{})", quoted(&label));
    let mut parameters = Vec::new();
    match at.query()?.as_slice() {
        [] => {}
        [(key, value)] => {
            let value = json::parse(value.as_bytes()).map_err(|_| {
                let message = format!("`{key}` is `{value}`, which is not JSON: a text has quotes");
                Failure::bad_input(message)
            })?;
            text.push_str(&format!(" WHERE n.{} = $value", quoted(key)));
            parameters.push((Arc::from("value"), value));
        }
        [_, _, ..] => return Err(Failure::bad_input("nodes are found by one property, or none")),
    }
    text.push_str(" RETURN n");
    made(Kind::Whole(Box::new(Whole::cypher(text, parameters, AnswerKind::Values))))
}
