//! The schema change of a property ends.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_of};
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;

pub(super) const DROP_RULE: Action = Action { name: "drop property", play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let defined: Vec<usize> = begun.model.rules.iter().copied().collect();
    let Some(rule) = any_of(rng, &defined) else { return Ok(()) };
    let change = Change { dropped_rules: vec![rule], ..Change::default() };
    let attempt = plain("drop property", &begun, change);
    life.commit(rng, &begun, attempt)
}
