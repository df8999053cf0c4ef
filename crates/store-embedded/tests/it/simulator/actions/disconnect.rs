//! An edge goes.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_edge};
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;

pub(super) const DISCONNECT: Action = Action { name: "disconnect", weight: 6, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let Some(edge) = any_edge(rng, &begun.model) else { return Ok(()) };
    let change = Change { deleted_edges: vec![edge], ..Change::default() };
    let attempt = plain("disconnect", &begun, change);
    life.commit(rng, &begun, attempt)
}
