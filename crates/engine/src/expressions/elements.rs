//! What is known of an element besides its properties: id, labels, type.

use std::sync::Arc;

use millrace_model::{
    Column, EdgeId, Entries, Error, ErrorKind, LabelId, Result, Strings, Value, VertexId,
};

use super::evaluate::Rows;
use super::operand::Operand;
use crate::names::Resolved;

/// Ids as integers, as they are shown; null of what is missing.
pub(super) fn ids(operand: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let len = rows.len();
    let graph = rows.run.context.graph();
    let shown = |vertices: &[VertexId]| -> Result<Vec<u64>> {
        let ids = graph.outer_ids(vertices)?;
        Ok(ids.unwrap_or_else(|| vertices.iter().map(|vertex| vertex.0).collect()))
    };
    if let Operand::Column(column) = operand
        && operand.is_complete()
    {
        let ids: Option<Vec<i64>> = match &column.entries {
            Entries::Vertex(vertices) => {
                shown(vertices)?.into_iter().map(|id| i64::try_from(id).ok()).collect()
            }
            Entries::Edge(edges) => edges.iter().map(|id| i64::try_from(id.0).ok()).collect(),
            _ => None,
        };
        if let Some(ids) = ids {
            return Ok(Operand::of(Column::of(Entries::I64(ids))));
        }
    }
    let vertex = |row| match operand.value(row) {
        Value::Vertex(vertex) => Some(vertex),
        _ => None,
    };
    let mut vertices = shown(&(0..len).filter_map(vertex).collect::<Vec<_>>())?.into_iter();
    let mut column = Column::default();
    for row in 0..len {
        column.push(match operand.value(row) {
            Value::Null => Value::Null,
            Value::Vertex(VertexId(slot)) => int(vertices.next().unwrap_or(slot))?,
            Value::Edge(EdgeId(id)) => int(id)?,
            other => return Err(wrong("an id", "a vertex or edge", &other)),
        });
    }
    Ok(Operand::of(column))
}

fn int(id: u64) -> Result<Value> {
    let detail = || format!("id {id} does not fit a signed 64-bit integer");
    let int = i64::try_from(id).map_err(|_| Error::new(ErrorKind::BadInput, detail()))?;
    Ok(Value::I64(int))
}

fn wrong(asked: &str, wanted: &str, found: &Value) -> Error {
    let kind = found.type_name();
    Error::new(ErrorKind::BadQuery, format!("{asked} is asked of a {kind}, not of {wanted}"))
}

/// The rows that hold a vertex, and the vertices.
fn vertices(operand: &Operand, len: usize, asked: &str) -> Result<(Vec<usize>, Vec<VertexId>)> {
    if let (true, Operand::Column(column)) = (operand.is_complete(), operand)
        && let Some(vertices) = column.as_vertices()
    {
        return Ok(((0..len).collect(), vertices.to_vec()));
    }
    let mut found = (Vec::new(), Vec::new());
    for row in 0..len {
        match operand.value(row) {
            Value::Null => {}
            Value::Vertex(vertex) => {
                found.0.push(row);
                found.1.push(vertex);
            }
            other => return Err(wrong(asked, "a vertex", &other)),
        }
    }
    Ok(found)
}

/// The names of labels, as list values.
pub(super) fn labels(operand: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let (places, vertices) = vertices(operand, rows.len(), "labels")?;
    let labels = rows.run.context.graph().labels(&vertices)?;
    let mut values = vec![Value::Null; rows.len()];
    rows.run.context.look(|catalog| {
        for (place, labels) in places.into_iter().zip(labels) {
            let names = labels.iter().filter_map(|label| catalog.labels.name(label.0));
            values[place] = Value::list(names.map(|name| Value::String(name.clone())).collect());
        }
    });
    Ok(Operand::of(Column::from_values(values)))
}

/// Whether vertices have a label; unknown of what is missing.
pub(super) fn has_label(
    operand: &Operand,
    label: &Resolved<LabelId>,
    rows: &Rows<'_>,
) -> Result<Operand> {
    let (places, vertices) = vertices(operand, rows.len(), "a label")?;
    let mut truths = vec![None; rows.len()];
    match label.label(rows.run.context) {
        None => places.iter().for_each(|&place| truths[place] = Some(false)),
        Some(label) => {
            let labels = rows.run.context.graph().labels(&vertices)?;
            for (place, labels) in places.into_iter().zip(labels) {
                truths[place] = Some(labels.contains(&label));
            }
        }
    }
    Ok(Operand::truths(truths.into_iter()))
}

/// The names of edge types; null of what is missing or gone.
pub(super) fn edge_types(operand: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let mut places = Vec::new();
    let mut edges = Vec::new();
    for row in 0..rows.len() {
        match operand.value(row) {
            Value::Null => {}
            Value::Edge(edge) => {
                places.push(row);
                edges.push(edge);
            }
            other => return Err(wrong("an edge type", "an edge", &other)),
        }
    }
    let ends = rows.run.context.graph().ends(&edges)?;
    let complete = places.len() == rows.len() && ends.exist.count() == edges.len();
    let name = |number: u32| {
        let name = rows.run.context.look(|catalog| catalog.edge_types.name(number).cloned());
        name.unwrap_or_else(|| Arc::from(""))
    };
    if complete {
        let names: Vec<Arc<str>> = ends.types.iter().map(|kind| name(kind.0)).collect();
        let texts: Strings = names.iter().map(|name| &**name).collect();
        return Ok(Operand::of(Column::of(Entries::String(texts))));
    }
    let mut values = vec![Value::Null; rows.len()];
    for (index, place) in places.into_iter().enumerate() {
        if ends.exist.get(index) {
            values[place] = Value::String(name(ends.types[index].0));
        }
    }
    Ok(Operand::of(Column::from_values(values)))
}
