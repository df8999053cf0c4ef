//! Running a test once for each seed, and naming the seed that failed.
//!
//! `MILLRACE_SEEDS` sets how many, `MILLRACE_SEED_FROM` the first; `cargo xtask simulate` sets both.

use std::ops::Range;
use std::thread;

use crate::Rng;
use crate::variables;

/// Runs `test` with a fresh generator for `default_count` seeds from 1, or those the environment
/// asks for. A panic inside is preceded by the line that runs the failing seed alone.
pub fn run_seeds(default_count: u64, mut test: impl FnMut(u64, &mut Rng)) {
    for seed in asked_for(default_count) {
        let _named_on_panic = FailingSeed(seed);
        test(seed, &mut Rng::new(seed));
    }
}

fn asked_for(default_count: u64) -> Range<u64> {
    let first = variables::number("MILLRACE_SEED_FROM", 1);
    let count = variables::number("MILLRACE_SEEDS", default_count);
    assert!(0 < count, "MILLRACE_SEEDS is 0: a test that runs no seed proves nothing");
    first..first.saturating_add(count)
}

struct FailingSeed(u64);

impl Drop for FailingSeed {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", replay_line(self.0));
        }
    }
}

fn replay_line(seed: u64) -> String {
    format!("failing seed {seed}; alone: MILLRACE_SEED_FROM={seed} MILLRACE_SEEDS=1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn every_seed_runs_until_one_fails() {
        let mut seen = Vec::new();
        let last = asked_for(5).end - 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            run_seeds(5, |seed, _| {
                seen.push(seed);
                assert_ne!(seed, last);
            });
        }));
        assert!(outcome.is_err());
        assert_eq!(seen, asked_for(5).collect::<Vec<_>>());
    }

    #[test]
    fn a_seed_replays_exactly() {
        let draw = || {
            let mut drawn = Vec::new();
            run_seeds(3, |_, rng| drawn.push(rng.next_u64()));
            drawn
        };
        assert_eq!(draw(), draw());
    }
}
