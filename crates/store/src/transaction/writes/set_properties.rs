//! Setting and removing properties of elements that exist.

use millrace_model::{Column, EdgeId, KeyId, Owner, Result, VertexId};

use crate::constraint::{self, holds_labels};
use crate::reads::Elements;
use crate::transaction::Transaction;
use crate::transaction::state::write_set::WriteSet;
use crate::transaction::view::View;
use crate::transaction::writes::index_change;
use crate::transaction::writes::irregular_keys::note_irregular;
use crate::transaction::writes::property_rules::{Rules, owners_of_labels, owners_of_types};

pub(in crate::transaction) fn set_vertex_properties(
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
        owners: &labels.as_deref().map(owners_of_labels).unwrap_or_default(),
        applies: &|owner, row| match &labels {
            Some(labels) => holds_labels(owner, &labels[row]),
            None => false,
        },
    };
    let conformed = rules.conform(set, values)?;
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
    note_irregular(set, key, values);
    set.open.push_vertex_values(key, owners, values);
    set.settle(&*transaction.store)
}

pub(in crate::transaction) fn set_edge_properties(
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
        owners: &types.as_deref().map(owners_of_types).unwrap_or_default(),
        applies: &|owner, row| match &types {
            Some(types) => owner == Owner::EdgeType(types[row]),
            None => false,
        },
    };
    let conformed = rules.conform(set, values)?;
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
    note_irregular(set, key, values);
    set.open.push_edge_values(key, owners, values);
    set.settle(&*transaction.store)
}

/// Checks that all owners exist; says whether anything at all is defined.
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
    Ok([false, true].into_iter().any(|of_edges| set.catalog.defines(of_edges)))
}
