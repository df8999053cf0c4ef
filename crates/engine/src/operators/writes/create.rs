//! `Create`: makes an element for each single row.

use std::sync::Arc;

use millrace_model::{
    Batch, Column, EdgeTypeId, Error, ErrorKind, ExternalId, KeyId, LabelId, Result, Value,
    VertexId,
};
use millrace_plan::op::{self, EdgeNames};
use millrace_plan::{Name, Template, WriteCounts};
use millrace_store::{Labels, NameKind};

use super::absent_nulls::null_is_absent;
use super::label_names::{LabelNames, NamedRows, known};
use super::property_writes::{PropertyColumns, PropertyExprs, intern};
use crate::compile::{Compile, Compiler, Place, Placed};
use crate::context::present_entries;
use crate::expressions::Exprs;
use crate::limits::CREATED_ROWS_MAX;
use crate::operators::vertices::both_ends;
use crate::pipeline::{Completing, Keep, WholeWrite, add};
use crate::rows::{append, nulls};
use crate::run::{Charge, Run, single_rows};

/// The kind of the new elements.
#[derive(Clone)]
pub(crate) enum CreateTemplate {
    Vertex { labels: Vec<Name> },
    Edge { edge_type: Name, ends: EdgeEnds },
}

/// The columns of an edge's ends.
#[derive(Clone)]
pub(crate) struct EdgeEnds {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The names for the error of a null end, where it is one.
    pub(super) must_have_ends: Option<EdgeNames>,
}

impl EdgeEnds {
    /// The rows with both ends present, and the ends.
    pub(super) fn find(&self, batch: &Batch) -> Result<(Vec<u32>, Vec<VertexId>, Vec<VertexId>)> {
        let found = both_ends(batch, self.source, self.target)?;
        match &self.must_have_ends {
            Some(names) if found.0.len() < batch.len => {
                let mut rows = found.0.iter().copied();
                let first = (0..batch.len as u32).find(|row| rows.next() != Some(*row));
                let source = &batch.columns[self.source];
                let is_there = |row| source.get(row as usize).is_some_and(|own| !own.is_null());
                Err(names.missing(!first.is_some_and(is_there)))
            }
            Some(_) | None => Ok(found),
        }
    }
}

pub(crate) struct Create {
    template: CreateTemplate,
    /// The labels, where rows have their own.
    labels: Option<LabelNames>,
    id: Option<Exprs>,
    properties: PropertyExprs,
    keep: Keep,
    to: bool,
}

impl Create {
    /// The new elements as a column.
    fn make(&self, batch: &Batch, properties: &PropertyColumns, run: &Run<'_>) -> Result<Column> {
        if self.labels.is_none() && self.id.is_none() {
            return self.template.make(batch, properties, run);
        }
        let ids = self.ids(batch, run)?;
        let is_number = |row: &u32| matches!(ids[*row as usize], Some(ExternalId::Number(_)));
        let rows = 0..batch.len as u32;
        let (numbered, others): (Vec<u32>, Vec<u32>) = rows.partition(is_number);
        let mut made = Made { elements: Column::default(), places: vec![0; batch.len] };
        for (template, rows) in self.alike(batch, numbered, run)? {
            let of_rows = (&batch.take(&rows), &taken(properties, &rows));
            let ids = rows.iter().filter_map(|row| ids[*row as usize].clone()).collect();
            made.add(&rows, &template.make_chosen(of_rows, ids, None, run)?);
        }
        // Elements without a chosen number get numbers in order of the rows, whatever labels they have.
        let slots = self.template.lease(&others, batch.len, run)?;
        for (template, rows) in self.alike(batch, others, run)? {
            let is_text = |row: &u32| ids[*row as usize].is_some();
            let (texts, plain): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(is_text);
            let ids = texts.iter().filter_map(|row| ids[*row as usize].clone()).collect();
            for (rows, ids) in [(texts, Some(ids)), (plain, None)] {
                let of_rows = (&batch.take(&rows), &taken(properties, &rows));
                let slots: Option<Vec<VertexId>> = slots
                    .as_ref()
                    .map(|slots| rows.iter().map(|row| slots[*row as usize]).collect());
                made.add(
                    &rows,
                    &match ids {
                        _ if rows.is_empty() => continue,
                        Some(ids) => template.make_chosen(of_rows, ids, slots.as_deref(), run)?,
                        None => template.make_in(of_rows, slots.as_deref(), run)?,
                    },
                );
            }
        }
        Ok(made.elements.take(&made.places))
    }

