//! Vertices with ids that the client chose, some with edges immediately: internal ids, or external
//! ids.

use millrace_model::{Bits, ErrorKind};
use millrace_testkit::Rng;

use super::connect::edges;
use super::create::{plain, vertices_of};
use super::load::LOADS_MAX;
use super::{Action, ORDINARY};
use crate::simulator::attempt::Begun;
use crate::simulator::claim::{FAR, internal_ids};
use crate::simulator::life::{Life, Lived, wrong};
use crate::simulator::model::Change;
use crate::simulator::overlap::Kind;

pub(super) const CHOOSE: Action = Action {
    name: "choose",
    weight: 7,
    meets: &[
        "ids chosen",
        "ids chosen again",
        "ids that two chose",
        "ids chosen that cannot be internal ids",
        "ids chosen that are internal ids of others",
        "ids refused by name",
        "vertices made under external ids",
        "external ids given again",
        "external ids that two wanted",
        "edges of vertices under external ids",
    ],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    if rng.chance(0.05) {
        return refuse(life, &begun);
    }
    if rng.chance(0.2) {
        return compete(life, rng, &begun);
    }
    let wanted = 1 + rng.below(3);
    let Some(chosen) = life.choose(rng, &begun, wanted)? else { return Ok(()) };
    if rng.chance(0.2) {
        // The client drops its choice, or is slow: another may choose it, too.
        return Ok(());
    }
    let mut change = Change { vertices: vertices_of(rng, &chosen), ..Change::default() };
    if rng.chance(0.3) {
        change.edges = edges(rng, &begun.model, &internal_ids(&chosen));
    }
    let attempt = plain("create as chosen", &begun, change);
    life.commit(rng, &begun, attempt)
}

/// Two choose one external id before either commits: clients, or a load and a client.
fn compete(life: &mut Life, rng: &mut Rng, begun: &Begun) -> Lived<()> {
    let id = *rng.pick(&FAR);
    let mut attempts = Vec::new();
    for _ in 0..2 {
        let Some(chosen) = life.claim(begun, &[id], &Bits::default())? else { return Ok(()) };
        let change = Change { vertices: vertices_of(rng, &chosen), ..Change::default() };
        attempts.push(plain("create as chosen", begun, change));
    }
    let (Some(second), Some(mut first)) = (attempts.pop(), attempts.pop()) else { return Ok(()) };
    if life.open().loads.len() < LOADS_MAX && rng.chance(0.6) {
        (first.what, first.kind) = ("load", Some(Kind::BulkLoad));
        life.begin_load(first, &*begun.store)?;
        if rng.chance(0.5)
            && let Some(load) = life.open().loads.pop()
        {
            life.finish_load(rng, load)?;
        }
    } else {
        life.commit(rng, begun, first)?;
    }
    life.commit(rng, begun, second)
}

fn refuse(life: &mut Life, begun: &Begun) -> Lived<()> {
    match begun.store.claim_vertices(&[0], &Bits::default()) {
        Err(error) if error.kind == ErrorKind::BadInput => {
            life.coverage.note("ids refused by name");
            Ok(())
        }
        Err(error) => life.bear(&error),
        Ok(internal_ids) => wrong(format!("vertex id 0 could be chosen: {internal_ids:?}")),
    }
}
