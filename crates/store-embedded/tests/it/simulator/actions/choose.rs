//! Vertices whose ids the client chose: near what is leased, of vertices that are gone, or what
//! another client chose, too.

use millrace_model::{Bits, ErrorKind};
use millrace_testkit::Rng;

use super::create::{plain, vertices};
use super::{Action, ORDINARY, any_of};
use crate::simulator::attempt::Begun;
use crate::simulator::life::{Life, Lived, wrong};
use crate::simulator::model::Change;

pub(super) const CHOOSE: Action = Action {
    name: "choose",
    weight: 6,
    meets: &[
        "ids chosen",
        "ids chosen again",
        "ids that two chose",
        "ids chosen that cannot be slots",
        "ids refused by name",
    ],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    if rng.chance(0.05) {
        return refuse(life, &begun);
    }
    let wanted = 1 + rng.below(3);
    let Some(ids) = life.choose(rng, &begun, wanted)? else { return Ok(()) };
    if rng.chance(0.2) {
        // Who chose it thinks better of it, or is slow: another may choose it, too.
        return Ok(());
    }
    let change = Change { vertices: vertices(rng, &ids), ..Change::default() };
    let attempt = plain("create as chosen", &begun, change);
    life.commit(rng, &begun, attempt)
}

fn refuse(life: &mut Life, begun: &Begun) -> Lived<()> {
    match begun.store.claim_vertices(&[0], &Bits::default()) {
        Err(error) if error.kind == ErrorKind::BadInput => {
            life.coverage.note("ids refused by name");
            Ok(())
        }
        Err(error) => life.bear(&error),
        Ok(slots) => wrong(format!("vertex id 0 could be chosen: {slots:?}")),
    }
}

impl Life {
    /// Chooses ids; none if they cannot be had now.
    pub(super) fn choose(
        &mut self,
        rng: &mut Rng,
        begun: &Begun,
        wanted: u64,
    ) -> Lived<Option<Vec<u64>>> {
        let history = self.history(begun.graph);
        let newest = history.newest();
        let is_free = |id: &u64| !newest.vertices.contains_key(id) && *id != 0;
        let gone: Vec<u64> = history.known.iter().copied().filter(is_free).collect();
        let chosen: Vec<u64> = history.chosen.iter().copied().filter(is_free).collect();
        let ahead = history.leased + if rng.chance(0.1) { 70_000 } else { 0 };
        let mut ids: Vec<u64> = Vec::new();
        for _ in 0..wanted {
            let id = match rng.below(10) {
                0..=2 => any_of(rng, &gone),
                3..=5 => any_of(rng, &chosen),
                6 => Some(history.leased + (1 << 31)),
                _ => None,
            };
            ids.push(id.unwrap_or(1 + ahead.saturating_sub(10) + rng.below(40)));
        }
        ids.sort_unstable();
        ids.dedup();
        self.claim(begun, ids)
    }

    fn claim(&mut self, begun: &Begun, ids: Vec<u64>) -> Lived<Option<Vec<u64>>> {
        let snapshot = begun.store.snapshot();
        if snapshot.is_ok_and(|snapshot| snapshot.catalog().outer_index().is_none()) {
            // The first outer id declares, and a declaration waits for the writers that are held up.
            self.let_all_on()?;
        }
        let claimed = begun.store.claim_vertices(&ids, &Bits::default());
        self.tell(format_args!("choosing {ids:?} in {}", begun.graph));
        let visible = self.promised;
        let history = self.history(begun.graph);
        let is_there = |id: &u64| {
            let now = history.at(visible);
            now.vertices.contains_key(id)
                || history.models_after(visible).any(|model| model.vertices.contains_key(id))
        };
        match claimed {
            Ok(slots) => {
                // Vertices of outer ids are the conformance suite's; here whoever chose one is gone.
                let own: Vec<u64> = slots.iter().map(|slot| slot.0).collect();
                let outer = ids.iter().zip(&own).filter(|(id, slot)| id != slot).count();
                if outer != 0 {
                    self.coverage.note_many("ids chosen that cannot be slots", outer as u64);
                    return Ok(None);
                }
                let again = ids.iter().any(|id| history.known.contains(id));
                let twice = ids.iter().any(|id| history.chosen.contains(id));
                history.chosen.extend(&ids);
                self.coverage.note("ids chosen");
                self.coverage.note_many("ids chosen again", u64::from(again));
                self.coverage.note_many("ids that two chose", u64::from(twice));
                Ok(Some(ids))
            }
            Err(error) if error.kind == ErrorKind::AlreadyExists => {
                match ids.iter().any(is_there) {
                    true => Ok(None),
                    false => wrong(format!("nobody has any of {ids:?}, and yet: {error}")),
                }
            }
            Err(error) => self.bear(&error).map(|()| None),
        }
    }
}
