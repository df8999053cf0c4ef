//! `Set`: sets properties; the last row of an element wins.
//!
//! If its values read a key it writes, the k-th row of an element is evaluated and written in
//! round k, so each sees the writes of the one before it.

use millrace_model::column::Field;
use millrace_model::{Batch, Column, KeyId, Result};
use millrace_plan::WriteCounts;
use millrace_plan::op::{self, WriteRules};
use millrace_store::Elements;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use super::property_writes::{Owners, PropertyColumns, PropertyExprs, entries_set};
use crate::compile::{Compile, Compiler, Place, Placed, set_reads_what_it_writes};
use crate::pipeline::{Completing, Keep, WholeWrite};
use crate::rows::{Codes, nulls};
use crate::run::{Run, single_rows};

pub(crate) struct Set {
    element: usize,
    properties: PropertyExprs,
    /// Whether all other properties are removed.
    replace: bool,
    rules: WriteRules,
    /// Whether the values read a key that is written.
    in_rounds: bool,
    keep: Keep,
}

impl Set {
    /// Values of rows without an element are not evaluated.
    fn write_batch(&self, batch: &Batch, run: &Run<'_>) -> Result<()> {
        let elements = &batch.columns[self.element];
        if elements.nulls.is_some() || elements.absents.is_some() {
            let has_element =
                |row: &u32| elements.get(*row as usize).is_some_and(|value| !value.is_null());
            let rows: Vec<u32> = (0..batch.len as u32).filter(has_element).collect();
            return self.write_all(&batch.take(&rows), run);
        }
        self.write_all(batch, run)
    }

    fn write_all(&self, batch: &Batch, run: &Run<'_>) -> Result<()> {
        let write = &mut |some: &Batch, columns: &PropertyColumns| self.write(some, columns, run);
        self.properties.evaluate_in_parts(batch, batch.len.max(1), run, write)
    }

    fn write(&self, batch: &Batch, columns: &PropertyColumns, run: &Run<'_>) -> Result<()> {
        let elements = &batch.columns[self.element];
        let mut owners = Owners::of(elements, "Set")?;
        let weight = |row| batch.weight(row as usize);
        let counts_nulls = self.rules.counts_nulls;
        if self.rules.passes_deleted {
            let (living, deleted) = owners.without_deleted(run)?;
            owners = living;
            count(entries_set(columns, &deleted, weight, counts_nulls), run);
        }
        if !self.replace && counts_nulls {
            let rows: Vec<u32> = owners.vertices.1.iter().chain(&owners.edges.1).copied().collect();
            count(entries_set(columns, &rows, weight, true), run);
            return owners.set_uncounted(columns, run.context);
        }
        if !self.replace {
            return owners.set(columns, weight, run.context);
        }
        count_replaced(&owners, (columns, counts_nulls), batch, run)?;
        let last = last_rows(&owners, batch.len);
        let owners = Owners::of(&elements.take(&last), "Set")?;
        let take = |(key, column): &(KeyId, Arc<Column>)| (*key, Arc::new(column.take(&last)));
        let columns: PropertyColumns = columns.iter().map(take).collect();
        let removed = removals(&owners, &columns, last.len(), run)?;
        owners.set_uncounted(&removed, run.context)?;
        owners.set_uncounted(&columns, run.context)
    }
}

fn count(properties_set: u64, run: &Run<'_>) {
    run.context.count_writes(WriteCounts { properties_set, ..WriteCounts::default() });
}

/// For the k-th round, the rows that are the k-th of their element; rows without one are in none.
fn rounds(elements: &Column) -> Vec<Vec<u32>> {
    let mut seen: FxHashMap<_, usize> = FxHashMap::default();
    let mut codes = Codes::default();
    let mut rounds: Vec<Vec<u32>> = Vec::new();
    for row in 0..elements.len() {
        let Some(value) = elements.get(row).filter(|value| !value.is_null()) else { continue };
        let round = seen.entry(codes.of_value(&value)).or_default();
        if rounds.len() == *round {
            rounds.push(Vec::new());
        }
        rounds[*round].push(row as u32);
        *round += 1;
    }
    rounds
}

/// The last row of each element, ascending.
fn last_rows(owners: &Owners, len: usize) -> Vec<u32> {
    let mut last = vec![false; len];
    let mut vertices = FxHashSet::default();
    for (id, &row) in owners.vertices.0.iter().zip(&owners.vertices.1).rev() {
        last[row as usize] = vertices.insert(*id);
    }
    let mut edges = FxHashSet::default();
    for (id, &row) in owners.edges.0.iter().zip(&owners.edges.1).rev() {
        last[row as usize] = edges.insert(*id);
    }
    (0..len as u32).filter(|&row| last[row as usize]).collect()
}

