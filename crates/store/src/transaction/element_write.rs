//! Creating elements and setting their properties, with the checks that need no commit.
//!
//! Each call is checked as a whole before it writes anything. What a reader would get wrong:
//! required properties are judged when the statement ends, since one clause may create a vertex
//! and the next give it what it must have.

use std::collections::HashMap;
use std::hash::Hash;

use millrace_model::schema::PropertyDeclaration;
use millrace_model::{
    Catalog, Column, EdgeId, EdgeTypeId, KeyId, Owner, PropertyType, Result, VertexId,
};

use super::index_change::{self, IndexChange, check_unique};
use super::view::View;
use super::write_set::WriteSet;
use super::{NewProperties, Transaction};
use crate::changes::Labels;
use crate::constraint::{self, holds_labels};
use crate::snapshot::{Elements, Snapshot};

pub(super) fn create_vertices(
    set: &mut WriteSet,
    transaction: &Transaction,
    labels: &Labels,
    count: usize,
    properties: NewProperties<'_>,
) -> Result<Vec<VertexId>> {
    let applies = |owner: Owner| holds_labels(owner, labels);
    let conformed = conform_new(set, applies, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let entries = new_entries(set, &*transaction.snapshot, applies, count, properties)?;
    let ranges = transaction.store.lease_vertices(count as u64)?;
    let ids: Vec<_> = ranges.into_iter().flatten().map(VertexId).collect();
    set.open.push_vertices(labels, &ids, properties);
    ids.iter().for_each(|id| set.created.push(*id, labels));
    set.counts.add_vertices(labels, count as i64);
    for (at, keys) in entries {
        ids.iter().enumerate().for_each(|(row, id)| set.indexes[at].insert(&keys, row, id.0));
    }
    if lacks_required(&set.catalog, applies, properties) {
        set.unchecked.vertices.extend(&ids);
    }
    set.spill_if_large(&*transaction.store)?;
    Ok(ids)
}

pub(super) fn create_edges(
    set: &mut WriteSet,
    transaction: &Transaction,
    edge_type: EdgeTypeId,
    sources: &[VertexId],
    targets: &[VertexId],
    properties: NewProperties<'_>,
) -> Result<Vec<EdgeId>> {
    assert_eq!(sources.len(), targets.len(), "an edge has one source and one target");
    let count = sources.len();
    check_ends(set, &*transaction.snapshot, sources.iter().chain(targets))?;
    let applies = |owner: Owner| owner == Owner::EdgeType(edge_type);
    let conformed = conform_new(set, applies, count, properties)?;
    let properties = replaced(properties, &conformed);
    let properties = &*properties;
    let entries = new_entries(set, &*transaction.snapshot, applies, count, properties)?;
    let ids = transaction.store.lease_edges(edge_type, sources)?;
    set.open.push_edges(edge_type, &ids, (sources, targets), properties);
    set.counts.add_edges(edge_type, count as i64);
    for (at, keys) in entries {
        ids.iter().enumerate().for_each(|(row, id)| set.indexes[at].insert(&keys, row, id.0));
    }
    if lacks_required(&set.catalog, applies, properties) {
        set.unchecked.edges.extend(&ids);
    }
    set.spill_if_large(&*transaction.store)?;
    Ok(ids)
}

pub(super) fn set_vertex_properties(
    set: &mut WriteSet,
    transaction: &Transaction,
    key: KeyId,
    owners: &[VertexId],
    values: &Column,
) -> Result<()> {
    let elements = Elements::Vertices(owners);
    let labels = prepare(set, transaction, elements, values)?
        .then(|| View { snapshot: &*transaction.snapshot, set }.labels(owners))
        .transpose()?;
    let rules = Rules {
        key,
        rows: owners.len(),
        applies: &|owner, row| match &labels {
            Some(labels) => holds_labels(owner, &labels[row]),
            None => false,
        },
    };
    let conformed = rules.conform(&set.catalog, values)?;
    let values = conformed.as_ref().unwrap_or(values);
    let changes = rules.index_changes(
        set,
        &*transaction.snapshot,
        owners,
        |o| Elements::Vertices(o),
        |id| id.0,
        values,
    )?;
    index_change::apply(set, &*transaction.snapshot, &changes)?;
    set.unchecked
        .vertices
        .extend(rules.unset_required(&set.catalog, values).map(|row| owners[row]));
    set.open.push_vertex_values(key, owners, values);
    set.spill_if_large(&*transaction.store)
}

pub(super) fn set_edge_properties(
    set: &mut WriteSet,
    transaction: &Transaction,
    key: KeyId,
    owners: &[EdgeId],
    values: &Column,
) -> Result<()> {
    let elements = Elements::Edges(owners);
    let types = prepare(set, transaction, elements, values)?
        .then(|| View { snapshot: &*transaction.snapshot, set }.ends(owners))
        .transpose()?
        .map(|ends| ends.types);
    let rules = Rules {
        key,
        rows: owners.len(),
        applies: &|owner, row| match &types {
            Some(types) => owner == Owner::EdgeType(types[row]),
            None => false,
        },
    };
    let conformed = rules.conform(&set.catalog, values)?;
    let values = conformed.as_ref().unwrap_or(values);
    let changes = rules.index_changes(
        set,
        &*transaction.snapshot,
        owners,
        |o| Elements::Edges(o),
        |id| id.0,
        values,
    )?;
    index_change::apply(set, &*transaction.snapshot, &changes)?;
    set.unchecked.edges.extend(rules.unset_required(&set.catalog, values).map(|row| owners[row]));
    set.open.push_edge_values(key, owners, values);
    set.spill_if_large(&*transaction.store)
}

/// Whether every required property is there, of what was written since the last check.
pub(super) fn check_required(set: &mut WriteSet, transaction: &Transaction) -> Result<()> {
    if set.unchecked.vertices.is_empty() && set.unchecked.edges.is_empty() {
        return Ok(());
    }
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    let vertices = &set.unchecked.vertices;
    let labels = view.labels(vertices)?;
    check_each(view, Elements::Vertices(vertices), |owner, row| holds_labels(owner, &labels[row]))?;
    let edges = &set.unchecked.edges;
    let types = view.ends(edges)?.types;
    check_each(view, Elements::Edges(edges), |owner, row| owner == Owner::EdgeType(types[row]))?;
    set.unchecked.vertices.clear();
    set.unchecked.edges.clear();
    Ok(())
}

fn check_each(
    view: View<'_>,
    elements: Elements<'_>,
    applies: impl Fn(Owner, usize) -> bool,
) -> Result<()> {
    let exist = view.exist(elements)?;
    for declared in view.set.catalog.properties.iter().filter(|declared| declared.required) {
        let column = &view.gather(elements, &[declared.key])?[0];
        let missing = |row: &usize| {
            exist.get(*row)
                && applies(declared.owner, *row)
                && (column.is_null(*row) || column.is_absent(*row))
        };
        if (0..elements.len()).any(|row| missing(&row)) {
            return Err(constraint::missing(&view.set.catalog, declared));
        }
    }
    Ok(())
}

/// Checks that all owners exist; says whether anything at all is declared.
fn prepare(
    set: &mut WriteSet,
    transaction: &Transaction,
    elements: Elements<'_>,
    values: &Column,
) -> Result<bool> {
    assert_eq!(elements.len(), values.len(), "one value for each owner");
    set.catch_up();
    let exist = View { snapshot: &*transaction.snapshot, set }.exist(elements)?;
    if let Some(row) = (0..elements.len()).find(|row| !exist.get(*row)) {
        return Err(match elements {
            Elements::Vertices(ids) => constraint::no_such(format!("vertex {}", ids[row])),
            Elements::Edges(ids) => constraint::no_such(format!("edge {}", ids[row])),
        });
    }
    Ok(!set.catalog.properties.is_empty() || !set.catalog.indexes.is_empty())
}

fn check_ends<'a>(
    set: &WriteSet,
    snapshot: &dyn Snapshot,
    ends: impl Iterator<Item = &'a VertexId>,
) -> Result<()> {
    let others: Vec<_> = ends.copied().filter(|end| !set.created.is_alive(*end)).collect();
    if others.is_empty() {
        return Ok(());
    }
    let exist = snapshot.exist(Elements::Vertices(&others))?;
    let gone =
        |(row, end): &(usize, &VertexId)| !exist.get(*row) || set.deleted_vertices.contains(end);
    match others.iter().enumerate().find(gone) {
        Some((_, end)) => Err(constraint::no_such(format!("vertex {end}, end of an edge,"))),
        None => Ok(()),
    }
}

