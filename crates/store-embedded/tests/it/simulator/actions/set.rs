//! Values change, of vertices and of edges. Unique names may be taken or swapped.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_age, any_edge, any_name, any_vertex};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Model};
use crate::simulator::overlap::Kind;

pub(super) const SET: Action = Action { name: "set", weight: 10, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let change = values(rng, &begun.model);
    if change.is_empty() {
        return Ok(());
    }
    let attempt = Attempt { kind: Some(Kind::Set), ..plain("set", &begun, change) };
    life.commit(rng, &begun, attempt)
}

/// New values in a graph.
pub(super) fn values(rng: &mut Rng, model: &Model) -> Change {
    let mut change = Change::default();
    for _ in 0..1 + rng.below(3) {
        let Some(id) = any_vertex(rng, model) else { return change };
        if rng.chance(0.5) {
            change.ages.push((id, any_age(rng)));
        } else {
            change.names.push((id, any_name(rng)));
        }
    }
    if let (true, Some((id, _))) = (rng.chance(0.4), any_edge(rng, model)) {
        change.weights.push((id, any_age(rng)));
    }
    if rng.chance(0.2) {
        swap_names(rng, model, &mut change);
    }
    change
}

/// Two vertices take each other's names: unique values are judged by the end, not by the way.
fn swap_names(rng: &mut Rng, model: &Model, change: &mut Change) {
    let (Some(left), Some(right)) = (any_vertex(rng, model), any_vertex(rng, model)) else {
        return;
    };
    let name = |id: u64| model.vertices[&id].name;
    change.names = vec![(left, name(right)), (right, name(left))];
}
