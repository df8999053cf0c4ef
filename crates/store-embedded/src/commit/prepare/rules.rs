//! The defined rules, and the index entries that follow from a batch.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use millrace_model::compare::order;
use millrace_model::schema::{IndexDefinition, IndexKind, PropertyDefinition};
use millrace_model::{Catalog, Column, Error, Phase, Result, Value};
use millrace_store::index_keys::keys_of;
use millrace_store::key_hash::hash_values;
use millrace_store::ordered_keys::KeyMaker;
use millrace_store::{ReadUnit, SeekMatches, constraint};

use super::marks::Marks;
use super::modified::{Kind, Modified};
use super::{IndexDelta, external_id_values};
use crate::commit::conflict::Mark;
use crate::commit::physical::OrderedEntry;
use crate::graph::GraphView;
use crate::io::Bug;

/// Requires every modified element to be as its definitions say.
pub(super) fn check_properties(catalog: &Catalog, modified: &Modified) -> Result<()> {
    let defined = modified.owners.iter().flat_map(|owner| catalog.enforced_of(*owner));
    for property in defined.filter(|property| modified.has_key(property.key)) {
        for (row, kind) in modified.kind_after.iter().enumerate() {
            let applies = kind.as_ref().is_some_and(|kind| kind.belongs_to(property.owner));
            if applies {
                let value = modified.values_after(row, &[property.key]).pop().flatten();
                check_property(catalog, property, modified.ids[row], value)?;
            }
        }
    }
    Ok(())
}

/// Requires one value of an element to be as defined. The write set gave stored values their form
/// already.
pub(crate) fn check_property(
    catalog: &Catalog,
    defined: &PropertyDefinition,
    id: u64,
    value: Option<Value>,
) -> Result<()> {
    match value.filter(|value| !value.is_null()) {
        None if defined.required => {
            Err(constraint::missing(catalog, defined, id).in_phase(Phase::Commit))
        }
        None => Ok(()),
        Some(value) => constraint::check_form(catalog, defined, &value, id)
            .map_err(|e| e.in_phase(Phase::Commit)),
    }
}

/// An element with new indexed values.
struct Fresh {
    id: u64,
    hash: u64,
    values: Vec<Value>,
}

