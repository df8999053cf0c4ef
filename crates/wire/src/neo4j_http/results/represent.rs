//! Nodes, relationships and paths as JSON with the addresses of everything about them.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use millrace_model::{DetachedElements, EdgeId, Result, Value, VertexId};

use super::element::{self, Properties};
use super::kind::{Kind, deeper, key_text, write_list, write_object};
use super::transaction_rows;
use crate::json::write_string;

/// The path below which all of this is.
pub const BASE_PATH: &str = "/db/data";

/// Nodes or relationships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::neo4j_http) enum ElementKind {
    Node,
    Relationship,
}

impl ElementKind {
    /// Its word in paths.
    pub(in crate::neo4j_http) fn word(self) -> &'static str {
        match self {
            ElementKind::Node => "node",
            ElementKind::Relationship => "relationship",
        }
    }
}

/// The address of an element below `base`, `http://host:port/db/data`.
pub(in crate::neo4j_http) fn address(base: &str, kind: ElementKind, number: i64) -> String {
    format!("{base}/{}/{number}", kind.word())
}

/// Fields of a node that are addresses, and the part behind that of the node.
const NODE_LINKS: [(&str, &str); 13] = [
    ("all_relationships", "/relationships/all"),
    ("all_typed_relationships", "/relationships/all/{-list|&|types}"),
    ("create_relationship", "/relationships"),
    ("incoming_relationships", "/relationships/in"),
    ("incoming_typed_relationships", "/relationships/in/{-list|&|types}"),
    ("labels", "/labels"),
    ("outgoing_relationships", "/relationships/out"),
    ("outgoing_typed_relationships", "/relationships/out/{-list|&|types}"),
    ("paged_traverse", "/paged/traverse/{returnType}{?pageSize,leaseTime}"),
    ("properties", "/properties"),
    ("property", "/properties/{key}"),
    ("self", ""),
    ("traverse", "/traverse/{returnType}"),
];

/// Fields of a relationship that are addresses.
const RELATIONSHIP_LINKS: [(&str, &str); 3] =
    [("properties", "/properties"), ("property", "/properties/{key}"), ("self", "")];

/// Writes links, each with a comma in front of it.
fn write_links(out: &mut String, address: &str, links: &[(&str, &str)]) {
    let mut escaped = String::new();
    write_string(&mut escaped, address);
    // Without the closing quote; what follows needs no escapes.
    let address = escaped.trim_end_matches('"');
    for (name, behind) in links {
        out.push_str(",\"");
        out.push_str(name);
        out.push_str("\":");
        out.push_str(address);
        out.push_str(behind);
        out.push('"');
    }
}

/// Writes a node; `write_data` writes its properties.
pub(in crate::neo4j_http) fn write_node(
    out: &mut String,
    (base, number): (&str, i64),
    labels: &[Arc<str>],
    write_data: impl FnOnce(&mut String) -> Result<()>,
) -> Result<()> {
    out.push_str("{\"extensions\":{}");
    write_links(out, &address(base, ElementKind::Node, number), &NODE_LINKS);
    // Writing to a string does not fail.
    let _written = write!(out, ",\"metadata\":{{\"id\":{number},\"labels\":");
    write_list(out, labels, |out, label| {
        write_string(out, label);
        Ok(())
    })?;
    out.push_str("},\"data\":");
    write_data(out)?;
    out.push('}');
    Ok(())
}

/// A relationship without its properties.
pub(in crate::neo4j_http) struct Head<'a> {
    pub(in crate::neo4j_http) number: i64,
    pub(in crate::neo4j_http) start: i64,
    pub(in crate::neo4j_http) end: i64,
    pub(in crate::neo4j_http) label: &'a str,
}

/// Writes a relationship; `write_data` writes its properties.
pub(in crate::neo4j_http) fn write_relationship(
    out: &mut String,
    base: &str,
    head: &Head<'_>,
    write_data: impl FnOnce(&mut String) -> Result<()>,
) -> Result<()> {
    let Head { number, start, end, label } = head;
    out.push_str("{\"extensions\":{}");
    write_links(out, &address(base, ElementKind::Relationship, *number), &RELATIONSHIP_LINKS);
    for (name, node) in [(",\"start\":", start), (",\"end\":", end)] {
        out.push_str(name);
        write_string(out, &address(base, ElementKind::Node, *node));
    }
    out.push_str(",\"type\":");
    write_string(out, label);
    // Writing to a string does not fail.
    let _written = write!(out, ",\"metadata\":{{\"id\":{number},\"type\":");
    write_string(out, label);
    out.push_str("},\"data\":");
    write_data(out)?;
    out.push('}');
    Ok(())
}

