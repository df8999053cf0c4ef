//! Nodes and relationships that the graph cannot take, since a unique index has their values already. They are
//! bad rows, with their lines, where the commit would refuse the whole load.
//!
//! The graph is looked at as it was when the load began, or its batch; what others commit meanwhile, the
//! commit itself refuses.

use super::super::edges::{EdgeGroup, Space};
use super::super::nodes::NodeGroup;
use super::edges::EdgeFields;
use super::nodes::NodeTable;
use super::{Consumer, names_column};
use crate::error::{LoadError, excerpt};
use crate::limits::SEEK_ROWS;
use millrace_model::schema::IndexKind;
use millrace_model::temporal::{Seconds, text};
use millrace_model::{Column, EdgeTypeId, IndexId, KeyId, Owner, Value};
use millrace_store::{Labels, SeekMatches, Snapshot};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// Why a row is refused: its field, and the message.
type Refusal = (usize, String);

/// Values of this load in unique indexes, but for ids, which their spaces know.
#[derive(Default)]
pub(super) struct Seen {
    /// One value, or a list of those of several keys.
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
        for unique in taken.uniques.iter().filter(|unique| !unique.is_id()) {
            let Some(value) = taken.value(unique, properties, row) else { continue };
            self.bytes += 64 + value.byte_size() as u64;
            self.values.entry(unique.index).or_default().insert(value);
        }
    }
}

/// A unique index of keys that rows have.
struct Unique {
    index: IndexId,
    /// For each key its number among the properties; `None`: the id.
    columns: Vec<Option<usize>>,
}

impl Unique {
    fn is_id(&self) -> bool {
        self.columns == [None]
    }
}

/// What unique indexes say of a group of rows.
pub(super) struct Taken {
    noun: &'static str,
    /// Of each row; empty if none is refused by the graph.
    refusals: Vec<Option<Refusal>>,
    /// Indexes whose values may not repeat in this load either.
    uniques: Vec<Unique>,
    /// Where the property fields are, and the id.
    fields: Vec<usize>,
    id_at: usize,
    /// The ids as values, if an index needs them.
    ids: Option<Column>,
}

impl Taken {
    /// Why a row is refused, as far as those before it are loaded.
    pub(super) fn refusal(
        &mut self,
        seen: &Seen,
        properties: &[Column],
        row: usize,
    ) -> Option<Refusal> {
        let by_graph = self.refusals.get_mut(row).and_then(Option::take);
        by_graph.or_else(|| {
            self.uniques.iter().filter(|unique| !unique.is_id()).find_map(|unique| {
                let value = self.value(unique, properties, row)?;
                let is_seen =
                    seen.values.get(&unique.index).is_some_and(|all| all.contains(&value));
                let (shown, verb, are) = match unique.columns.len() {
                    1 => (format!("value '{}'", excerpt(&shown(&value))), "occurs", "it is unique"),
                    _ => (shown_list(&value), "occur", "they are unique together"),
                };
                let detail = || format!("the {shown} {verb} twice in this load, and {are}");
                is_seen.then(|| (self.field_at(unique), detail()))
            })
        })
    }

    /// Whether no row can be refused.
    pub(super) fn is_empty(&self) -> bool {
        self.uniques.is_empty() && self.refusals.is_empty()
    }

    /// The field that a message of an index names.
    fn field_at(&self, unique: &Unique) -> usize {
        unique.columns[0].map_or(self.id_at, |field| self.fields[field])
    }

    fn column<'c>(&'c self, number: Option<usize>, properties: &'c [Column]) -> Option<&'c Column> {
        match number {
            Some(field) => properties.get(field),
            None => self.ids.as_ref(),
        }
    }

    /// The value of a row in an index; none where one of its keys has none.
    fn value(&self, unique: &Unique, properties: &[Column], row: usize) -> Option<Value> {
        let value = |number: &Option<usize>| self.column(*number, properties)?.get(row);
        match &unique.columns[..] {
            [only] => value(only),
            several => several.iter().map(value).collect::<Option<Vec<_>>>().map(Value::list),
        }
    }

    /// Refuses the rows with values that the graph has.
    fn look_up(
        &mut self,
        snapshot: &dyn Snapshot,
        unique: &Unique,
        properties: &[Column],
        count: usize,
    ) -> Result<(), LoadError> {
        let columns = unique.columns.iter().map(|number| self.column(*number, properties));
        let Some(columns) = columns.collect::<Option<Vec<_>>>() else { return Ok(()) };
        let rows = rows_in(snapshot, unique.index, &columns)?;
        if !rows.is_empty() {
            self.refusals.resize(count, None);
        }
        for row in rows {
            let value = self.value(unique, properties, row).unwrap_or_default();
            let noun = self.noun;
            let detail = match unique.columns.len() {
                1 if unique.is_id() => in_graph(&shown(&value)),
                1 => {
                    let value = excerpt(&shown(&value));
                    format!(
                        "the graph has a {noun} with the value '{value}' already, and it is unique"
                    )
                }
                _ => {
                    let values = shown_list(&value);
                    format!(
                        "the graph has a {noun} with the {values} already, and they are unique together"
                    )
                }
            };
            let at = self.field_at(unique);
            self.refusals[row].get_or_insert((at, detail));
        }
        Ok(())
    }

