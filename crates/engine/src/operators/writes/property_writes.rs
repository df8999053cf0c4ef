//! Properties on their way into elements: columns by key, from expressions and from maps.

use std::collections::VecDeque;
use std::sync::Arc;

use millrace_model::{
    Batch, Bits, Column, ColumnValues, EdgeId, Error, ErrorKind, KeyId, Result, Value, VertexId,
    query_limits,
};
use millrace_plan::{ColumnId, Name, Properties, WriteCounts};
use millrace_store::{Elements, NameKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::Compiler;
use crate::context::{Context, Resolved, properties_set};
use crate::expressions::{Exprs, Operand};
use crate::limits::{MADE_BYTES_MAX, PROPERTY_CELLS_MAX};
use crate::rows::slices;
use crate::run::Run;

/// The expressions of some properties: keyed ones, then perhaps a map's.
pub(crate) struct PropertyExprs {
    keys: Vec<Resolved<KeyId>>,
    has_map: bool,
    exprs: Exprs,
}

/// Columns by key, one entry for each row; absent gives none. Keys do not repeat.
pub(super) type PropertyColumns = Vec<(KeyId, Arc<Column>)>;

impl PropertyExprs {
    pub(super) fn compile(
        properties: &Properties,
        compiler: &Compiler<'_>,
        layout: &[ColumnId],
    ) -> Result<PropertyExprs> {
        let names: Vec<Name> = properties.keyed.iter().map(|(name, _)| name.clone()).collect();
        let exprs = compiler.exprs(layout, properties.exprs())?;
        Ok(PropertyExprs::new(&names, properties.map.is_some(), exprs))
    }

    pub(crate) fn new(names: &[Name], has_map: bool, exprs: Exprs) -> PropertyExprs {
        PropertyExprs { keys: names.iter().map(Resolved::new).collect(), has_map, exprs }
    }

    /// Whether nothing is set.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty() && !self.has_map
    }

    /// The rows of a batch in turn, in parts of at most so many rows, and of so few that they have not too many keys
    /// together: each key of a part is a column.
    fn together(&self, batch: &Batch, rows_max: usize, run: &Run<'_>) -> Result<Vec<Vec<u32>>> {
        if !self.has_map || batch.len < 2 {
            return Ok(slices(batch.len, rows_max).collect());
        }
        let map = self.exprs.evaluate_at(self.keys.len(), batch, run)?;
        let (mut parts, mut part) = (Vec::new(), Vec::new());
        let mut keys: FxHashSet<Value> = FxHashSet::default();
        for row in 0..batch.len as u32 {
            if let Value::Map(pairs) = map.value(row as usize) {
                keys.extend(pairs.iter().map(|(key, _)| key.clone()));
                if !part.is_empty() && PROPERTY_CELLS_MAX < keys.len() * (part.len() + 1) {
                    parts.push(std::mem::take(&mut part));
                    keys = pairs.iter().map(|(key, _)| key.clone()).collect();
                }
            }
            part.push(row);
            if part.len() == rows_max {
                parts.push(std::mem::take(&mut part));
                keys.clear();
            }
        }
        if !part.is_empty() {
            parts.push(part);
        }
        Ok(parts)
    }

    /// Evaluates the rows of a batch in turn, in parts as [`PropertyExprs::together`] makes them and of values that are
    /// not too large together: one value may be that of many rows, and is copied for each where it is written.
    pub(super) fn evaluate_in_parts(
        &self,
        batch: &Batch,
        rows_max: usize,
        run: &Run<'_>,
        write: &mut dyn FnMut(&Batch, &PropertyColumns) -> Result<()>,
    ) -> Result<()> {
        let mut parts: VecDeque<Vec<u32>> = self.together(batch, rows_max, run)?.into();
        while let Some(rows) = parts.pop_front() {
            run.context.check()?;
            let part = if rows.len() == batch.len { batch.clone() } else { batch.take(&rows) };
            let properties = self.evaluate(&part, run)?;
            let bytes = bytes_of_values(&properties);
            if bytes <= MADE_BYTES_MAX || rows.len() == 1 {
                write(&part, &properties)?;
                continue;
            }
            let fewer = (rows.len() as u64 * MADE_BYTES_MAX / bytes).max(1) as usize;
            rows.chunks(fewer).rev().for_each(|rows| parts.push_front(rows.to_vec()));
        }
        Ok(())
    }

    /// The values for each row of a batch. New keys are made in the catalog.
    pub(super) fn evaluate(&self, batch: &Batch, run: &Run<'_>) -> Result<PropertyColumns> {
        let mut operands = self.exprs.evaluate(batch, run)?;
        let map = if self.has_map { operands.pop() } else { None };
        let mut columns = PropertyColumns::new();
        for (key, operand) in self.keys.iter().zip(operands) {
            put(&mut columns, must_key(key, run)?, operand.into_column(batch.len));
        }
        if let Some(map) = map {
            spread(&map, batch.len, &mut columns, run)?;
        }
        Ok(columns)
    }
}

