//! Find a person by name, or make one: of two that look at once, one makes it.

use millrace_store::key_hash::hash_values;
use millrace_testkit::Rng;

use super::create::plain;
use super::{Action, NAMES, ORDINARY, any_age};
use crate::simulator::attempt::Attempt;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, Vertex};
use crate::simulator::overlap::Kind;
use crate::simulator::schema::{Key, value};

pub(super) const MERGE: Action =
    Action { name: "merge", weight: 5, meets: &["merges that made it"], play, ..ORDINARY };

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    let begun = life.begin(rng)?;
    let name = rng.below(NAMES) as u8;
    let mut vertices = begun.model.vertices.iter();
    let found = vertices.find(|(_, vertex)| vertex.labels[0] && vertex.name == Some(name));
    if let Some((id, _)) = found {
        let change = Change { ages: vec![(*id, any_age(rng))], ..Change::default() };
        let attempt = Attempt { kind: Some(Kind::Merge), ..plain("merge", &begun, change) };
        return life.commit(rng, &begun, attempt);
    }
    let Some(ids) = life.lease(rng, &begun, 1)? else { return Ok(()) };
    let vertex = Vertex { labels: [true, false], age: None, name: Some(name), external: None };
    let change = Change { vertices: vec![(ids[0], vertex)], ..Change::default() };
    let claim = hash_values(&[value(Key::Name, i64::from(name))]);
    let kind = Some(Kind::Merge);
    let attempt = Attempt { kind, claim, ..plain("merge", &begun, change) };
    life.coverage.note("merges that made it");
    life.commit(rng, &begun, attempt)
}
