//! Requires a snapshot to be the model: everything that can be read, in every way it can be read.
//!
//! ```text
//!   elements   scans, records, labels, properties, ends, counts
//!   external_ids    the id that each vertex is shown under, and which one an id finds
//!   lists      both directions, degrees, by type and all together
//!   indexes    every value there is, and one that nothing has
//!   ranges     of ordered indexes: from, below and beside each value, from either side, and a few
//! ```
//!
//! Each part compares with the model, never two answers of the store with one another, so answers
//! that are wrong alike are found, too.

mod elements;
mod external_ids;
mod indexes;
mod lists;
mod ranges;

use millrace_model::Error;
use millrace_store::Snapshot;

use super::model::{Edge, Model};
use super::schema::Names;

pub(super) use elements::read;

/// Why a snapshot is not as it should be.
#[derive(Debug)]
pub(super) enum Wrong {
    /// It could not be read: after a crash, or because it is too old.
    Unreadable(Error),
    /// It says something else than the model.
    Different(String),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Unreadable(error)
    }
}

type Judged = Result<(), Wrong>;

/// Requires a snapshot to be the model.
pub(super) fn judge(snapshot: &dyn Snapshot, names: Names, model: &Model) -> Judged {
    elements::judge(snapshot, names, model)?;
    external_ids::judge(snapshot, model)?;
    lists::judge(snapshot, names, model)?;
    indexes::judge(snapshot, names, model)
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Judged {
    if holds { Ok(()) } else { Err(Wrong::Different(message())) }
}

fn require_same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Judged {
    require(found == expected, || format!("{what}: found {found:?}, expected {expected:?}"))
}

/// The ids that a bulk load gave its edges, found by their ends among those the model has not.
pub(super) fn ids_of_load(
    read: &Model,
    before: &Model,
    edges: &[(Option<u64>, Edge)],
) -> Option<Vec<(Option<u64>, Edge)>> {
    let fresh = read.edges.iter().filter(|(id, _)| !before.edges.contains_key(id));
    let mut fresh: Vec<(u64, Edge)> = fresh.map(|(id, edge)| (*id, *edge)).collect();
    edges
        .iter()
        .map(|(_, edge)| {
            let place = fresh.iter().position(|(_, other)| other == edge)?;
            Some((Some(fresh.swap_remove(place).0), *edge))
        })
        .collect()
}
