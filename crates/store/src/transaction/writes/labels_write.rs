//! Replacing labels: a vertex enters and leaves the rules and indexes of its labels.

use std::collections::BTreeSet;

use millrace_model::{Owner, Result, VertexId};

use crate::changes::Labels;
use crate::constraint::{self, holds_labels};
use crate::reads::Elements;
use crate::transaction::Transaction;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::writes::index_change::{self, IndexChange};

/// A vertex with its labels before and after.
struct Relabelled<'a> {
    vertex: VertexId,
    old: Labels,
    new: &'a Labels,
}

pub(in crate::transaction) fn set_labels(
    set: &mut WriteSet,
    transaction: &Transaction,
    changes: &[(VertexId, Labels)],
) -> Result<()> {
    set.catch_up();
    let view = View { snapshot: &*transaction.snapshot, set };
    // The last of equal vertices wins.
    let last: std::collections::BTreeMap<_, _> = changes.iter().map(|(v, l)| (*v, l)).collect();
    let vertices: Vec<_> = last.keys().copied().collect();
    let exist = view.exist(Elements::Vertices(&vertices))?;
    if let Some(row) = (0..vertices.len()).find(|row| !exist.get(*row)) {
        return Err(constraint::no_such(format!("vertex {}", vertices[row])));
    }
    let rows = last.into_iter().zip(view.labels(&vertices)?);
    let rows: Vec<_> = rows.map(|((vertex, new), old)| Relabelled { vertex, old, new }).collect();
    check_defined(view, &rows)?;
    let changes = index_changes(view, &rows)?;
    index_change::apply(set, &*transaction.snapshot, &changes)?;
    for Relabelled { vertex, old, new } in rows {
        set.counts.add_vertices(&old, -1);
        set.counts.add_vertices(new, 1);
        set.unchecked.vertices.push(vertex);
        set.relabelled.insert(vertex, new.clone());
    }
    Ok(())
}

/// Values that are there already must obey the definitions of a new label.
fn check_defined(view: View<'_>, rows: &[Relabelled<'_>]) -> Result<()> {
    for defined in owners_of(rows).iter().flat_map(|owner| view.set.catalog.enforced_of(*owner)) {
        let entering = entering(rows, defined.owner);
        let columns = view.gather(Elements::Vertices(&entering), &[defined.key])?;
        for (row, vertex) in entering.iter().enumerate() {
            if let Some(value) = columns[0].get(row) {
                constraint::check_form(&view.set.catalog, defined, &value, vertex.0)?;
            }
        }
    }
    Ok(())
}

fn index_changes(view: View<'_>, rows: &[Relabelled<'_>]) -> Result<Vec<IndexChange>> {
    let mut changes = Vec::new();
    let owners = owners_of(rows);
    for definition in owners.iter().flat_map(|owner| view.set.catalog.indexes.of_owner(*owner)) {
        let index = definition.id;
        let leaving: Vec<_> = rows
            .iter()
            .filter(|row| holds_labels(definition.owner, &row.old))
            .filter(|row| !holds_labels(definition.owner, row.new))
            .map(|row| row.vertex)
            .collect();
        let entering = entering(rows, definition.owner);
        let numbers = |ids: &[VertexId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
        if !leaving.is_empty() {
            let old = view.gather(Elements::Vertices(&leaving), &definition.keys)?;
            changes.push(IndexChange { index, ids: numbers(&leaving), old, new: Vec::new() });
        }
        if !entering.is_empty() {
            let new = view.gather(Elements::Vertices(&entering), &definition.keys)?;
            changes.push(IndexChange { index, ids: numbers(&entering), old: Vec::new(), new });
        }
    }
    Ok(changes)
}

/// The labels that some row has before or after, as owners.
fn owners_of(rows: &[Relabelled<'_>]) -> BTreeSet<Owner> {
    let labels = rows.iter().flat_map(|row| row.old.iter().chain(row.new.iter()));
    labels.copied().map(Owner::Label).collect()
}

fn entering(rows: &[Relabelled<'_>], owner: Owner) -> Vec<VertexId> {
    let enters =
        |row: &&Relabelled<'_>| holds_labels(owner, row.new) && !holds_labels(owner, &row.old);
    rows.iter().filter(enters).map(|row| row.vertex).collect()
}
