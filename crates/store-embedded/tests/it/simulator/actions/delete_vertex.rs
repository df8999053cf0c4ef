//! A vertex goes, with the edges that the transaction sees.

use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, ORDINARY, any_of, any_vertex};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::Change;
use crate::simulator::overlap::Kind;

pub(super) const DELETE_VERTEX: Action = Action {
    name: "delete vertex",
    weight: 4,
    meets: &["vertices under external ids deleted"],
    play,
    ..ORDINARY
};

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let external: Vec<u64> =
        begun.model.with_external().map(|(internal_id, _)| internal_id).collect();
    let external = any_of(rng, &external).filter(|_| rng.chance(0.4));
    let Some(id) = external.or_else(|| any_vertex(rng, &begun.model)) else { return Ok(()) };
    let deleted_edges = begun.model.incident(id).collect();
    let change = Change { deleted_edges, deleted_vertices: vec![id], ..Change::default() };
    let attempt = Attempt { kind: Some(Kind::DeleteVertex), ..plain("delete", &begun, change) };
    life.commit(rng, &begun, attempt)
}