/// New columns, where a declaration asks for another form; empty if all may stay.
fn conform_new(
    set: &WriteSet,
    applies: impl Fn(Owner) -> bool,
    count: usize,
    properties: NewProperties<'_>,
) -> Result<Vec<(usize, Column)>> {
    let mut conformed = Vec::new();
    for (at, (key, column)) in properties.iter().enumerate() {
        assert_eq!(column.len(), count, "one entry for each new element");
        if set.catalog.properties.is_empty() {
            continue;
        }
        let rules = Rules { key: *key, rows: count, applies: &|owner, _| applies(owner) };
        if let Some(column) = rules.conform(&set.catalog, column)? {
            conformed.push((at, column));
        }
    }
    Ok(conformed)
}

fn replaced<'a>(
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

/// The indexes that new elements enter, with their key columns; unique ones are checked.
fn new_entries<'a>(
    set: &WriteSet,
    snapshot: &dyn Snapshot,
    applies: impl Fn(Owner) -> bool,
    count: usize,
    properties: &[(KeyId, &'a Column)],
) -> Result<Vec<(usize, Vec<&'a Column>)>> {
    let mut entries = Vec::new();
    for (at, index) in set.indexes.iter().enumerate() {
        if !applies(index.declaration.owner) {
            continue;
        }
        let column = |key: &KeyId| properties.iter().find(|(own, _)| own == key).map(|pair| pair.1);
        let keys = index.declaration.keys.iter().map(column);
        let Some(keys) = keys.collect::<Option<Vec<_>>>() else { continue };
        check_unique(set, snapshot, at, &keys, count)?;
        entries.push((at, keys));
    }
    Ok(entries)
}

fn lacks_required(
    catalog: &Catalog,
    applies: impl Fn(Owner) -> bool,
    properties: NewProperties<'_>,
) -> bool {
    let mut required = catalog.properties.iter().filter(|p| p.required && applies(p.owner));
    required.any(|declared| {
        let column = properties.iter().find(|(key, _)| *key == declared.key);
        column.is_none_or(|(_, column)| column.nulls.is_some() || column.absents.is_some())
    })
}

/// The declarations of one key, for rows of elements.
struct Rules<'a> {
    key: KeyId,
    rows: usize,
    applies: &'a dyn Fn(Owner, usize) -> bool,
}

