//! `Fields`: properties of an element, as data; null of null.

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Batch, Bits, Column, Entries, Error, ErrorKind, KeyId, Result, Value};
use millrace_store::Elements;

use super::keep::{Keep, add};
use crate::names::Resolved;
use crate::pipeline::{Operator, Upstream};
use crate::run::Run;

pub(crate) struct Fields {
    element: usize,
    /// Which are wanted; `None`: all.
    keys: Option<Vec<Resolved<KeyId>>>,
    keep: Keep,
    to: bool,
}

impl Fields {
    pub(crate) fn new(
        element: usize,
        keys: Option<Vec<Resolved<KeyId>>>,
        keep: Keep,
        to: bool,
    ) -> Fields {
        Fields { element, keys, keep, to }
    }

    fn wanted(&self, mut column: Column, run: &Run<'_>) -> Column {
        let Some(keys) = &self.keys else { return column };
        let keys = field_keys(keys, run);
        if let Entries::Fields(entries) = &mut column.entries {
            for fields in entries {
                let wanted = fields.iter().filter(|field| keys.contains(&field.key));
                *fields = wanted.cloned().collect();
            }
        }
        column
    }
}

/// The numbers of keys; a name that nobody used has none.
pub(crate) fn field_keys(keys: &[Resolved<KeyId>], run: &Run<'_>) -> Vec<KeyId> {
    keys.iter().filter_map(|key| key.key(run.context)).collect()
}

/// All properties of each element, as fields; null of null.
pub(crate) fn read_fields(elements: &Column, run: &Run<'_>) -> Result<Column> {
    let graph = run.context.graph();
    let plain = elements.nulls.is_none() && elements.absents.is_none();
    match &elements.entries {
        Entries::Vertex(ids) if plain => {
            return Ok(Column::of(Entries::Fields(graph.fields(Elements::Vertices(ids))?)));
        }
        Entries::Edge(ids) if plain => {
            return Ok(Column::of(Entries::Fields(graph.fields(Elements::Edges(ids))?)));
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
    Ok(Column { nulls, ..Column::of(Entries::Fields(fields)) })
}

impl Operator for Fields {
    fn begin(&mut self, _run: &Run<'_>) {}

    fn next(&mut self, input: &mut Upstream<'_>, run: &Run<'_>) -> Result<Option<Batch>> {
        let Some(batch) = input.next(run)? else { return Ok(None) };
        let column = self.wanted(read_fields(&batch.columns[self.element], run)?, run);
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, column);
        }
        Ok(Some(result))
    }
}
