//! The whole store under a seeded machine: transactions, loads, readers, checkpoints and recovery
//! as steps of one scheduler, on a disk that tears, drops, reorders, refuses, forgets and rots.
//!
//! ```text
//!   seed ──> Script ──> Life ─┬─ actions   one file for each kind
//!              │              ├─ attempt   a transaction: begun, committed, accepted or refused
//!              │              ├─ claim     ids that clients chose: internal ids, or external ids
//!              │              ├─ edge_choice  the same of edges
//!              │ shrunk       ├─ suspended work suspended between two operations of the disk
//!              │ if it fails  ├─ opening   the end of a life, and the start of the next
//!              │              ├─ sound     the store's own check, and the segments it wrote
//!              v              └─ judge     the model: acknowledged ⊆ recovered, recovered = a prefix,
//!        shortest story                    seen ⊆ recovered, all ways of reading agree
//! ```
//!
//! A seed replays exactly, because everything that could differ (the disk's bad luck, the salts of
//! files, the order of steps) comes from it. Work that is suspended has threads, but one runs at a
//! time and says itself when it stops.

mod actions;
mod attempt;
mod claim;
mod coverage;
mod edge_choice;
mod for_store;
mod gap;
mod history;
mod injected;
mod judge;
mod life;
mod load;
mod model;
mod opening;
mod overlap;
mod reads;
mod rules;
mod schema;
mod script;
mod shrink;
mod sound;
mod suspended;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use millrace_store_embedded::io::Bug;
use millrace_testkit::run_seeds_on_all_jobs;

use coverage::Coverage;
use life::Life;
use script::Script;
use shrink::shrink;

/// Fewer seeds than this may miss something that all of them together must meet.
const SEEDS_FOR_COVERAGE: u64 = 1_000;

/// The outcome of a script: the life as it ended, and the fault, if any.
struct Played {
    life: Life,
    wrong: Option<String>,
}

/// Plays a script. A panic of the store is a wrong like any other.
fn play(script: &Script, injected: Option<Bug>) -> Played {
    let mut life = Life::new(script.seed, injected);
    let outcome = catch_unwind(AssertUnwindSafe(|| life.play(script)));
    let wrong = match outcome {
        Ok(outcome) => outcome.err(),
        Err(panic) => Some(format!("a panic in `{}`: {}", life.action, panic_text(&*panic))),
    };
    Played { life, wrong }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("of no words").to_string()
}

/// The kind of fault, without place and time: a shortened story must end in the same way.
fn kind_of(wrong: &str) -> String {
    let (message, _) = wrong.split_once(" found ").unwrap_or((wrong, ""));
    let place = message.trim_end_matches(':').rsplit(": ").next().unwrap_or(message);
    place.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// The shortest story of a script that fails, with its fault.
fn shortest_story(script: &Script, injected: Option<Bug>) -> (usize, String) {
    let kind = play(script, injected).wrong.as_deref().map(kind_of);
    let fails_so = |shorter: &Script| play(shorter, injected).wrong.as_deref().map(kind_of) == kind;
    let short = shrink(script, fails_so);
    let played = play(&short, injected);
    let wrong = played.wrong.expect("a script that was shortened fails still");
    (short.acts.len(), format!("{}\n{wrong}", played.life.story.join("\n")))
}

#[test]
fn every_seed_keeps_what_was_promised() {
    let total = Mutex::new(Coverage::default());
    let seed_count = run_seeds_on_all_jobs(300, |seed| {
        let script = Script::of(seed);
        let played = play(&script, None);
        if let Some(wrong) = played.wrong {
            let (actions, story) = shortest_story(&script, None);
            panic!("seed {seed}: {wrong}\nthe shortest story, {actions} actions:\n{story}");
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.add(&played.life.coverage);
    });
    let total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{total}");
    if SEEDS_FOR_COVERAGE <= seed_count {
        let missing = total.missing();
        assert!(missing.is_empty(), "no seed met: {missing:#?}");
    }
}

#[test]
fn a_seed_replays_exactly() {
    for seed in 1..=10 {
        let run = || {
            let Played { life, wrong } = play(&Script::of(seed), None);
            (wrong, life.disk.files(), life.disk.operation_count(), life.story)
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}
