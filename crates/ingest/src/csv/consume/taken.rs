//! Nodes that the graph cannot take, since a unique index has their values already. They are bad rows, with
//! their lines, where the commit would refuse the whole load.
//!
//! The graph is looked at as it was when the load began, or its batch; what others commit meanwhile, the
//! commit itself refuses.

use super::super::edges::Space;
use super::super::nodes::NodeGroup;
use super::nodes::NodeTable;
use super::{Consumer, names_column};
use crate::error::{LoadError, excerpt};
use crate::limits::SEEK_ROWS;
use millrace_model::schema::IndexKind;
use millrace_model::temporal::{Seconds, text};
use millrace_model::{Column, IndexId, Owner, Value};
use millrace_store::{Labels, SeekMatches, Snapshot};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// Why a row is refused: its field, and the message.
type Refusal = (usize, String);

/// A property field with a unique index: both, and its place among the properties.
type UniqueField = (IndexId, usize);

/// The rows of a group that are refused by unique indexes.
pub(super) struct Taken {
    /// Of each row; empty if none is.
    refusals: Vec<Option<Refusal>>,
    /// Fields whose values may not repeat in this load either.
    fields: Vec<UniqueField>,
}

/// Values of this load in unique indexes of properties. Ids are known by their spaces.
#[derive(Default)]
pub(super) struct Seen {
    values: FxHashMap<IndexId, HashSet<Value>>,
    bytes: u64,
}

impl Seen {
    /// Bytes that it holds, about.
    pub(super) fn byte_size(&self) -> u64 {
        self.bytes
    }

    /// Remembers the values of a row that is loaded.
    pub(super) fn add(&mut self, taken: &Taken, properties: &[Column], row: usize) {
        for (index, field) in &taken.fields {
            let Some(value) = properties[*field].get(row) else { continue };
            self.bytes += 64 + value.byte_size() as u64;
            self.values.entry(*index).or_default().insert(value);
        }
    }
}

impl Taken {
    /// Why a row is refused, as far as those before it are loaded.
    pub(super) fn refusal(
        &mut self,
        seen: &Seen,
        table: &NodeTable,
        properties: &[Column],
        row: usize,
    ) -> Option<Refusal> {
        let by_graph = self.refusals.get_mut(row).and_then(Option::take);
        by_graph.or_else(|| {
            self.fields.iter().find_map(|(index, field)| {
                let value = properties[*field].get(row)?;
                let is_seen = seen.values.get(index).is_some_and(|seen| seen.contains(&value));
                let detail = || {
                    let value = excerpt(&shown(&value));
                    format!("the value '{value}' occurs twice in this load, and it is unique")
                };
                is_seen.then(|| (table.fields[*field], detail()))
            })
        })
    }
}

impl Consumer<'_, '_> {
    /// What unique indexes refuse of a group.
    pub(super) fn taken(
        &self,
        table: &NodeTable,
        labels: &Labels,
        group: &NodeGroup,
    ) -> Result<Taken, LoadError> {
        let snapshot = &*self.unique_at;
        let mut taken = Taken { refusals: Vec::new(), fields: Vec::new() };
        if self.in_batches && table.id_key.is_some() {
            let names: Vec<&str> = group.ids.iter().collect();
            let found = self.known.find(&table.space, &names)?;
            let of_row = |row: usize| found[row].map(|_| (table.id_at, in_graph(names[row])));
            taken.refusals = (0..names.len()).map(of_row).collect();
        }
        for Unique { index, field, has_values } in unique_fields(table, labels, snapshot)? {
            taken.fields.extend(field.map(|field| (index, field)));
            // A graph that is being filled costs nothing.
            if !has_values {
                continue;
            }
            let ids: Column;
            let column = match field {
                Some(field) => &group.properties[field],
                None => {
                    let all: Vec<u32> = (0..group.ids.len() as u32).collect();
                    ids = names_column(group.ids.clone(), &all, table.id_type);
                    &ids
                }
            };
            let rows = rows_in(snapshot, index, column)?;
            if !rows.is_empty() {
                taken.refusals.resize(group.ids.len(), None);
            }
            for row in rows {
                let refusal = || match field {
                    None => (table.id_at, in_graph(group.ids.get(row))),
                    Some(field) => {
                        let value = column.get(row).map_or_else(String::new, |value| shown(&value));
                        let value = excerpt(&value);
                        let detail = format!(
                            "the graph has a node with the value '{value}' already, and it is unique"
                        );
                        (table.fields[field], detail)
                    }
                };
                taken.refusals[row].get_or_insert_with(refusal);
            }
        }
        Ok(taken)
    }

    /// Bytes of names and values that are remembered, about.
    pub(super) fn seen_bytes(&self) -> u64 {
        self.spaces.values().map(Space::byte_size).sum::<u64>() + self.seen.byte_size()
    }
}

fn in_graph(name: &str) -> String {
    format!("the id '{}' is in the graph already", excerpt(name))
}

/// A unique index of one key that rows have.
struct Unique {
    index: IndexId,
    /// The place among the properties; `None`: the id.
    field: Option<usize>,
    /// Whether the graph may have values in it.
    has_values: bool,
}

fn unique_fields(
    table: &NodeTable,
    labels: &Labels,
    snapshot: &dyn Snapshot,
) -> Result<Vec<Unique>, LoadError> {
    let catalog = snapshot.catalog();
    let mut found = Vec::new();
    let owners = labels.iter().map(|label| (Owner::Label(*label), Some(*label)));
    for (owner, label) in owners.chain([(Owner::AllVertices, None)]) {
        for index in catalog.indexes.of_owner(owner) {
            let [key] = index.keys[..] else { continue };
            let field = table.keys.iter().position(|known| *known == key);
            if index.kind == IndexKind::Unique && (field.is_some() || table.id_key == Some(key)) {
                let has_values = snapshot.count_vertices(label)? != 0;
                found.push(Unique { index: index.id, field, has_values });
            }
        }
    }
    Ok(found)
}

/// The rows of a column with values that an index has.
fn rows_in(
    snapshot: &dyn Snapshot,
    index: IndexId,
    column: &Column,
) -> Result<Vec<usize>, LoadError> {
    let rows: Vec<u32> = (0..column.len() as u32).collect();
    let mut found = Vec::new();
    for rows in rows.chunks(SEEK_ROWS) {
        let mut matches = SeekMatches::default();
        snapshot.seek(index, &[&column.take(rows)], &mut matches)?;
        found.extend(matches.rows.iter().map(|row| rows[*row as usize] as usize));
    }
    Ok(found)
}

/// A value in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::F64(number) => number.to_string(),
        value => match (value.as_int(), text(value, Seconds::IfAny)) {
            (Some(number), _) => number.to_string(),
            (None, Some(text)) => text,
            (None, None) => value.type_name().to_owned(),
        },
    }
}
