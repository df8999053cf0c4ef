//! Every vertex is shown under one id and found by it, no two under the same; an id that no vertex
//! is shown under finds none, though it be the number of an internal id.

use std::collections::{BTreeMap, BTreeSet};

use millrace_model::{EdgeId, ExternalId, Owner, VertexId};
use millrace_store::{Elements, Snapshot};

use super::{Judged, require_same};
use crate::simulator::claim::FAR;
use crate::simulator::edge_choice::{FAR_EDGES, choice};
use crate::simulator::model::Model;

pub(super) fn judge(snapshot: &dyn Snapshot, model: &Model) -> Judged {
    let by_external_id = model.by_external_id();
    let internal_ids =
        model.vertices.keys().flat_map(|internal_id| [*internal_id, *internal_id + 1]);
    let ids: BTreeSet<u64> =
        by_external_id.keys().copied().chain(internal_ids).chain(FAR).collect();
    let ids: Vec<u64> = ids.into_iter().collect();
    let places = snapshot.find_external(&ids)?;
    let places = places.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect());
    let exist = snapshot.exist(Elements::Vertices(&places))?;
    let rows = ids.iter().zip(&places).enumerate();
    let found: Vec<(u64, Option<u64>)> =
        rows.map(|(row, (id, place))| (*id, exist.get(row).then_some(place.0))).collect();
    let expected = ids.iter().map(|id| (*id, by_external_id.get(id).copied())).collect();
    require_same("vertices by what they are shown under", &found, &expected)?;
    let external = snapshot.external_ids(&places)?;
    let external = external.unwrap_or_else(|| places.iter().map(|place| place.0).collect());
    require_same("what is found by ids is shown as", &external, &ids)?;
    judge_edges(snapshot, model)
}

/// The same of edges, by numbers and texts.
fn judge_edges(snapshot: &dyn Snapshot, model: &Model) -> Judged {
    let by_external_id: BTreeMap<u64, u64> =
        model.edges.iter().map(|(place, edge)| (edge.external.unwrap_or(*place), *place)).collect();
    let places = model.edges.keys().flat_map(|place| [*place, *place + 1]);
    let ids: BTreeSet<u64> =
        by_external_id.keys().copied().chain(places).chain(FAR_EDGES).collect();
    let mut expected = Vec::new();
    let (mut numbers, mut texts, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        expected.push((id, by_external_id.get(&id).copied()));
        match choice(id) {
            ExternalId::Number(number) => numbers.push(number),
            ExternalId::Text(text) => texts.push((id, text)),
        }
    }
    let edges = snapshot.find_external_edges(&numbers)?;
    let edges = edges.unwrap_or_else(|| numbers.iter().copied().map(EdgeId).collect());
    let exist = snapshot.exist(Elements::Edges(&edges))?;
    let rows = numbers.iter().zip(&edges).enumerate();
    found.extend(rows.map(|(row, (id, edge))| (*id, exist.get(row).then_some(edge.0))));
    let (ids, texts): (Vec<u64>, Vec<_>) = texts.into_iter().unzip();
    found.extend(ids.into_iter().zip(snapshot.find_texts(Owner::AllEdges, &texts)?));
    found.sort_unstable();
    require_same("edges by what they are shown under", &found, &expected)
}
