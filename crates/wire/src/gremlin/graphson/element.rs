//! Vertices, edges, their properties, paths and subgraphs.
//!
//! Properties are by key, those of a vertex in an array for each; without types an element says
//! `"type":"vertex"`, and its properties no longer repeat their keys.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedProperty, DetachedVertex};
use millrace_model::{Result, Value};

use super::super::datum::{Datum, Graph, Path};
use super::super::graphbinary::element::{EDGE_LABEL, VERTEX_LABEL, labels_of};
use super::Version;
use super::json::{Json, bad};
use super::read::{array, datum, field, list, text, value};
use super::write::Writer;

/// A label, or its default where there is none.
fn label(json: &Json, key: &str, default: &str) -> Result<Arc<str>> {
    json.get(key).map_or_else(|| Ok(Arc::from(default)), text)
}

/// The entries of an object, if it is there.
fn entries<'a>(json: &'a Json, key: &str) -> Result<Option<&'a [(String, Json)]>> {
    match json.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(pairs)) => Ok(Some(pairs)),
        Some(other) => Err(bad(format!("`{key}` is an object, and no {}", other.kind()))),
    }
}

pub(super) fn vertex(json: &Json) -> Result<DetachedVertex> {
    let (id, label) = (value(field(json, "id")?)?, label(json, "label", VERTEX_LABEL)?);
    let Some(keys) = entries(json, "properties")? else {
        return Ok(DetachedVertex { id, label, properties: None });
    };
    let mut properties = Vec::new();
    for (_, of_key) in keys {
        for property in array(of_key)? {
            match datum(property)? {
                Datum::VertexProperty(property) => properties.push(Arc::unwrap_or_clone(property)),
                other => {
                    let found = other.type_name();
                    return Err(bad(format!("a vertex has a {found} for a property")));
                }
            }
        }
    }
    Ok(DetachedVertex { id, label, properties: Some(properties) })
}

pub(super) fn edge(json: &Json) -> Result<DetachedEdge> {
    let end =
        |id: &str, name: &str| Ok((value(field(json, id)?)?, label(json, name, VERTEX_LABEL)?));
    let (source, target) = (end("outV", "outVLabel")?, end("inV", "inVLabel")?);
    let properties = match entries(json, "properties")? {
        None => None,
        Some(pairs) => {
            let property = |(_, json): &(String, Json)| match datum(json)? {
                Datum::Property(property) => Ok(*property),
                other => Err(bad(format!("an edge has a {} for a property", other.type_name()))),
            };
            Some(pairs.iter().map(property).collect::<Result<_>>()?)
        }
    };
    let (id, label) = (value(field(json, "id")?)?, label(json, "label", EDGE_LABEL)?);
    Ok(DetachedEdge { id, label, source, target, properties })
}

pub(super) fn vertex_property(json: &Json) -> Result<DetachedProperty> {
    let properties = match entries(json, "properties")? {
        None => None,
        Some(pairs) => {
            let property =
                |(key, json): &(String, Json)| Ok((Arc::from(key.as_str()), value(json)?));
            Some(pairs.iter().map(property).collect::<Result<_>>()?)
        }
    };
    let (id, key) = (value(field(json, "id")?)?, text(field(json, "label")?)?);
    Ok(DetachedProperty { id, key, value: value(field(json, "value")?)?, properties })
}

pub(super) fn property(json: &Json) -> Result<(Arc<str>, Value)> {
    Ok((text(field(json, "key")?)?, value(field(json, "value")?)?))
}

pub(super) fn path(json: &Json) -> Result<Path> {
    let labels = labels_of(&value(field(json, "labels")?)?);
    let labels = labels.ok_or_else(|| bad("the labels of a path are sets of strings"))?;
    let objects = list(field(json, "objects")?)?;
    let objects = objects.iter().map(datum).collect::<Result<Vec<_>>>()?;
    if labels.len() != objects.len() {
        return Err(bad("a path has as many sets of labels as objects"));
    }
    Ok(Path { labels, objects })
}

pub(super) fn graph(json: &Json) -> Result<Graph> {
    let elements =
        |key: &str| array(field(json, key)?)?.iter().map(datum).collect::<Result<Vec<_>>>();
    let vertices = elements("vertices")?.into_iter().map(|datum| match datum {
        Datum::Vertex(vertex) => Ok(vertex),
        other => Err(bad(format!("a graph has a {} for a vertex", other.type_name()))),
    });
    let edges = elements("edges")?.into_iter().map(|datum| match datum {
        Datum::Edge(edge) => Ok(edge),
        other => Err(bad(format!("a graph has a {} for an edge", other.type_name()))),
    });
    Ok(Graph { vertices: vertices.collect::<Result<_>>()?, edges: edges.collect::<Result<_>>()? })
}

