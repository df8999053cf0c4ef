//! A block of lines to vertices, on a parser thread. A line is loaded whole or refused whole.

use super::apoc;
use super::value::{parse_value, text};
use crate::elements::{EdgeRecord, Id, OwnEdge, Records, VertexRecord};
use crate::error::{BadRow, excerpt};
use crate::source::Block;
use crate::text::json::Json;
use millrace_model::{PropertyValues, Value};
use std::sync::Arc;

/// Members of an edge. Its own end is that of the line, whatever the member says.
const EDGE_MEMBERS: [&str; 7] =
    ["id", "label", "inV", "outV", "inVLabel", "outVLabel", "properties"];

/// Reads all lines of a block.
pub(super) fn parse_block(block: &Block) -> Records {
    let mut lines = Records::default();
    for (number, line) in (block.first_line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let bad = |column: usize, detail: String| {
            let (file, column) = (block.file.clone(), column as u64);
            BadRow { file, line: number, column, detail }
        };
        match parse_line(line) {
            Ok(Records { vertices, edges, .. }) => {
                let vertices = vertices.into_iter();
                lines
                    .vertices
                    .extend(vertices.map(|vertex| VertexRecord { line: number, ..vertex }));
                let edges = edges.into_iter();
                lines.edges.extend(edges.map(|edge| EdgeRecord { line: number, ..edge }));
            }
            Err((column, detail)) => lines.bad.push(bad(column, detail)),
        }
    }
    lines
}

/// The records of a line: a vertex, or an element of APOC, or a whole file that is wrapped into one object or array.
fn parse_line(line: &[u8]) -> Result<Records, (usize, String)> {
    let json = match Json::parse(line) {
        Ok(json) => json,
        Err((at, detail)) => match apoc::piece_of_array(line) {
            [] => return Ok(Records::default()),
            piece => {
                let json = Json::parse(piece).ok().filter(apoc::is_element);
                json.ok_or((at + 1, detail))?
            }
        },
    };
    if let Some(records) = apoc::read(&json) {
        return records.map_err(|detail| (1, detail));
    }
    let wrapped = json.get("vertices").and_then(Json::as_array);
    let vertices = match wrapped {
        Some(vertices) if json.get("id").is_none() => only_members(&json, &["vertices"])
            .and_then(|()| vertices.iter().map(parse_vertex).collect()),
        _ => parse_vertex(&json).map(|vertex| vec![vertex]),
    };
    let vertices = vertices.map_err(|detail| (1, detail))?;
    Ok(Records { vertices, ..Records::default() })
}

fn parse_vertex(json: &Json) -> Result<VertexRecord, String> {
    let id = json.get("id").ok_or("expected a vertex with an id, found none")?;
    only_members(json, &["id", "label", "properties", "outE", "inE"])?;
    let id = parse_id(id).map_err(|detail| format!("id: {detail}"))?;
    let label = json.get("label").map(|label| text(label).map(str::to_owned)).transpose();
    let labels = label.map_err(|detail| format!("label: {detail}"))?.into_iter().collect();
    let mut vertex = VertexRecord { id, labels, ..VertexRecord::default() };
    for (key, values) in object(json, "properties")?.into_iter().flatten() {
        let value = property(key, values)?;
        vertex.properties.extend(value.map(|value| (key.clone(), value)));
    }
    vertex.edges = parse_edges(json, Side::Out)?;
    vertex.incoming = parse_edges(json, Side::In)?;
    Ok(vertex)
}

