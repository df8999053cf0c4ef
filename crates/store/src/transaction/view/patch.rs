//! Values of the write set laid over those of the snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_model::column::Field;
use millrace_model::{Column, EdgeId, KeyId, Value, VertexId};

use crate::transaction::state::part::Part;

/// The change of one property by the write set.
#[derive(Clone)]
pub(in crate::transaction) enum Patch {
    Keep,
    Set(Option<Value>),
}

pub(in crate::transaction) fn patch_vertices(
    part: &Part,
    ids: &[VertexId],
    key: KeyId,
    patches: &mut [Patch],
) {
    for (id, patch) in ids.iter().zip(patches.iter_mut()) {
        if let Some((block, row)) = part.index.vertex_rows.get(id) {
            let properties = &part.changes.vertices[*block as usize].properties;
            let column = properties.iter().find(|(own, _)| *own == key);
            *patch = Patch::Set(column.and_then(|(_, column)| column.get(*row as usize)));
        }
    }
    for (block, rows) in part.changes.vertex_properties.iter().zip(&part.index.vertex_values) {
        if block.key == key {
            for (id, patch) in ids.iter().zip(patches.iter_mut()) {
                if let Some(row) = rows.get(id) {
                    *patch = Patch::Set(block.values.get(*row as usize));
                }
            }
        }
    }
}

pub(in crate::transaction) fn patch_edges(
    part: &Part,
    ids: &[EdgeId],
    key: KeyId,
    patches: &mut [Patch],
) {
    for (id, patch) in ids.iter().zip(patches.iter_mut()) {
        if let Some((block, row)) = part.index.edge_rows.get(id) {
            let properties = &part.changes.edges[*block as usize].properties;
            let column = properties.iter().find(|(own, _)| *own == key);
            *patch = Patch::Set(column.and_then(|(_, column)| column.get(*row as usize)));
        }
    }
    for (block, rows) in part.changes.edge_properties.iter().zip(&part.index.edge_values) {
        if block.key == key {
            for (id, patch) in ids.iter().zip(patches.iter_mut()) {
                if let Some(row) = rows.get(id) {
                    *patch = Patch::Set(block.values.get(*row as usize));
                }
            }
        }
    }
}

pub(in crate::transaction) fn patched(mut column: Column, patches: Vec<Patch>) -> Column {
    let set = patches.into_iter().zip(0..).filter_map(|(patch, row)| match patch {
        Patch::Keep => None,
        Patch::Set(entry) => Some((row, entry)),
    });
    column.patch(&set.collect::<Vec<_>>());
    column
}

pub(in crate::transaction) fn patched_fields<'a>(
    fields: &[Field],
    patches: impl Iterator<Item = (&'a KeyId, &'a Patch)>,
) -> Arc<[Field]> {
    let mut values: BTreeMap<KeyId, Value> =
        fields.iter().map(|field| (field.key, field.value.clone())).collect();
    for (key, patch) in patches {
        match patch {
            Patch::Keep => {}
            Patch::Set(Some(value)) => drop(values.insert(*key, value.clone())),
            Patch::Set(None) => drop(values.remove(key)),
        }
    }
    values.into_iter().map(|(key, value)| Field { key, value }).collect()
}
