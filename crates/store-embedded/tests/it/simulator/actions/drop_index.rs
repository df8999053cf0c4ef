//! An index is dropped; it may be defined again, as another one.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_of};
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;

pub(super) const DROP_INDEX: Action = Action { name: "drop index", weight: 1, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let defined: Vec<usize> = begun.model.indexes.iter().copied().collect();
    let Some(index) = any_of(rng, &defined) else { return Ok(()) };
    // The newest schema change of it must be the one that the transaction saw: dropped and defined
    // again it is another one, which may not be visible yet.
    let mut since = life.history(begun.graph).models_after(begun.snapshot);
    if since.any(|model| model.indexes != begun.model.indexes) {
        return Ok(());
    }
    drop(since);
    let change = Change { drops: vec![index], ..Change::default() };
    let attempt = plain("drop index", &begun, change);
    life.commit(rng, &begun, attempt)
}
