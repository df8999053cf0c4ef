//! The facts of an element besides its properties: id, labels, type.

use std::sync::Arc;

use millrace_model::{
    Column, ColumnValues, EdgeId, Error, ErrorKind, LabelId, Result, Strings, Value, VertexId,
};
use millrace_plan::End;
use millrace_store::Elements;

use super::evaluate::Rows;
use super::operand::Operand;
use crate::context::Resolved;

/// External ids, integers and texts; null of missing elements.
pub(super) fn ids(operand: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let len = rows.len();
    let graph = rows.run.context.graph();
    if let Operand::Column(column) = operand
        && operand.is_complete()
    {
        let external = match &column.values {
            ColumnValues::Vertex(vertices) => {
                graph.external_id_values(Elements::Vertices(vertices))?
            }
            ColumnValues::Edge(edges) => graph.external_id_values(Elements::Edges(edges))?,
            _ => None,
        };
        let slots: Option<Vec<i64>> = match (&column.values, &external) {
            (_, Some(_)) => None,
            (ColumnValues::Vertex(vertices), None) => {
                vertices.iter().map(|vertex| i64::try_from(vertex.0).ok()).collect()
            }
            (ColumnValues::Edge(edges), None) => {
                edges.iter().map(|edge| i64::try_from(edge.0).ok()).collect()
            }
            _ => None,
        };
        match (external, slots) {
            (Some(external), _) => return whole_ids(external).map(Operand::of),
            (None, Some(slots)) => return Ok(Operand::of(Column::of(ColumnValues::I64(slots)))),
            (None, None) => {}
        }
    }
    let (mut vertices, mut edges) = (Vec::new(), Vec::new());
    for row in 0..len {
        match operand.value(row) {
            Value::Vertex(vertex) => vertices.push(vertex),
            Value::Edge(edge) => edges.push(edge),
            _ => {}
        }
    }
    let of_vertices = graph.external_id_values(Elements::Vertices(&vertices))?;
    let of_edges = graph.external_id_values(Elements::Edges(&edges))?;
    let (mut vertex_at, mut edge_at) = (0.., 0..);
    let external = |external: &Option<Column>, at: Option<usize>, slot: u64| match (external, at) {
        (Some(external), Some(at)) => whole_id(external.get(at).unwrap_or_default()),
        _ => int(slot),
    };
    let mut column = Column::default();
    for row in 0..len {
        column.push(match operand.value(row) {
            Value::Null => Value::Null,
            Value::Vertex(VertexId(slot)) => external(&of_vertices, vertex_at.next(), slot)?,
            Value::Edge(EdgeId(slot)) => external(&of_edges, edge_at.next(), slot)?,
            other => return Err(wrong("an id", "a vertex or edge", &other)),
        });
    }
    Ok(Operand::of(column))
}

/// Ids that were stored as 64 bits, as integers and texts.
fn whole_ids(ids: Column) -> Result<Column> {
    for row in 0..ids.len() {
        whole_id(ids.get(row).unwrap_or_default())?;
    }
    Ok(ids)
}

/// An id that was stored as 64 bits.
pub(crate) fn whole_id(id: Value) -> Result<Value> {
    match id {
        Value::I64(number) => int(number as u64),
        text => Ok(text),
    }
}

fn int(id: u64) -> Result<Value> {
    let detail = || format!("id {id} does not fit a signed 64-bit integer");
    let int = i64::try_from(id).map_err(|_| Error::new(ErrorKind::BadInput, detail()))?;
    Ok(Value::I64(int))
}

fn wrong(asked: &str, wanted: &str, found: &Value) -> Error {
    let kind = found.type_name();
    let detail = format!("{asked} is asked of a {kind}, not of {wanted}");
    Error::new(ErrorKind::BadQuery, detail).with_name("InvalidArgumentValue")
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

/// Whether vertices have a label; unknown for a missing vertex.
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
            let have = rows.run.context.graph().have_label(&vertices, label)?;
            for (own, place) in places.into_iter().enumerate() {
                truths[place] = Some(have.get(own));
            }
        }
    }
    Ok(Operand::truths(truths.into_iter()))
}

