//! Elements that lost the ids that clients chose for them, where their internal ids are the
//! external ids of other elements: each gets an unused id.
//!
//! Most elements that lose a chosen id are shown under their place from then on, a number that no
//! other element has; only the rest is here.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{EXTERNAL_ID_KEY, Result, Value};
use millrace_store::run::{EDGE_SLOT_BITS, PARTITION_BITS};

use super::rebuild::{Edge, EdgesOf};
use crate::base::commit_limits::VERTICES_MAX;
use crate::persistent::image::Image;

/// All numbers of edges are below.
const EDGES_END: u64 = 1 << 56;

/// Vertices, each with its new id.
pub(super) fn vertices_with_duplicate_ids(
    images: &BTreeMap<u32, &Image>,
) -> Result<Vec<(u32, u64)>> {
    let mut external: BTreeSet<u64> = BTreeSet::new();
    for column in images.values().filter_map(|image| image.vertex_columns.get(&EXTERNAL_ID_KEY)) {
        external.extend(column.get()?.iter().filter_map(|(_, id)| number(&id)));
    }
    let mut again = Vec::new();
    let mut fresh = (VERTICES_MAX..).filter(|id| !external.contains(id));
    for slot in external.iter().filter_map(|id| u32::try_from(*id).ok()) {
        let Some(image) = images.get(&(slot >> PARTITION_BITS)) else { continue };
        let column =
            image.vertex_columns.get(&EXTERNAL_ID_KEY).map(|column| column.get()).transpose()?;
        let own = column.and_then(|column| column.get(slot & 0xffff));
        if own.is_none() && image.records.get()?.exists(slot as u16) {
            again.extend(fresh.next().map(|id| (slot, id)));
        }
    }
    Ok(again)
}

/// Edges by their partition, type and slot, each with its new id.
pub(super) fn edges_with_duplicate_ids(
    edges: &BTreeMap<EdgesOf, Vec<Edge>>,
    images: &BTreeMap<u32, &Image>,
) -> Result<Vec<(EdgesOf, u32, u64)>> {
    let mut external: BTreeSet<u64> = BTreeSet::new();
    for image in images.values() {
        let columns = image.edge_columns.iter().filter(|((_, key), _)| *key == EXTERNAL_ID_KEY);
        for (_, column) in columns {
            external.extend(column.get()?.iter().filter_map(|(_, id)| number(&id)));
        }
    }
    let mut again = Vec::new();
    if external.is_empty() {
        return Ok(again);
    }
    let mut fresh = (EDGES_END..).filter(|id| !external.contains(id));
    for (place @ (ordinal, edge_type), edges) in edges {
        let base = u64::from(*ordinal) << EDGE_SLOT_BITS;
        for (_, _, slot) in
            edges.iter().filter(|edge| external.contains(&(base | u64::from(edge.2))))
        {
            let image = images.get(ordinal).copied();
            let column =
                image.and_then(|image| image.edge_columns.get(&(*edge_type, EXTERNAL_ID_KEY)));
            let section = image.and_then(|image| image.edges.get(edge_type));
            let row = section.map(|section| section.get()).transpose()?;
            let row = row.and_then(|section| section.slots.row(*slot));
            let column = column.map(|column| column.get()).transpose()?;
            if column.zip(row).and_then(|(column, row)| column.get(row)).is_none() {
                again.extend(fresh.next().map(|id| (*place, *slot, id)));
            }
        }
    }
    Ok(again)
}

fn number(kept: &Value) -> Option<u64> {
    kept.as_int().map(|id| id as u64)
}