    /// The chosen id of each row; none where it has none.
    fn ids(&self, batch: &Batch, run: &Run<'_>) -> Result<Vec<Option<ExternalId>>> {
        let Some(id) = &self.id else { return Ok(vec![None; batch.len]) };
        let ids = id.evaluate_one(batch, run)?;
        (0..batch.len).map(|row| chosen(&ids.value(row))).collect()
    }

    /// Rows that make elements of equal labels or type; groups in the order of their first rows.
    fn alike(
        &self,
        batch: &Batch,
        rows: Vec<u32>,
        run: &Run<'_>,
    ) -> Result<Vec<(CreateTemplate, Vec<u32>)>> {
        let Some(labels) = &self.labels else { return Ok(vec![(self.template.clone(), rows)]) };
        let of_group = |NamedRows { names, rows: places }: NamedRows| {
            let rows = places.iter().map(|place| rows[*place as usize]).collect();
            (self.template.named(&names), rows)
        };
        Ok(labels.groups(&batch.take(&rows), run)?.into_iter().map(of_group).collect())
    }
}
/// A chosen id; none if it is null.
pub(crate) fn chosen(id: &Value) -> Result<Option<ExternalId>> {
    match (id, id.as_int()) {
        (Value::Null, _) => Ok(None),
        (Value::String(text), _) => Ok(Some(ExternalId::Text(Arc::clone(text)))),
        (_, Some(int)) if 0 < int => Ok(Some(ExternalId::Number(int as u64))),
        _ => {
            let kind = id.type_name();
            let detail = format!("a chosen id is an integer from 1 or a text, not this {kind}");
            Err(Error::new(ErrorKind::BadInput, detail))
        }
    }
}

/// Elements made in groups, and where those of the rows are among them.
struct Made {
    elements: Column,
    places: Vec<u32>,
}

impl Made {
    fn add(&mut self, rows: &[u32], made: &Column) {
        let places = rows.iter().zip(self.elements.len() as u32..);
        places.for_each(|(&row, at)| self.places[row as usize] = at);
        append(&mut self.elements, made);
    }
}

/// The properties of some of the rows.
fn taken(properties: &PropertyColumns, rows: &[u32]) -> PropertyColumns {
    properties.iter().map(|(key, column)| (*key, Arc::new(column.take(rows)))).collect()
}

impl CreateTemplate {
    /// The same with other labels.
    pub(super) fn named(&self, names: &[Name]) -> CreateTemplate {
        match self {
            CreateTemplate::Vertex { .. } => CreateTemplate::Vertex { labels: names.to_vec() },
            CreateTemplate::Edge { edge_type, ends } => CreateTemplate::Edge {
                edge_type: names.first().unwrap_or(edge_type).clone(),
                ends: ends.clone(),
            },
        }
    }

    /// Makes one element for each row; the new elements as a column.
    pub(super) fn make(
        &self,
        batch: &Batch,
        properties: &PropertyColumns,
        run: &Run<'_>,
    ) -> Result<Column> {
        self.make_in((batch, properties), None, run)
    }

    /// The slots of the vertices of some rows, at the places of these. An edge has none: its id is its
    /// source's.
    fn lease(&self, rows: &[u32], len: usize, run: &Run<'_>) -> Result<Option<Vec<VertexId>>> {
        match self {
            CreateTemplate::Edge { .. } => Ok(None),
            CreateTemplate::Vertex { .. } => {
                let leased = run.context.transaction()?.lease_vertices(rows.len())?;
                let mut slots = vec![VertexId(0); len];
                rows.iter().zip(leased).for_each(|(&row, slot)| slots[row as usize] = slot);
                Ok(Some(slots))
            }
        }
    }