/// Writes properties that a client sent.
pub(in crate::neo4j_http) fn write_map(out: &mut String, map: &Value) -> Result<()> {
    write(out, map, &DetachedElements::default(), "", 0)
}

/// Writes a value of a result, with addresses below `base`.
pub(in crate::neo4j_http) fn write_value(
    out: &mut String,
    value: &Value,
    elements: &DetachedElements,
    base: &str,
) -> Result<()> {
    write(out, value, elements, base, 0)
}

/// Writes a value of a result.
pub(in crate::neo4j_http) fn write(
    out: &mut String,
    value: &Value,
    elements: &DetachedElements,
    base: &str,
    depth: usize,
) -> Result<()> {
    match Kind::of(value, elements) {
        Kind::List(values) => {
            let depth = deeper(depth)?;
            write_list(out, values, |out, value| write(out, value, elements, base, depth))?;
        }
        Kind::Map(pairs) => {
            let depth = deeper(depth)?;
            let pairs = pairs.iter().map(|(key, value)| (key_text(key), value));
            write_object(out, pairs, |out, value| write(out, value, elements, base, depth))?;
        }
        Kind::Node(vertex) => write_vertex(out, vertex, elements, base)?,
        Kind::Relationship(edge) => write_edge(out, edge, elements, base)?,
        Kind::Path(vertices, edges) => write_path(out, (&vertices, &edges), elements, base),
        Kind::Other(other) => write(out, &other, elements, base, deeper(depth)?)?,
        Kind::Null
        | Kind::Bool(_)
        | Kind::Int(_)
        | Kind::Float(_)
        | Kind::String(_)
        | Kind::Bytes(_)
        | Kind::Temporal(..)
        | Kind::Point(_) => transaction_rows::write_value(out, value, elements, depth)?,
    }
    Ok(())
}

fn write_vertex(
    out: &mut String,
    vertex: VertexId,
    elements: &DetachedElements,
    base: &str,
) -> Result<()> {
    let node = element::node(vertex, elements);
    write_node(out, (base, node.id.number), &node.labels, |out| {
        write_properties(out, node.properties, elements)
    })
}

fn write_edge(
    out: &mut String,
    edge: EdgeId,
    elements: &DetachedElements,
    base: &str,
) -> Result<()> {
    let own = element::relationship(edge, elements);
    let (start, end) = (own.start.number, own.end.number);
    let head = Head { number: own.id.number, start, end, label: &own.kind };
    write_relationship(out, base, &head, |out| write_properties(out, own.properties, elements))
}

fn write_properties(
    out: &mut String,
    properties: Properties<'_>,
    elements: &DetachedElements,
) -> Result<()> {
    let properties = properties.into_iter().map(|(key, value)| (Cow::Borrowed(key), value));
    write_object(out, properties, |out, value| {
        transaction_rows::write_value(out, &value, elements, 1)
    })
}

/// Writes a path, whose elements are addresses.
fn write_path(
    out: &mut String,
    (vertices, edges): (&[VertexId], &[EdgeId]),
    elements: &DetachedElements,
    base: &str,
) {
    let node = |vertex: &VertexId| {
        address(base, ElementKind::Node, element::node(*vertex, elements).id.number)
    };
    let nodes: Vec<String> = vertices.iter().map(node).collect();
    let mut relationships = Vec::new();
    let mut directions = Vec::new();
    for (edge, from) in edges.iter().zip(&nodes) {
        let own = element::relationship(*edge, elements);
        relationships.push(address(base, ElementKind::Relationship, own.id.number));
        let leads_on = address(base, ElementKind::Node, own.start.number) == *from;
        directions.push(if leads_on { "->" } else { "<-" }.to_owned());
    }
    out.push_str("{\"directions\":");
    write_texts(out, &directions);
    for (name, node) in [(",\"start\":", nodes.first()), (",\"end\":", nodes.last())] {
        out.push_str(name);
        write_string(out, node.map_or("", String::as_str));
    }
    // Writing to a string does not fail.
    let _written = write!(out, ",\"length\":{},\"nodes\":", edges.len());
    write_texts(out, &nodes);
    out.push_str(",\"relationships\":");
    write_texts(out, &relationships);
    out.push('}');
}

/// Writes a list of strings.
pub(in crate::neo4j_http) fn write_texts<T: AsRef<str>>(out: &mut String, texts: &[T]) {
    out.push('[');
    for (index, text) in texts.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_string(out, text.as_ref());
    }
    out.push(']');
}
