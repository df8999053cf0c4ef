//! Bugs injected on purpose: a simulator that does not find them is blind.
//!
//! The list is `millrace_testkit::INJECTED_BUGS`, where each names the sentence it breaks and the
//! seeds it must be found within.

use millrace_store_embedded::io::Bug;
use millrace_testkit::{INJECTED_BUGS, InjectedBug};

use super::script::Script;
use super::{play, shortest_story};

/// The longest story that an injected bug may need: see each action that it takes to see it.
const STORY_MAX: usize = 10;

fn bug_of(injected: &InjectedBug) -> Bug {
    let named = Bug::ALL.into_iter().find(|bug| format!("{bug:?}") == injected.name);
    named.unwrap_or_else(|| panic!("the store knows no bug {}", injected.name))
}

/// The first seed that finds a bug, and its message.
fn find(injected: &InjectedBug) -> Option<(u64, String)> {
    let bug = Some(bug_of(injected));
    (1..=injected.seeds).find_map(|seed| Some((seed, play(&Script::of(seed), bug).wrong?)))
}

#[test]
fn every_injected_bug_is_found() {
    assert_eq!(INJECTED_BUGS.len(), Bug::ALL.len(), "each bug stands in the list");
    let mut missed = Vec::new();
    for injected in &INJECTED_BUGS {
        match find(injected) {
            Some((seed, wrong)) => {
                let wrong: String = wrong.chars().take(100).collect();
                println!("{:18} seed {seed:3}: {wrong}", injected.name);
            }
            None => missed.push(injected.name),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn a_failing_seed_is_shrunk_to_a_short_story() {
    for name in ["IncidentForgotten", "LogUnsynced", "ReadersForgotten"] {
        let injected = INJECTED_BUGS.iter().find(|injected| injected.name == name);
        let injected = injected.expect("it is in the list");
        let (seed, _) = find(injected).expect("it is found");
        let (actions, story) = shortest_story(&Script::of(seed), Some(bug_of(injected)));
        println!("{name}, seed {seed}, {actions} actions:\n{story}\n");
        assert!(actions <= STORY_MAX, "{name}: {actions} actions:\n{story}");
    }
}
