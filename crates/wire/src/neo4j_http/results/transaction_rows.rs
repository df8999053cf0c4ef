//! A row of a transaction's result: its values, in which an element is its properties; beside them what kind each
//! element is; and the part of the graph that is in the row.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use millrace_model::temporal::{Seconds, text};
use millrace_model::value::Point;
use millrace_model::{DetachedElements, EdgeId, Result, Value, VertexId};

use super::element::{self, Id, Properties};
use super::kind::{Kind, deeper, key_text, write_float, write_list, write_object};
use crate::json::write_string;

/// Writes a value, in which an element is its properties.
pub(super) fn write_value(
    out: &mut String,
    value: &Value,
    elements: &DetachedElements,
    depth: usize,
) -> Result<()> {
    match Kind::of(value, elements) {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
        Kind::Int(int) => write_number(out, int),
        Kind::Float(float) => write_float(out, float),
        Kind::String(own) => write_string(out, &own),
        Kind::Bytes(bytes) => write_list(out, bytes, |out, byte| {
            // Bytes have a sign, as in Java.
            write_number(out, i64::from(i8::from_ne_bytes([*byte])));
            Ok(())
        })?,
        // Without seconds that are 0, as Java has it; the other forms have ISO 8601's.
        Kind::Temporal(_, iso) => write_string(out, &text(value, Seconds::Java).unwrap_or(iso)),
        Kind::Point(point) => write_point(out, point)?,
        Kind::List(values) => {
            let depth = deeper(depth)?;
            write_list(out, values, |out, value| write_value(out, value, elements, depth))?;
        }
        Kind::Map(pairs) => {
            let depth = deeper(depth)?;
            let pairs = pairs.iter().map(|(key, value)| (key_text(key), value));
            write_object(out, pairs, |out, value| write_value(out, value, elements, depth))?;
        }
        Kind::Node(vertex) => {
            write_properties(out, element::node(vertex, elements).properties, elements)?;
        }
        Kind::Relationship(edge) => {
            write_properties(out, element::relationship(edge, elements).properties, elements)?;
        }
        Kind::Path(vertices, edges) => {
            write_list(out, alternating(&vertices, &edges), |out, step| {
                write_value(out, &step, elements, depth)
            })?;
        }
        Kind::Other(other) => write_value(out, &other, elements, deeper(depth)?)?,
    }
    Ok(())
}

fn write_number(out: &mut String, number: i64) {
    // Writing to a string does not fail.
    let _written = write!(out, "{number}");
}

/// The vertices and edges of a path in its order.
fn alternating<'p>(
    vertices: &'p [VertexId],
    edges: &'p [EdgeId],
) -> impl Iterator<Item = Value> + 'p {
    vertices.iter().enumerate().flat_map(|(place, vertex)| {
        let edge = edges.get(place).map(|edge| Value::Edge(*edge));
        [Some(Value::Vertex(*vertex)), edge].into_iter().flatten()
    })
}

fn write_properties(
    out: &mut String,
    properties: Properties<'_>,
    elements: &DetachedElements,
) -> Result<()> {
    let properties = properties.into_iter().map(|(key, value)| (Cow::Borrowed(key), value));
    write_object(out, properties, |out, value| write_value(out, &value, elements, 1))
}

/// A point as GeoJSON with its reference system.
fn write_point(out: &mut String, point: &Point) -> Result<()> {
    out.push_str("{\"type\":\"Point\",\"coordinates\":");
    write_list(out, &point.coordinates, |out, coordinate| {
        write_float(out, *coordinate);
        Ok(())
    })?;
    let (name, authority) = match point.srid {
        4326 => ("wgs-84", "epsg"),
        4979 => ("wgs-84-3d", "epsg"),
        9157 => ("cartesian-3d", "sr-org"),
        _ => ("cartesian", "sr-org"),
    };
    out.push_str(",\"crs\":{\"srid\":");
    write_number(out, i64::from(point.srid));
    out.push_str(",\"name\":\"");
    out.push_str(name);
    // Writing to a string does not fail.
    let _written = write!(
        out,
        "\",\"type\":\"link\",\"properties\":{{\"href\":\"https://spatialreference.org/ref/{authority}/{}/ogcwkt/\",\
         \"type\":\"ogcwkt\"}}}}}}",
        point.srid
    );
    Ok(())
}

/// Writes the list of what kind each value of a row is.
pub(super) fn write_kinds(
    out: &mut String,
    row: &[Value],
    elements: &DetachedElements,
) -> Result<()> {
    out.push('[');
    let mut kinds = Kinds { out, has_any: false };
    row.iter().try_for_each(|value| kinds.write(value, elements, 0))?;
    out.push(']');
    Ok(())
}

/// The list of what kind each value is. Lists and maps are passed through to what is in them.
struct Kinds<'o> {
    out: &'o mut String,
    has_any: bool,
}

