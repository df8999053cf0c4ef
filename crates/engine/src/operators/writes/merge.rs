//! `Merge`: finds elements, or makes one: all rows at once, equal keys make one.
//!
//! Every match is a result row. Rows without one are grouped by the values they match on; the first
//! row of a group makes the element, the group's other rows find it. Options may read the element: if
//! they read a key that they write, its rows go in rounds, the k-th in round k, as a `Set` goes. If
//! one writes a key that the match reads, or criteria name different keys, single rows go one at a
//! time.

mod compile;
mod edges;
mod maps;
mod vertices;

use millrace_model::{
    Batch, Column, ColumnValues, EdgeId, Error, ErrorKind, KeyId, Result, VertexId, query_limits,
};
use millrace_plan::{Name, WriteCounts};
use millrace_store::key_hash::hash_row;
use rustc_hash::FxHashMap;
use std::sync::Arc;

use super::create::CreateTemplate;
use super::label_names::{LabelNames, NamedRows};
use super::property_writes::{Owners, PropertyColumns, PropertyExprs};
use crate::compile::MergeTurns;
use crate::expressions::Exprs;
use crate::limits::MERGE_ROW_BYTES;
use crate::pipeline::{Keep, WholeWrite, add};
use crate::rows::{Collector, row_equals};
use crate::run::{Charge, Run, single_rows};
pub(crate) use edges::EdgeMatch;
pub(crate) use maps::MapMatch;
pub(crate) use vertices::VertexMatch;

/// How elements are matched.
pub(crate) enum MergeTemplate {
    Vertex(VertexMatch),
    Edge(EdgeMatch),
}

/// Properties to set on made and on found elements; the element is the last column they read.
pub(crate) struct MergeOptions {
    pub(crate) on_create: PropertyExprs,
    pub(crate) on_match: PropertyExprs,
    /// Whether `on_create` reads the element, so that it cannot be made with these properties.
    pub(crate) reads_created: bool,
    /// How rows go, by whether the options write a key that the match or the options read.
    pub(crate) turns: MergeTurns,
}

/// Which new columns are read later.
#[derive(Clone, Copy)]
pub(crate) struct MergeWanted {
    pub(crate) to: bool,
    pub(crate) created: bool,
}

pub(crate) struct Merge {
    template: MergeTemplate,
    /// The labels, where rows have their own.
    labels: Option<LabelNames>,
    /// More criteria, with keys that are known only from data.
    map: Option<MapMatch>,
    /// The values matched on, one for each key.
    values: Exprs,
    /// The same, to be made.
    properties: PropertyExprs,
    options: MergeOptions,
    wanted: MergeWanted,
    keep: Keep,
}

/// The matches of a batch: pairs of row and element; rows that can neither match nor make.
pub(super) struct Matched {
    pub(super) rows: Vec<u32>,
    pub(super) ids: Vec<u64>,
    /// Rows with a null end: they match nothing and make nothing.
    pub(super) skipped: Vec<bool>,
}

/// A row of the result.
struct MergedRow {
    row: u32,
    /// `None`: a row with a null end.
    id: Option<u64>,
    created: bool,
    weight: u64,
}

impl Merge {
    /// Merges consecutive rows of the same labels together. The result is as if the rows went one by
    /// one.
    fn merge(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let Some(labels) = &self.labels else { return self.merge_alike(batch, run) };
        let mut stretches = labels.stretches(batch, run)?;
        if let [all] = stretches.as_mut_slice() {
            self.template.match_named(&all.names);
            return self.merge_alike(batch, run);
        }
        let mut results = Collector::default();
        for NamedRows { names, rows } in stretches {
            run.context.check_pull()?;
            self.template.match_named(&names);
            results.push(self.merge_alike(&batch.take(&rows), run)?);
        }
        Ok(results.finish(0))
    }

    fn merge_alike(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let mut charge = Charge::default();
        charge.grow(batch.len as u64 * MERGE_ROW_BYTES, run)?;
        let merged = self.merge_counted(batch, run);
        charge.release(run);
        merged
    }

