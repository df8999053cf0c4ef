//! Vertex ids that a client chose: the ids it may choose, their use by the store, and the fate of
//! those that are external ids.
//!
//! The model is by internal ids. A chosen id is an internal id, or it is an external id: then its
//! vertex lies in another internal id, and the id is a part of the vertex.

use std::collections::BTreeSet;

use millrace_model::{Bits, Error, ErrorKind};
use millrace_testkit::Rng;

use super::attempt::{Attempt, Begun};
use super::life::{Life, Lived, wrong};
use super::model::Model;
use super::overlap::Kind;

/// Ids that are no internal ids here; few, so that they are chosen, lost and given again.
pub(super) const FAR: [u64; 4] = [1 << 31, 1 << 33, i64::MAX as u64, u64::MAX];

/// An id that was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    /// Where its vertex is to be made.
    pub(super) internal_id: u64,
    /// The id, if it is not the internal id.
    pub(super) external: Option<u64>,
}

/// The internal ids of chosen ids.
pub(super) fn internal_ids(chosen: &[Chosen]) -> Vec<u64> {
    chosen.iter().map(|chosen| chosen.internal_id).collect()
}

impl Life {
    /// Chooses ids; none if they cannot be had now.
    pub(super) fn choose(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        wanted: u64,
    ) -> Lived<Option<Vec<Chosen>>> {
        let ids: BTreeSet<u64> = (0..wanted).map(|_| self.any_choice(rng, begun)).collect();
        let ids: Vec<u64> = ids.into_iter().collect();
        let Some(mut chosen) = self.claim(begun, &ids, &Bits::default())? else { return Ok(None) };
        // The number of an internal id that the client just got for an external id: an external id,
        // too.
        let own =
            chosen.iter().find(|chosen| chosen.external.is_some()).map(|chosen| chosen.internal_id);
        if let (Some(own), true) = (own, rng.chance(0.2)) {
            let apart: Bits = [true].into_iter().collect();
            chosen.extend(self.claim(begun, &[own], &apart)?.unwrap_or_default());
        }
        Ok(Some(chosen))
    }

    /// An id that a client may wish for: near the leased ones, of a vertex that is gone, chosen by
    /// another client, impossible as an internal id, or the number of an internal id with a vertex
    /// under another external id.
    fn any_choice(&mut self, rng: &mut Rng, begun: &Begun) -> u64 {
        let history = self.history(begun.graph);
        let newest = history.newest();
        let is_free = |id: &u64| newest.with_external_id(*id).is_none() && *id != 0;
        let free = |ids: &BTreeSet<u64>| ids.iter().copied().filter(is_free).collect();
        let ids: Vec<u64> = match rng.below(15) {
            0..=2 => free(&history.known),
            3..=5 => free(&history.chosen),
            6..=9 => FAR.to_vec(),
            10 => {
                newest.with_external().map(|(internal_id, _)| internal_id).filter(is_free).collect()
            }
            _ => Vec::new(),
        };
        let ahead = history.leased + if rng.chance(0.1) { 70_000 } else { 0 };
        let near = 1 + ahead.saturating_sub(10) + rng.below(40);
        if ids.is_empty() { near } else { *rng.pick(&ids) }
    }

    /// Takes ids; none if they cannot be had now. `apart`: those that the client knows to be the
    /// internal ids of others.
    pub(super) fn claim(
        &mut self,
        begun: &Begun,
        ids: &[u64],
        apart: &Bits,
    ) -> Lived<Option<Vec<Chosen>>> {
        let has_index = |life: &mut Life| -> Lived<Option<u64>> {
            let snapshot = begun.store.snapshot().map_err(|error| life.end(&error))?;
            let has = snapshot.catalog().external_index().is_some();
            Ok(has.then(|| snapshot.position().0))
        };
        let had_index = has_index(self)?.is_some();
        if !had_index {
            // The first external id creates, and a schema change waits for the writers that are
            // suspended.
            self.resume_all()?;
        }
        let claimed = begun.store.claim_vertices(ids, apart);
        self.tell(format_args!("choosing {ids:?} in {}: {claimed:?}", begun.graph));
        match claimed {
            Ok(internal_ids) => {
                if let (false, Some(position)) = (had_index, has_index(self)?) {
                    // A schema change from an older snapshot loses to this.
                    self.newest = self.newest.max(position);
                }
                let pairs = ids.iter().zip(internal_ids);
                let chosen = pairs.map(|(id, internal_id)| Chosen {
                    internal_id: internal_id.0,
                    external: (internal_id.0 != *id).then_some(*id),
                });
                let chosen: Vec<Chosen> = chosen.collect();
                chosen.iter().try_for_each(|chosen| self.take(begun, *chosen))?;
                Ok(Some(chosen))
            }
            Err(error) if error.kind == ErrorKind::AlreadyExists => {
                let is_there =
                    |model: &Model| ids.iter().any(|id| model.with_external_id(*id).is_some());
                match self.ever_since_visible(begun, is_there) {
                    true => Ok(None),
                    false => wrong(format!("nobody has any of {ids:?}, and yet: {error}")),
                }
            }
            Err(error) => {
                if !had_index {
                    // The unfinished index is withdrawn by a record of its own.
                    self.newest = u64::MAX;
                }
                self.bear(&error).map(|()| None)
            }
        }
    }