impl Kinds<'_> {
    fn write(&mut self, value: &Value, elements: &DetachedElements, depth: usize) -> Result<()> {
        match Kind::of(value, elements) {
            Kind::Null
            | Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Float(_)
            | Kind::String(_)
            | Kind::Bytes(_) => {
                self.next();
                self.out.push_str("null");
            }
            Kind::Temporal(temporal, _) => self.plain(temporal.row_name()),
            Kind::Point(_) => self.plain("point"),
            Kind::List(values) => {
                let depth = deeper(depth)?;
                values.iter().try_for_each(|value| self.write(value, elements, depth))?;
            }
            Kind::Map(pairs) => {
                let depth = deeper(depth)?;
                pairs.iter().try_for_each(|(_, value)| self.write(value, elements, depth))?;
            }
            Kind::Node(vertex) => {
                let node = element::node(vertex, elements);
                self.element("node", &node.id, node.is_deleted);
            }
            Kind::Relationship(edge) => {
                let relationship = element::relationship(edge, elements);
                self.element("relationship", &relationship.id, relationship.is_deleted);
            }
            Kind::Path(vertices, edges) => {
                self.next();
                self.out.push('[');
                let mut steps = Kinds { out: self.out, has_any: false };
                alternating(&vertices, &edges)
                    .try_for_each(|step| steps.write(&step, elements, 1))?;
                self.out.push(']');
            }
            Kind::Other(other) => self.write(&other, elements, deeper(depth)?)?,
        }
        Ok(())
    }

    fn next(&mut self) {
        if self.has_any {
            self.out.push(',');
        }
        self.has_any = true;
    }

    fn plain(&mut self, kind: &str) {
        self.next();
        self.out.push_str("{\"type\":\"");
        self.out.push_str(kind);
        self.out.push_str("\"}");
    }

    fn element(&mut self, kind: &str, id: &Id, is_deleted: bool) {
        self.next();
        self.out.push_str("{\"id\":");
        write_number(self.out, id.number);
        self.out.push_str(",\"elementId\":");
        write_string(self.out, &id.text);
        self.out.push_str(",\"type\":\"");
        self.out.push_str(kind);
        self.out.push_str(if is_deleted {
            "\",\"deleted\":true}"
        } else {
            "\",\"deleted\":false}"
        });
    }
}

/// The elements in a row, each once.
#[derive(Default)]
struct Found {
    vertices: BTreeSet<VertexId>,
    edges: BTreeSet<EdgeId>,
}

impl Found {
    fn take(&mut self, value: &Value, elements: &DetachedElements, depth: usize) -> Result<()> {
        match Kind::of(value, elements) {
            Kind::Null
            | Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Float(_)
            | Kind::String(_)
            | Kind::Bytes(_)
            | Kind::Temporal(..)
            | Kind::Point(_) => {}
            Kind::List(values) => {
                let depth = deeper(depth)?;
                values.iter().try_for_each(|value| self.take(value, elements, depth))?;
            }
            Kind::Map(pairs) => {
                let depth = deeper(depth)?;
                pairs.iter().try_for_each(|(_, value)| self.take(value, elements, depth))?;
            }
            Kind::Node(vertex) => drop(self.vertices.insert(vertex)),
            Kind::Relationship(edge) => drop(self.edges.insert(edge)),
            Kind::Path(vertices, edges) => {
                self.vertices.extend(vertices);
                self.edges.extend(edges);
            }
            Kind::Other(other) => self.take(&other, elements, deeper(depth)?)?,
        }
        Ok(())
    }
}

/// Writes the part of the graph that is in a row.
pub(super) fn write_graph(
    out: &mut String,
    row: &[Value],
    elements: &DetachedElements,
) -> Result<()> {
    let mut found = Found::default();
    row.iter().try_for_each(|value| found.take(value, elements, 0))?;
    out.push_str("{\"nodes\":");
    write_list(out, found.vertices, |out, vertex| {
        let node = element::node(vertex, elements);
        write_ids(out, [("{\"id\":\"", &node.id, "\",\"elementId\":")]);
        out.push_str(",\"labels\":");
        write_list(out, &node.labels, |out, label| {
            write_string(out, label);
            Ok(())
        })?;
        out.push_str(",\"properties\":");
        write_properties(out, node.properties, elements)?;
        out.push('}');
        Ok(())
    })?;
    out.push_str(",\"relationships\":");
    write_list(out, found.edges, |out, edge| {
        let relationship = element::relationship(edge, elements);
        write_ids(out, [("{\"id\":\"", &relationship.id, "\",\"elementId\":")]);
        out.push_str(",\"type\":");
        write_string(out, &relationship.kind);
        write_ids(
            out,
            [
                (",\"startNode\":\"", &relationship.start, "\",\"startNodeElementId\":"),
                (",\"endNode\":\"", &relationship.end, "\",\"endNodeElementId\":"),
            ],
        );
        out.push_str(",\"properties\":");
        write_properties(out, relationship.properties, elements)?;
        out.push('}');
        Ok(())
    })?;
    out.push('}');
    Ok(())
}

/// Ids as numbers in strings and as texts, each behind its name.
fn write_ids<'i>(out: &mut String, ids: impl IntoIterator<Item = (&'i str, &'i Id, &'i str)>) {
    for (number, id, text) in ids {
        out.push_str(number);
        write_number(out, id.number);
        out.push_str(text);
        write_string(out, &id.text);
    }
}
