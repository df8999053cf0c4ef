//! New edges, some to new vertices: to hubs, loops, parallel ones.

use millrace_testkit::Rng;

use super::create::{plain, vertices};
use super::{Action, ORDINARY, any_age, any_of, any_vertex};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Edge, Model, TYPES};
use crate::simulator::overlap::Kind;

pub(super) const CONNECT: Action = Action {
    name: "connect",
    weight: 18,
    meets: &[
        "edges made under chosen ids",
        "edges made under texts",
        "edges made under numbers of places",
    ],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let wanted = rng.below(2);
    let Some(ids) = life.lease(rng, &begun, wanted)? else { return Ok(()) };
    let edges = edges(rng, &begun.model, &ids);
    if edges.is_empty() {
        return Ok(());
    }
    let change = Change { vertices: vertices(rng, &ids), edges, ..Change::default() };
    let attempt = Attempt { kind: Some(Kind::InsertEdge), ..plain("connect", &begun, change) };
    life.commit(rng, &begun, attempt)
}

/// Edges among the vertices of a graph and new ones, without ids.
pub(super) fn edges(rng: &mut Rng, model: &Model, ids: &[u64]) -> Vec<(Option<u64>, Edge)> {
    let mut edges = Vec::new();
    for _ in 0..1 + rng.below(6) {
        let end = |rng: &mut Rng| {
            let new = any_of(rng, ids).filter(|_| rng.chance(0.4));
            new.or_else(|| any_vertex(rng, model)).or_else(|| any_of(rng, ids))
        };
        let (Some(source), Some(target)) = (end(rng), end(rng)) else { break };
        edges.push((
            None,
            Edge { kind: rng.index(TYPES), source, target, weight: any_age(rng), external: None },
        ));
    }
    edges
}
