//! Nodes, relationships and paths as structures.
//!
//! An element that exists no more has its id only. A vertex is sent with all its labels where they were detached,
//! and with its one text of labels otherwise.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedElements, DetachedProperty, Properties};
use millrace_model::{EdgeId, Result, Value, VertexId};

use super::datum::{Element, Node, Path, Relationship};
use super::decode::pairs;
use super::reader::Reader;
use super::writer::Writer;
use super::{code, numeric_id};

/// The type of a relationship that exists no more.
const GONE: &str = "";

/// Reads the fields of a structure; `None` if it is no element.
pub(super) fn read(reader: &mut Reader<'_>, tag: u8, fields: usize) -> Result<Option<Element>> {
    Ok(Some(match (tag, fields) {
        (code::NODE, 3 | 4) => Element::Node(node(reader, fields == 4)?),
        (code::RELATIONSHIP, 5 | 8) => Element::Relationship(relationship(reader, fields == 8)?),
        (code::PATH, 3) => Element::Path(path(reader)?),
        _ => return Ok(None),
    }))
}

fn node(reader: &mut Reader<'_>, has_element_id: bool) -> Result<Node> {
    let id = reader.int("the id of a node")?;
    let count = reader.list("the labels of a node")?;
    let labels = (0..count).map(|_| reader.string("a label").map(Arc::from));
    let labels = labels.collect::<Result<Vec<Arc<str>>>>()?;
    let properties = properties(reader)?;
    let element_id = element_id(reader, id, has_element_id)?;
    Ok(Node { id, element_id, labels, properties })
}

fn relationship(reader: &mut Reader<'_>, has_element_id: bool) -> Result<Relationship> {
    let id = reader.int("the id of a relationship")?;
    let start = reader.int("the start of a relationship")?;
    let end = reader.int("the end of a relationship")?;
    let kind = Arc::from(reader.string("the type of a relationship")?);
    let properties = properties(reader)?;
    let own = element_id(reader, id, has_element_id)?;
    let start = (start, element_id(reader, start, has_element_id)?);
    let end = (end, element_id(reader, end, has_element_id)?);
    Ok(Relationship { id, element_id: own, start, end, kind, properties })
}

fn properties(reader: &mut Reader<'_>) -> Result<Properties> {
    let count = reader.map("the properties of an element")?;
    reader.nested(|reader| pairs::<Value>(reader, count))
}

fn element_id(reader: &mut Reader<'_>, id: i64, is_sent: bool) -> Result<Arc<str>> {
    match is_sent {
        true => reader.string("the id of an element").map(Arc::from),
        false => Ok(Arc::from(id.to_string())),
    }
}

/// A relationship of a path before its ends are known.
struct Unbound {
    id: i64,
    element_id: Arc<str>,
    kind: Arc<str>,
    properties: Properties,
}

fn path(reader: &mut Reader<'_>) -> Result<Path> {
    let count = reader.list("the nodes of a path")?;
    let mut nodes = Vec::with_capacity(count);
    for _ in 0..count {
        let structure = reader.structure("a node of a path")?;
        let (code::NODE, 3 | 4) = structure else { return Err(reader.bad("a path has nodes")) };
        nodes.push(Arc::new(node(reader, structure.1 == 4)?));
    }
    let count = reader.list("the relationships of a path")?;
    let unbound = (0..count).map(|_| unbound(reader)).collect::<Result<Vec<Unbound>>>()?;
    let count = reader.list("the sequence of a path")?;
    let mut at = nodes.first().ok_or_else(|| reader.bad("a path has a node"))?.clone();
    let mut path = Path { nodes: vec![Arc::clone(&at)], relationships: Vec::new() };
    for _ in 0..count / 2 {
        let step = reader.int("the number of a relationship")?;
        let place = step.unsigned_abs().wrapping_sub(1);
        let own = usize::try_from(place).ok().and_then(|place| unbound.get(place));
        let own = own.ok_or_else(|| reader.bad(format!("a path has no relationship {step}")))?;
        let place = reader.int("the number of a node")?;
        let next = usize::try_from(place).ok().and_then(|place| nodes.get(place));
        let next = next.ok_or_else(|| reader.bad(format!("a path has no node {place}")))?.clone();
        let (start, end) = if 0 < step { (&at, &next) } else { (&next, &at) };
        path.relationships.push(Arc::new(Relationship {
            id: own.id,
            element_id: Arc::clone(&own.element_id),
            start: (start.id, Arc::clone(&start.element_id)),
            end: (end.id, Arc::clone(&end.element_id)),
            kind: Arc::clone(&own.kind),
            properties: own.properties.clone(),
        }));
        path.nodes.push(Arc::clone(&next));
        at = next;
    }
    if count % 2 != 0 {
        return Err(reader.bad("the sequence of a path has pairs"));
    }
    Ok(path)
}