    fn merge_counted(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let values = self.values.evaluate(batch, run)?;
        let values: Vec<Arc<Column>> =
            values.into_iter().map(|value| value.into_column(batch.len)).collect();
        let Some(map) = &self.map else { return self.merge_on(batch, &values, run) };
        let criteria = map.criteria(batch, &values, run)?;
        if let Some((names, values)) = criteria.in_common() {
            self.template.match_on(&names);
            return self.merge_on(batch, &values, run);
        }
        self.merge_single_rows(batch, run)
    }

    /// One single row after the other: each sees the elements and writes of those before it.
    fn merge_single_rows(&mut self, batch: &Batch, run: &Run<'_>) -> Result<Batch> {
        let rows = single_rows(batch, run)?;
        let mut results = Collector::default();
        for row in 0..rows.len as u32 {
            run.context.check_pull()?;
            results.push(self.merge(&rows.take(&[row]), run)?);
        }
        Ok(results.finish(0))
    }

    fn merge_on(&mut self, batch: &Batch, values: &[Arc<Column>], run: &Run<'_>) -> Result<Batch> {
        let values: Vec<&Column> = values.iter().map(|column| &**column).collect();
        let matched = match &mut self.template {
            MergeTemplate::Vertex(vertices) => vertices.find(&values, batch.len, run)?,
            MergeTemplate::Edge(edges) => edges.find(batch, &values, run)?,
        };
        check_values(&values, &matched.skipped)?;
        let groups = self.group(batch, &values, &matched);
        let made = self.create(batch, &groups, &values, run)?;
        let rows = (batch.len + matched.rows.len()) as u64;
        query_limits::step(rows)?;
        query_limits::require_room(rows.saturating_mul(size_of::<MergedRow>() as u64))?;
        let merged = merged_rows(batch, &matched, &groups, &made);
        self.set_options(batch, &merged, run)?;
        run.context.refresh_catalog();
        Ok(self.rows(batch, &merged))
    }

    /// For each row without a match, the number of its group; groups in order of first rows.
    fn group(&self, batch: &Batch, values: &[&Column], matched: &Matched) -> Groups {
        let mut has_match = matched.skipped.clone();
        matched.rows.iter().for_each(|&row| has_match[row as usize] = true);
        let mut by_hash: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut groups = Groups { of_row: vec![None; batch.len], firsts: Vec::new() };
        for row in (0..batch.len).filter(|&row| !has_match[row]) {
            let hash = self.identity(batch, values, row);
            let candidates = by_hash.entry(hash).or_default();
            let same = |group: &&u32| {
                let first = groups.firsts[**group as usize] as usize;
                self.template.same_ends(batch, first, row) && row_equals(values, first, values, row)
            };
            let group = candidates.iter().find(same).copied().unwrap_or_else(|| {
                groups.firsts.push(row as u32);
                candidates.push(groups.firsts.len() as u32 - 1);
                groups.firsts.len() as u32 - 1
            });
            groups.of_row[row] = Some(group);
        }
        groups
    }

    /// A hash of the values that a row matches on; the transaction claims it too.
    fn identity(&self, batch: &Batch, values: &[&Column], row: usize) -> u64 {
        let hash = hash_row(values, row).unwrap_or_default();
        self.template.identity(batch, row, hash)
    }

    /// Makes one element for each group.
    fn create(
        &self,
        batch: &Batch,
        groups: &Groups,
        values: &[&Column],
        run: &Run<'_>,
    ) -> Result<Vec<u64>> {
        if groups.firsts.is_empty() {
            return Ok(Vec::new());
        }
        let transaction = run.context.transaction()?;
        let claimed = groups.firsts.iter().map(|&row| self.identity(batch, values, row as usize));
        transaction.claim(claimed)?;
        let firsts = Batch { weights: None, ..batch.take(&groups.firsts) };
        let mut properties = self.properties.evaluate(&firsts, run)?;
        if !self.options.reads_created {
            for (key, column) in self.options.on_create.evaluate(&firsts, run)? {
                count_overwritten(&properties, key, &column, run);
                super::property_writes::put(&mut properties, key, column);
            }
        }
        let made = self.template.create().make(&firsts, &properties, run)?;
        let made: Vec<u64> = match made.values {
            ColumnValues::Edge(edges) => edges.into_iter().map(|edge| edge.0).collect(),
            _ => made.as_vertices().unwrap_or(&[]).iter().map(|vertex| vertex.0).collect(),
        };
        if self.options.reads_created {
            let weights = vec![1; made.len()];
            self.set(&self.options.on_create, firsts, (&made, &weights), run)?;
        }
        Ok(made)
    }