impl Rules<'_> {
    /// The column in its declared form, if that is another.
    fn conform(&self, catalog: &Catalog, values: &Column) -> Result<Option<Column>> {
        let typed = |declared: &&PropertyDeclaration| {
            declared.key == self.key && declared.kind != PropertyType::Any
        };
        let mut conformed: Option<Column> = None;
        for declared in catalog.properties.iter().filter(typed) {
            let source = conformed.as_ref().unwrap_or(values);
            let mut column = Column::default();
            let mut differs = false;
            for row in 0..self.rows {
                let entry = source.get(row);
                match entry {
                    Some(value) if (self.applies)(declared.owner, row) => {
                        let accepted = constraint::accept(catalog, declared, &value)?;
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
    fn unset_required(&self, catalog: &Catalog, values: &Column) -> impl Iterator<Item = usize> {
        let required =
            |declared: &&PropertyDeclaration| declared.key == self.key && declared.required;
        let owners: Vec<_> =
            catalog.properties.iter().filter(required).map(|declared| declared.owner).collect();
        let unset: Vec<_> = (0..self.rows)
            .filter(|row| values.is_null(*row) || values.is_absent(*row))
            .filter(|row| owners.iter().any(|owner| (self.applies)(*owner, *row)))
            .collect();
        unset.into_iter()
    }

    fn index_changes<Id: Copy + Eq + Hash>(
        &self,
        set: &WriteSet,
        snapshot: &dyn Snapshot,
        owners: &[Id],
        elements: impl Fn(&[Id]) -> Elements<'_>,
        number: impl Fn(Id) -> u64,
        values: &Column,
    ) -> Result<Vec<IndexChange>> {
        let mut changes = Vec::new();
        for (at, index) in set.indexes.iter().enumerate() {
            let Some(place) = index.declaration.keys.iter().position(|key| *key == self.key) else {
                continue;
            };
            let holds = |row: &usize| (self.applies)(index.declaration.owner, *row);
            let last: HashMap<Id, u32> =
                (0..self.rows).filter(holds).map(|row| (owners[row], row as u32)).collect();
            if last.is_empty() {
                continue;
            }
            let (changed, rows): (Vec<Id>, Vec<u32>) = last.into_iter().unzip();
            let view = View { snapshot, set };
            let old = view.gather(elements(&changed), &index.declaration.keys)?;
            let mut new = old.clone();
            new[place] = values.take(&rows);
            let ids = changed.into_iter().map(&number).collect();
            changes.push(IndexChange { at, ids, old, new });
        }
        Ok(changes)
    }
}
