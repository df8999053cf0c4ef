//! Running a test once for each seed, and naming the seed that failed.
//!
//! `MILLRACE_SEEDS` sets how many, `MILLRACE_SEED_FROM` the first, `MILLRACE_JOBS` on how many
//! threads; `cargo xtask simulate` sets all three. What a seed does never enters here.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use millrace_model::random::SplitMix64;

use crate::variables;

/// Runs `test` with a fresh generator for `default_count` seeds from 1, or those the environment
/// asks for. A panic inside is preceded by the line that runs the failing seed alone.
pub fn run_seeds(default_count: u64, mut test: impl FnMut(u64, &mut SplitMix64)) {
    for seed in asked_for(default_count) {
        let _named_on_panic = FailingSeed(seed);
        test(seed, &mut SplitMix64::new(seed));
    }
}

/// Runs `test` once for each seed from 1, or those the environment asks for, on as many threads as
/// it asks for; returns how many. A long run shows on standard error how far it is. The first panic
/// ends it, and is preceded by the line that runs the failing seed alone.
pub fn run_seeds_on_all_jobs(default_count: u64, test: impl Fn(u64) + Sync) -> u64 {
    let seeds = asked_for(default_count);
    let jobs = variables::number("MILLRACE_JOBS", 1).max(1);
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let progress = Progress::new(seeds.end - seeds.start);
    let work = || {
        while !failed.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seeds.end <= seed {
                break;
            }
            let _named_on_panic = FailingSeed(seed);
            let _on_panic = StopOthers(&failed);
            test(seed);
            progress.note();
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..jobs).map(|_| scope.spawn(work)).collect();
        work();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    progress.finish();
    seeds.end - seeds.start
}

/// Stops the other threads after a panic.
struct StopOthers<'a>(&'a AtomicBool);

impl Drop for StopOthers<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The progress of a run, reported now and then.
struct Progress {
    total: u64,
    done: AtomicU64,
    began: Instant,
    reported_s: AtomicU64,
}

const REPORT_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    fn new(total: u64) -> Progress {
        let (done, reported_s) = (AtomicU64::new(0), AtomicU64::new(0));
        Progress { total, done, began: Instant::now(), reported_s }
    }

    fn note(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        let (now, reported) =
            (self.began.elapsed().as_secs(), self.reported_s.load(Ordering::Relaxed));
        let is_due = reported + REPORT_EVERY.as_secs() <= now;
        let mine = || {
            self.reported_s.compare_exchange(reported, now, Ordering::Relaxed, Ordering::Relaxed)
        };
        if is_due && mine().is_ok() {
            eprintln!("{}", self.line());
        }
    }

    fn finish(&self) {
        if REPORT_EVERY <= self.began.elapsed() {
            eprintln!("{}", self.line());
        }
    }

    fn line(&self) -> String {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total);
        let rate = done as f64 / self.began.elapsed().as_secs_f64();
        let cpu = process_cpu_ms().map(|ms| format!(", {:.1} ms of CPU a seed", ms / done as f64));
        format!("{done} of {total} seeds, {rate:.0} a second{}", cpu.unwrap_or_default())
    }
}

/// CPU time of this process so far, where the system says.
fn process_cpu_ms() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may hold anything: fields 3 and on; 14 and 15 are ticks of 10 ms.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) * 10.0)
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
    fn all_jobs_together_run_every_seed_once() {
        let seen = std::sync::Mutex::new(Vec::new());
        let count = run_seeds_on_all_jobs(50, |seed| seen.lock().unwrap().push(seed));
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, asked_for(50).collect::<Vec<_>>());
        assert_eq!(count, seen.len() as u64);
    }

    #[test]
    fn a_seed_replays_exactly() {
        let numbers = || {
            let mut found = Vec::new();
            run_seeds(3, |_, rng| found.push(rng.next_u64()));
            found
        };
        assert_eq!(numbers(), numbers());
    }
}