    /// Whether something holds of the visible version, or of a later one.
    fn ever_since_visible(&mut self, begun: &Begun, holds: impl Fn(&Model) -> bool) -> bool {
        let visible = self.promised;
        let history = self.history(begun.graph);
        holds(&history.at(visible)) || history.models_after(visible).any(holds)
    }

    /// An id was given as chosen: with a free internal id, or with a fresh one.
    fn take(&mut self, begun: &Begun, chosen: Chosen) -> Lived<()> {
        let Chosen { internal_id, external } = chosen;
        if external.is_none() {
            let is_free = |model: &Model| !model.vertices.contains_key(&internal_id);
            if !self.ever_since_visible(begun, is_free) {
                return wrong(format!(
                    "{internal_id} may be chosen, and is the internal id of a vertex"
                ));
            }
        }
        let history = self.history(begun.graph);
        let (again, twice) =
            (history.known.contains(&internal_id), !history.chosen.insert(internal_id));
        let is_internal_of_other = external.is_some_and(|external| external < history.leased);
        if external.is_some() {
            if internal_id < history.leased || again || twice {
                return wrong(format!(
                    "internal id {internal_id} of {external:?} was leased or chosen before"
                ));
            }
            history.leased = internal_id + 1;
            history.chosen.remove(&internal_id);
        }
        let notes = [
            ("ids chosen", external.is_none()),
            ("ids chosen again", again),
            ("ids that two chose", twice),
            ("ids chosen that cannot be internal ids", external.is_some()),
            ("ids chosen that are internal ids of others", is_internal_of_other),
        ];
        notes.iter().for_each(|(what, is)| self.coverage.note_many(what, u64::from(*is)));
        Ok(())
    }

    /// Notes the effects of a commit on vertices that are shown under external ids.
    pub(super) fn note_external(&mut self, attempt: &Attempt, before: &Model, after: &Model) {
        let change = &attempt.change;
        let made: Vec<u64> = change.vertices.iter().filter_map(|(_, own)| own.external).collect();
        let given = &mut self.graphs.get_mut(attempt.graph).expect("it is open").given;
        let again = made.iter().filter(|external| !given.insert(**external)).count();
        let has = |model: &Model, internal_id: &u64| {
            model.vertices.get(internal_id).is_some_and(|vertex| vertex.external.is_some())
        };
        let edges = change.edges.iter();
        let edges = edges.filter(|(_, edge)| has(after, &edge.source) || has(after, &edge.target));
        let deleted = change.deleted_vertices.iter().filter(|internal_id| has(before, internal_id));
        let is_load = attempt.kind == Some(Kind::BulkLoad);
        let of_loads = if is_load { made.len() } else { 0 };
        let notes = [
            ("vertices made under external ids", made.len()),
            ("vertices loaded under external ids", of_loads),
            ("external ids given again", again),
            ("edges of vertices under external ids", edges.count()),
            ("vertices under external ids deleted", deleted.count()),
        ];
        notes.iter().for_each(|(what, count)| self.coverage.note_many(what, *count as u64));
    }

    /// Notes external ids that a transaction lost to others.
    pub(super) fn note_lost_external(&mut self, error: &Error, attempt: &Attempt) {
        use ErrorKind::{AlreadyExists, Conflict, Constraint};
        if !matches!(error.kind, AlreadyExists | Conflict | Constraint) {
            return;
        }
        let Attempt { graph, snapshot, kind, change, .. } = attempt;
        let is_load = |kind: Option<Kind>| kind == Some(Kind::BulkLoad);
        for external in change.vertices.iter().filter_map(|(_, vertex)| vertex.external) {
            let Some(winner) = self.history(graph).made_under(external, *snapshot) else {
                continue;
            };
            self.coverage.note("external ids that two wanted");
            let with_load = is_load(winner) != is_load(*kind);
            let noted = "external ids that a load and a client wanted";
            self.coverage.note_many(noted, u64::from(with_load));
        }
    }

    /// How many vertices of the open graphs are shown under external ids.
    pub(super) fn count_external(&self) -> u64 {
        let of_graph =
            |graph: &super::history::History| graph.newest().with_external().count() as u64;
        self.graphs.values().map(of_graph).sum()
    }

    /// Whether a vertex would be made where there is one, or under an id of another.
    pub(super) fn check_leased(&mut self, graph: &str, ids: &[u64]) -> Lived<()> {
        let history = self.history(graph);
        let newest = history.newest();
        if let Some(chosen) = ids.iter().find(|id| history.chosen.contains(id)) {
            return wrong(format!("vertex {chosen} was leased, and a client had chosen it"));
        }
        match ids.iter().find(|id| newest.with_external_id(**id).is_some()) {
            Some(id) => wrong(format!("vertex {id} was leased, and a vertex is shown under it")),
            None => Ok(()),
        }
    }
}
