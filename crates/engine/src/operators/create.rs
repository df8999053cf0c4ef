//! `Create`: makes an element for each unit of weight.

use std::sync::Arc;

use millrace_model::{
    Batch, Column, EdgeTypeId, Error, ErrorKind, KeyId, LabelId, OuterId, Result, Value, VertexId,
};
use millrace_plan::Name;
use millrace_store::{Labels, NameKind};

use super::keep::{Keep, add};
use super::label_names::{LabelNames, NamedRows};
use super::property_writes::{PropertyColumns, PropertyExprs, intern};
use super::vertices::Vertices;
use super::whole::Whole;
use super::write_order::{null_is_absent, units};
use crate::expressions::Exprs;
use crate::pipeline::Upstream;
use crate::rows::{append, nulls};
use crate::run::{Charge, Run};

/// What is made.
pub(crate) enum CreateTemplate {
    Vertex { labels: Vec<Name> },
    Edge { edge_type: Name, source: usize, target: usize },
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
    pub(crate) fn new(
        (template, labels): (CreateTemplate, Option<LabelNames>),
        id: Option<Exprs>,
        properties: PropertyExprs,
        keep: Keep,
        to: bool,
    ) -> Create {
        Create { template, labels, id, properties, keep, to }
    }

    /// The new elements as a column.
    fn make(&self, batch: &Batch, properties: &PropertyColumns, run: &Run<'_>) -> Result<Column> {
        let Some(labels) = &self.labels else {
            return self.make_alike(&self.template, batch, properties, run);
        };
        let mut made = Column::default();
        let mut places = vec![0; batch.len];
        for NamedRows { names, rows } in labels.groups(batch, run)? {
            let template = self.template.named(&names);
            let take = |column: &Arc<Column>| Arc::new(column.take(&rows));
            let own: PropertyColumns =
                properties.iter().map(|(key, column)| (*key, take(column))).collect();
            rows.iter().zip(made.len() as u32..).for_each(|(&row, at)| places[row as usize] = at);
            append(&mut made, &self.make_alike(&template, &batch.take(&rows), &own, run)?);
        }
        Ok(made.take(&places))
    }

    /// The same where all rows have the same labels.
    fn make_alike(
        &self,
        template: &CreateTemplate,
        batch: &Batch,
        properties: &PropertyColumns,
        run: &Run<'_>,
    ) -> Result<Column> {
        let Some(id) = &self.id else { return template.make(batch, properties, run) };
        let ids = id.evaluate_one(batch, run)?;
        let ids = (0..batch.len).map(|row| chosen(&ids.value(row)));
        let ids = ids.collect::<Result<Vec<Option<OuterId>>>>()?;
        template.make_with_ids(batch, properties, &ids, run)
    }
}

/// A chosen id; none if it is null.
pub(crate) fn chosen(id: &Value) -> Result<Option<OuterId>> {
    match (id, id.as_int()) {
        (Value::Null, _) => Ok(None),
        (Value::String(text), _) => Ok(Some(OuterId::Text(Arc::clone(text)))),
        (_, Some(int)) if 0 < int => Ok(Some(OuterId::Number(int as u64))),
        _ => {
            let kind = id.type_name();
            let detail = format!("a chosen id is an integer from 1 or a text, not this {kind}");
            Err(Error::new(ErrorKind::BadInput, detail))
        }
    }
}

/// How an id is chosen: those of a kind are made at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    None,
    Number,
    Text,
}

impl Choice {
    fn of(id: &Option<OuterId>) -> Choice {
        match id {
            None => Choice::None,
            Some(OuterId::Number(_)) => Choice::Number,
            Some(OuterId::Text(_)) => Choice::Text,
        }
    }
}