/// Counts what rows that replace all properties set and remove, one after the other.
fn count_replaced(
    owners: &Owners,
    (columns, counts_nulls): (&PropertyColumns, bool),
    batch: &Batch,
    run: &Run<'_>,
) -> Result<()> {
    let mut total = 0u64;
    let graph = run.context.graph();
    let mut replace = |own: &mut FxHashSet<KeyId>, row: u32| {
        let is_set = |(_, column): &&(KeyId, Arc<Column>)| {
            column.get(row as usize).is_some_and(|value| !value.is_null())
        };
        let set: FxHashSet<KeyId> = columns.iter().filter(is_set).map(|(key, _)| *key).collect();
        let is_given = |(_, column): &&(KeyId, Arc<Column>)| !column.is_absent(row as usize);
        let given: FxHashSet<KeyId> =
            columns.iter().filter(is_given).map(|(key, _)| *key).collect();
        let counted = if counts_nulls { &given } else { &set };
        let removed = own.difference(counted).count() as u64;
        let weight = batch.weight(row as usize);
        total = total.saturating_add(weight.saturating_mul(counted.len() as u64)) + removed;
        *own = set;
    };
    let keys = |fields: &Arc<[Field]>| fields.iter().map(|field| field.key).collect();
    let (vertices, rows) = &owners.vertices;
    let mut held: FxHashMap<_, FxHashSet<KeyId>> = FxHashMap::default();
    for ((vertex, &row), fields) in
        vertices.iter().zip(rows).zip(graph.fields(Elements::Vertices(vertices))?)
    {
        replace(held.entry(*vertex).or_insert_with(|| keys(&fields)), row);
    }
    let (edges, rows) = &owners.edges;
    let mut held: FxHashMap<_, FxHashSet<KeyId>> = FxHashMap::default();
    for ((edge, &row), fields) in edges.iter().zip(rows).zip(graph.fields(Elements::Edges(edges))?)
    {
        replace(held.entry(*edge).or_insert_with(|| keys(&fields)), row);
    }
    count(total, run);
    Ok(())
}

/// Columns that remove every property the owners have, but those that `columns` sets anyway.
pub(super) fn removals(
    owners: &Owners,
    columns: &PropertyColumns,
    len: usize,
    run: &Run<'_>,
) -> Result<PropertyColumns> {
    let graph = run.context.graph();
    let mut removed: FxHashMap<KeyId, Vec<u32>> = FxHashMap::default();
    let mut note = |fields: Vec<Arc<[Field]>>, rows: &[u32]| {
        for (fields, &row) in fields.iter().zip(rows) {
            for field in fields.iter() {
                let set = |(key, column): &(KeyId, Arc<Column>)| {
                    *key == field.key && !column.is_absent(row as usize)
                };
                if !columns.iter().any(set) {
                    removed.entry(field.key).or_default().push(row);
                }
            }
        }
    };
    note(graph.fields(Elements::Vertices(&owners.vertices.0))?, &owners.vertices.1);
    note(graph.fields(Elements::Edges(&owners.edges.0))?, &owners.edges.1);
    let column = |rows: Vec<u32>| {
        let mut column = nulls(len);
        let mut kept = vec![true; len];
        rows.iter().for_each(|&row| kept[row as usize] = false);
        column.absents = Some(kept.into_iter().collect());
        Arc::new(column)
    };
    let mut removed: PropertyColumns =
        removed.into_iter().map(|(key, rows)| (key, column(rows))).collect();
    removed.sort_by_key(|(key, _)| *key);
    Ok(removed)
}

impl WholeWrite for Set {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        if self.in_rounds {
            let rows = single_rows(&batch, run)?;
            for round in rounds(&rows.columns[self.element]) {
                run.context.check()?;
                self.write_batch(&rows.take(&round), run)?;
            }
        } else {
            self.write_batch(&batch, run)?;
        }
        run.context.refresh_catalog();
        Ok(self.keep.same(batch))
    }
}

impl Compile for op::Set {
    fn compile(&self, compiler: &Compiler<'_>, place: &Place<'_>) -> Result<Placed> {
        let (keep, after) = place.keep();
        let element = compiler.slot(place.layout, self.element)?;
        let in_rounds = set_reads_what_it_writes(&self.properties, self.replace);
        let properties = PropertyExprs::compile(&self.properties, compiler, place.layout)?;
        let op::Set { replace, rules, .. } = *self;
        let set = Set { element, properties, replace, rules, in_rounds, keep };
        Ok((Box::new(Completing::new(set)), after))
    }
}
