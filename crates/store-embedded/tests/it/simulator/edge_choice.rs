//! Ids of edges that clients choose: numbers far from all places, the numbers of places that are
//! there or come next, and texts.
//!
//! The model has numbers only. An odd number that is no place stands for a text in the store.

use std::sync::Arc;

use millrace_model::ExternalId;
use millrace_testkit::Rng;

use super::attempt::Begun;
use super::life::{Life, Lived};
use super::model::Change;

/// Beyond every internal id: a partition has at most 64 overflow partitions, and edges of 2^32
/// slots each.
const NO_INTERNAL_ID: u64 = 1 << 55;

/// Ids that are no places, and of which no two are one double, as which numbers are hashed.
pub(super) const FAR_EDGES: [u64; 4] =
    [NO_INTERNAL_ID, NO_INTERNAL_ID + 0x101, NO_INTERNAL_ID + 0x200, NO_INTERNAL_ID + 0x301];

/// The external id in the store for a number of the model.
pub(super) fn choice(number: u64) -> ExternalId {
    if FAR_EDGES.contains(&number) && number % 2 == 1 {
        return ExternalId::Text(Arc::from(format!("edge {number}")));
    }
    ExternalId::Number(number)
}

/// An id of the store as a number of the model; one that no client chose has a number that none
/// chooses.
pub(super) fn number_of_choice(id: &ExternalId) -> u64 {
    match id {
        ExternalId::Number(number) => *number,
        ExternalId::Text(_) => {
            FAR_EDGES.into_iter().find(|number| choice(*number) == *id).unwrap_or(u64::MAX)
        }
    }
}

impl Life {
    /// Chooses ids for some edges of a change; `false` if that cannot be had now.
    pub(super) fn choose_edge_ids(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        change: &mut Change,
    ) -> Lived<bool> {
        if change.edges.is_empty() || !rng.chance(0.15) {
            return Ok(true);
        }
        let mut pool: Vec<u64> = FAR_EDGES.to_vec();
        pool.extend(begun.model.edges.keys().rev().take(3).flat_map(|place| [*place, place + 1]));
        for (_, edge) in &mut change.edges {
            edge.external = rng.chance(0.5).then(|| *rng.pick(&pool));
        }
        let chosen: Vec<ExternalId> =
            change.edges.iter().filter_map(|(_, edge)| edge.external.map(choice)).collect();
        if chosen.is_empty() {
            return Ok(true);
        }
        let has_index = |life: &mut Life| -> Lived<Option<u64>> {
            let snapshot = begun.store.snapshot().map_err(|error| life.end(&error))?;
            let has = snapshot.catalog().external_edge_index().is_some();
            Ok(has.then(|| snapshot.position().0))
        };
        let had_index = has_index(self)?.is_some();
        if !had_index {
            // The first creates, and a schema change waits for the writers that are suspended.
            self.resume_all()?;
        }
        if let Err(error) = begun.store.claim_edges(&chosen) {
            if !had_index {
                // The unfinished index is withdrawn by a record of its own.
                self.newest = u64::MAX;
            }
            return self.bear(&error).map(|()| false);
        }
        if let (false, Some(position)) = (had_index, has_index(self)?) {
            // A schema change from an older snapshot loses to this.
            self.newest = self.newest.max(position);
        }
        Ok(true)
    }

    /// Notes edges that were made under ids that clients chose.
    pub(super) fn note_edge_choices(&mut self, change: &Change) {
        let made = || change.edges.iter().filter_map(|(_, edge)| edge.external);
        let texts = made().filter(|id| matches!(choice(*id), ExternalId::Text(_))).count() as u64;
        let places = made().filter(|id| !FAR_EDGES.contains(id)).count() as u64;
        self.coverage.note_many("edges made under chosen ids", made().count() as u64);
        self.coverage.note_many("edges made under texts", texts);
        self.coverage.note_many("edges made under numbers of places", places);
    }
}