fn unbound(reader: &mut Reader<'_>) -> Result<Unbound> {
    let structure = reader.structure("a relationship of a path")?;
    let (code::UNBOUND_RELATIONSHIP, 3 | 4) = structure else {
        return Err(reader.bad("a path has relationships without ends"));
    };
    let id = reader.int("the id of a relationship")?;
    let kind = Arc::from(reader.string("the type of a relationship")?);
    let properties = properties(reader)?;
    let element_id = element_id(reader, id, structure.1 == 4)?;
    Ok(Unbound { id, element_id, kind, properties })
}

impl Writer<'_> {
    pub(super) fn vertex(&mut self, vertex: VertexId, elements: &DetachedElements) -> Result<()> {
        let has_element_ids = self.form.version.has_element_ids();
        self.structure(code::NODE, if has_element_ids { 4 } else { 3 });
        let Some(own) = elements.vertices.get(&vertex) else {
            // An id that is a number is the internal one.
            let id = Value::I64(vertex.0 as i64);
            self.int(numeric_id::of(&id));
            self.list(0)?;
            self.map(0)?;
            return if has_element_ids { self.string(&numeric_id::node_text(&id)) } else { Ok(()) };
        };
        self.int(numeric_id::of(&own.id));
        match elements.labels.get(&vertex) {
            Some(labels) => {
                self.list(labels.len())?;
                labels.iter().try_for_each(|label| self.string(label))?;
            }
            None => {
                self.list(1)?;
                self.string(&own.label)?;
            }
        }
        self.vertex_properties(own.properties.as_deref().unwrap_or_default(), elements)?;
        if has_element_ids { self.string(&numeric_id::node_text(&own.id)) } else { Ok(()) }
    }

    /// The values of one key stand together; several are a list.
    fn vertex_properties(
        &mut self,
        properties: &[DetachedProperty],
        elements: &DetachedElements,
    ) -> Result<()> {
        let by_key = || properties.chunk_by(|one, next| one.key == next.key);
        self.map(by_key().count())?;
        for values in by_key() {
            let Some(first) = values.first() else { continue };
            self.string(&first.key)?;
            match values {
                [only] => self.value(&only.value, elements)?,
                several => {
                    self.list(several.len())?;
                    several.iter().try_for_each(|own| self.value(&own.value, elements))?;
                }
            }
        }
        Ok(())
    }

    fn edge_properties(
        &mut self,
        properties: Option<&Properties>,
        elements: &DetachedElements,
    ) -> Result<()> {
        let properties = properties.map_or(&[][..], Vec::as_slice);
        self.map(properties.len())?;
        properties.iter().try_for_each(|(key, value)| {
            self.string(key)?;
            self.value(value, elements)
        })
    }

    pub(super) fn edge(&mut self, edge: EdgeId, elements: &DetachedElements) -> Result<()> {
        let has_element_ids = self.form.version.has_element_ids();
        self.structure(code::RELATIONSHIP, if has_element_ids { 8 } else { 5 });
        let gone = Value::I64(edge.0 as i64);
        let own = elements.edges.get(&edge);
        let ids = match own {
            Some(own) => [&own.id, &own.source.0, &own.target.0],
            None => [&gone, &Value::Null, &Value::Null],
        };
        ids.iter().for_each(|id| self.int(numeric_id::of(id)));
        self.string(own.map_or(GONE, |own| &own.label))?;
        self.edge_properties(own.and_then(|own| own.properties.as_ref()), elements)?;
        if has_element_ids {
            let [own, source, target] = ids;
            self.string(&numeric_id::relationship_text(own))?;
            self.string(&numeric_id::node_text(source))?;
            self.string(&numeric_id::node_text(target))?;
        }
        Ok(())
    }

    fn unbound(&mut self, edge: EdgeId, elements: &DetachedElements) -> Result<()> {
        let has_element_ids = self.form.version.has_element_ids();
        self.structure(code::UNBOUND_RELATIONSHIP, if has_element_ids { 4 } else { 3 });
        let gone = Value::I64(edge.0 as i64);
        let own = elements.edges.get(&edge);
        let id = own.map_or(&gone, |own| &own.id);
        self.int(numeric_id::of(id));
        self.string(own.map_or(GONE, |own| &own.label))?;
        self.edge_properties(own.and_then(|own| own.properties.as_ref()), elements)?;
        if has_element_ids { self.string(&numeric_id::relationship_text(id)) } else { Ok(()) }
    }

    /// Vertices and edges by turns are a path; anything else is a list of what it holds.
    pub(super) fn path(
        &mut self,
        path: &millrace_model::Path,
        elements: &DetachedElements,
    ) -> Result<()> {
        let Some((vertices, edges)) = elements_of(&path.objects()) else {
            return self.values(&path.objects(), elements);
        };
        let (nodes, node_places) = distinct(&vertices);
        let (kinds, edge_places) = distinct(&edges);
        self.structure(code::PATH, 3);
        self.list(nodes.len())?;
        nodes.iter().try_for_each(|vertex| self.vertex(*vertex, elements))?;
        self.list(kinds.len())?;
        kinds.iter().try_for_each(|edge| self.unbound(*edge, elements))?;
        self.list(2 * edges.len())?;
        for (step, edge) in edges.iter().enumerate() {
            let own = elements.edges.get(edge).map(|edge| &**edge);
            let forward = leads_from(own, vertices[step], elements);
            let number = edge_places[step] + 1;
            self.int(if forward { number } else { -number });
            self.int(node_places[step + 1]);
        }
        Ok(())
    }
}

