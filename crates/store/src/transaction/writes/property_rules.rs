//! The definitions of properties, checked on the columns of a write.
//!
//! Required properties are checked when the statement ends, since one clause may create a vertex
//! and the next set the properties it requires.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use millrace_model::schema::PropertyDefinition;
use millrace_model::{
    Catalog, Column, ColumnValues, EdgeTypeId, KeyId, Owner, PropertyType, Result, Value,
};

use crate::changes::Labels;
use crate::constraint::{self, holds_labels};
use crate::reads::Elements;
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;
use crate::transaction::state::NewProperties;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::writes::index_change::IndexChange;

/// The definitions of one key, for rows of elements.
pub(in crate::transaction) struct Rules<'a> {
    pub(in crate::transaction) key: KeyId,
    pub(in crate::transaction) rows: usize,
    /// The owners whose definitions may hold for a row.
    pub(in crate::transaction) owners: &'a [Owner],
    pub(in crate::transaction) applies: &'a dyn Fn(Owner, usize) -> bool,
}

impl Rules<'_> {
    /// The definitions of the key that may hold for a row.
    fn defined<'c>(&self, catalog: &'c Catalog) -> impl Iterator<Item = &'c PropertyDefinition> {
        let of_owner = |owner: &Owner| {
            let is_meant = |defined: &&PropertyDefinition| defined.key == self.key;
            catalog.enforced_of(*owner).filter(is_meant)
        };
        self.owners.iter().flat_map(of_owner)
    }

    /// The column in its defined form, if that is another.
    pub(in crate::transaction) fn conform(
        &self,
        set: &WriteSet,
        values: &Column,
    ) -> Result<Option<Column>> {
        let catalog = &*set.catalog;
        let typed = |defined: &&PropertyDefinition| defined.kind != PropertyType::Any;
        let mut conformed: Option<Column> = None;
        for defined in self.defined(catalog).filter(typed) {
            let source = conformed.as_ref().unwrap_or(values);
            if is_stored_form(defined.kind, &source.values) {
                continue;
            }
            let mut column = Column::default();
            let mut differs = false;
            for row in 0..self.rows {
                let entry = source.get(row);
                match entry {
                    Some(value) if (self.applies)(defined.owner, row) => {
                        let accepted = constraint::accept(catalog, defined, &value)?;
                        if set.has_exact_types && is_of_another_type(&value, &accepted) {
                            return Err(constraint::wrong_type(catalog, defined, &value));
                        }
                        differs |= accepted != value;
                        column.push(accepted);
                    }
                    entry => column.push_entry(entry),
                }
            }
            if differs {
                conformed = Some(column);
            }
        }
        Ok(conformed)
    }

    /// Rows that leave their element without a required property.
    pub(in crate::transaction) fn unset_required(
        &self,
        catalog: &Catalog,
        values: &Column,
    ) -> impl Iterator<Item = usize> {
        let required = self.defined(catalog).filter(|defined| defined.required);
        let owners: Vec<_> = required.map(|defined| defined.owner).collect();
        let unset: Vec<_> = (0..self.rows)
            .filter(|row| values.is_null(*row) || values.is_absent(*row))
            .filter(|row| owners.iter().any(|owner| (self.applies)(*owner, *row)))
            .collect();
        unset.into_iter()
    }

    /// The entries that change when the rows get these values.
    pub(in crate::transaction) fn index_changes<Id: Copy + Eq + Hash>(
        &self,
        set: &WriteSet,
        snapshot: &dyn Snapshot,
        owners: &[Id],
        elements: impl Fn(&[Id]) -> Elements<'_>,
        number: impl Fn(Id) -> u64,
        values: &Column,
    ) -> Result<Vec<IndexChange>> {
        let mut changes = Vec::new();
        let indexes = self.owners.iter().flat_map(|owner| set.catalog.indexes.of_owner(*owner));
        for index in indexes {
            let Some(place) = index.keys.iter().position(|key| *key == self.key) else {
                continue;
            };
            let holds = |row: &usize| (self.applies)(index.owner, *row);
            let last: HashMap<Id, u32> =
                (0..self.rows).filter(holds).map(|row| (owners[row], row as u32)).collect();
            if last.is_empty() {
                continue;
            }
            let (changed, rows): (Vec<Id>, Vec<u32>) = last.into_iter().unzip();
            let view = View { snapshot, set };
            let old = view.gather(elements(&changed), &index.keys)?;
            let mut new = old.clone();
            new[place] = values.take(&rows);
            let ids = changed.into_iter().map(&number).collect();
            changes.push(IndexChange { index: index.id, ids, old, new });
        }
        Ok(changes)
    }
}

/// Whether a value has another type than the one that it was converted to; integers of all widths are of one.
fn is_of_another_type(value: &Value, accepted: &Value) -> bool {
    match (value, accepted) {
        (Value::List(values), Value::List(accepted)) => {
            values.iter().zip(accepted.iter()).any(|(one, other)| is_of_another_type(one, other))
        }
        (Value::String(_), accepted) => !matches!(accepted, Value::String(_)),
        (value, accepted) => value.as_int().is_some() != accepted.as_int().is_some(),
    }
}

