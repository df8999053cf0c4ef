//! A block of values to records, on a parser thread. A value is loaded whole or refused whole.

use super::apoc;
use super::rows::{self, LeftOut};
use super::value::{parse_value, text};
use crate::elements::{EdgeRecord, Id, OwnEdge, Records, VertexRecord};
use crate::error::{BadRow, excerpt};
use crate::json_values::SEPARATOR;
use crate::limits::EXCERPT_CHARS_MAX;
use crate::source::Block;
use crate::text::json::Json;
use millrace_model::{PropertyValues, Value};
use std::sync::Arc;

/// Members of a vertex.
const VERTEX_MEMBERS: [&str; 5] = ["id", "label", "properties", "outE", "inE"];

/// Members of an edge. Its own end is that of the line, whatever the member says.
const EDGE_MEMBERS: [&str; 7] =
    ["id", "label", "inV", "outV", "inVLabel", "outVLabel", "properties"];

/// How values stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A value a line.
    Lines,
    /// Values over lines, with separators between them.
    Wrapped,
}

/// Reads all values of a block, and counts those that are no elements.
pub(super) fn parse_block(block: &Block, form: Form) -> (Records, LeftOut) {
    let (mut records, mut left_out) = (Records::default(), LeftOut::default());
    let mut next_line = block.first_line;
    let end = match form {
        Form::Lines => b'\n',
        Form::Wrapped => SEPARATOR,
    };
    for text in block.bytes.split(|byte| *byte == end) {
        let blanks = text.len() - text.trim_ascii_start().len();
        let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        let line = next_line + lines(&text[..blanks]);
        next_line += lines(text) + u64::from(form == Form::Lines);
        if blanks == text.len() {
            continue;
        }
        match parse_value_of(text, &mut left_out) {
            Ok(found) => add(found, line, &mut records),
            Err((column, detail)) => {
                // A line does not say which of its values it is.
                let (column, detail) = match form {
                    Form::Lines => (column as u64, detail),
                    Form::Wrapped => (1, format!("{detail}, in {}", shown(text))),
                };
                records.bad.push(BadRow { file: block.file.clone(), line, column, detail });
            }
        }
    }
    (records, left_out)
}

fn shown(text: &[u8]) -> String {
    let text = text.trim_ascii();
    excerpt(&String::from_utf8_lossy(&text[..text.len().min(4 * EXCERPT_CHARS_MAX)]))
}

/// Adds the records of a value that begins on a line.
fn add(found: Records, line: u64, records: &mut Records) {
    let vertices = |from: Vec<VertexRecord>, to: &mut Vec<VertexRecord>| {
        to.extend(from.into_iter().map(|vertex| VertexRecord { line, ..vertex }));
    };
    let edges = |from: Vec<EdgeRecord>, to: &mut Vec<EdgeRecord>| {
        to.extend(from.into_iter().map(|edge| EdgeRecord { line, ..edge }));
    };
    vertices(found.vertices, &mut records.vertices);
    edges(found.edges, &mut records.edges);
    vertices(found.repeated.vertices, &mut records.repeated.vertices);
    edges(found.repeated.edges, &mut records.repeated.edges);
    vertices(found.repeated.ends, &mut records.repeated.ends);
}

/// The records of a value: a vertex, an element of APOC, or a row of a query with some.
fn parse_value_of(text: &[u8], left_out: &mut LeftOut) -> Result<Records, (usize, String)> {
    let json = Json::parse(text).map_err(|fault| (fault.at + 1, fault.detail))?;
    if let Some(records) = apoc::read(&json) {
        return records.map_err(|detail| (1, detail));
    }
    if only_members(&json, &VERTEX_MEMBERS).is_err()
        && let Some(records) = rows::read(&json, left_out)
    {
        return records.map_err(|detail| (1, detail));
    }
    let vertex = parse_vertex(&json).map_err(|detail| (1, detail))?;
    Ok(Records { vertices: vec![vertex], ..Records::default() })
}

fn parse_vertex(json: &Json) -> Result<VertexRecord, String> {
    let id = json.get("id").ok_or_else(|| {
        let members = json.as_object().unwrap_or_default().iter();
        let names: Vec<String> =
            members.take(3).map(|(name, _)| format!("'{}'", excerpt(name))).collect();
        match names.is_empty() {
            true => "expected a vertex with an id, found none".to_owned(),
            false => format!(
                "expected a vertex with an id, or a row with nodes or relationships, found {}",
                names.join(", ")
            ),
        }
    })?;
    only_members(json, &VERTEX_MEMBERS)?;
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
