//! `<node>` and `<edge>` with their data, as records.

use super::key::{Content, Domain, Keys, parse_value};
use super::xml::{Piece, Tag, Xml, XmlFault};
use crate::elements::{EdgeRecord, Id, OwnEdge, VertexRecord};
use crate::error::excerpt;
use millrace_model::{ExternalId, Value};

/// The type of an edge that says none, as in TinkerPop.
const EDGE_TYPE: &str = "edge";

/// Counts of items that were read but are not in the graph, for the summary.
#[derive(Default)]
pub(super) struct Unread {
    /// Drawings by yEd.
    pub(super) drawings: u64,
    /// Edges without a direction.
    pub(super) undirected: u64,
    /// Data of graphs rather than elements.
    pub(super) of_graphs: u64,
}

/// The content of an element.
#[derive(Default)]
struct Inside {
    /// Names and values, in their order.
    data: Vec<(String, Value)>,
    /// The text in a drawing.
    drawing: Option<String>,
}

/// A node, its tag read; the inner error is of this element only, and all of it was read.
pub(super) fn node(
    xml: &mut Xml,
    tag: &Tag,
    keys: &Keys,
    unread: &mut Unread,
) -> Result<Result<VertexRecord, String>, XmlFault> {
    let inside = inside(xml, Domain::Node, keys, unread)?;
    Ok(inside.and_then(|inside| vertex_of(tag, inside, keys)))
}

fn vertex_of(tag: &Tag, mut inside: Inside, keys: &Keys) -> Result<VertexRecord, String> {
    let id = tag.attribute("id").filter(|id| !id.is_empty()).ok_or("a <node> without an id")?;
    let mut labels: Vec<String> = tag.attribute("labels").map_or_else(Vec::new, colon_labels);
    let mut properties = Vec::new();
    add_defaults(&mut inside.data, keys, Domain::Node);
    for (name, value) in inside.data {
        match (name.as_str(), value.as_str()) {
            ("labelV", Some(label)) => labels.push(label.to_owned()),
            ("labels", Some(all)) if all.starts_with(':') => {
                labels.extend(colon_labels(all));
            }
            _ => properties.push((name, value)),
        }
    }
    if let Some(drawing) =
        inside.drawing.filter(|_| properties.iter().all(|(name, _)| name != "label"))
    {
        properties.push(("label".to_owned(), Value::string(&drawing)));
    }
    Ok(VertexRecord {
        line: tag.line,
        id: Id::of_text(id),
        labels,
        properties,
        ..VertexRecord::default()
    })
}

/// The labels of `:Person:Actor`.
fn colon_labels(text: &str) -> Vec<String> {
    text.split(':').filter(|label| !label.is_empty()).map(str::to_owned).collect()
}

/// An edge, its tag read.
pub(super) fn edge(
    xml: &mut Xml,
    tag: &Tag,
    keys: &Keys,
    unread: &mut Unread,
) -> Result<Result<EdgeRecord, String>, XmlFault> {
    let inside = inside(xml, Domain::Edge, keys, unread)?;
    Ok(inside.and_then(|inside| edge_of(tag, inside, keys)))
}

fn edge_of(tag: &Tag, mut inside: Inside, keys: &Keys) -> Result<EdgeRecord, String> {
    if tag.attribute("sourceport").or(tag.attribute("targetport")).is_some() {
        return Err("ports are not read: write an edge between nodes".into());
    }
    let end = |name: &str| {
        let id = tag.attribute(name).filter(|id| !id.is_empty());
        id.map(Id::of_text).ok_or_else(|| format!("an <edge> without a {name}"))
    };
    let (source, target) = (end("source")?, end("target")?);
    let mut edge_type = tag.attribute("label").filter(|label| !label.is_empty()).map(str::to_owned);
    let mut properties = Vec::new();
    add_defaults(&mut inside.data, keys, Domain::Edge);
    for (name, value) in inside.data {
        match (name.as_str(), value.as_str()) {
            ("labelE" | "label", Some(label)) if !label.is_empty() => {
                if edge_type.as_ref().is_some_and(|known| known != label) {
                    return Err("this edge has two labels, but an edge has one type".into());
                }
                edge_type = Some(label.to_owned());
            }
            _ => properties.push((name, value)),
        }
    }
    let edge_type = edge_type.or(inside.drawing).unwrap_or_else(|| EDGE_TYPE.to_owned());
    let id = tag.attribute("id").filter(|id| !id.is_empty());
    let id = id.map(|id| ExternalId::of_text(&id.into()));
    let edge = OwnEdge { edge_type, id, other: target, properties };
    Ok(EdgeRecord { line: tag.line, source, edge })
}

