//! The edge of the engine: what comes in and goes out are the ids that vertices are shown under,
//! inside there are slots.
//!
//! Both ways all vertices of a column are looked up at once, wherever in a value they are; in a
//! graph without outer ids nothing is looked at. What a reader would get wrong: a vertex in a
//! literal of a plan is inside already, so a front end gives ids as integers or parameters.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::parts::{Property, Subgraph, Tree, VertexProperty};
use millrace_model::value::Path;
use millrace_model::{Bags, Batch, Column, Entries, PropertyEntries, Result, Value, VertexId};
use millrace_plan::Parameter;

use crate::context::Context;

type Find<'a> = &'a dyn Fn(&[VertexId]) -> Result<Vec<VertexId>>;

/// Parameters with vertices as they are inside; `None`: as they are given.
pub(crate) fn inward(
    parameters: &[Parameter],
    context: &Context,
) -> Result<Option<Vec<Parameter>>> {
    let graph = context.graph();
    if graph.catalog().outer_index().is_none() {
        look_for_far(parameters, context)?;
        return Ok(None);
    }
    let find: Find<'_> = &|shown| {
        let ids: Vec<u64> = shown.iter().map(|vertex| vertex.0).collect();
        Ok(graph.find_outer(&ids)?.unwrap_or_else(|| shown.to_vec()))
    };
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

/// Rows with vertices as they are shown.
pub(crate) fn outward(batch: Batch, context: &Context) -> Result<Batch> {
    let graph = context.graph();
    if graph.catalog().outer_index().is_none() {
        return Ok(batch);
    }
    translated_batch(&batch, &|vertices| {
        let ids = graph.outer_ids(vertices)?;
        Ok(ids.map_or_else(|| vertices.to_vec(), |ids| ids.into_iter().map(VertexId).collect()))
    })
}

/// Ids that no vertex can have yet are still looked for: somebody may choose one meanwhile.
fn look_for_far(parameters: &[Parameter], context: &Context) -> Result<()> {
    let bound = context.graph().id_space().bound;
    let mut far = Vec::new();
    for parameter in parameters {
        match parameter {
            Parameter::Rows(rows) => {
                let columns = rows.columns.iter().filter_map(|column| column.as_vertices());
                far.extend(columns.flatten().filter(|vertex| bound <= vertex.0).map(|v| v.0));
            }
            Parameter::Value(Value::Vertex(vertex)) if bound <= vertex.0 => far.push(vertex.0),
            Parameter::Value(_) => {}
        }
    }
    if !far.is_empty() {
        context.graph().find_outer(&far)?;
    }
    Ok(())
}

fn translated_batch(batch: &Batch, find: Find<'_>) -> Result<Batch> {
    let columns = batch.columns.iter().map(|column| translated(column, find));
    Ok(Batch { columns: columns.collect::<Result<_>>()?, ..batch.clone() })
}

fn translated(column: &Arc<Column>, find: Find<'_>) -> Result<Arc<Column>> {
    let entries = match &column.entries {
        Entries::Vertex(vertices) => Entries::Vertex(find(vertices)?),
        Entries::Value(values) => match translated_values(&mut values.iter(), find)? {
            Some(values) => Entries::Value(values),
            None => return Ok(Arc::clone(column)),
        },
        Entries::Bag(bags) => {
            let rows = Arc::new(translated_batch(&bags.rows, find)?);
            Entries::Bag(Bags { views: bags.views.clone(), rows })
        }
        Entries::Fields(rows) => {
            let mut values = rows.iter().flat_map(|fields| fields.iter().map(|f| &f.value));
            let Some(values) = translated_values(&mut values, find)? else {
                return Ok(Arc::clone(column));
            };
            let mut values = values.into_iter();
            let field =
                |field: &Field| Field { key: field.key, value: values.next().unwrap_or_default() };
            let mut field = field;
            Entries::Fields(rows.iter().map(|row| row.iter().map(&mut field).collect()).collect())
        }
        Entries::Edge(_)
        | Entries::Bool(_)
        | Entries::I64(_)
        | Entries::F64(_)
        // Paths are values by now.
        | Entries::Path(_)
        | Entries::String(_) => return Ok(Arc::clone(column)),
    };
    Ok(Arc::new(Column { entries, nulls: column.nulls.clone(), absents: column.absents.clone() }))
}

/// The values with other vertices in them; `None` if they have none.
fn translated_values(
    values: &mut dyn Iterator<Item = &Value>,
    find: Find<'_>,
) -> Result<Option<Vec<Value>>> {
    let mut vertices = Vec::new();
    let mut collect = |vertex: VertexId| {
        vertices.push(vertex);
        vertex
    };
    let values: Vec<Value> = values.map(|value| with_vertices(value, &mut collect)).collect();
    if vertices.is_empty() {
        return Ok(None);
    }
    let mut found = find(&vertices)?.into_iter();
    let mut replace = |vertex| found.next().unwrap_or(vertex);
    Ok(Some(values.iter().map(|value| with_vertices(value, &mut replace)).collect()))
}

/// A value with each vertex in it replaced, in a fixed order.
fn with_vertices(value: &Value, replace: &mut dyn FnMut(VertexId) -> VertexId) -> Value {
    let mut all = |values: &[Value]| -> Vec<Value> {
        values.iter().map(|value| with_vertices(value, replace)).collect()
    };
    match value {
        Value::Vertex(vertex) => Value::Vertex(replace(*vertex)),
        Value::List(values) => Value::list(all(values)),
        Value::Set(values) => Value::Set(Arc::from(all(values))),
        Value::Path(path) => {
            let (objects, tags) = (all(&path.objects), path.tags.clone());
            Value::Path(Arc::new(Path { objects, tags }))
        }
        Value::Map(pairs) => {
            let pair = |(key, value): &(Value, Value)| {
                (with_vertices(key, replace), with_vertices(value, replace))
            };
            Value::map(pairs.iter().map(pair).collect())
        }
        Value::VertexProperty(own) => {
            let owner = replace(own.owner);
            Value::VertexProperty(Arc::new(VertexProperty { owner, ..(**own).clone() }))
        }
        Value::Property(own) => Value::Property(Arc::new(Property {
            owner: with_vertices(&own.owner, replace),
            key: own.key.clone(),
            value: with_vertices(&own.value, replace),
        })),
        Value::Tree(tree) => Value::Tree(Arc::new(with_tree_vertices(tree, replace))),
        Value::Entries(own) => {
            let mut entries = own.entries().to_vec();
            for entry in &mut entries {
                entry.value = with_vertices(&entry.value, replace);
                for (_, value) in &mut entry.meta {
                    *value = with_vertices(value, replace);
                }
            }
            let entries = PropertyEntries::of_parts(entries, own.next_ordinal());
            entries.map_or_else(|| value.clone(), |entries| Value::Entries(Arc::new(entries)))
        }
        Value::Subgraph(part) => {
            let vertices = part.vertices().iter().map(|vertex| replace(*vertex)).collect();
            Value::Subgraph(Arc::new(Subgraph::new(vertices, part.edges().to_vec())))
        }
        other => other.clone(),
    }
}

fn with_tree_vertices(tree: &Tree, replace: &mut dyn FnMut(VertexId) -> VertexId) -> Tree {
    let branch = |(value, below): &(Value, Tree)| {
        (with_vertices(value, replace), with_tree_vertices(below, replace))
    };
    Tree { branches: tree.branches.iter().map(branch).collect() }
}