/// Adds a column; for a key that is there already, the later entries win where they are present.
pub(super) fn put(columns: &mut PropertyColumns, key: KeyId, column: Arc<Column>) {
    let Some((_, known)) = columns.iter_mut().find(|(known, _)| *known == key) else {
        columns.push((key, column));
        return;
    };
    let mut merged = Column::default();
    for row in 0..column.len() {
        merged.push_entry(column.get(row).or_else(|| known.get(row)));
    }
    *known = Arc::new(merged);
}

/// The entries of maps as columns; keys known only from data.
fn spread(maps: &Operand, len: usize, columns: &mut PropertyColumns, run: &Run<'_>) -> Result<()> {
    let mut by_key: Vec<(Arc<str>, Column)> = Vec::new();
    let mut column_of: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for row in 0..len {
        let pairs = match maps.value(row) {
            Value::Map(pairs) => pairs,
            other => {
                let kind = other.type_name();
                let detail = format!("properties are given as a map, and this is a {kind}");
                let help = "leave out the rows without one, or give an empty map";
                return Err(Error::new(ErrorKind::BadQuery, detail).with_help(help));
            }
        };
        for (key, value) in pairs.iter() {
            let Value::String(key) = key else {
                let kind = key.type_name();
                let detail = format!("a property's key is a text, and this is a {kind}");
                return Err(Error::new(ErrorKind::BadInput, detail));
            };
            let number = *column_of.entry(key.clone()).or_insert_with(|| {
                by_key.push((key.clone(), Column::default()));
                by_key.len() - 1
            });
            let column = &mut by_key[number].1;
            while column.len() < row {
                column.push_absent();
            }
            if column.len() == row {
                column.push(value.clone());
            }
        }
    }
    let keys = must_keys(by_key.iter().map(|(key, _)| key), run)?;
    let beside = columns.len();
    for (key, (_, mut column)) in keys.into_iter().zip(by_key) {
        while column.len() < len {
            column.push_absent();
        }
        // The keys of maps are distinct.
        match columns[..beside].iter().any(|(known, _)| *known == key) {
            true => put(columns, key, Arc::new(column)),
            false => columns.push((key, Arc::new(column))),
        }
    }
    Ok(())
}

/// Bytes of values that rows may share, each counted for each row. Other columns hold as much as is written of them.
fn bytes_of_values(properties: &PropertyColumns) -> u64 {
    let of_column = |column: &Column| match &column.values {
        ColumnValues::Value(values) => values.iter().map(written_bytes).sum(),
        _ => 0,
    };
    properties.iter().map(|(_, column)| of_column(column)).sum()
}

/// About the bytes of a value as it is stored: lists count for what they look like at their first entries.
fn written_bytes(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Bytes(bytes) => bytes.len() as u64,
        other => query_limits::work_of(other) * query_limits::UNIT_BYTES,
    }
}

/// The numbers of keys, the new ones made together.
fn must_keys<'n>(names: impl Iterator<Item = &'n Name>, run: &Run<'_>) -> Result<Vec<KeyId>> {
    let names: Vec<&Name> = names.collect();
    let known: Vec<Option<KeyId>> =
        run.context.look(|catalog| names.iter().map(|name| catalog.key(name)).collect());
    if known.iter().all(Option::is_some) {
        return Ok(known.into_iter().flatten().collect());
    }
    let all: Vec<(NameKind, &str)> = names.iter().map(|name| (NameKind::Key, &***name)).collect();
    let numbers = run.context.transaction()?.intern(&all)?;
    run.context.refresh_catalog();
    Ok(numbers.into_iter().map(KeyId).collect())
}

fn must_key(key: &Resolved<KeyId>, run: &Run<'_>) -> Result<KeyId> {
    match key.key(run.context) {
        Some(key) => Ok(key),
        None => intern(NameKind::Key, key.name(), run).map(KeyId),
    }
}

/// The number of a name, made if it is new.
pub(super) fn intern(kind: NameKind, name: &Name, run: &Run<'_>) -> Result<u32> {
    let numbers = run.context.transaction()?.intern(&[(kind, name)])?;
    run.context.refresh_catalog();
    numbers
        .first()
        .copied()
        .ok_or_else(|| Error::new(ErrorKind::Bug, "a store numbers each name it is asked for"))
}

/// Vertices and edges to be written, with the rows of the values they take.
#[derive(Default)]
pub(super) struct Owners {
    pub(super) vertices: (Vec<VertexId>, Vec<u32>),
    pub(super) edges: (Vec<EdgeId>, Vec<u32>),
}