/// Whether an edge leads out of a vertex; one that exists no more does.
fn leads_from(edge: Option<&DetachedEdge>, vertex: VertexId, elements: &DetachedElements) -> bool {
    let (Some(edge), Some(vertex)) = (edge, elements.vertices.get(&vertex)) else { return true };
    edge.source.0 == vertex.id
}

/// Vertices and the edges between them.
pub(crate) fn elements_of(objects: &[Value]) -> Option<(Vec<VertexId>, Vec<EdgeId>)> {
    let (mut vertices, mut edges) = (Vec::new(), Vec::new());
    for (place, object) in objects.iter().enumerate() {
        match (place % 2, object) {
            (0, Value::Vertex(vertex)) => vertices.push(*vertex),
            (1, Value::Edge(edge)) => edges.push(*edge),
            _ => return None,
        }
    }
    (vertices.len() == edges.len() + 1).then_some((vertices, edges))
}

/// Each one once, and where each is among them.
fn distinct<T: Copy + Eq + std::hash::Hash>(all: &[T]) -> (Vec<T>, Vec<i64>) {
    let mut places = std::collections::HashMap::new();
    let mut once = Vec::new();
    let place_of = |own: &T| {
        *places.entry(*own).or_insert_with(|| {
            once.push(*own);
            // A path is in memory, so its places have room.
            once.len() as i64 - 1
        })
    };
    let found = all.iter().map(place_of).collect();
    (once, found)
}
