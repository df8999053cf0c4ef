//! The Query API's JSON without types: temporal values, points and bytes are strings, elements are objects.

use std::borrow::Cow;
use std::fmt::Write;

use millrace_model::{DetachedElements, EdgeId, Result, Value, VertexId};

use super::element::{self, Properties};
use super::kind::{Kind, deeper, key_text, write_float, write_list, write_object};
use crate::base64;
use crate::json::write_string;

/// Writes a value.
pub(super) fn write(
    out: &mut String,
    value: &Value,
    elements: &DetachedElements,
    depth: usize,
) -> Result<()> {
    match Kind::of(value, elements) {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
        Kind::Int(int) => {
            // Writing to a string does not fail.
            let _written = write!(out, "{int}");
        }
        Kind::Float(float) => write_float(out, float),
        Kind::String(text) => write_string(out, &text),
        Kind::Bytes(bytes) => write_string(out, &base64::encode(bytes)),
        // Without the name of the zone, as in Neo4j: readers of ISO 8601 know offsets only.
        Kind::Temporal(_, text) => write_string(out, text.split('[').next().unwrap_or_default()),
        Kind::Point(point) => write_string(out, &point.to_string()),
        Kind::List(values) => {
            let depth = deeper(depth)?;
            write_list(out, values, |out, value| write(out, value, elements, depth))?;
        }
        Kind::Map(pairs) => {
            let depth = deeper(depth)?;
            let pairs = pairs.iter().map(|(key, value)| (key_text(key), value));
            write_object(out, pairs, |out, value| write(out, value, elements, depth))?;
        }
        Kind::Node(vertex) => write_node(out, vertex, elements)?,
        Kind::Relationship(edge) => write_relationship(out, edge, elements)?,
        Kind::Path(vertices, edges) => {
            out.push('[');
            for (place, vertex) in vertices.iter().enumerate() {
                if let Some(edge) = place.checked_sub(1).and_then(|place| edges.get(place)) {
                    out.push(',');
                    write_relationship(out, *edge, elements)?;
                    out.push(',');
                }
                write_node(out, *vertex, elements)?;
            }
            out.push(']');
        }
        Kind::Other(other) => write(out, &other, elements, deeper(depth)?)?,
    }
    Ok(())
}

fn write_node(out: &mut String, vertex: VertexId, elements: &DetachedElements) -> Result<()> {
    let node = element::node(vertex, elements);
    out.push_str("{\"elementId\":");
    write_string(out, &node.id.text);
    out.push_str(",\"labels\":");
    write_list(out, &node.labels, |out, label| {
        write_string(out, label);
        Ok(())
    })?;
    out.push_str(",\"properties\":");
    write_properties(out, node.properties, elements)?;
    out.push('}');
    Ok(())
}

fn write_relationship(out: &mut String, edge: EdgeId, elements: &DetachedElements) -> Result<()> {
    let relationship = element::relationship(edge, elements);
    for (name, text) in [
        ("{\"elementId\":", &*relationship.id.text),
        (",\"startNodeElementId\":", &*relationship.start.text),
        (",\"endNodeElementId\":", &*relationship.end.text),
        (",\"type\":", &*relationship.kind),
    ] {
        out.push_str(name);
        write_string(out, text);
    }
    out.push_str(",\"properties\":");
    write_properties(out, relationship.properties, elements)?;
    out.push('}');
    Ok(())
}

fn write_properties(
    out: &mut String,
    properties: Properties<'_>,
    elements: &DetachedElements,
) -> Result<()> {
    let properties = properties.into_iter().map(|(key, value)| (Cow::Borrowed(key), value));
    write_object(out, properties, |out, value| write(out, &value, elements, 1))
}
