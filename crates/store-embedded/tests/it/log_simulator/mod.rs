//! The log under a seeded machine that crashes, tears, drops, fails and damages.
//!
//! Each seed is a life of one log: rounds of opening it, judging the recovered entries, working,
//! and ending badly. The judge's rules are those of the log's contract: acknowledged entries, and
//! those that an earlier opener saw, come back; the recovered entries are a prefix of the written
//! ones, byte for byte; an ordinary crash always reopens; damage to vouched entries is refused,
//! never skipped.

mod coverage;
mod life;
mod work;

use std::sync::Mutex;

use millrace_store_embedded::io::Bug;
use millrace_testkit::run_seeds_on_all_jobs;

use coverage::Coverage;
use life::{Life, Mutation};

/// Fewer seeds than this may miss something that all of them together must meet.
const SEEDS_FOR_COVERAGE: u64 = 100;

#[test]
fn every_seed_keeps_what_was_promised() {
    let total = Mutex::new(Coverage::default());
    let seed_count = run_seeds_on_all_jobs(300, |seed| {
        let mut life = Life::new(seed, Mutation::None);
        if let Err(wrong) = life.run() {
            panic!("seed {seed}: {wrong}");
        }
        total.lock().unwrap().add(&life.coverage);
    });
    let total = total.into_inner().unwrap();
    println!("{:?}", total.counts());
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
            (verdict, life.disk.files(), life.disk.operation_count(), life.written)
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}

#[test]
fn a_log_that_never_syncs_its_files_is_found() {
    assert_found(Mutation::Injected(Bug::LogUnsynced));
}

#[test]
fn a_recovery_that_does_not_sync_the_copied_tail_is_found() {
    assert_found(Mutation::Injected(Bug::TailUnsynced));
}

#[test]
fn a_log_that_never_syncs_its_folder_is_found() {
    assert_found(Mutation::Injected(Bug::FolderUnsynced));
}

#[test]
fn a_recovery_that_takes_every_gap_for_a_torn_tail_is_found() {
    assert_found(Mutation::BlindBeyondGaps);
}

fn assert_found(mutation: Mutation) {
    let found = (1..=SEEDS_FOR_COVERAGE)
        .find_map(|seed| Some((seed, Life::new(seed, mutation).run().err()?)));
    let (seed, wrong) = found.expect("no seed finds the injected fault");
    println!("seed {seed} finds {mutation:?}: {wrong}");
}