impl Writer {
    /// The beginning of an element.
    fn element(&mut self, name: &str, id: &Value, label: &str) -> Result<()> {
        self.begin(&format!("g:{name}"));
        self.raw("{");
        self.key("id");
        self.value(id)?;
        self.key("label");
        self.string(label);
        if self.version == Version::Untyped {
            self.key("type");
            self.string(&name.to_lowercase());
        }
        Ok(())
    }

    pub(super) fn vertex(&mut self, vertex: &DetachedVertex) -> Result<()> {
        self.element("Vertex", &vertex.id, &vertex.label)?;
        let properties = vertex.properties.as_deref().unwrap_or_default();
        if !properties.is_empty() {
            self.key("properties");
            self.raw("{");
            let mut keys: Vec<&Arc<str>> = Vec::new();
            for property in properties.iter().filter(|property| is_new(&mut keys, &property.key)) {
                self.key(&property.key);
                let of_key = properties.iter().filter(|other| other.key == property.key);
                let is_untyped = self.version == Version::Untyped;
                self.array(of_key, |writer, property| {
                    writer.property_of_vertex(property, !is_untyped)
                })?;
            }
            self.raw("}");
        }
        self.raw("}");
        self.end();
        Ok(())
    }

    pub(super) fn edge(&mut self, edge: &DetachedEdge) -> Result<()> {
        self.element("Edge", &edge.id, &edge.label)?;
        self.key("inVLabel");
        self.string(&edge.target.1);
        self.key("outVLabel");
        self.string(&edge.source.1);
        self.key("inV");
        self.value(&edge.target.0)?;
        self.key("outV");
        self.value(&edge.source.0)?;
        let properties = edge.properties.as_deref().unwrap_or_default();
        let is_untyped = self.version == Version::Untyped;
        self.properties(properties, |writer, key, value| match is_untyped {
            true => writer.value(value),
            false => writer.property(key, value),
        })?;
        self.raw("}");
        self.end();
        Ok(())
    }

    /// Properties by key, if there are any.
    fn properties(
        &mut self,
        properties: &[(Arc<str>, Value)],
        write: impl Fn(&mut Writer, &str, &Value) -> Result<()>,
    ) -> Result<()> {
        if properties.is_empty() {
            return Ok(());
        }
        self.key("properties");
        self.raw("{");
        for (key, value) in properties {
            self.key(key);
            write(self, key, value)?;
        }
        self.raw("}");
        Ok(())
    }

    pub(super) fn vertex_property(&mut self, property: &DetachedProperty) -> Result<()> {
        self.property_of_vertex(property, true)
    }

    fn property_of_vertex(&mut self, property: &DetachedProperty, says_key: bool) -> Result<()> {
        self.begin("g:VertexProperty");
        self.raw("{");
        self.key("id");
        self.value(&property.id)?;
        self.key("value");
        self.value(&property.value)?;
        if says_key {
            self.key("label");
            self.string(&property.key);
        }
        let properties = property.properties.as_deref().unwrap_or_default();
        self.properties(properties, |writer, _, value| writer.value(value))?;
        self.raw("}");
        self.end();
        Ok(())
    }

    pub(super) fn property(&mut self, key: &str, value: &Value) -> Result<()> {
        self.begin("g:Property");
        self.raw("{");
        self.key("key");
        self.string(key);
        self.key("value");
        self.value(value)?;
        self.raw("}");
        self.end();
        Ok(())
    }

    pub(super) fn path(&mut self, path: &Path) -> Result<()> {
        self.begin("g:Path");
        self.raw("{");
        self.key("labels");
        self.collection("g:List", &path.labels, |writer, labels| {
            writer.collection("g:Set", labels, |writer, label| {
                writer.string(label);
                Ok(())
            })
        })?;
        self.key("objects");
        self.collection("g:List", &path.objects, Writer::datum)?;
        self.raw("}");
        self.end();
        Ok(())
    }

    pub(super) fn graph(&mut self, graph: &Graph) -> Result<()> {
        self.begin("tinker:graph");
        self.raw("{");
        self.key("vertices");
        self.array(&graph.vertices, |writer, vertex| writer.vertex(vertex))?;
        self.key("edges");
        self.array(&graph.edges, |writer, edge| writer.edge(edge))?;
        self.raw("}");
        self.end();
        Ok(())
    }
}

/// Whether a key was not seen before.
fn is_new<'a>(seen: &mut Vec<&'a Arc<str>>, key: &'a Arc<str>) -> bool {
    let is_new = !seen.contains(&key);
    if is_new {
        seen.push(key);
    }
    is_new
}
