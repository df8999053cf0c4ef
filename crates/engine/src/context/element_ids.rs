//! Translates element ids where they enter and leave the engine: external ids outside, internal ids inside.
//!
//! Both ways all elements of a column are looked up together, wherever in a value they are; in a graph
//! without external ids nothing is looked up. An element in a literal of a plan has an internal id, so a
//! front end passes ids as integers, texts or parameters. An element has room for a number only: where
//! its id is a text, a number stands for that text.

use std::cell::RefCell;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::parts::{Property, Subgraph, Tree, VertexProperty};
use millrace_model::path::Path;
use millrace_model::{
    Bags, Batch, Column, ColumnValues, EdgeId, PropertyValues, Result, Value, VertexId,
};
use millrace_plan::Parameter;

use super::statement::Context;

/// The translation of elements, many at a time.
struct Find<'a> {
    vertices: &'a dyn Fn(&[VertexId]) -> Result<Vec<VertexId>>,
    edges: &'a dyn Fn(&[EdgeId]) -> Result<Vec<EdgeId>>,
}

/// The translation of elements, one after the other.
struct Each<'a> {
    vertex: &'a mut dyn FnMut(VertexId) -> VertexId,
    edge: &'a mut dyn FnMut(EdgeId) -> EdgeId,
}

/// Parameters with internal ids; `None`: they have them already.
pub(crate) fn to_internal(
    parameters: &[Parameter],
    context: &Context,
) -> Result<Option<Vec<Parameter>>> {
    let graph = context.graph();
    if !graph.catalog().has_external_ids() {
        look_for_far(parameters, context)?;
        return Ok(None);
    }
    let vertices = |external: &[VertexId]| {
        let ids: Vec<u64> = external.iter().map(|vertex| vertex.0).collect();
        Ok(graph.find_external(&ids)?.unwrap_or_else(|| external.to_vec()))
    };
    let edges = |external: &[EdgeId]| {
        let ids: Vec<u64> = external.iter().map(|edge| edge.0).collect();
        Ok(graph.find_external_edges(&ids)?.unwrap_or_else(|| external.to_vec()))
    };
    let find = &Find { vertices: &vertices, edges: &edges };
    let inside = parameters.iter().map(|parameter| match parameter {
        Parameter::Rows(rows) => translated_batch(rows, find).map(Parameter::Rows),
        Parameter::Value(value) => {
            let column = Arc::new(Column::from_values([value.clone()]));
            let column = translated(&column, find)?;
            Ok(Parameter::Value(column.get(0).unwrap_or_default()))
        }
    });
    inside.collect::<Result<_>>().map(Some)
}

/// Rows with external ids.
pub(crate) fn to_external(batch: Batch, context: &Context) -> Result<Batch> {
    let graph = context.graph();
    if !graph.catalog().has_external_ids() {
        return Ok(batch);
    }
    let vertices = |vertices: &[VertexId]| {
        let ids = graph.external_ids(vertices)?;
        Ok(ids.map_or_else(|| vertices.to_vec(), |ids| ids.into_iter().map(VertexId).collect()))
    };
    let edges = |edges: &[EdgeId]| {
        let ids = graph.external_edge_ids(edges)?;
        Ok(ids.map_or_else(|| edges.to_vec(), |ids| ids.into_iter().map(EdgeId).collect()))
    };
    translated_batch(&batch, &Find { vertices: &vertices, edges: &edges })
}

/// Ids that no vertex can have yet are looked up all the same, as are edges that may get another internal
/// id: another transaction may choose one meanwhile.
fn look_for_far(parameters: &[Parameter], context: &Context) -> Result<()> {
    let bound = context.graph().id_space().bound;
    let (mut far, mut edges) = (Vec::new(), Vec::new());
    for parameter in parameters {
        match parameter {
            Parameter::Rows(rows) => {
                let columns = rows.columns.iter().filter_map(|column| column.as_vertices());
                far.extend(columns.flatten().filter(|vertex| bound <= vertex.0).map(|v| v.0));
                for column in &rows.columns {
                    if let ColumnValues::Edge(own) = &column.values {
                        edges.extend(own.iter().map(|edge| edge.0));
                    }
                }
            }
            Parameter::Value(Value::Vertex(vertex)) if bound <= vertex.0 => far.push(vertex.0),
            Parameter::Value(Value::Edge(edge)) => edges.push(edge.0),
            Parameter::Value(_) => {}
        }
    }
    if !far.is_empty() {
        context.graph().find_external(&far)?;
    }
    if !edges.is_empty() {
        context.graph().find_external_edges(&edges)?;
    }
    Ok(())
}

fn translated_batch(batch: &Batch, find: &Find<'_>) -> Result<Batch> {
    let columns = batch.columns.iter().map(|column| translated(column, find));
    Ok(Batch { columns: columns.collect::<Result<_>>()?, ..batch.clone() })
}