    /// Sets the properties of found elements, in row order.
    fn set_options(&self, batch: &Batch, merged: &[MergedRow], run: &Run<'_>) -> Result<()> {
        if self.options.on_match.is_empty() {
            return Ok(());
        }
        let found: Vec<&MergedRow> =
            merged.iter().filter(|own| !own.created && own.id.is_some()).collect();
        if found.is_empty() {
            return Ok(());
        }
        if self.options.turns == MergeTurns::Rounds {
            run.room_for_weights(found.iter().map(|own| own.weight))?;
        }
        for round in self.rounds(&found) {
            run.context.check_pull()?;
            let rows: Vec<u32> = round.iter().map(|(row, _, _)| *row).collect();
            let ids: Vec<u64> = round.iter().map(|(_, id, _)| *id).collect();
            let weights: Vec<u64> = round.iter().map(|(_, _, weight)| *weight).collect();
            self.set(&self.options.on_match, batch.take(&rows), (&ids, &weights), run)?;
        }
        Ok(())
    }

    /// The rows with options set together, their elements and their weights: all, or of each element one
    /// single row a round.
    fn rounds(&self, found: &[&MergedRow]) -> Vec<Vec<(u32, u64, u64)>> {
        let whole = |own: &&MergedRow| (own.row, own.id.unwrap_or_default(), own.weight);
        if self.options.turns != MergeTurns::Rounds {
            return vec![found.iter().map(whole).collect()];
        }
        let mut rounds: Vec<Vec<(u32, u64, u64)>> = Vec::new();
        let mut done: FxHashMap<u64, usize> = FxHashMap::default();
        for own in found {
            let (row, id, weight) = whole(own);
            for _ in 0..weight {
                let round = done.entry(id).or_default();
                rounds.resize_with(rounds.len().max(*round + 1), Vec::new);
                rounds[*round].push((row, id, 1));
                *round += 1;
            }
        }
        rounds
    }

    /// Sets properties of the elements beside the rows, which the values may read.
    fn set(
        &self,
        properties: &PropertyExprs,
        mut rows: Batch,
        (ids, weights): (&[u64], &[u64]),
        run: &Run<'_>,
    ) -> Result<()> {
        run.context.refresh_catalog();
        add(&mut rows, self.template.column(ids));
        let columns: PropertyColumns = properties.evaluate(&rows, run)?;
        let owners = Owners::of(&self.template.column(ids), "a merge")?;
        owners.set(&columns, |row| weights[row as usize], run.context)
    }

    fn rows(&self, batch: &Batch, merged: &[MergedRow]) -> Batch {
        let rows: Vec<u32> = merged.iter().map(|own| own.row).collect();
        let mut result = self.keep.take(batch, &rows);
        if batch.weights.is_some() {
            result.weights =
                Some(Arc::new(merged.iter().map(|own| own.weight).collect::<Vec<_>>()));
        }
        if self.wanted.to {
            let ids: Vec<u64> = merged.iter().map(|own| own.id.unwrap_or_default()).collect();
            let mut column = self.template.column(&ids);
            if merged.iter().any(|own| own.id.is_none()) {
                column.nulls = Some(merged.iter().map(|own| own.id.is_none()).collect());
            }
            add(&mut result, column);
        }
        if self.wanted.created {
            let created = merged.iter().map(|own| own.created).collect();
            add(&mut result, Column::of(ColumnValues::Bool(created)));
        }
        result
    }
}

/// Rows without a match.
struct Groups {
    of_row: Vec<Option<u32>>,
    /// The first row of each group.
    firsts: Vec<u32>,
}