    /// Makes one element for each row, in slots that were leased, if there are some.
    fn make_in(
        &self,
        (batch, properties): (&Batch, &PropertyColumns),
        slots: Option<&[VertexId]>,
        run: &Run<'_>,
    ) -> Result<Column> {
        let transaction = run.context.transaction()?;
        match self {
            CreateTemplate::Vertex { labels } => {
                let labels = must_labels(labels, run)?;
                let columns: PropertyColumns =
                    properties.iter().map(|(key, column)| (*key, null_is_absent(column))).collect();
                let columns = borrowed(&columns);
                count_vertices(batch.len, &labels, &columns, run);
                Ok(Column::vertices(match slots {
                    Some(slots) => {
                        transaction.create_vertices_in(slots, (&labels, None), &columns)?
                    }
                    None => transaction.create_vertices(&labels, batch.len, &columns)?,
                }))
            }
            CreateTemplate::Edge { edge_type, ends } => {
                let (rows, sources, targets) = ends.find(batch)?;
                let edge_type = must_edge_type(edge_type, run)?;
                let whole = rows.len() == batch.len;
                let take = |column: &Arc<Column>| {
                    let column = null_is_absent(column);
                    if whole { column } else { Arc::new(column.take(&rows)) }
                };
                let columns: PropertyColumns =
                    properties.iter().map(|(key, column)| (*key, take(column))).collect();
                let columns = borrowed(&columns);
                count_properties(&columns, run);
                let edges = run.context.counting_new_edges(|transaction| {
                    transaction.create_edges(edge_type, &sources, &targets, &columns)
                })?;
                let edges = Column::edges(edges);
                Ok(if whole { edges } else { scatter(&edges, &rows, batch.len) })
            }
        }
    }

    /// The same where each row has a chosen id; of vertices all numbers, or all texts in leased slots.
    fn make_chosen(
        &self,
        (batch, properties): (&Batch, &PropertyColumns),
        ids: Vec<ExternalId>,
        slots: Option<&[VertexId]>,
        run: &Run<'_>,
    ) -> Result<Column> {
        let transaction = run.context.transaction()?;
        let columns: PropertyColumns =
            properties.iter().map(|(key, column)| (*key, null_is_absent(column))).collect();
        match self {
            CreateTemplate::Vertex { labels } => {
                let (labels, columns) = (must_labels(labels, run)?, borrowed(&columns));
                count_vertices(batch.len, &labels, &columns, run);
                let (mut numbers, mut texts) = (Vec::new(), Vec::new());
                for id in ids {
                    match id {
                        ExternalId::Number(number) => numbers.push(number),
                        ExternalId::Text(text) => texts.push(text),
                    }
                }
                Ok(Column::vertices(match slots {
                    None => transaction.create_vertices_with_ids(&labels, &numbers, &columns)?,
                    Some(slots) => {
                        let named = (&labels, Some(&texts[..]));
                        transaction.create_vertices_in(slots, named, &columns)?
                    }
                }))
            }
            CreateTemplate::Edge { edge_type, ends } => {
                let (rows, sources, targets) = ends.find(batch)?;
                let edge_type = must_edge_type(edge_type, run)?;
                let take = |column: &Arc<Column>| Arc::new(column.take(&rows));
                let columns: PropertyColumns =
                    columns.iter().map(|(key, column)| (*key, take(column))).collect();
                let ids: Vec<ExternalId> =
                    rows.iter().map(|row| ids[*row as usize].clone()).collect();
                let (ends, columns) = ((&sources[..], &targets[..]), borrowed(&columns));
                count_properties(&columns, run);
                let edges = run.context.counting_new_edges(|transaction| {
                    transaction.create_edges_with_ids(edge_type, ends, &ids, &columns)
                })?;
                Ok(scatter(&Column::edges(edges), &rows, batch.len))
            }
        }
    }
}

fn count_properties(columns: &[(KeyId, &Column)], run: &Run<'_>) {
    let properties_set = columns.iter().map(|(_, column)| present_entries(column)).sum();
    run.context.count_writes(WriteCounts { properties_set, ..WriteCounts::default() });
}

