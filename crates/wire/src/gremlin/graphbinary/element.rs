//! Vertices, edges, their properties, paths and subgraphs.
//!
//! ```text
//!   Vertex           id label properties
//!   Edge             id label in-id in-label out-id out-label parent properties
//!   VertexProperty   id key value parent properties
//!   Property         key value parent
//! ```
//!
//! In an edge the target comes first. Parents are always null, and properties that the request did not
//! ask for are null too.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedProperty, DetachedVertex, Properties};
use millrace_model::{EdgeId, Result, Value, VertexId, VertexProperty};

use super::super::datum::{Datum, Graph, Path};
use super::code;
use super::reader::{DATUM_BYTES_MIN, Reader};
use super::writer::{Writer, unwritable};

/// The label of a vertex of which only the id is known.
pub(crate) const VERTEX_LABEL: &str = "vertex";

/// The type of an edge of which only the id is known.
pub(crate) const EDGE_LABEL: &str = "edge";

/// A vertex of which only the id is known.
pub(crate) fn vertex_of(id: Value) -> DetachedVertex {
    DetachedVertex { id, label: Arc::from(VERTEX_LABEL), properties: None }
}

/// An edge of which only the id is known.
pub(crate) fn edge_of(id: Value) -> DetachedEdge {
    let end = || (Value::Null, Arc::from(VERTEX_LABEL));
    DetachedEdge {
        id,
        label: Arc::from(EDGE_LABEL),
        source: end(),
        target: end(),
        properties: None,
    }
}

/// The number of an element as a value.
pub(crate) fn id_value(id: u64) -> Value {
    // The embedded store's ids end at 2^63 - 1.
    Value::I64(id as i64)
}

impl Reader<'_> {
    fn id_and_name(&mut self) -> Result<(Value, Arc<str>)> {
        Ok((self.value("an id")?, self.text()?))
    }

    fn null(&mut self, what: &str) -> Result<()> {
        // A driver may send the parent; it is not needed.
        self.datum().map(drop).map_err(|error| error.with_help(format!("it is {what}")))
    }

    pub(super) fn vertex(&mut self) -> Result<Datum> {
        let (id, label) = self.id_and_name()?;
        let properties = self.vertex_properties()?;
        Ok(Datum::Vertex(Arc::new(DetachedVertex { id, label, properties })))
    }

    fn vertex_properties(&mut self) -> Result<Option<Vec<DetachedProperty>>> {
        self.listed("a vertex's properties", |datum| match datum {
            Datum::VertexProperty(property) => Some(Arc::unwrap_or_clone(property)),
            _ => None,
        })
    }

    fn properties(&mut self) -> Result<Option<Properties>> {
        self.listed("properties", |datum| match datum {
            Datum::Property(property) => Some(*property),
            _ => None,
        })
    }

    /// A list of things of one type, or null.
    fn listed<T>(&mut self, what: &str, one: fn(Datum) -> Option<T>) -> Result<Option<Vec<T>>> {
        let data = match self.datum()? {
            Datum::Value(Value::Null) => return Ok(None),
            Datum::Value(Value::List(values)) if values.is_empty() => return Ok(Some(Vec::new())),
            Datum::List(data) => data,
            other => {
                return Err(self.bad(format!("{what} are a list, and not a {}", other.type_name())));
            }
        };
        let found: Option<Vec<T>> = data.into_iter().map(one).collect();
        found.map(Some).ok_or_else(|| self.bad(format!("{what} hold something else")))
    }

    pub(super) fn edge(&mut self) -> Result<Datum> {
        let (id, label) = self.id_and_name()?;
        let (target, source) = (self.id_and_name()?, self.id_and_name()?);
        self.null("the parent of an edge")?;
        let properties = self.properties()?;
        Ok(Datum::Edge(Arc::new(DetachedEdge { id, label, source, target, properties })))
    }

    pub(super) fn vertex_property(&mut self) -> Result<Arc<DetachedProperty>> {
        let (id, key) = self.id_and_name()?;
        let value = self.value("the value of a property")?;
        self.null("the parent of a property")?;
        Ok(Arc::new(DetachedProperty { id, key, value, properties: self.properties()? }))
    }

    pub(super) fn property(&mut self) -> Result<(Arc<str>, Value)> {
        let (key, value) = (self.text()?, self.value("the value of a property")?);
        self.null("the parent of a property")?;
        Ok((key, value))
    }

    pub(super) fn path(&mut self) -> Result<Datum> {
        let labels = self.value("the labels of a path")?;
        let labels = labels_of(&labels);
        let labels = labels.ok_or_else(|| self.bad("the labels of a path are sets of strings"))?;
        self.datum_of(code::LIST, "the objects of a path, a List")?;
        let objects = self.list()?;
        if labels.len() != objects.len() {
            let (labels, objects) = (labels.len(), objects.len());
            return Err(
                self.bad(format!("a path has {objects} objects and {labels} sets of labels"))
            );
        }
        Ok(Datum::Path(Box::new(Path { labels, objects })))
    }

    pub(super) fn graph(&mut self) -> Result<Datum> {
        let count = self.count(DATUM_BYTES_MIN + 8, "how many vertices there are")?;
        let vertices = (0..count).map(|_| self.graph_vertex()).collect::<Result<_>>()?;
        let count = self.count(DATUM_BYTES_MIN + 8, "how many edges there are")?;
        let edges = (0..count).map(|_| self.graph_edge()).collect::<Result<_>>()?;
        Ok(Datum::Graph(Box::new(Graph { vertices, edges })))
    }

    fn graph_vertex(&mut self) -> Result<Arc<DetachedVertex>> {
        let (id, label) = self.id_and_name()?;
        let count = self.count(DATUM_BYTES_MIN, "how many properties there are")?;
        let properties = (0..count).map(|_| {
            let (id, key) = self.id_and_name()?;
            let value = self.value("the value of a property")?;
            self.null("the parent of a property")?;
            Ok(DetachedProperty { id, key, value, properties: Some(self.property_list()?) })
        });
        let properties = Some(properties.collect::<Result<_>>()?);
        Ok(Arc::new(DetachedVertex { id, label, properties }))
    }

    fn property_list(&mut self) -> Result<Properties> {
        let count = self.count(DATUM_BYTES_MIN, "how many properties there are")?;
        let properties = (0..count).map(|_| {
            self.datum_of(code::PROPERTY, "a Property")?;
            self.property()
        });
        properties.collect()
    }

    fn graph_edge(&mut self) -> Result<Arc<DetachedEdge>> {
        let (id, label) = self.id_and_name()?;
        let mut end = || -> Result<(Value, Arc<str>)> {
            let id = self.value("an id")?;
            self.null("the label of an end")?;
            Ok((id, Arc::from(VERTEX_LABEL)))
        };
        let (target, source) = (end()?, end()?);
        self.null("the parent of an edge")?;
        let properties = Some(self.property_list()?);
        Ok(Arc::new(DetachedEdge { id, label, source, target, properties }))
    }
}

