//! The properties of elements as fields: one read of the store for a batch.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Bits, Column, ColumnValues, Error, ErrorKind, KeyId, Result, Value};
use millrace_store::Elements;

use crate::context::Resolved;
use crate::run::Run;

/// The numbers of keys; an unused name has none.
pub(crate) fn field_keys(keys: &[Resolved<KeyId>], run: &Run<'_>) -> Vec<KeyId> {
    keys.iter().filter_map(|key| key.key(run.context)).collect()
}

/// All properties of each element, as fields; null of null.
pub(crate) fn read_fields(elements: &Column, run: &Run<'_>) -> Result<Column> {
    let graph = run.context.graph();
    let plain = elements.nulls.is_none() && elements.absents.is_none();
    match &elements.values {
        ColumnValues::Vertex(ids) if plain => {
            let fields = graph.fields(Elements::Vertices(ids))?;
            return Ok(Column::of(ColumnValues::Fields(fields)).vectors_as_lists());
        }
        ColumnValues::Edge(ids) if plain => {
            let fields = graph.fields(Elements::Edges(ids))?;
            return Ok(Column::of(ColumnValues::Fields(fields)).vectors_as_lists());
        }
        _ => {}
    }
    let (mut vertices, mut edges, mut nulls) = ((vec![], vec![]), (vec![], vec![]), None);
    for row in 0..elements.len() {
        match elements.get(row).unwrap_or_default() {
            Value::Null => {
                nulls.get_or_insert_with(Bits::default).insert(row);
            }
            Value::Vertex(vertex) => {
                vertices.0.push(row);
                vertices.1.push(vertex);
            }
            Value::Edge(edge) => {
                edges.0.push(row);
                edges.1.push(edge);
            }
            other => {
                let kind = other.type_name();
                let detail = format!("fields are asked of a {kind}, which has none");
                return Err(Error::new(ErrorKind::BadQuery, detail));
            }
        }
    }
    let mut fields: Vec<Arc<[Field]>> = vec![Arc::from([]); elements.len()];
    let of_vertices = graph.fields(Elements::Vertices(&vertices.1))?;
    let of_edges = graph.fields(Elements::Edges(&edges.1))?;
    let rows = vertices.0.into_iter().zip(of_vertices).chain(edges.0.into_iter().zip(of_edges));
    rows.for_each(|(row, found)| fields[row] = found);
    Ok(Column { nulls, ..Column::of(ColumnValues::Fields(fields)).vectors_as_lists() })
}
