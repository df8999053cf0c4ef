//! A vertex has other labels from now on, so other indexes hold it.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_labels, any_vertex};
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;

pub(super) const RELABEL: Action = Action { name: "relabel", weight: 4, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let Some(id) = any_vertex(rng, &begun.model) else { return Ok(()) };
    let change = Change { labels: vec![(id, any_labels(rng))], ..Change::default() };
    let attempt = plain("relabel", &begun, change);
    life.commit(rng, &begun, attempt)
}