fn count_vertices(count: usize, labels: &Labels, columns: &[(KeyId, &Column)], run: &Run<'_>) {
    count_properties(columns, run);
    run.context.count_writes(WriteCounts {
        vertices_created: count as u64,
        labels_added: (count * labels.len()) as u64,
        ..WriteCounts::default()
    });
}

fn borrowed(columns: &PropertyColumns) -> Vec<(KeyId, &Column)> {
    columns.iter().map(|(key, column)| (*key, &**column)).collect()
}

/// The entries at `rows` of a column of `len`; the others null.
fn scatter(entries: &Column, rows: &[u32], len: usize) -> Column {
    let none = entries.len() as u32;
    let mut places = vec![none; len];
    for (place, &row) in rows.iter().enumerate() {
        places[row as usize] = place as u32;
    }
    let mut with_none = entries.clone();
    append(&mut with_none, &nulls(1));
    with_none.take(&places)
}

/// Labels by number, ascending, made where they are new.
pub(super) fn must_labels<'n>(
    names: impl IntoIterator<Item = &'n Name>,
    run: &Run<'_>,
) -> Result<Labels> {
    let names: Vec<&Name> = names.into_iter().collect();
    let known: Vec<Option<LabelId>> =
        run.context.look(|catalog| names.iter().map(|name| catalog.label(name)).collect());
    let mut labels: Vec<LabelId> = match known.iter().copied().collect::<Option<Vec<_>>>() {
        Some(known) => known,
        None => {
            // New ones together: each call is a commit of its own.
            let all: Vec<(NameKind, &str)> =
                names.iter().map(|name| (NameKind::Label, &***name)).collect();
            let numbers = run.context.transaction()?.intern(&all)?;
            run.context.refresh_catalog();
            numbers.into_iter().map(LabelId).collect()
        }
    };
    labels.sort_unstable();
    labels.dedup();
    Ok(Labels::from(labels))
}

/// The number of an edge type, made if it is new.
pub(super) fn must_edge_type(name: &Name, run: &Run<'_>) -> Result<EdgeTypeId> {
    match run.context.look(|catalog| catalog.edge_type(name)) {
        Some(edge_type) => Ok(edge_type),
        None => intern(NameKind::EdgeType, name, run).map(EdgeTypeId),
    }
}

impl WholeWrite for Create {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        let batch = single_rows(&batch, run)?;
        let mut made = Column::default();
        let mut charge = Charge::default();
        // Some at a time: then the write set spills before the values of all are there.
        let create = &*self;
        let write = &mut |some: &Batch, properties: &PropertyColumns| {
            let elements = create.make(some, properties, run)?;
            if create.to {
                // A column that grows has room for as much again.
                charge.grow((2 * some.len * size_of::<VertexId>()) as u64, run)?;
                append(&mut made, &elements);
            }
            Ok(())
        };
        create.properties.evaluate_in_parts(&batch, CREATED_ROWS_MAX, run, write)?;
        charge.release(run);
        run.context.refresh_catalog();
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, made);
        }
        Ok(result)
    }
}

impl Compile for op::Create {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let layout = place.layout;
        let (keep, after, [to]) = place.keep_and([Some(self.to)]);
        let properties = PropertyExprs::compile(self.template.properties(), compiler, layout)?;
        let labels = LabelNames::compile(&self.template, compiler, layout)?;
        let template = match &self.template {
            Template::Vertex { labels, .. } => CreateTemplate::Vertex { labels: known(labels) },
            Template::Edge { edge_type, source, target, must_have_ends, .. } => {
                CreateTemplate::Edge {
                    edge_type: edge_type.known().cloned().unwrap_or_default(),
                    ends: EdgeEnds {
                        source: compiler.slot(layout, *source)?,
                        target: compiler.slot(layout, *target)?,
                        must_have_ends: must_have_ends.clone(),
                    },
                }
            }
        };
        let id = self.id.as_ref().map(|id| compiler.exprs(layout, [id])).transpose()?;
        let create = Create { template, labels, id, properties, keep, to };
        Ok((Box::new(Completing::new(create)), after))
    }
}
