//! Find an edge by its type and ends, or make one.

use millrace_model::Value;
use millrace_store::key_hash::hash_values;
use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_age, any_vertex};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Edge, TYPES};
use crate::simulator::overlap::Kind;

pub(super) const MERGE_EDGE: Action = Action {
    name: "merge edge",
    weight: 4,
    meets: &["merges of edges that made it"],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let ends = (any_vertex(rng, &begun.model), any_vertex(rng, &begun.model));
    let (Some(source), Some(target)) = ends else { return Ok(()) };
    let kind = rng.index(TYPES);
    let same = |edge: &&Edge| (edge.kind, edge.source, edge.target) == (kind, source, target);
    if begun.model.edges.values().any(|edge| same(&edge)) {
        return Ok(());
    }
    let edge = Edge { kind, source, target, weight: any_age(rng), external: None };
    let change = Change { edges: vec![(None, edge)], ..Change::default() };
    let key = [kind as u64, source, target].map(|part| Value::I64(part as i64));
    let claim = hash_values(&key);
    let kind = Some(Kind::Merge);
    let attempt = Attempt { kind, claim, ..plain("merge edge", &begun, change) };
    life.coverage.note("merges of edges that made it");
    life.commit(rng, &begun, attempt)
}
