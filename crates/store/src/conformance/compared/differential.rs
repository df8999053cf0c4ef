//! Two backends, the same random transactions, the same contents, now and in old snapshots.

use std::sync::Arc;

use millrace_model::random::SplitMix64;
use millrace_model::{ErrorKind, Result};

use crate::backend::Backend;
use crate::conformance::compared::content::{Content, content};
use crate::conformance::compared::script::{Batching, World, random_step};
use crate::conformance::fixture::{Fixture, commit};
use crate::snapshot::Snapshot;
use crate::transaction::Transaction;

const ROUNDS: usize = 30;
const STEPS_MAX: usize = 6;

/// Snapshots held open, each with what it held when it was taken.
type Held = Vec<(Arc<dyn Snapshot>, Content)>;

/// Runs random transactions on both: on the first in whole calls, on the second row by row with
/// spills. Each backend gets a new graph. Panics with the seed where they differ.
pub fn differential(first: &dyn Backend, second: &dyn Backend, seed: u64) {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(first, second, seed).expect("random transactions meet no other errors");
    }));
    if let Err(panic) = outcome {
        eprintln!("differential run with seed {seed} failed");
        std::panic::resume_unwind(panic);
    }
}

fn run(first: &dyn Backend, second: &dyn Backend, seed: u64) -> Result<()> {
    let graph = format!("differential {seed}");
    let fixture = |backend: &dyn Backend| Fixture::of(backend.create_graph(&graph)?);
    let mut worlds = [
        World::new(fixture(first)?, Batching::Whole),
        World::new(fixture(second)?, Batching::Rows),
    ];
    let mut random = SplitMix64::new(seed);
    let mut held: [Held; 2] = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        run_round(&mut worlds, &mut random, &format!("in round {round} of seed {seed}"))?;
        if random.one_in(4) {
            for (world, held) in worlds.iter().zip(&mut held) {
                let snapshot = world.fixture.snapshot()?;
                let now = content(&*snapshot, &world.naming)?;
                held.push((snapshot, now));
            }
        }
    }
    for (world, held) in worlds.iter().zip(&held) {
        for (snapshot, then) in held {
            then.assert_same(&content(&**snapshot, &world.naming)?, "in an old snapshot");
        }
    }
    let graph_of = |backend: &dyn Backend| backend.drop_graph(&graph);
    graph_of(first)?;
    graph_of(second)
}

/// Two transactions that run side by side; sometimes the second is only a bystander.
fn run_round(worlds: &mut [World; 2], random: &mut SplitMix64, when: &str) -> Result<()> {
    let begin = |world: &World| world.fixture.begin();
    let ones = [begin(&worlds[0])?, begin(&worlds[1])?];
    let twos = [begin(&worlds[0])?, begin(&worlds[1])?];
    for _ in 0..1 + random.index(STEPS_MAX) {
        step(worlds, &ones, random, when)?;
    }
    if random.one_in(3) {
        step(worlds, &twos, random, when)?;
        step(worlds, &twos, random, when)?;
    }
    let views = [content(&ones[0], &worlds[0].naming)?, content(&ones[1], &worlds[1].naming)?];
    views[0].assert_same(&views[1], &format!("between the two transactions {when}"));
    let before = worlds[0].fixture.snapshot()?.position();
    let committed = finish(worlds, ones, random.one_in(6), when)?;
    compare(worlds, when)?;
    if committed && before < worlds[0].fixture.snapshot()?.position() {
        let now = content(&*worlds[0].fixture.snapshot()?, &worlds[0].naming)?;
        views[0].assert_same(&now, &format!("between transaction and commit {when}"));
    }
    finish(worlds, twos, false, when)?;
    compare(worlds, when)
}

fn step(
    worlds: &mut [World; 2],
    transactions: &[Transaction; 2],
    random: &mut SplitMix64,
    when: &str,
) -> Result<()> {
    assert_eq!(worlds[0].sizes(), worlds[1].sizes(), "as much was created {when}");
    let (vertices, edges) = worlds[0].sizes();
    let step = random_step(random, vertices, edges);
    let refusals =
        [worlds[0].perform(&transactions[0], &step)?, worlds[1].perform(&transactions[1], &step)?];
    assert_eq!(refusals[0], refusals[1], "refused alike {when}: {step:?}");
    Ok(())
}

/// Commits both or drops both, and says whether they committed; outcomes must be alike.
fn finish(
    worlds: &[World; 2],
    transactions: [Transaction; 2],
    drops: bool,
    when: &str,
) -> Result<bool> {
    assert_eq!(worlds[0].fixture.age, worlds[1].fixture.age, "names have the same numbers");
    if drops {
        return Ok(false);
    }
    let [first, second] = transactions.map(|transaction| match commit(transaction) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    });
    let kind = |outcome: &Result<()>| outcome.as_ref().err().map(|error| error.kind);
    assert_eq!(kind(&first), kind(&second), "{first:?} and {second:?} {when}");
    match kind(&first) {
        None => Ok(true),
        Some(ErrorKind::Conflict | ErrorKind::Constraint) => Ok(false),
        Some(_) => first.map(|()| false),
    }
}

fn compare(worlds: &[World; 2], when: &str) -> Result<()> {
    let [first, second] = worlds;
    let contents = [
        content(&*first.fixture.snapshot()?, &first.naming)?,
        content(&*second.fixture.snapshot()?, &second.naming)?,
    ];
    contents[0].assert_same(&contents[1], &format!("between the two backends {when}"));
    Ok(())
}
