//! Bulk loads, begun and finished.

use std::sync::Arc;

use millrace_testkit::Rng;

use super::connect::edges;
use super::create::{plain, vertices, vertices_of};
use super::{Action, ORDINARY};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;
use crate::simulator::overlap::Kind;

pub(super) const BEGIN_LOAD: Action =
    Action { name: "begin load", weight: 3, play: begin, ..ORDINARY };

pub(super) const FINISH_LOAD: Action = Action {
    name: "finish load",
    weight: 4,
    meets: &[
        "loads",
        "loads of chosen ids",
        "vertices loaded under external ids",
        "external ids that a load and a client wanted",
    ],
    play: finish,
    ..ORDINARY
};

pub(super) const LOADS_MAX: usize = 2;

fn begin(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    if LOADS_MAX <= life.open().loads.len() {
        return Ok(());
    }
    let begun = life.begin(rng)?;
    let wanted = 1 + rng.below(4);
    let chooses = rng.chance(0.3);
    let vertices = match chooses {
        true => life.choose(rng, &begun, wanted)?.map(|chosen| vertices_of(rng, &chosen)),
        false => life.lease(rng, &begun, wanted)?.map(|ids| vertices(rng, &ids)),
    };
    let Some(vertices) = vertices else { return Ok(()) };
    life.coverage.note_many("loads of chosen ids", u64::from(chooses));
    let internal_ids: Vec<u64> = vertices.iter().map(|(internal_id, _)| *internal_id).collect();
    let edges = edges(rng, &begun.model, &internal_ids);
    let change = Change { edges, vertices, ..Change::default() };
    let attempt = Attempt { kind: Some(Kind::BulkLoad), ..plain("load", &begun, change) };
    let store = Arc::clone(&begun.store);
    life.begin_load(attempt, &*store)
}

fn finish(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let loads = life.open().loads.len();
    if loads == 0 {
        return Ok(());
    }
    let load = life.open().loads.remove(rng.index(loads));
    life.finish_load(rng, load)
}
