//! External ids of a snapshot: its answers by means of its other calls.

use std::sync::Arc;

use millrace_model::{Bits, Column, EXTERNAL_ID_KEY, ExternalId, Owner, Result, VertexId};

use super::calls::Snapshot;
use crate::constraint;
use crate::external_ids::{
    are_external, check_choice, find_texts_with, find_with, id_values, numbers, owner_of,
};
use crate::reads::{Elements, SeekMatches};

/// The stored external ids of elements; `None` if the graph has no index of such ids.
fn kept(snapshot: &(impl Snapshot + ?Sized), elements: Elements<'_>) -> Result<Option<Column>> {
    if snapshot.catalog().external_index_of(owner_of(elements)).is_none() {
        return Ok(None);
    }
    Ok(Some(snapshot.gather(elements, &[EXTERNAL_ID_KEY])?.remove(0)))
}

/// The external numbers of elements, by means of other calls of the snapshot.
pub(super) fn external_numbers(
    snapshot: &(impl Snapshot + ?Sized),
    elements: Elements<'_>,
) -> Result<Option<Vec<u64>>> {
    Ok(kept(snapshot, elements)?.map(|kept| numbers(elements, &kept)))
}

/// The answer of [`Snapshot::external_id_values`], by means of its other calls.
pub(super) fn external_id_values(
    snapshot: &(impl Snapshot + ?Sized),
    elements: Elements<'_>,
) -> Result<Option<Column>> {
    Ok(kept(snapshot, elements)?.map(|kept| id_values(elements, &kept)))
}

/// The internal ids of the elements with some external numbers, by means of other calls of the
/// snapshot. `None`: each is its own.
pub(super) fn find_numbers(
    snapshot: &(impl Snapshot + ?Sized),
    owner: Owner,
    ids: &[u64],
) -> Result<Option<Vec<u64>>> {
    let catalog = snapshot.catalog();
    let Some(index) = catalog.external_index_of(owner) else { return Ok(None) };
    let seek = |keys: &Column, matches: &mut SeekMatches| snapshot.seek(index.id, &[keys], matches);
    let kept = |internal_ids: Elements<'_>| snapshot.gather(internal_ids, &[EXTERNAL_ID_KEY]);
    find_with(owner, ids, seek, kept).map(Some)
}

/// The answer of [`Snapshot::find_texts`], by means of its other calls.
pub(super) fn find_texts(
    snapshot: &(impl Snapshot + ?Sized),
    owner: Owner,
    texts: &[Arc<str>],
) -> Result<Vec<Option<u64>>> {
    let catalog = snapshot.catalog();
    match catalog.external_index_of(owner) {
        None => Ok(vec![None; texts.len()]),
        Some(index) => {
            find_texts_with(texts, |keys, matches| snapshot.seek(index.id, &[keys], matches))
        }
    }
}

/// Which of the internal ids have a number that is an external id in the snapshot.
pub fn external_in(snapshot: &dyn Snapshot, owner: Owner, internal_ids: &[u64]) -> Result<Bits> {
    let catalog = snapshot.catalog();
    match catalog.external_index_of(owner) {
        None => Ok(Bits::unset(internal_ids.len())),
        Some(index) => {
            are_external(internal_ids, |keys, matches| snapshot.seek(index.id, &[keys], matches))
        }
    }
}

/// Those of the internal ids of vertices with numbers that are no external id in the snapshot.
pub fn without_external(snapshot: &dyn Snapshot, internal_ids: &[u64]) -> Result<Vec<u64>> {
    let external = external_in(snapshot, Owner::AllVertices, internal_ids)?;
    let rows = internal_ids.iter().enumerate();
    Ok(rows.filter(|(row, _)| !external.get(*row)).map(|(_, internal_id)| *internal_id).collect())
}

/// Refuses ids that no client may choose, or that are in use in the snapshot; else the rows with an
/// internal id that is taken by a vertex with another external id.
pub fn check_claim(snapshot: &dyn Snapshot, ids: &[u64]) -> Result<Bits> {
    ids.iter().try_for_each(|id| check_choice(Owner::AllVertices, &ExternalId::Number(*id)))?;
    let found = snapshot.find_external(ids)?;
    let places = found.unwrap_or_else(|| ids.iter().copied().map(VertexId).collect());
    match snapshot.exist(Elements::Vertices(&places))?.ones().next() {
        Some(row) => Err(constraint::vertex_exists(VertexId(ids[row]))),
        None => Ok(ids.iter().zip(&places).map(|(id, place)| place.0 != *id).collect()),
    }
}
