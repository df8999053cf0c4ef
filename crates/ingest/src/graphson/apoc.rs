//! Elements as Neo4j's APOC exports them as JSON: nodes and relationships.
//!
//! ```text
//!   {"type":"node","id":"0","labels":["User"],"properties":{"name":"Adam"}}
//!   {"type":"relationship","id":"0","label":"KNOWS","properties":{},"start":{"id":"0"},"end":{"id":"1"}}
//! ```

use super::line::only_members;
use super::value::{parse_value, text};
use crate::elements::{EdgeRecord, Id, OwnEdge, Records, VertexRecord};
use crate::error::excerpt;
use crate::text::json::Json;
use crate::text::parse_point;
use millrace_model::{ExternalId, Value};

/// Members of the node at an end of a relationship.
const END_MEMBERS: [&str; 3] = ["id", "labels", "properties"];

/// The record of an element; `None` if it is none.
pub(super) fn read(json: &Json) -> Option<Result<Records, String>> {
    is_element(json).then(|| {
        let mut records = Records::default();
        match json.get("type").and_then(Json::as_str) {
            Some("node") => records.vertices.push(node(json)?),
            _ => records.edges.push(relationship(json)?),
        }
        Ok(records)
    })
}

pub(super) fn is_element(json: &Json) -> bool {
    matches!(json.get("type").and_then(Json::as_str), Some("node" | "relationship"))
}

pub(super) fn node(json: &Json) -> Result<VertexRecord, String> {
    only_members(json, &["type", "id", "labels", "properties"])?;
    let labels = match json.get("labels") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(labels)) => {
            let labels = labels.iter().map(|label| text(label).map(str::to_owned));
            labels.collect::<Result<_, _>>().map_err(|detail| format!("labels: {detail}"))?
        }
        Some(_) => return Err("labels: expected an array".into()),
    };
    let (id, properties) = (id(json)?, properties(json)?);
    Ok(VertexRecord { id, labels, properties, ..VertexRecord::default() })
}

pub(super) fn relationship(json: &Json) -> Result<EdgeRecord, String> {
    only_members(json, &["type", "id", "label", "properties", "start", "end"])?;
    let end = |name: &str| {
        let end = end(json, name)?;
        let known = only_members(end, &END_MEMBERS);
        known.and_then(|()| id(end)).map_err(|detail| format!("{name}: {detail}"))
    };
    let label = json.get("label").ok_or("expected a relationship with a label, found none")?;
    let edge_type = text(label).map_err(|detail| format!("label: {detail}"))?.to_owned();
    let kept = json.get("id").map(|_| id(json)).transpose()?.and_then(|id| id.external);
    let (source, other, properties) = (end("start")?, end("end")?, properties(json)?);
    let edge = OwnEdge { edge_type, id: kept, other, properties };
    Ok(EdgeRecord { line: 0, source, edge })
}

fn end<'j>(json: &'j Json, name: &str) -> Result<&'j Json, String> {
    json.get(name).ok_or_else(|| format!("expected the node at its {name}, found none"))
}

/// The nodes that a relationship describes at its ends, by more than their ids.
pub(super) fn ends(json: &Json) -> Result<Vec<VertexRecord>, String> {
    let mut ends = Vec::new();
    for name in ["start", "end"] {
        let end = end(json, name)?;
        if end.get("labels").is_some() || end.get("properties").is_some() {
            ends.push(node(end).map_err(|detail| format!("{name}: {detail}"))?);
        }
    }
    Ok(ends)
}

/// Numbers are written as texts.
fn id(json: &Json) -> Result<Id, String> {
    match json.get("id") {
        Some(Json::String(id)) if !id.is_empty() => Ok(Id::of_text(id)),
        Some(Json::Number(id)) => match ExternalId::of_text(&(&**id).into()) {
            ExternalId::Number(_) => Ok(Id::of_text(id)),
            ExternalId::Text(_) => {
                json.get("id").and_then(Json::as_i64).map(Id::of_number).ok_or_else(|| {
                    format!("id: expected a number or a text, found {}", excerpt(id))
                })
            }
        },
        Some(other) => {
            let found = excerpt(&other.to_string());
            Err(format!("id: expected a number or a text, found {found}"))
        }
        None => Err("expected an id, found none".into()),
    }
}

fn properties(json: &Json) -> Result<Vec<(String, Value)>, String> {
    let members = match json.get("properties") {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(Json::Object(members)) => members,
        Some(_) => return Err("properties: expected an object".into()),
    };
    let mut properties = Vec::with_capacity(members.len());
    for (key, json) in members {
        match value(json).map_err(|detail| format!("{key}: {detail}"))? {
            Value::Null => {}
            value => properties.push((key.clone(), value)),
        }
    }
    Ok(properties)
}

/// A value of a property: points are objects, lists hold values of one kind.
fn value(json: &Json) -> Result<Value, String> {
    match json {
        Json::Object(members) if json.get("crs").is_some() => {
            let parts = members.iter().filter(|(_, value)| *value != Json::Null);
            let parts: Vec<String> = parts
                .map(|(name, value)| {
                    let plain = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    format!("{name}: {plain}")
                })
                .collect();
            parse_point(&format!("{{{}}}", parts.join(", ")))
        }
        Json::Object(_) => {
            Err("expected a value of Neo4j, found an object that is not a point".into())
        }
        Json::Array(values) => values.iter().map(value).collect::<Result<_, _>>().map(Value::list),
        json => parse_value(json),
    }
}