    /// Takes the unique indexes of owners into account, as the graph is at a snapshot.
    fn take(
        &mut self,
        snapshot: &dyn Snapshot,
        owners: &[Owner],
        keys: (&[KeyId], Option<KeyId>),
        properties: &[Column],
        count: usize,
    ) -> Result<(), LoadError> {
        for owner in owners {
            let found = uniques(*owner, keys, snapshot);
            // A graph that is being filled costs nothing.
            let has_values = !found.is_empty() && has_elements(snapshot, *owner)?;
            for unique in found {
                if has_values {
                    self.look_up(snapshot, &unique, properties, count)?;
                }
                self.uniques.push(unique);
            }
        }
        Ok(())
    }
}

impl Consumer<'_, '_> {
    /// What unique indexes refuse of a group of nodes.
    pub(super) fn taken(
        &self,
        table: &NodeTable,
        labels: &Labels,
        group: &NodeGroup,
    ) -> Result<Taken, LoadError> {
        let count = group.ids.len();
        let ids = table.id_key.map(|_| {
            let all: Vec<u32> = (0..count as u32).collect();
            names_column(group.ids.clone(), &all, table.id_type)
        });
        let mut taken = Taken {
            noun: "node",
            refusals: Vec::new(),
            uniques: Vec::new(),
            fields: table.fields.clone(),
            id_at: table.id_at,
            ids,
        };
        if self.in_batches && table.id_key.is_some() {
            let names: Vec<&str> = group.ids.iter().collect();
            let found = self.known.find(&table.space, &names)?;
            let of_row = |row: usize| found[row].map(|_| (table.id_at, in_graph(names[row])));
            taken.refusals = (0..names.len()).map(of_row).collect();
        }
        let owners = labels.iter().map(|label| Owner::Label(*label));
        let owners: Vec<Owner> = owners.chain([Owner::AllVertices]).collect();
        let keys = (&table.keys[..], table.id_key);
        taken.take(&*self.unique_at, &owners, keys, &group.properties, count)?;
        Ok(taken)
    }

    /// What unique indexes refuse of a group of relationships.
    pub(super) fn taken_edges(
        &self,
        fields: &EdgeFields<'_>,
        edge_type: EdgeTypeId,
        group: &EdgeGroup,
    ) -> Result<Taken, LoadError> {
        let mut taken = Taken {
            noun: "relationship",
            refusals: Vec::new(),
            uniques: Vec::new(),
            fields: fields.header.property_fields().collect(),
            id_at: 0,
            ids: None,
        };
        let owner = [Owner::EdgeType(edge_type)];
        let (keys, count) = ((&fields.keys[..], None), group.sources.len());
        taken.take(&*self.unique_at, &owner, keys, &group.properties, count)?;
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

/// The unique indexes of an owner whose keys rows have all.
fn uniques(
    owner: Owner,
    (keys, id_key): (&[KeyId], Option<KeyId>),
    snapshot: &dyn Snapshot,
) -> Vec<Unique> {
    let column = |key: &KeyId| match keys.iter().position(|known| known == key) {
        Some(field) => Some(Some(field)),
        None => (id_key == Some(*key)).then_some(None),
    };
    let catalog = snapshot.catalog();
    let unique = catalog.indexes.of_owner(owner).filter(|index| index.kind == IndexKind::Unique);
    unique
        .filter_map(|index| {
            let columns = index.keys.iter().map(column).collect::<Option<Vec<_>>>()?;
            (!columns.is_empty()).then_some(Unique { index: index.id, columns })
        })
        .collect()
}

fn has_elements(snapshot: &dyn Snapshot, owner: Owner) -> Result<bool, LoadError> {
    let count = match owner {
        Owner::Label(label) => snapshot.count_vertices(Some(label)),
        Owner::AllVertices => snapshot.count_vertices(None),
        Owner::EdgeType(edge_type) => snapshot.count_edges(Some(edge_type)),
        Owner::AllEdges => snapshot.count_edges(None),
    };
    Ok(count? != 0)
}

/// The rows with values that an index has.
fn rows_in(
    snapshot: &dyn Snapshot,
    index: IndexId,
    columns: &[&Column],
) -> Result<Vec<usize>, LoadError> {
    let count = columns.first().map_or(0, |column| column.len());
    let rows: Vec<u32> = (0..count as u32).collect();
    let mut found = Vec::new();
    for rows in rows.chunks(SEEK_ROWS) {
        let mut matches = SeekMatches::default();
        let part: Vec<Column> = columns.iter().map(|column| column.take(rows)).collect();
        snapshot.seek(index, &part.iter().collect::<Vec<_>>(), &mut matches)?;
        found.extend(matches.rows.iter().map(|row| rows[*row as usize] as usize));
    }
    Ok(found)
}

/// Values of several keys in a message.
fn shown_list(value: &Value) -> String {
    let Value::List(values) = value else { return shown(value) };
    let values: Vec<String> =
        values.iter().map(|value| format!("'{}'", excerpt(&shown(value)))).collect();
    format!("values {}", values.join(", "))
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
