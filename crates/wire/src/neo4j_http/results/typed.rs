//! The Query API's JSON with types: each value is an object with `$type` and `_value`.

use std::borrow::Cow;

use millrace_model::{DetachedElements, EdgeId, Result, Value, VertexId, java_float};

use super::element::{self, Properties};
use super::kind::{Kind, deeper, key_text, write_list, write_object};
use crate::base64;
use crate::json::write_string;

/// The text of a value.
pub fn cell(value: &Value, elements: &DetachedElements) -> Result<String> {
    let mut out = String::new();
    write(&mut out, value, elements, 0)?;
    Ok(out)
}

/// Writes a value.
pub(super) fn write(
    out: &mut String,
    value: &Value,
    elements: &DetachedElements,
    depth: usize,
) -> Result<()> {
    match Kind::of(value, elements) {
        Kind::Null => out.push_str("{\"$type\":\"Null\",\"_value\":null}"),
        Kind::Bool(truth) => {
            out.push_str("{\"$type\":\"Boolean\",\"_value\":");
            out.push_str(if truth { "true}" } else { "false}" });
        }
        Kind::Int(int) => write_text(out, "Integer", &int.to_string()),
        Kind::Float(float) => write_text(out, "Float", &java_float::text(float)),
        Kind::String(text) => write_text(out, "String", &text),
        Kind::Bytes(bytes) => write_text(out, "Base64", &base64::encode(bytes)),
        Kind::Temporal(temporal, text) => write_text(out, temporal.typed_name(), &text),
        Kind::Point(point) => write_text(out, "Point", &point.to_string()),
        Kind::List(values) => {
            let depth = deeper(depth)?;
            out.push_str("{\"$type\":\"List\",\"_value\":");
            write_list(out, values, |out, value| write(out, value, elements, depth))?;
            out.push('}');
        }
        Kind::Map(pairs) => {
            let depth = deeper(depth)?;
            out.push_str("{\"$type\":\"Map\",\"_value\":");
            let pairs = pairs.iter().map(|(key, value)| (key_text(key), value));
            write_object(out, pairs, |out, value| write(out, value, elements, depth))?;
            out.push('}');
        }
        Kind::Node(vertex) => write_node(out, vertex, elements)?,
        Kind::Relationship(edge) => write_relationship(out, edge, elements)?,
        Kind::Path(vertices, edges) => {
            out.push_str("{\"$type\":\"Path\",\"_value\":[");
            for (place, vertex) in vertices.iter().enumerate() {
                if let Some(edge) = place.checked_sub(1).and_then(|place| edges.get(place)) {
                    out.push(',');
                    write_relationship(out, *edge, elements)?;
                    out.push(',');
                }
                write_node(out, *vertex, elements)?;
            }
            out.push_str("]}");
        }
        Kind::Other(other) => write(out, &other, elements, deeper(depth)?)?,
    }
    Ok(())
}

/// A value that is a string in JSON.
fn write_text(out: &mut String, name: &str, text: &str) {
    out.push_str("{\"$type\":\"");
    out.push_str(name);
    out.push_str("\",\"_value\":");
    write_string(out, text);
    out.push('}');
}

fn write_node(out: &mut String, vertex: VertexId, elements: &DetachedElements) -> Result<()> {
    let node = element::node(vertex, elements);
    out.push_str("{\"$type\":\"Node\",\"_value\":{\"_element_id\":");
    write_string(out, &node.id.text);
    out.push_str(",\"_labels\":");
    write_list(out, &node.labels, |out, label| {
        write_string(out, label);
        Ok(())
    })?;
    out.push_str(",\"_properties\":");
    write_properties(out, node.properties, elements)?;
    out.push_str("}}");
    Ok(())
}

fn write_relationship(out: &mut String, edge: EdgeId, elements: &DetachedElements) -> Result<()> {
    let relationship = element::relationship(edge, elements);
    out.push_str("{\"$type\":\"Relationship\",\"_value\":{");
    for (name, text) in [
        ("\"_element_id\":", &*relationship.id.text),
        (",\"_start_node_element_id\":", &*relationship.start.text),
        (",\"_end_node_element_id\":", &*relationship.end.text),
        (",\"_type\":", &*relationship.kind),
    ] {
        out.push_str(name);
        write_string(out, text);
    }
    out.push_str(",\"_properties\":");
    write_properties(out, relationship.properties, elements)?;
    out.push_str("}}");
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
