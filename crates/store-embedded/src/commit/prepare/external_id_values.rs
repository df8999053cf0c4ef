//! No two elements are shown under one id.
//!
//! That two chose the same, the unique index finds. This is about elements that are shown under the
//! number of their own place: each counts, in a graph where some client chose an id that is no
//! place, as if it had chosen that number. Both then meet at one mark, in either order. Such an
//! element has no entry in the index; an existing one is found by its internal id. A transaction
//! judges its edges only: the place of a vertex is chosen under its snapshot, so a vertex that was
//! there meanwhile makes it lose. A bulk load has no snapshot while it chooses.

use millrace_model::schema::IndexDefinition;
use millrace_model::{Catalog, EXTERNAL_ID_KEY, Error, ExternalId, Phase, Result, Value};
use millrace_store::constraint;
use millrace_store::external_ids::with_elements;
use millrace_store::key_hash::hash_values;

use super::rules::same;
use crate::graph::GraphView;

/// The number that an element without a chosen id is shown under, as if it were kept, and its hash.
pub(crate) fn own_number(place: u64) -> Option<(u64, Vec<Value>)> {
    let values = vec![ExternalId::Number(place).to_stored()];
    Some((hash_values(&values)?, values))
}

/// The error of values that an element shares with another: where its client chose nothing and they
/// are its own number, another transaction was first.
pub(crate) fn taken(
    catalog: &Catalog,
    index: &IndexDefinition,
    id: u64,
    values: &[Value],
) -> Error {
    let own = own_number(id).filter(|_| index.is_of_external_ids());
    let error = match own.is_some_and(|(_, own)| same(&own, values)) {
        true => constraint::number_chosen(index.owner, id),
        false => constraint::duplicate(catalog, index, (id, None), values),
    };
    error.in_phase(Phase::Commit)
}

/// Requires numbers that were chosen, as they are kept, to be of no element that is shown under its
/// place, but of those that go.
pub(crate) fn check_places<'v>(
    view: &GraphView<'_>,
    index: &IndexDefinition,
    chosen: impl Iterator<Item = &'v Value>,
    goes: impl Fn(u64) -> bool,
) -> Result<()> {
    let numbers = chosen.filter_map(|kept| match ExternalId::of_stored(kept) {
        Some(ExternalId::Number(number)) => Some(number),
        Some(ExternalId::Text(_)) | None => None,
    });
    let places: Vec<u64> = numbers.filter(|place| !goes(*place)).collect();
    let partitions = &view.graph.partitions;
    let there = with_elements(index.owner, &places, |all| partitions.exist(view.at, all))?;
    if there.ones().next().is_none() {
        return Ok(());
    }
    let kept = with_elements(index.owner, &places, |all| {
        partitions.gather(view.at, all, &[EXTERNAL_ID_KEY])
    })?;
    match there.ones().find(|row| kept[0].get(*row).is_none()) {
        None => Ok(()),
        Some(row) => {
            let error = constraint::id_exists(index.owner, &ExternalId::Number(places[row]));
            Err(error.in_phase(Phase::Commit))
        }
    }
}
