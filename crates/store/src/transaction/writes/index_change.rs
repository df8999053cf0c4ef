//! Index entries follow a change of values, labels or life, or the change is refused.
//!
//! All old entries go before any new one is checked, so values may be swapped within one call. A
//! vertex of the snapshot is marked `changed` first. From then on only its own entry here counts,
//! so putting an old entry back undoes a refused change.

use millrace_model::schema::IndexKind;
use millrace_model::{Column, IndexId, Result};
use rustc_hash::FxHashMap;

use crate::base::index_keys::expanded;
use crate::base::key_hash::{entries_equal, hash_row};
use crate::constraint;
use crate::reads::SeekMatches;
use crate::reads::ordered_keys::check_sizes;
use crate::snapshot::Snapshot;
use crate::transaction::state::column_append::byte_size;
use crate::transaction::state::write_set::{INDEX_ENTRY_BYTES, WriteSet};
use crate::transaction::view::View;

/// Elements with changed entries in one index.
pub(in crate::transaction) struct IndexChange {
    /// The index, one of the catalog.
    pub(in crate::transaction) index: IndexId,
    pub(in crate::transaction) ids: Vec<u64>,
    /// Key columns with the values before; empty if there was no entry.
    pub(in crate::transaction) old: Vec<Column>,
    /// Key columns with the values after; empty if there is no entry.
    pub(in crate::transaction) new: Vec<Column>,
}

/// Does all changes, or none.
pub(in crate::transaction) fn apply(
    set: &mut WriteSet,
    snapshot: &dyn Snapshot,
    changes: &[IndexChange],
) -> Result<()> {
    for change in changes {
        let Some(index) = set.index_mut(change.index) else { continue };
        index.changed.extend(&change.ids);
        each_entry(change, &change.old, |keys, row, id| index.remove(keys, row, id));
    }
    for (done, change) in changes.iter().enumerate() {
        let keys: Vec<&Column> = change.new.iter().collect();
        let rows = Rows { ids: &change.ids, count: change.ids.len(), is_stored: false };
        let checked = check_unique(set, snapshot, change.index, &keys, rows);
        let definition = set.catalog.indexes.get(&change.index);
        let checked = checked.and_then(|()| match definition {
            Some(definition) => check_sizes(definition, &keys, change.ids.len())
                .map_err(|(_, error)| constraint::of_index(&set.catalog, definition, error)),
            None => Ok(()),
        });
        if let Err(error) = checked {
            undo(set, changes, done);
            return Err(error);
        }
        set.index_bytes += change.ids.len() * INDEX_ENTRY_BYTES
            + keys.iter().map(|column| byte_size(column)).sum::<usize>();
        let Some(index) = set.index_mut(change.index) else { continue };
        each_entry(change, &change.new, |keys, row, id| index.insert(keys, row, id));
    }
    Ok(())
}

/// Elements that are to enter an index.
#[derive(Clone, Copy)]
pub(in crate::transaction) struct Rows<'i> {
    /// Their numbers; none where they have no numbers yet.
    pub(in crate::transaction) ids: &'i [u64],
    pub(in crate::transaction) count: usize,
    /// Whether they are there already, and the index is new.
    pub(in crate::transaction) is_stored: bool,
}

/// Whether these rows may all enter an index: no value is there yet, and none comes twice.
pub(in crate::transaction) fn check_unique(
    set: &WriteSet,
    snapshot: &dyn Snapshot,
    index: IndexId,
    keys: &[&Column],
    Rows { ids, count, is_stored }: Rows<'_>,
) -> Result<()> {
    let own = || set.index(index).map(|own| &own.definition);
    let Some(definition) = set.catalog.indexes.get(&index).or_else(own) else { return Ok(()) };
    if definition.kind != IndexKind::Unique || keys.is_empty() {
        return Ok(());
    }
    let expanded = expanded(keys, count);
    let of_entries: Vec<&Column>;
    let (keys, count) = match &expanded {
        None => (keys, count),
        Some(all) => {
            of_entries = all.columns.iter().collect();
            (of_entries.as_slice(), all.rows.len())
        }
    };
    let mut matches = SeekMatches::default();
    View { snapshot, set }.seek(definition.id, keys, &mut matches)?;
    let stored = matches.rows.first().zip(matches.ids.first());
    let stored = stored.map(|(row, id)| (*row as usize, *id));
    let id_of = |row: usize| {
        let row = expanded.as_ref().map_or(row, |all| all.rows[row] as usize);
        ids.get(row).copied()
    };
    let repeated = || repeated(keys, count);
    let again = |(first, row): (usize, usize)| (row, id_of(first).unwrap_or_default());
    stored.or_else(|| repeated().map(again)).map_or(Ok(()), |(row, id)| {
        let values: Vec<_> = keys.iter().filter_map(|column| column.get(row)).collect();
        let other = id_of(row).filter(|_| is_stored);
        Err(constraint::duplicate(&set.catalog, definition, (id, other), &values))
    })
}

/// Two rows with equal values, in their order; of one element no two are equal.
fn repeated(keys: &[&Column], count: usize) -> Option<(usize, usize)> {
    if count < 2 {
        return None;
    }
    let mut seen: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    (0..count).find_map(|row| {
        let hash = hash_row(keys, row)?;
        let others = seen.entry(hash).or_default();
        let equal = |other: &u32| {
            keys.iter().all(|column| entries_equal(column, *other as usize, column, row))
        };
        let found = others.iter().copied().find(equal);
        others.push(row as u32);
        found.map(|first| (first as usize, row))
    })
}

fn undo(set: &mut WriteSet, changes: &[IndexChange], done: usize) {
    for change in &changes[..done] {
        let Some(index) = set.index_mut(change.index) else { continue };
        each_entry(change, &change.new, |keys, row, id| index.remove(keys, row, id));
    }
    for change in changes {
        let Some(index) = set.index_mut(change.index) else { continue };
        each_entry(change, &change.old, |keys, row, id| index.insert(keys, row, id));
    }
}

fn each_entry(
    change: &IndexChange,
    columns: &[Column],
    mut visit: impl FnMut(&[&Column], usize, u64),
) {
    if columns.is_empty() {
        return;
    }
    let keys: Vec<&Column> = columns.iter().collect();
    for (row, id) in change.ids.iter().enumerate() {
        visit(&keys, row, *id);
    }
}