fn translated(column: &Arc<Column>, find: &Find<'_>) -> Result<Arc<Column>> {
    let values = match &column.values {
        ColumnValues::Vertex(vertices) => ColumnValues::Vertex((find.vertices)(vertices)?),
        ColumnValues::Edge(edges) => ColumnValues::Edge((find.edges)(edges)?),
        ColumnValues::Value(values) => match translated_values(&mut values.iter(), find)? {
            Some(values) => ColumnValues::Value(values),
            None => return Ok(Arc::clone(column)),
        },
        ColumnValues::Bag(bags) => {
            let rows = Arc::new(translated_batch(&bags.rows, find)?);
            ColumnValues::Bag(Bags { views: bags.views.clone(), rows })
        }
        ColumnValues::Fields(rows) => {
            let mut values = rows.iter().flat_map(|fields| fields.iter().map(|f| &f.value));
            let Some(values) = translated_values(&mut values, find)? else {
                return Ok(Arc::clone(column));
            };
            let mut values = values.into_iter();
            let field =
                |field: &Field| Field { key: field.key, value: values.next().unwrap_or_default() };
            let mut field = field;
            ColumnValues::Fields(rows.iter().map(|row| row.iter().map(&mut field).collect()).collect())
        }
        ColumnValues::Bool(_)
        | ColumnValues::I64(_)
        | ColumnValues::F64(_)
        // Paths are values by now.
        | ColumnValues::Path(_)
        | ColumnValues::String(_) => return Ok(Arc::clone(column)),
    };
    Ok(Arc::new(Column { values, nulls: column.nulls.clone(), absents: column.absents.clone() }))
}

/// The values with other elements in them; `None` if they have none.
fn translated_values(
    values: &mut dyn Iterator<Item = &Value>,
    find: &Find<'_>,
) -> Result<Option<Vec<Value>>> {
    let (vertices, edges) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let mut collect = Each {
        vertex: &mut |vertex| {
            vertices.borrow_mut().push(vertex);
            vertex
        },
        edge: &mut |edge| {
            edges.borrow_mut().push(edge);
            edge
        },
    };
    let values: Vec<Value> = values.map(|value| with_elements(value, &mut collect)).collect();
    let (vertices, edges) = (vertices.take(), edges.take());
    if vertices.is_empty() && edges.is_empty() {
        return Ok(None);
    }
    let found = |own: Vec<VertexId>| if own.is_empty() { Ok(own) } else { (find.vertices)(&own) };
    let mut vertices = found(vertices)?.into_iter();
    let found = |own: Vec<EdgeId>| if own.is_empty() { Ok(own) } else { (find.edges)(&own) };
    let mut edges = found(edges)?.into_iter();
    let mut replace = Each {
        vertex: &mut |vertex| vertices.next().unwrap_or(vertex),
        edge: &mut |edge| edges.next().unwrap_or(edge),
    };
    Ok(Some(values.iter().map(|value| with_elements(value, &mut replace)).collect()))
}

/// A value with each element in it replaced, in a fixed order.
fn with_elements(value: &Value, each: &mut Each<'_>) -> Value {
    let mut all = |values: &[Value]| -> Vec<Value> {
        values.iter().map(|value| with_elements(value, each)).collect()
    };
    match value {
        Value::Vertex(vertex) => Value::Vertex((each.vertex)(*vertex)),
        Value::Edge(edge) => Value::Edge((each.edge)(*edge)),
        Value::List(values) => Value::list(all(values)),
        Value::Set(values) => Value::Set(Arc::from(all(values))),
        Value::Path(path) => {
            let (objects, tags) = (all(&path.objects()), path.tags().into_owned());
            Value::Path(Arc::new(Path::new(objects, tags)))
        }
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| {
                (with_elements(key, each), with_elements(value, each))
            };
            Value::map(pairs.iter().map(pair).collect())
        }
        Value::MapEntry(entry) => {
            Value::map_entry(with_elements(&entry.0, each), with_elements(&entry.1, each))
        }
        Value::VertexProperty(own) => {
            let owner = (each.vertex)(own.owner);
            Value::VertexProperty(Arc::new(VertexProperty { owner, ..(**own).clone() }))
        }
        Value::Property(own) => Value::Property(Arc::new(Property {
            owner: with_elements(&own.owner, each),
            key: own.key.clone(),
            value: with_elements(&own.value, each),
        })),
        Value::Tree(tree) => Value::Tree(Arc::new(with_tree_elements(tree, each))),
        Value::PropertyValues(own) => {
            let mut values = own.values().to_vec();
            for one in &mut values {
                one.value = with_elements(&one.value, each);
                for (_, value) in &mut one.meta {
                    *value = with_elements(value, each);
                }
            }
            let values = PropertyValues::of_parts(values, own.next_ordinal());
            values.map_or_else(|| value.clone(), |values| Value::PropertyValues(Arc::new(values)))
        }
        Value::Subgraph(part) => {
            let vertices = part.vertices().iter().map(|vertex| (each.vertex)(*vertex)).collect();
            let edges = part.edges().iter().map(|edge| (each.edge)(*edge)).collect();
            Value::Subgraph(Arc::new(Subgraph::new(vertices, edges)))
        }
        other => other.clone(),
    }
}

fn with_tree_elements(tree: &Tree, each: &mut Each<'_>) -> Tree {
    let branch = |(value, below): &(Value, Tree)| {
        (with_elements(value, each), with_tree_elements(below, each))
    };
    Tree { branches: tree.branches.iter().map(branch).collect() }
}
