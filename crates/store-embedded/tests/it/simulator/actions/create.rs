//! New vertices.

use millrace_testkit::Rng;

use super::{Action, ORDINARY, any_age, any_labels, any_name};
use crate::simulator::attempt::{Attempt, Begun};
use crate::simulator::claim::Chosen;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Vertex};

pub(super) const CREATE: Action = Action { name: "create", weight: 8, play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let wanted = 1 + rng.below(4);
    let Some(ids) = life.lease(rng, &begun, wanted)? else { return Ok(()) };
    let change = Change { vertices: vertices(rng, &ids), ..Change::default() };
    let attempt = plain("create", &begun, change);
    life.commit(rng, &begun, attempt)
}

/// Vertices of these ids.
pub(super) fn vertices(rng: &mut Rng, ids: &[u64]) -> Vec<(u64, Vertex)> {
    ids.iter().map(|id| (*id, any_vertex(rng, None))).collect()
}

/// Vertices of ids that were chosen.
pub(super) fn vertices_of(rng: &mut Rng, chosen: &[Chosen]) -> Vec<(u64, Vertex)> {
    chosen.iter().map(|chosen| (chosen.internal_id, any_vertex(rng, chosen.external))).collect()
}

fn any_vertex(rng: &mut Rng, external: Option<u64>) -> Vertex {
    Vertex { labels: any_labels(rng), age: any_age(rng), name: any_name(rng), external }
}

/// An attempt that reads and claims nothing, and stands in no matrix.
pub(in crate::simulator) fn plain(what: &'static str, begun: &Begun, change: Change) -> Attempt {
    let (graph, snapshot) = (begun.graph, begun.snapshot);
    let (reads, spilled, beside, promised) = Default::default();
    let claim = None;
    Attempt { what, graph, kind: None, snapshot, change, reads, claim, spilled, beside, promised }
}