/// The labels of a path from a list of sets of strings.
pub(crate) fn labels_of(value: &Value) -> Option<Vec<Vec<Arc<str>>>> {
    let Value::List(sets) = value else { return None };
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let labels = |set: &Value| match set {
        Value::Set(labels) | Value::List(labels) => labels.iter().map(text).collect(),
        _ => None,
    };
    sets.iter().map(labels).collect()
}

impl Writer {
    pub(super) fn vertex(&mut self, vertex: &DetachedVertex) -> Result<()> {
        self.value(&vertex.id)?;
        self.text(&vertex.label)?;
        let Some(properties) = &vertex.properties else {
            self.null();
            return Ok(());
        };
        self.typed(code::LIST).items(properties, |writer, property| {
            writer.typed(code::VERTEX_PROPERTY).vertex_property(property)
        })
    }

    pub(super) fn edge(&mut self, edge: &DetachedEdge) -> Result<()> {
        self.value(&edge.id)?;
        self.text(&edge.label)?;
        for (id, label) in [&edge.target, &edge.source] {
            self.value(id)?;
            self.text(label)?;
        }
        self.null();
        self.properties(edge.properties.as_deref())
    }

    pub(super) fn vertex_property(&mut self, property: &DetachedProperty) -> Result<()> {
        self.value(&property.id)?;
        self.text(&property.key)?;
        self.value(&property.value)?;
        self.null();
        self.properties(property.properties.as_deref())
    }

    fn properties(&mut self, properties: Option<&[(Arc<str>, Value)]>) -> Result<()> {
        let Some(properties) = properties else {
            self.null();
            return Ok(());
        };
        self.typed(code::LIST).property_list(properties)
    }

    fn property_list(&mut self, properties: &[(Arc<str>, Value)]) -> Result<()> {
        self.items(properties, |writer, (key, value)| {
            writer.typed(code::PROPERTY).property(key, value)
        })
    }

    pub(super) fn property(&mut self, key: &str, value: &Value) -> Result<()> {
        self.text(key)?;
        self.value(value)?;
        self.null();
        Ok(())
    }

    pub(super) fn path(&mut self, path: &Path) -> Result<()> {
        self.typed(code::LIST).items(&path.labels, |writer, labels| {
            writer
                .typed(code::SET)
                .items(labels, |writer, label| writer.typed(code::STRING).text(label))
        })?;
        self.typed(code::LIST).items(&path.objects, Writer::datum)
    }

    pub(super) fn graph(&mut self, graph: &Graph) -> Result<()> {
        self.items(&graph.vertices, |writer, vertex| {
            writer.value(&vertex.id)?;
            writer.text(&vertex.label)?;
            writer.items(vertex.properties.as_deref().unwrap_or_default(), |writer, property| {
                writer.value(&property.id)?;
                writer.text(&property.key)?;
                writer.value(&property.value)?;
                writer.null();
                writer.property_list(property.properties.as_deref().unwrap_or_default())
            })
        })?;
        self.items(&graph.edges, |writer, edge| {
            writer.value(&edge.id)?;
            writer.text(&edge.label)?;
            for (id, _) in [&edge.target, &edge.source] {
                writer.value(id)?;
                writer.null();
            }
            writer.null();
            writer.property_list(edge.properties.as_deref().unwrap_or_default())
        })
    }

    pub(super) fn vertex_reference(&mut self, vertex: VertexId) -> Result<()> {
        self.typed(code::VERTEX).vertex(&vertex_of(id_value(vertex.0)))
    }

    pub(super) fn edge_reference(&mut self, edge: EdgeId) -> Result<()> {
        self.typed(code::EDGE).edge(&edge_of(id_value(edge.0)))
    }

    pub(super) fn vertex_property_reference(&mut self, property: &VertexProperty) -> Result<()> {
        Err(unwritable(format!("the property {} is sent without its value", property.key)))
    }
}
