//! Every vertex is shown under one id and found by it, no two under the same; an id that no vertex
//! is shown under names nobody, though it be the number of a slot.

use std::collections::BTreeSet;

use millrace_model::VertexId;
use millrace_store::{Elements, Snapshot};

use super::{Judged, require_same};
use crate::simulator::claim::FAR;
use crate::simulator::model::Model;

pub(super) fn judge(snapshot: &dyn Snapshot, model: &Model) -> Judged {
    let by_shown = model.by_shown();
    let slots = model.vertices.keys().flat_map(|slot| [*slot, *slot + 1]);
    let ids: BTreeSet<u64> = by_shown.keys().copied().chain(slots).chain(FAR).collect();
    let ids: Vec<u64> = ids.into_iter().collect();
    let places = snapshot.find_outer(&ids)?;
    let places = places.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect());
    let exist = snapshot.exist(Elements::Vertices(&places))?;
    let rows = ids.iter().zip(&places).enumerate();
    let found: Vec<(u64, Option<u64>)> =
        rows.map(|(row, (id, place))| (*id, exist.get(row).then_some(place.0))).collect();
    let expected = ids.iter().map(|id| (*id, by_shown.get(id).copied())).collect();
    require_same("vertices by what they are shown under", &found, &expected)?;
    let shown = snapshot.outer_ids(&places)?;
    let shown = shown.unwrap_or_else(|| places.iter().map(|place| place.0).collect());
    require_same("what is found by ids is shown as", &shown, &ids)
}