/// The values of a key, each with its own properties.
fn property(key: &str, values: &Json) -> Result<Option<Value>, String> {
    let in_key = |detail: String| format!("{key}: {detail}");
    let values = values.as_array().ok_or_else(|| in_key("expected an array of values".into()))?;
    let mut property = PropertyValues::default();
    for json in values {
        let value = json.get("value").ok_or_else(|| in_key("expected a value".into()))?;
        only_members(json, &["id", "label", "value", "properties"]).map_err(in_key)?;
        let value = parse_value(value).map_err(in_key)?;
        let mut own = Vec::new();
        for (name, of_value) in object(json, "properties").map_err(in_key)?.into_iter().flatten() {
            let of_value =
                parse_value(of_value).map_err(|said| format!("{key}: {name}: {said}"))?;
            own.push((Arc::from(name.as_str()), of_value));
        }
        // Nothing, as a value of a key, is no property, as TinkerPop has it.
        if value != Value::Null {
            property.append(&value, &own);
        }
    }
    Ok(property.into_value())
}

/// Which end's line an edge stands in.
#[derive(Clone, Copy)]
enum Side {
    Out,
    In,
}

impl Side {
    /// The member that has the edges, and the member of an edge that names its other end.
    fn members(self) -> (&'static str, &'static str) {
        match self {
            Self::Out => ("outE", "inV"),
            Self::In => ("inE", "outV"),
        }
    }
}

fn parse_edges(json: &Json, side: Side) -> Result<Vec<OwnEdge>, String> {
    let (member, _) = side.members();
    let mut lines = Vec::new();
    for (edge_type, edges) in object(json, member)?.into_iter().flatten() {
        let edges = edges.as_array().ok_or_else(|| format!("{member}: {edge_type}: no array"))?;
        for edge in edges {
            let edge = parse_edge(edge_type, edge, side);
            lines.push(edge.map_err(|detail| format!("{member}: {edge_type}: {detail}"))?);
        }
    }
    Ok(lines)
}

/// Refuses members that would be passed over.
pub(super) fn only_members(json: &Json, known: &[&str]) -> Result<(), String> {
    let mut members = json.as_object().into_iter().flatten().map(|(name, _)| name);
    match members.find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "the member '{}' is not known here: expected {}",
            excerpt(name),
            known.join(", ")
        )),
    }
}

fn parse_edge(edge_type: &str, json: &Json, side: Side) -> Result<OwnEdge, String> {
    let (_, member) = side.members();
    let other =
        json.get(member).ok_or_else(|| format!("expected an edge with {member}, found none"))?;
    only_members(json, &EDGE_MEMBERS)?;
    let other = parse_id(other).map_err(|detail| format!("{member}: {detail}"))?;
    let mut properties = Vec::new();
    for (key, value) in object(json, "properties")?.into_iter().flatten() {
        // GraphSON 3 has the value here, and some writers a property with its key.
        let value =
            if value.get("@type").is_none() { value.get("value").unwrap_or(value) } else { value };
        match parse_value(value).map_err(|detail| format!("{key}: {detail}"))? {
            Value::Null => {}
            value => properties.push((key.clone(), value)),
        }
    }
    // Some servers name edges by values that cannot be an id here.
    let id = json.get("id").and_then(|id| parse_id(id).ok()).and_then(|id| id.external);
    Ok(OwnEdge { edge_type: edge_type.to_owned(), id, other, properties })
}

fn object<'a>(json: &'a Json, key: &str) -> Result<Option<&'a [(String, Json)]>, String> {
    match json.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(members)) => Ok(Some(members)),
        Some(_) => Err(format!("{key}: expected an object")),
    }
}

fn parse_id(json: &Json) -> Result<Id, String> {
    let number = match parse_value(json)? {
        Value::I8(number) => i64::from(number),
        Value::I16(number) => i64::from(number),
        Value::I32(number) => i64::from(number),
        Value::I64(number) => number,
        Value::String(text) => return Ok(Id::of_text(&text)),
        Value::Uuid(_) => {
            let text = json.get("@value").and_then(Json::as_str).unwrap_or_default();
            return Ok(Id::of_text(&text.to_ascii_lowercase()));
        }
        other => {
            return Err(format!(
                "expected a number, a text or a UUID, found a {}",
                other.type_name()
            ));
        }
    };
    Ok(Id::of_number(number))
}