/// Adds defaults for keys that the element has no data of.
fn add_defaults(data: &mut Vec<(String, Value)>, keys: &Keys, domain: Domain) {
    for (name, value) in keys.defaults(domain) {
        if data.iter().all(|(known, _)| known != name) {
            data.push((name.to_owned(), value.clone()));
        }
    }
}

/// All that stands inside an element, up to its end.
fn inside(
    xml: &mut Xml,
    domain: Domain,
    keys: &Keys,
    unread: &mut Unread,
) -> Result<Result<Inside, String>, XmlFault> {
    let (mut inside, mut refused) = (Inside::default(), None);
    loop {
        let tag = match xml.next()? {
            Piece::Start(tag) => tag,
            Piece::Text(text) => {
                if !text.trim().is_empty() {
                    refused
                        .get_or_insert(format!("the text '{}' has no key", excerpt(text.trim())));
                }
                continue;
            }
            Piece::End | Piece::Eof => break,
        };
        let added = match tag.name.as_str() {
            "data" => data(xml, &tag, (domain, keys), &mut inside, unread)?,
            "desc" => xml.pass().map(Ok)?,
            "graph" => {
                xml.pass()?;
                Err("a graph inside a node is not read: write its nodes beside the others, and its \
                     place as an edge"
                    .into())
            }
            other => {
                let detail = format!("<{}> is not read here", excerpt(other));
                xml.pass()?;
                Err(detail)
            }
        };
        if let Err(detail) = added {
            refused.get_or_insert(detail);
        }
    }
    Ok(refused.map_or(Ok(inside), Err))
}

fn data(
    xml: &mut Xml,
    tag: &Tag,
    (domain, keys): (Domain, &Keys),
    inside: &mut Inside,
    unread: &mut Unread,
) -> Result<Result<(), String>, XmlFault> {
    let id = tag.attribute("key").unwrap_or_default();
    let key = match keys.find(domain, id) {
        Ok(key) => key,
        Err(detail) => return xml.pass().map(|()| Err(detail)),
    };
    let Content::Value { kind, list } = key.content else {
        let drawing = drawing_label(xml)?;
        inside.drawing = inside.drawing.take().or(drawing);
        unread.drawings += 1;
        return Ok(Ok(()));
    };
    let written = xml.text()?;
    let value = written.and_then(|written| parse_value(kind, list, &written));
    Ok(value.map_err(|detail| format!("{}: {detail}", excerpt(&key.name))).and_then(|value| {
        match inside.data.iter().any(|(known, _)| *known == key.name) {
            true => Err(format!("'{}' occurs twice in this element", excerpt(&key.name))),
            false => {
                inside.data.push((key.name, value));
                Ok(())
            }
        }
    }))
}

/// The first label in a drawing by yEd, which is passed over up to its end.
fn drawing_label(xml: &mut Xml) -> Result<Option<String>, XmlFault> {
    let (mut depth, mut at, mut label) = (1_usize, None, String::new());
    while depth != 0 {
        match xml.next()? {
            Piece::Start(tag) => {
                depth += 1;
                let is_label = matches!(tag.name.as_str(), "NodeLabel" | "EdgeLabel");
                if is_label && at.is_none() && label.trim().is_empty() {
                    at = Some(depth);
                }
            }
            Piece::Text(text) if at == Some(depth) => label.push_str(&text),
            Piece::Text(_) => {}
            Piece::End => {
                if at == Some(depth) {
                    at = None;
                }
                depth -= 1;
            }
            Piece::Eof => break,
        }
    }
    let label = label.trim();
    Ok((!label.is_empty()).then(|| label.to_owned()))
}