/// Whether any such entries are stored as they are, so that none need be looked at.
fn is_stored_form(kind: PropertyType, entries: &ColumnValues) -> bool {
    matches!(
        (kind, entries),
        (PropertyType::Boolean, ColumnValues::Bool(_))
            | (PropertyType::Integer, ColumnValues::I64(_))
            | (PropertyType::Double, ColumnValues::F64(_))
            | (PropertyType::String, ColumnValues::String(_))
    )
}

/// Requires every required property to be there, for the elements written since the last check.
pub(in crate::transaction) fn check_required(
    set: &mut WriteSet,
    transaction: &Transaction,
) -> Result<()> {
    if set.unchecked.vertices.is_empty() && set.unchecked.edges.is_empty() {
        return Ok(());
    }
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let vertices = &set.unchecked.vertices;
    let labels = view.labels(vertices)?;
    let owners = owners_of_labels(&labels);
    let holds = |owner, row: usize| holds_labels(owner, &labels[row]);
    check_each(view, &owners, Elements::Vertices(vertices), holds)?;
    let edges = &set.unchecked.edges;
    let types = view.ends(edges)?.types;
    let owners = owners_of_types(&types);
    let holds = |owner, row: usize| owner == Owner::EdgeType(types[row]);
    check_each(view, &owners, Elements::Edges(edges), holds)?;
    set.unchecked.vertices.clear();
    set.unchecked.edges.clear();
    Ok(())
}

/// The owners whose definitions hold for vertices with these labels, each once.
pub(in crate::transaction) fn owners_of_labels(labels: &[Labels]) -> Vec<Owner> {
    let distinct: BTreeSet<Owner> =
        labels.iter().flat_map(|labels| constraint::vertex_owners(labels)).collect();
    distinct.into_iter().chain(labels.is_empty().then_some(Owner::AllVertices)).collect()
}

/// The same of edges of these types.
pub(in crate::transaction) fn owners_of_types(types: &[EdgeTypeId]) -> Vec<Owner> {
    let distinct: BTreeSet<Owner> = types.iter().copied().map(Owner::EdgeType).collect();
    distinct.into_iter().collect()
}

fn check_each(
    view: View<'_>,
    owners: &[Owner],
    elements: Elements<'_>,
    applies: impl Fn(Owner, usize) -> bool,
) -> Result<()> {
    let exist = view.exist(elements)?;
    let defined = owners.iter().flat_map(|owner| view.set.catalog.enforced_of(*owner));
    for defined in defined.filter(|defined| defined.required) {
        let column = &view.gather(elements, &[defined.key])?[0];
        let missing = |row: &usize| {
            exist.get(*row)
                && applies(defined.owner, *row)
                && (column.is_null(*row) || column.is_absent(*row))
        };
        if let Some(row) = (0..elements.len()).find(missing) {
            let id = match elements {
                Elements::Vertices(ids) => ids[row].0,
                Elements::Edges(ids) => ids[row].0,
            };
            return Err(constraint::missing(&view.set.catalog, defined, id));
        }
    }
    Ok(())
}

/// New columns, where a definition asks for another form; empty if all may stay.
pub(in crate::transaction) fn conform_new(
    set: &WriteSet,
    owners: &[Owner],
    count: usize,
    properties: NewProperties<'_>,
) -> Result<Vec<(usize, Column)>> {
    let mut conformed = Vec::new();
    for (at, (key, column)) in properties.iter().enumerate() {
        assert_eq!(column.len(), count, "one entry for each new element");
        let rules = Rules { key: *key, rows: count, owners, applies: &|_, _| true };
        if let Some(column) = rules.conform(set, column)? {
            conformed.push((at, column));
        }
    }
    Ok(conformed)
}

/// The properties with those columns put in.
pub(in crate::transaction) fn replaced<'a>(
    properties: NewProperties<'a>,
    conformed: &'a [(usize, Column)],
) -> std::borrow::Cow<'a, [(KeyId, &'a Column)]> {
    if conformed.is_empty() {
        return properties.into();
    }
    let mut properties = properties.to_vec();
    for (at, column) in conformed {
        properties[*at].1 = column;
    }
    properties.into()
}

/// Whether some new element may be without a required property.
pub(in crate::transaction) fn lacks_required(
    catalog: &Catalog,
    owners: &[Owner],
    properties: NewProperties<'_>,
) -> bool {
    let defined = owners.iter().flat_map(|owner| catalog.enforced_of(*owner));
    let mut required = defined.filter(|defined| defined.required);
    required.any(|defined| {
        let column = properties.iter().find(|(key, _)| *key == defined.key);
        column.is_none_or(|(_, column)| column.nulls.is_some() || column.absents.is_some())
    })
}
