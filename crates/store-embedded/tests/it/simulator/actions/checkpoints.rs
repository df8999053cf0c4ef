//! One kind of value after the other changes, each followed by a checkpoint, so that a root has its
//! sections in many files; at last a change that is too small to be merged.

use millrace_store_embedded::Step;
use millrace_testkit::Rng;

use super::create::plain;
use super::{AGES, Action, ORDINARY, any_vertex};
use crate::simulator::attempt::Begun;
use crate::simulator::life::{Life, Lived};
use crate::simulator::model::{Change, TYPES};
use crate::simulator::schema::{LONG_NAME, LONG_TEXT};

pub(super) const CHECKPOINTS: Action = Action { name: "checkpoints in a row", play, ..ORDINARY };

/// It costs as much as many others.
const SHARE: f64 = 0.4;

fn play(life: &mut Life, rng: &mut Rng) -> Lived<()> {
    if !life.open().suspended.is_empty() || !rng.chance(SHARE) {
        return Ok(());
    }
    let begun = life.begin(rng)?;
    let Some(id) = any_vertex(rng, &begun.model) else { return Ok(()) };
    for change in changes(rng, &begun, id) {
        checkpoint_after(life, rng, &begun, change)?;
    }
    life.note_segments();
    Ok(())
}

/// Changes in the partition of a vertex, each of another kind of value.
fn changes(rng: &mut Rng, begun: &Begun, id: u64) -> Vec<Change> {
    let age = Some(rng.below(AGES) as i64);
    let mut changes = vec![
        Change { names: vec![(id, Some(LONG_NAME))], ..Change::default() },
        Change { ages: vec![(id, Some(LONG_TEXT))], ..Change::default() },
    ];
    for kind in 0..TYPES {
        let is_near = |source: u64| source >> 16 == id >> 16;
        let mut edges = begun.model.edges.iter();
        let near = edges.find(|(_, edge)| edge.kind == kind && is_near(edge.source));
        let weights = near.map(|(edge, _)| (*edge, Some(LONG_TEXT))).into_iter().collect();
        changes.push(Change { weights, ..Change::default() });
    }
    changes.push(Change { ages: vec![(id, age)], ..Change::default() });
    changes.retain(|change| !change.is_empty());
    changes
}

/// Commits from the visible position, and makes the change a part of a checkpoint.
fn checkpoint_after(life: &mut Life, rng: &mut Rng, begun: &Begun, change: Change) -> Lived<()> {
    let snapshot = begun.store.snapshot().map_err(|error| life.end(&error))?.position().0;
    let model = life.history(begun.graph).at(snapshot);
    let begun = Begun { graph: begun.graph, store: begun.store.clone(), snapshot, model };
    let attempt = plain("set", &begun, change);
    life.commit(rng, &begun, attempt)?;
    // Suspended changes would be in another's file, or in none.
    life.resume_all()?;
    for step in [Step::Log, Step::Apply] {
        if let Err(error) = life.open().backend.step(step) {
            return life.bear(&error);
        }
    }
    life.checkpoint(rng)?;
    life.resume_all()
}