impl Owners {
    /// The elements of a column; null and absent entries are passed over.
    pub(super) fn of(elements: &Column, asked: &str) -> Result<Owners> {
        let mut owners = Owners::default();
        for row in 0..elements.len() {
            match elements.get(row).unwrap_or_default() {
                Value::Null => {}
                Value::Vertex(vertex) => {
                    owners.vertices.0.push(vertex);
                    owners.vertices.1.push(row as u32);
                }
                Value::Edge(edge) => {
                    owners.edges.0.push(edge);
                    owners.edges.1.push(row as u32);
                }
                other => {
                    let kind = other.type_name();
                    let detail = format!("{asked} expects a vertex or edge but got a {kind}");
                    return Err(Error::new(ErrorKind::BadQuery, detail));
                }
            }
        }
        Ok(owners)
    }

    /// Those that the statement did not delete before, and the rows of the others.
    pub(super) fn without_deleted(self, run: &Run<'_>) -> Result<(Owners, Vec<u32>)> {
        let counts = run.context.write_counts();
        if counts.vertices_deleted == 0 && counts.edges_deleted == 0 {
            return Ok((self, Vec::new()));
        }
        let graph = run.context.graph();
        let mut deleted = Vec::new();
        let exist = graph.exist(Elements::Vertices(&self.vertices.0))?;
        let vertices = living(self.vertices, &exist, &mut deleted);
        let exist = graph.exist(Elements::Edges(&self.edges.0))?;
        let edges = living(self.edges, &exist, &mut deleted);
        Ok((Owners { vertices, edges }, deleted))
    }

    /// Sets properties: a null entry removes, an absent one changes nothing. `weight` says how many equal rows a
    /// row stands for.
    pub(super) fn set(
        &self,
        columns: &PropertyColumns,
        weight: impl Fn(u32) -> u64,
        context: &Context,
    ) -> Result<()> {
        self.set_and_count(columns, context, Some(&weight))
    }

    /// The same for what the caller counts itself.
    pub(super) fn set_uncounted(&self, columns: &PropertyColumns, context: &Context) -> Result<()> {
        self.set_and_count(columns, context, None)
    }

    fn set_and_count(
        &self,
        columns: &PropertyColumns,
        context: &Context,
        weight: Option<&dyn Fn(u32) -> u64>,
    ) -> Result<()> {
        let transaction = context.transaction()?;
        let count = |properties_set| {
            context.count_writes(WriteCounts { properties_set, ..WriteCounts::default() });
        };
        for (key, column) in columns {
            context.check()?;
            let (vertices, rows, values) = present(&self.vertices, column);
            if !vertices.is_empty() {
                if let Some(weight) = weight {
                    let held = || context.value_before(Elements::Vertices(&vertices), *key);
                    let weight = |place: usize| weight(rows[place]);
                    count(properties_set((&vertices, &values), weight, held)?);
                }
                transaction.set_vertex_properties(*key, &vertices, &values)?;
            }
            let (edges, rows, values) = present(&self.edges, column);
            if !edges.is_empty() {
                if let Some(weight) = weight {
                    let held = || context.value_before(Elements::Edges(&edges), *key);
                    let weight = |place: usize| weight(rows[place]);
                    count(properties_set((&edges, &values), weight, held)?);
                }
                transaction.set_edge_properties(*key, &edges, &values)?;
            }
        }
        Ok(())
    }
}

/// Owners that exist; the rows of the others go to `deleted`.
fn living<Id: Copy>(
    (ids, rows): (Vec<Id>, Vec<u32>),
    exist: &Bits,
    deleted: &mut Vec<u32>,
) -> (Vec<Id>, Vec<u32>) {
    let mut living = (Vec::new(), Vec::new());
    for (place, (id, row)) in ids.into_iter().zip(rows).enumerate() {
        if exist.get(place) {
            living.0.push(id);
            living.1.push(row);
        } else {
            deleted.push(row);
        }
    }
    living
}

/// How many properties rows set by columns: values, and nulls if they count.
pub(super) fn entries_set(
    columns: &PropertyColumns,
    rows: &[u32],
    weight: impl Fn(u32) -> u64,
    counts_nulls: bool,
) -> u64 {
    let counts = |column: &Arc<Column>, row: u32| match column.get(row as usize) {
        Some(value) => counts_nulls || !value.is_null(),
        None => false,
    };
    let of = |row: &u32| {
        let count = columns.iter().filter(|(_, column)| counts(column, *row)).count() as u64;
        count.saturating_mul(weight(*row))
    };
    rows.iter().map(of).fold(0, u64::saturating_add)
}

/// The owners with a present entry, their rows, and those entries with null made absent: removed.
fn present<Id: Copy>(
    (ids, rows): &(Vec<Id>, Vec<u32>),
    column: &Arc<Column>,
) -> (Vec<Id>, Vec<u32>, Arc<Column>) {
    let there = |place: &usize| !column.is_absent(rows[*place] as usize);
    let places: Vec<usize> = (0..ids.len()).filter(there).collect();
    let rows: Vec<u32> = places.iter().map(|&place| rows[place]).collect();
    let values = Arc::new(column.take(&rows));
    (
        places.into_iter().map(|place| ids[place]).collect(),
        rows,
        super::absent_nulls::null_is_absent(&values),
    )
}