/// Adds the changes of the batch to one index, and requires that no unique value occurs twice.
pub(super) fn derive_index_delta(
    view: &GraphView<'_>,
    (catalog, index): (&Catalog, &IndexDefinition),
    modified: &Modified,
    (index_delta, marks): (&mut IndexDelta, &mut Marks<'_>),
) -> Result<()> {
    if index.kind == IndexKind::Made {
        return derive_made_keys((catalog, index), modified, (index_delta, marks));
    }
    let (mut removed, mut fresh) = (HashSet::new(), Vec::new());
    for (row, id) in modified.ids.iter().copied().enumerate() {
        let (old, new) = entries_of(index, modified, row);
        let relabelled = modified.kind_before[row].is_some() && old.is_empty();
        if relabelled && marks.is_injected(Bug::RelabelUnindexed) {
            continue;
        }
        for values in old.iter().filter(|values| !is_among(values, &new)) {
            if let Some(hash) = hash_values(values) {
                removed.insert((id, hash));
                index_delta.remove_entry(index, id, values, hash);
                marks.set(Mark::Read(ReadUnit::Seek(index.id, hash)));
            }
        }
        for values in new.into_iter().filter(|values| !is_among(values, &old)) {
            if let Some(hash) = hash_values(&values) {
                index_delta.add_entry(index, id, &values, hash);
                marks.set(Mark::Read(ReadUnit::Seek(index.id, hash)));
                fresh.push(Fresh { id, hash, values });
            }
        }
        if index.is_of_external_edge_ids() && modified.comes_unchosen(row) {
            let own = external_id_values::own_number(id);
            fresh.extend(own.map(|(hash, values)| Fresh { id, hash, values }));
        }
    }
    if !(removed.is_empty() && fresh.is_empty()) {
        marks.set(Mark::Read(ReadUnit::Index(index.id)));
    }
    if catalog.is_enforced(index) {
        let is_external = index.is_of_external_ids();
        let injected = if is_external { Bug::ExternalIdUnclaimed } else { Bug::UniqueUnclaimed };
        if !marks.is_injected(injected) {
            fresh.iter().for_each(|entry| marks.take(Mark::Unique(index.id, entry.hash)));
        }
        check_unique(view, index, &removed, &fresh)?;
    }
    if index.is_of_external_edge_ids() {
        let chosen = fresh.iter().filter(|entry| !modified.goes(entry.id));
        let chosen = chosen.map(|entry| &entry.values[0]);
        external_id_values::check_places(view, index, chosen, |edge| modified.goes(edge))?;
    }
    Ok(())
}

/// Adds the changes of the batch to an index of made keys. Its readers read all of it, so one mark tells them: a text
/// has too many keys for a mark each.
fn derive_made_keys(
    (catalog, index): (&Catalog, &IndexDefinition),
    modified: &Modified,
    (index_delta, marks): (&mut IndexDelta, &mut Marks<'_>),
) -> Result<()> {
    let maker = KeyMaker::of(index)?;
    let mut is_changed = false;
    for (row, id) in modified.ids.iter().copied().enumerate() {
        let keys_of = |kind: &Option<Kind>, values: &dyn Fn() -> Vec<Option<Value>>| {
            let mut keys: Vec<Vec<u8>> = Vec::new();
            if kind.as_ref().is_some_and(|kind| kind.belongs_to(index.owner)) {
                maker
                    .each_of_values(values(), |key| keys.push(key.to_vec()))
                    .map_err(|error| constraint::of_index(catalog, index, error))?;
            }
            Ok::<_, Error>(keys)
        };
        let mut old =
            keys_of(&modified.kind_before[row], &|| modified.values_before(row, &index.keys))?;
        let mut new =
            keys_of(&modified.kind_after[row], &|| modified.values_after(row, &index.keys))?;
        let relabelled = modified.kind_before[row].is_some() && old.is_empty();
        if relabelled && marks.is_injected(Bug::RelabelUnindexed) {
            continue;
        }
        drop_common(&mut old, &mut new);
        is_changed |= !(old.is_empty() && new.is_empty());
        let entry = |key: Vec<u8>| OrderedEntry { index: index.id, key, id };
        index_delta.ordered_removed.extend(old.into_iter().map(entry));
        index_delta.ordered_added.extend(new.into_iter().map(entry));
    }
    if is_changed {
        marks.set(Mark::Read(ReadUnit::Index(index.id)));
    }
    Ok(())
}

/// Drops the keys that are in both, each as often as it is.
fn drop_common(old: &mut Vec<Vec<u8>>, new: &mut Vec<Vec<u8>>) {
    if old.is_empty() || new.is_empty() {
        return;
    }
    old.sort_unstable();
    new.sort_unstable();
    let mut before = std::mem::take(old).into_iter().peekable();
    for key in std::mem::take(new) {
        while let Some(gone) = before.next_if(|own| *own < key) {
            old.push(gone);
        }
        if before.next_if(|own| *own == key).is_none() {
            new.push(key);
        }
    }
    old.extend(before);
}

/// The entries of an element before and after, by their values.
type Entries = (Vec<Vec<Value>>, Vec<Vec<Value>>);

fn entries_of(index: &IndexDefinition, modified: &Modified, row: usize) -> Entries {
    let old = covered_values(index, modified.kind_before[row].as_ref(), || {
        modified.values_before(row, &index.keys)
    });
    let new = covered_values(index, modified.kind_after[row].as_ref(), || {
        modified.values_after(row, &index.keys)
    });
    (old, new)
}

/// The elements with changed entries in an index.
pub(crate) fn changed_entries(index: &IndexDefinition, modified: &Modified) -> HashSet<u64> {
    let rows = modified.ids.iter().enumerate();
    let changes = |(row, _): &(usize, &u64)| {
        let (old, new) = entries_of(index, modified, *row);
        old.len() != new.len() || !old.iter().all(|values| is_among(values, &new))
    };
    rows.filter(changes).map(|(_, id)| *id).collect()
}

/// The entries that an element has in the index, by their values.
fn covered_values(
    index: &IndexDefinition,
    kind: Option<&Kind>,
    values: impl Fn() -> Vec<Option<Value>>,
) -> Vec<Vec<Value>> {
    if !kind.is_some_and(|kind| kind.belongs_to(index.owner)) {
        return Vec::new();
    }
    let values: Option<Vec<Value>> = values().into_iter().collect();
    values.map(keys_of).unwrap_or_default()
}

/// Whether values are among the entries of an element, which [`keys_of`] gives in order.
fn is_among(values: &[Value], all: &[Vec<Value>]) -> bool {
    let compare = |own: &Vec<Value>| {
        let mut parts = own.iter().zip(values).map(|(own, value)| order(own, value));
        parts.find(|found| found.is_ne()).unwrap_or(Ordering::Equal)
    };
    all.binary_search_by(compare).is_ok()
}

pub(crate) fn same(left: &[Value], right: &[Value]) -> bool {
    left.iter().zip(right).all(|(left, right)| order(left, right).is_eq())
}

fn check_unique(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    removed: &HashSet<(u64, u64)>,
    fresh: &[Fresh],
) -> Result<()> {
    if fresh.is_empty() {
        return Ok(());
    }
    let keys: Vec<Column> = (0..index.keys.len())
        .map(|key| Column::from_values(fresh.iter().map(|entry| entry.values[key].clone())))
        .collect();
    let keys: Vec<&Column> = keys.iter().collect();
    let mut matches = SeekMatches::default();
    view.seek(index, &keys, &mut matches)?;
    let taken = matches.rows.iter().zip(&matches.ids);
    for (row, id) in taken {
        let entry = &fresh[*row as usize];
        if *id != entry.id && !removed.contains(&(*id, entry.hash)) {
            return Err(external_id_values::taken(&view.catalog, index, entry.id, &entry.values));
        }
    }
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(fresh.len());
    for (row, entry) in fresh.iter().enumerate() {
        let others = seen.entry(entry.hash).or_default();
        if others.iter().any(|other| same(&fresh[*other].values, &entry.values)) {
            return Err(external_id_values::taken(&view.catalog, index, entry.id, &entry.values));
        }
        others.push(row);
    }
    Ok(())
}
