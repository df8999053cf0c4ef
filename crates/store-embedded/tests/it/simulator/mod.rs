//! The whole store under a seeded machine: transactions, loads, readers, checkpoints and recovery
//! as steps of one scheduler, on a disk that tears, drops, reorders, refuses and forgets.
//!
//! ```text
//!   seed ──> Life ─┬─ work     random transactions, some from old snapshots
//!                  ├─ steps    log, apply, checkpoint, next file, forget: in any order
//!                  ├─ faults   crash at any write, failed sync, full disk; crash while opening
//!                  └─ judge    the model: acknowledged ⊆ recovered, recovered = a prefix, all ways
//!                              of reading agree, no edge without ends
//! ```
//!
//! What a reader would get wrong: a seed replays exactly, because everything that could differ (the
//! disk's bad luck, the salts of files, the order of steps) comes from it, and there are no threads.

mod coverage;
mod judge;
mod life;
mod model;
mod work;

use std::panic::{AssertUnwindSafe, catch_unwind};

use millrace_store_embedded::io::sim::PlantedFault;
use millrace_testkit::run_seeds;

use coverage::Coverage;
use life::{Life, Mutation};

/// Fewer seeds than this may miss something that all of them together must meet.
const SEEDS_FOR_COVERAGE: u64 = 300;

#[test]
fn every_seed_keeps_what_was_promised() {
    let mut total = Coverage::default();
    let mut seed_count = 0;
    run_seeds(500, |seed, _| {
        let mut life = Life::new(seed, Mutation::None);
        if let Err(wrong) = life.run() {
            panic!("seed {seed}: {wrong}\nwhat happened:\n{}", life.story.join("\n"));
        }
        total.add(&life.coverage);
        seed_count += 1;
    });
    println!("{total:?}");
    if SEEDS_FOR_COVERAGE <= seed_count {
        total.assert_nothing_is_missing();
    }
}

#[test]
fn a_seed_replays_exactly() {
    for seed in 1..=5 {
        let run = || {
            let mut life = Life::new(seed, Mutation::None);
            let verdict = life.run();
            (verdict, life.disk.files(), life.disk.operation_count())
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}

#[test]
fn a_store_that_acknowledges_before_the_sync_is_found() {
    assert_found(Mutation::AcknowledgesEarly);
}

#[test]
fn a_store_that_never_syncs_its_files_is_found() {
    assert_found(Mutation::Planted(PlantedFault::NoFileSync));
}

#[test]
fn a_store_that_names_segments_before_they_are_synced_is_found() {
    assert_found(Mutation::Planted(PlantedFault::NoTemporarySync));
}

fn assert_found(mutation: Mutation) {
    // A lost section may also be met by a check that panics; that is finding it, too.
    let wrong = |seed| {
        let lived = catch_unwind(AssertUnwindSafe(|| Life::new(seed, mutation).run()));
        lived.map_or_else(|_| Some("a panic".to_string()), Result::err)
    };
    let found = (1..=100).find_map(|seed| Some((seed, wrong(seed)?)));
    let (seed, wrong) = found.expect("no seed finds the planted fault");
    println!("seed {seed} finds {mutation:?}: {wrong}");
}