/// The rows of the result: every match; else the group's element, its first row as created.
fn merged_rows(batch: &Batch, matched: &Matched, groups: &Groups, made: &[u64]) -> Vec<MergedRow> {
    let mut merged = Vec::new();
    let mut place = 0;
    for row in 0..batch.len as u32 {
        let mut weight = batch.weight(row as usize);
        let before = merged.len();
        while matched.rows.get(place) == Some(&row) {
            merged.push(MergedRow { row, id: Some(matched.ids[place]), created: false, weight });
            place += 1;
        }
        let Some(group) = groups.of_row[row as usize] else {
            if before == merged.len() {
                merged.push(MergedRow { row, id: None, created: false, weight });
            }
            continue;
        };
        let id = Some(made[group as usize]);
        if groups.firsts[group as usize] == row {
            merged.push(MergedRow { row, id, created: true, weight: 1 });
            weight -= 1;
        }
        if 0 < weight {
            merged.push(MergedRow { row, id, created: false, weight });
        }
    }
    merged
}

/// Counts the properties that a new element has by its template and an option sets or removes again.
fn count_overwritten(properties: &PropertyColumns, key: KeyId, by: &Column, run: &Run<'_>) {
    let Some((_, own)) = properties.iter().find(|(known, _)| *known == key) else { return };
    let is_value = |column: &Column, row| column.get(row).is_some_and(|value| !value.is_null());
    let rows = (0..by.len()).filter(|&row| is_value(own, row) && !by.is_absent(row));
    // The element is made with what is left: a value in place of two writes, or none of them.
    let properties_set = rows.map(|row| if is_value(by, row) { 1 } else { 2 }).sum();
    run.context.count_writes(WriteCounts { properties_set, ..WriteCounts::default() });
}

fn check_values(values: &[&Column], skipped: &[bool]) -> Result<()> {
    let null = |&row: &usize| !skipped[row] && hash_row(values, row).is_none();
    match (0..skipped.len()).find(null) {
        None => Ok(()),
        Some(_) => Err(Error::new(
            ErrorKind::BadInput,
            "a merge matches on null, which equals nothing and would be made again each time",
        )
        .with_help("leave out rows without the value before the merge")),
    }
}

impl MergeTemplate {
    fn column(&self, ids: &[u64]) -> Column {
        match self {
            MergeTemplate::Vertex(_) => {
                Column::vertices(ids.iter().copied().map(VertexId).collect())
            }
            MergeTemplate::Edge(_) => Column::edges(ids.iter().copied().map(EdgeId).collect()),
        }
    }

    /// Sets the labels of the elements that are matched and made from now on.
    fn match_named(&mut self, names: &[Name]) {
        match self {
            MergeTemplate::Vertex(vertices) => vertices.match_named(names),
            MergeTemplate::Edge(edges) => names.iter().for_each(|name| edges.match_named(name)),
        }
    }

    /// Matches on these keys from now on.
    fn match_on(&mut self, names: &[Name]) {
        match self {
            MergeTemplate::Vertex(vertices) => vertices.match_on(names),
            MergeTemplate::Edge(edges) => edges.match_on(names),
        }
    }

    fn create(&self) -> &CreateTemplate {
        match self {
            MergeTemplate::Vertex(vertices) => &vertices.create,
            MergeTemplate::Edge(edges) => &edges.create,
        }
    }

    fn same_ends(&self, batch: &Batch, left: usize, right: usize) -> bool {
        match self {
            MergeTemplate::Vertex(_) => true,
            MergeTemplate::Edge(edges) => edges.same_ends(batch, left, right),
        }
    }

    fn identity(&self, batch: &Batch, row: usize, values: u64) -> u64 {
        match self {
            MergeTemplate::Vertex(vertices) => vertices.identity(values),
            MergeTemplate::Edge(edges) => edges.identity(batch, row, values),
        }
    }
}

impl WholeWrite for Merge {
    fn write(&mut self, batch: Batch, run: &Run<'_>) -> Result<Batch> {
        match self.options.turns {
            MergeTurns::SingleRows => self.merge_single_rows(&batch, run),
            MergeTurns::AtOnce | MergeTurns::Rounds => self.merge(&batch, run),
        }
    }
}