impl CreateTemplate {
    /// The same with other labels.
    pub(super) fn named(&self, names: &[Name]) -> CreateTemplate {
        match self {
            CreateTemplate::Vertex { .. } => CreateTemplate::Vertex { labels: names.to_vec() },
            CreateTemplate::Edge { edge_type, source, target } => CreateTemplate::Edge {
                edge_type: names.first().unwrap_or(edge_type).clone(),
                source: *source,
                target: *target,
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
        let transaction = run.context.transaction()?;
        match self {
            CreateTemplate::Vertex { labels } => {
                let labels = must_labels(labels, run)?;
                let columns: PropertyColumns =
                    properties.iter().map(|(key, column)| (*key, null_is_absent(column))).collect();
                let columns = borrowed(&columns);
                let vertices = transaction.create_vertices(&labels, batch.len, &columns)?;
                Ok(Column::vertices(vertices))
            }
            CreateTemplate::Edge { edge_type, source, target } => {
                let (rows, sources, targets) = both_ends(batch, *source, *target)?;
                let edge_type = must_edge_type(edge_type, run)?;
                let whole = rows.len() == batch.len;
                let take = |column: &Arc<Column>| {
                    let column = null_is_absent(column);
                    if whole { column } else { Arc::new(column.take(&rows)) }
                };
                let columns: PropertyColumns =
                    properties.iter().map(|(key, column)| (*key, take(column))).collect();
                let columns = borrowed(&columns);
                let edges = transaction.create_edges(edge_type, &sources, &targets, &columns)?;
                let edges = Column::edges(edges);
                Ok(if whole { edges } else { scatter(&edges, &rows, batch.len) })
            }
        }
    }
}

impl CreateTemplate {
    /// The same, with the ids that were chosen for some of the rows.
    fn make_with_ids(
        &self,
        batch: &Batch,
        properties: &PropertyColumns,
        ids: &[Option<OuterId>],
        run: &Run<'_>,
    ) -> Result<Column> {
        let (mut made, mut places) = (Column::default(), vec![0; batch.len]);
        for choice in [Choice::Number, Choice::Text, Choice::None] {
            let is_of = |row: &u32| Choice::of(&ids[*row as usize]) == choice;
            let rows: Vec<u32> = (0..batch.len as u32).filter(is_of).collect();
            if rows.is_empty() {
                continue;
            }
            let take = |column: &Arc<Column>| Arc::new(column.take(&rows));
            let own: PropertyColumns =
                properties.iter().map(|(key, column)| (*key, take(column))).collect();
            rows.iter().zip(made.len() as u32..).for_each(|(&row, at)| places[row as usize] = at);
            let (rows, ids) =
                (batch.take(&rows), rows.iter().filter_map(|row| ids[*row as usize].clone()));
            let some = match choice {
                Choice::None => self.make(&rows, &own, run)?,
                Choice::Number | Choice::Text => {
                    self.make_chosen(&rows, &own, ids.collect(), run)?
                }
            };
            append(&mut made, &some);
        }
        Ok(made.take(&places))
    }

    /// The same where each row has an id of the same kind.
    fn make_chosen(
        &self,
        batch: &Batch,
        properties: &PropertyColumns,
        ids: Vec<OuterId>,
        run: &Run<'_>,
    ) -> Result<Column> {
        let transaction = run.context.transaction()?;
        let columns: PropertyColumns =
            properties.iter().map(|(key, column)| (*key, null_is_absent(column))).collect();
        match self {
            CreateTemplate::Vertex { labels } => {
                let (labels, columns) = (must_labels(labels, run)?, borrowed(&columns));
                let (mut numbers, mut texts) = (Vec::new(), Vec::new());
                for id in ids {
                    match id {
                        OuterId::Number(number) => numbers.push(number),
                        OuterId::Text(text) => texts.push(text),
                    }
                }
                Ok(Column::vertices(match texts.is_empty() {
                    true => transaction.create_vertices_with_ids(&labels, &numbers, &columns)?,
                    false => transaction.create_vertices_with_texts(&labels, &texts, &columns)?,
                }))
            }
            CreateTemplate::Edge { edge_type, source, target } => {
                let (rows, sources, targets) = both_ends(batch, *source, *target)?;
                let edge_type = must_edge_type(edge_type, run)?;
                let take = |column: &Arc<Column>| Arc::new(column.take(&rows));
                let columns: PropertyColumns =
                    columns.iter().map(|(key, column)| (*key, take(column))).collect();
                let ids: Vec<OuterId> = rows.iter().map(|row| ids[*row as usize].clone()).collect();
                let (ends, columns) = ((&sources[..], &targets[..]), borrowed(&columns));
                let edges = transaction.create_edges_with_ids(edge_type, ends, &ids, &columns)?;
                Ok(scatter(&Column::edges(edges), &rows, batch.len))
            }
        }
    }
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

/// The rows whose two ends are there, and the ends.
pub(super) fn both_ends(
    batch: &Batch,
    source: usize,
    target: usize,
) -> Result<(Vec<u32>, Vec<VertexId>, Vec<VertexId>)> {
    let sources = Vertices::of(batch, source, "an edge's source")?;
    let targets = Vertices::of(batch, target, "an edge's target")?;
    if sources.rows.is_none() && targets.rows.is_none() {
        let rows = (0..batch.len as u32).collect();
        return Ok((rows, sources.ids.into_owned(), targets.ids.into_owned()));
    }
    let mut target_of = vec![None; batch.len];
    for (place, id) in targets.ids.iter().enumerate() {
        target_of[targets.row(place) as usize] = Some(*id);
    }
    let mut found = (Vec::new(), Vec::new(), Vec::new());
    for (place, source) in sources.ids.iter().enumerate() {
        let row = sources.row(place);
        if let Some(target) = target_of[row as usize] {
            found.0.push(row);
            found.1.push(*source);
            found.2.push(target);
        }
    }
    Ok(found)
}

/// Labels by number, ascending, made where they are new.
pub(super) fn must_labels(names: &[Name], run: &Run<'_>) -> Result<Labels> {
    let mut labels = Vec::with_capacity(names.len());
    for name in names {
        let known = run.context.look(|catalog| catalog.label(name));
        labels.push(match known {
            Some(label) => label,
            None => LabelId(intern(NameKind::Label, name, run)?),
        });
    }
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

impl Whole for Create {
    fn complete(
        &mut self,
        input: &mut Upstream<'_>,
        charge: &mut Charge,
        run: &Run<'_>,
    ) -> Result<Batch> {
        run.context.transaction()?;
        let Some(batch) = input.read_all(charge, run)? else {
            return Ok(Batch::default());
        };
        let batch = units(&batch, run)?;
        let properties = self.properties.evaluate(&batch, run)?;
        let made = self.make(&batch, &properties, run)?;
        run.context.refresh_catalog();
        let mut result = self.keep.same(batch);
        if self.to {
            add(&mut result, made);
        }
        Ok(result)
    }
}
