//! `Fields`: properties of an element, as data; null of null.

mod languages;

use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Batch, Bits, Column, ColumnValues, Error, ErrorKind, KeyId, Result, Value};
use millrace_plan::{Languages, Name, op};
use millrace_store::Elements;

use self::languages::Spoken;
use crate::names::Resolved;
use crate::operators::Compile;
use crate::operators::keep::{Keep, add};
use crate::pipeline::{Operator, Upstream};
use crate::prepare::{Compiler, Place, Placed};
use crate::run::Run;

pub(crate) struct Fields {
    element: usize,
    wanted: FieldsWanted,
    keep: Keep,
    to: bool,
}

/// Which fields are emitted.
pub(crate) enum FieldsWanted {
    /// All, as they are stored.
    All,
    /// Those of some names.
    Named(Vec<Resolved<KeyId>>),
    /// Those of bare keys, in some languages.
    Spoken(Spoken),
}

impl FieldsWanted {
    pub(crate) fn new(keys: Option<&[Name]>, languages: Option<&Languages>) -> FieldsWanted {
        match (languages, keys) {
            (Some(languages), keys) => FieldsWanted::Spoken(Spoken::new(keys, languages)),
            (None, Some(keys)) => FieldsWanted::Named(keys.iter().map(Resolved::new).collect()),
            (None, None) => FieldsWanted::All,
        }
    }
}

impl Fields {
    pub(crate) fn new(element: usize, wanted: FieldsWanted, keep: Keep, to: bool) -> Fields {
        Fields { element, wanted, keep, to }
    }

    fn wanted(&mut self, mut column: Column, run: &Run<'_>) -> Column {
        let ColumnValues::Fields(entries) = &mut column.values else { return column };
        match &mut self.wanted {
            FieldsWanted::All => {}
            FieldsWanted::Named(keys) => {
                let keys = field_keys(keys, run);
                for fields in entries {
                    let wanted = fields.iter().filter(|field| keys.contains(&field.key));
                    *fields = wanted.cloned().collect();
                }
            }
            FieldsWanted::Spoken(spoken) => run.context.look(|catalog| {
                spoken.begin(run.context.catalog_generation());
                for fields in entries {
                    *fields = spoken.choose(fields, catalog);
                }
            }),
        }
        column
    }
}

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
            return Ok(Column::of(ColumnValues::Fields(graph.fields(Elements::Vertices(ids))?)));
        }
        ColumnValues::Edge(ids) if plain => {
            return Ok(Column::of(ColumnValues::Fields(graph.fields(Elements::Edges(ids))?)));
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
    Ok(Column { nulls, ..Column::of(ColumnValues::Fields(fields)) })
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

impl Compile for op::Fields {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let wanted = FieldsWanted::new(self.keys.as_deref(), self.languages.as_ref());
        let element = compiler.slot(place.layout, self.element)?;
        Ok((Box::new(Fields::new(element, wanted, keep, to)), after))
    }
}
