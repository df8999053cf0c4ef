//! Models of state that is shared without a plain lock around it: a few threads each, run in every
//! order of their steps, and with every stale value that the memory model allows, by the checker
//! `loom`.
//!
//! ```text
//!   commit     wakeup, watermark, readers, conflict table and sequencer
//!   pipeline   log and applier steps, committers that help apply, closing
//!   partition  chunk lock, tails, freed versions, live bits
//!   gates      id leases, admission, the gate of definitions
//! ```
//!
//! A model's comment names its possible faults and its mutants: each is injected in a process
//! of its own (a panic under the checker ends it), which must fail with the words that belong to
//! it. "Every order" is up to so many preemptions, of threads that would have gone on
//! (`MILLRACE_MODEL_PREEMPTIONS`); a thread that waits or ends is no preemption.

mod commit;
mod gates;
mod partition;
mod pipeline;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use loom::model::Builder;

use crate::sync::{Mutant, inject};

/// Steps of one order, at most: more is an endless loop.
const STEPS_MAX: usize = 20_000;

/// Which mutant a process injects, by its place in the list of the model.
const MUTANT: &str = "MILLRACE_MODEL_MUTANT";

/// Tries every order of a model, then requires each mutant to be found, with the message beside it.
fn check(model: fn(), mutants: &[(Mutant, &str)]) {
    let place = millrace_testkit::number(MUTANT, mutants.len() as u64) as usize;
    if let Some((mutant, _)) = mutants.get(place) {
        inject(*mutant);
        explore(model);
        return;
    }
    let orders = explore(model);
    let current = std::thread::current();
    let name = current.name().expect("a test has a name");
    println!("{name}: {orders} orders");
    mutants.iter().enumerate().for_each(|(place, mutant)| find(name, place, mutant));
}

/// Runs the model to the end; says how many orders it had.
fn explore(model: fn()) -> u64 {
    let orders = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&orders);
    let mut builder = Builder::new();
    builder.max_branches = STEPS_MAX;
    builder.preemption_bound =
        Some(millrace_testkit::number("MILLRACE_MODEL_PREEMPTIONS", 2) as usize);
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    });
    orders.load(Ordering::Relaxed)
}

/// Runs the test that is called so with a mutant injected, and requires it to fail with these
/// words.
fn find(name: &str, place: usize, (mutant, says): &(Mutant, &str)) {
    let program = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new(program);
    command.args(["--exact", "--nocapture", name]).env("RUST_BACKTRACE", "0");
    let output = command.env(MUTANT, place.to_string()).output().expect("it can be started");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{name} does not find {mutant:?}");
    assert!(
        message.contains(says),
        "{name} finds {mutant:?}, but does not say `{says}`:\n{message}"
    );
}