/// The rows that hold an edge, and the edges.
fn edges(operand: &Operand, len: usize, asked: &str) -> Result<(Vec<usize>, Vec<EdgeId>)> {
    let mut found = (Vec::new(), Vec::new());
    for row in 0..len {
        match operand.value(row) {
            Value::Null => {}
            Value::Edge(edge) => {
                found.0.push(row);
                found.1.push(edge);
            }
            other => return Err(wrong(asked, "an edge", &other)),
        }
    }
    Ok(found)
}

/// The vertices where edges start, or those where they end; null for a missing or deleted edge.
pub(super) fn edge_ends(operand: &Operand, end: End, rows: &Rows<'_>) -> Result<Operand> {
    let (found, edges) = edges(operand, rows.len(), "an end")?;
    let ends = rows.run.context.graph().ends(&edges)?;
    let vertices = match end {
        End::Source => ends.sources,
        End::Target => ends.targets,
    };
    if found.len() == rows.len() && ends.exist.count() == edges.len() {
        return Ok(Operand::of(Column::vertices(vertices)));
    }
    let mut values = vec![Value::Null; rows.len()];
    for (index, row) in found.into_iter().enumerate() {
        if ends.exist.get(index) {
            values[row] = Value::Vertex(vertices[index]);
        }
    }
    Ok(Operand::of(Column::from_values(values)))
}

/// The values as they are; an error if the statement deleted one that is looked at.
pub(super) fn living(operand: Operand, only_edges: bool, rows: &Rows<'_>) -> Result<Operand> {
    let context = &rows.run.context;
    let counts = context.write_counts();
    if counts.vertices_deleted == 0 && counts.edges_deleted == 0 {
        return Ok(operand);
    }
    let (mut vertices, mut edges) = (Vec::new(), Vec::new());
    for row in 0..rows.len() {
        match operand.value(row) {
            Value::Vertex(vertex) if !only_edges => vertices.push(vertex),
            Value::Edge(edge) => edges.push(edge),
            _ => {}
        }
    }
    let graph = context.graph();
    if graph.exist(Elements::Vertices(&vertices))?.count() < vertices.len() {
        return Err(deleted("vertex"));
    }
    if graph.exist(Elements::Edges(&edges))?.count() < edges.len() {
        return Err(deleted("edge"));
    }
    Ok(operand)
}

/// An element that is read was deleted.
pub(crate) fn deleted(kind: &str) -> Error {
    let detail = format!("the {kind} was deleted earlier in this statement");
    let error = Error::new(ErrorKind::BadQuery, detail).with_name("DeletedEntityAccess");
    error.with_help("read what is wanted of it before the DELETE: WITH n, n.key AS key DELETE n")
}

/// The names of edge types; null for a missing or deleted edge.
pub(super) fn edge_types(operand: &Operand, rows: &Rows<'_>) -> Result<Operand> {
    let (places, edges) = edges(operand, rows.len(), "an edge type")?;
    let ends = rows.run.context.graph().ends(&edges)?;
    let complete = places.len() == rows.len() && ends.exist.count() == edges.len();
    let name = |number: u32| {
        let name = rows.run.context.look(|catalog| catalog.edge_types.name(number).cloned());
        name.unwrap_or_else(|| Arc::from(""))
    };
    if complete {
        let names: Vec<Arc<str>> = ends.types.iter().map(|kind| name(kind.0)).collect();
        let texts: Strings = names.iter().map(|name| &**name).collect();
        return Ok(Operand::of(Column::of(ColumnValues::String(texts))));
    }
    let mut values = vec![Value::Null; rows.len()];
    for (index, place) in places.into_iter().enumerate() {
        if ends.exist.get(index) {
            values[place] = Value::String(name(ends.types[index].0));
        }
    }
    Ok(Operand::of(Column::from_values(values)))
}
