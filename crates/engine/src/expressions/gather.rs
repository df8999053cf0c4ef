//! Properties: one read of the store for each element column of a batch, for all keys needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::value::ValueMap;
use millrace_model::{Column, ColumnValues, EdgeId, KeyId, Result, Value, VertexId};
use millrace_plan::{Function, Name};
use millrace_store::Elements;

use super::own_properties::own_properties;
use crate::context::Resolved;
use crate::run::Run;

/// The keys that an operator's expressions read of one element column.
#[derive(Debug)]
pub(crate) struct Gather {
    /// The element column.
    pub(crate) slot: usize,
    pub(crate) keys: Vec<Resolved<KeyId>>,
}

/// The columns of all keys, for each element; absent where an element has no such key.
pub(crate) fn gather(
    elements: &Column,
    keys: &[Resolved<KeyId>],
    run: &Run<'_>,
) -> Result<Vec<Arc<Column>>> {
    let known: Vec<Option<KeyId>> = keys.iter().map(|key| key.key(run.context)).collect();
    let ids: Vec<KeyId> = known.iter().flatten().copied().collect();
    let graph = run.context.graph();
    let read = match &elements.values {
        ColumnValues::Vertex(vertices) => graph.gather(Elements::Vertices(vertices), &ids)?,
        ColumnValues::Edge(edges) => graph.gather(Elements::Edges(edges), &ids)?,
        ColumnValues::Value(values) if values.iter().all(is_map_or_null) => {
            return Ok(keys
                .iter()
                .map(|key| Arc::new(of_maps(values, elements, key.name())))
                .collect());
        }
        _ => {
            let names: Vec<&Name> = keys.iter().map(Resolved::name).collect();
            return gather_mixed(elements, &names, &known, run);
        }
    };
    let mut read = read.into_iter();
    let columns = known.iter().map(|key| match key {
        Some(_) => read.next().expect("a store answers each key with a column").vectors_as_lists(),
        None => absents(elements.len()),
    });
    Ok(columns.map(|column| Arc::new(mask(column, elements))).collect())
}

fn absents(len: usize) -> Column {
    let mut column = crate::rows::nulls(len);
    column.absents = column.nulls.take();
    column
}

/// A property of null is null, of an absent element absent.
fn mask(mut column: Column, elements: &Column) -> Column {
    for index in elements.nulls.iter().flat_map(|bits| bits.ones()) {
        column.nulls.get_or_insert_default().insert(index);
        if let Some(absents) = &mut column.absents {
            absents.remove(index);
        }
    }
    for index in elements.absents.iter().flat_map(|bits| bits.ones()) {
        column.absents.get_or_insert_default().insert(index);
    }
    column
}

fn is_map_or_null(value: &Value) -> bool {
    matches!(value, Value::Map(_) | Value::Null)
}

/// The values of maps under a name: no map is handed over, and no element is read.
fn of_maps(values: &[Value], elements: &Column, name: &Name) -> Column {
    let mut column = Column::default();
    for (index, value) in values.iter().enumerate() {
        match value {
            _ if elements.is_absent(index) => column.push_absent(),
            Value::Map(pairs) if !elements.is_null(index) => column.push_entry(under(pairs, name)),
            _ => column.push(Value::Null),
        }
    }
    column
}

/// Entries of different types: vertices and edges are read together, maps by name, properties give the
/// properties that they have themselves, and other values their components.
fn gather_mixed(
    elements: &Column,
    names: &[&Name],
    known: &[Option<KeyId>],
    run: &Run<'_>,
) -> Result<Vec<Arc<Column>>> {
    let mut vertices: Vec<VertexId> = Vec::new();
    let mut edges: Vec<EdgeId> = Vec::new();
    for index in 0..elements.len() {
        match elements.get(index) {
            Some(Value::Vertex(vertex)) => vertices.push(vertex),
            Some(Value::Edge(edge)) => edges.push(edge),
            _ => {}
        }
    }
    let own = own_properties(elements, run)?;
    let mut columns = Vec::new();
    for (name, key) in names.iter().zip(known) {
        let graph = run.context.graph();
        let of_key = |elements: Elements<'_>| -> Result<Column> {
            match key {
                Some(key) => {
                    let mut read = graph.gather(elements, &[*key])?;
                    let read = read.pop().expect("a store answers each key with a column");
                    Ok(read.vectors_as_lists())
                }
                None => Ok(absents(elements.len())),
            }
        };
        let of_vertices = of_key(Elements::Vertices(&vertices))?;
        let of_edges = of_key(Elements::Edges(&edges))?;
        let column = interleave(elements, name, (&of_vertices, &of_edges), &own)?;
        columns.push(Arc::new(column));
    }
    Ok(columns)
}

fn interleave(
    elements: &Column,
    name: &Name,
    (of_vertices, of_edges): (&Column, &Column),
    own: &BTreeMap<usize, Value>,
) -> Result<Column> {
    let (mut vertices, mut edges) = (0, 0);
    let mut column = Column::default();
    for index in 0..elements.len() {
        let entry = match elements.get(index) {
            None => None,
            Some(Value::Null) => Some(Value::Null),
            Some(Value::Vertex(_)) => {
                vertices += 1;
                of_vertices.get(vertices - 1)
            }
            Some(Value::Edge(_)) => {
                edges += 1;
                of_edges.get(edges - 1)
            }
            Some(Value::Map(pairs)) => under(&pairs, name),
            Some(Value::VertexProperty(_) | Value::Property(_)) => match own.get(&index) {
                Some(Value::Map(pairs)) => under(pairs, name),
                _ => None,
            },
            Some(other) => {
                Some(Function::Component.call(&[other, Value::String((*name).clone())])?)
            }
        };
        column.push_entry(entry);
    }
    Ok(column)
}

/// The value of a map under a name.
fn under(pairs: &ValueMap, name: &Name) -> Option<Value> {
    let own = pairs.iter().find(|(key, _)| key.as_str() == Some(name));
    own.map(|(_, value)| value.clone())
}
