//! No two edges are shown under one id.
//!
//! That two chose the same, the unique index finds. This is about edges whose clients chose nothing:
//! each counts, in a graph where some client chose an id of an edge, as if it had chosen the number of
//! its own place. Both then meet at one mark, whoever is first. What a reader would get wrong: such an
//! edge has no entry in the index; what is there is found by its place.

use millrace_model::schema::IndexDeclaration;
use millrace_model::{Catalog, EdgeId, Error, OUTER_KEY, OuterId, Owner, Phase, Result, Value};
use millrace_store::key_hash::hash_values;
use millrace_store::{Elements, constraint};

use super::rules::same;
use crate::view::GraphView;

/// The number that an edge is shown under whose client chose none, as if it were kept, and its hash.
pub(crate) fn own_number(edge: u64) -> Option<(u64, Vec<Value>)> {
    let values = vec![OuterId::Number(edge).to_kept()];
    Some((hash_values(&values)?, values))
}

/// The error of values that an element shares with another: where its client chose nothing and they
/// are its own number, a race was lost.
pub(crate) fn taken(
    catalog: &Catalog,
    index: &IndexDeclaration,
    id: u64,
    values: &[Value],
) -> Error {
    let own = own_number(id).filter(|_| index.is_of_outer_edge_ids());
    let error = match own.is_some_and(|(_, own)| same(&own, values)) {
        true => constraint::number_chosen(id),
        false => constraint::duplicate(catalog, index, values),
    };
    error.in_phase(Phase::Commit)
}

/// Requires numbers that were chosen, as they are kept, to be of no edge that is shown under its place,
/// but of those that go.
pub(crate) fn check_places<'v>(
    view: &GraphView<'_>,
    chosen: impl Iterator<Item = &'v Value>,
    goes: impl Fn(EdgeId) -> bool,
) -> Result<()> {
    let numbers = chosen.filter_map(|kept| match OuterId::of_kept(kept) {
        Some(OuterId::Number(number)) => Some(EdgeId(number)),
        Some(OuterId::Text(_)) | None => None,
    });
    let places: Vec<EdgeId> = numbers.filter(|place| !goes(*place)).collect();
    let partitions = &view.graph.partitions;
    let there = partitions.exist(view.at, Elements::Edges(&places))?;
    if there.ones().next().is_none() {
        return Ok(());
    }
    let kept = partitions.gather(view.at, Elements::Edges(&places), &[OUTER_KEY])?.remove(0);
    match there.ones().find(|row| kept.get(*row).is_none()) {
        None => Ok(()),
        Some(row) => {
            let error = constraint::id_exists(Owner::AllEdges, &OuterId::Number(places[row].0));
            Err(error.in_phase(Phase::Commit))
        }
    }
}
