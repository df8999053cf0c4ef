//! Bugs injected on purpose: a simulator that does not find them is blind.
//!
//! The list is `millrace_testkit::PLANTED_BUGS`, where each names the sentence it breaks and the seeds
//! it must be found within.

use millrace_store_embedded::io::Bug;
use millrace_testkit::{PLANTED_BUGS, PlantedBug};

use super::script::Script;
use super::{play, shortest_story};

/// The longest story that an injected bug may need: see each action that it takes to see it.
const STORY_MAX: usize = 10;

fn bug_of(planted: &PlantedBug) -> Bug {
    let named = Bug::ALL.into_iter().find(|bug| format!("{bug:?}") == planted.name);
    named.unwrap_or_else(|| panic!("the store knows no bug {}", planted.name))
}

/// The first seed that finds a bug, and in what words.
fn find(planted: &PlantedBug) -> Option<(u64, String)> {
    let bug = Some(bug_of(planted));
    (1..=planted.seeds).find_map(|seed| Some((seed, play(&Script::of(seed), bug).wrong?)))
}

#[test]
fn every_planted_bug_is_found() {
    assert_eq!(PLANTED_BUGS.len(), Bug::ALL.len(), "each bug stands in the list");
    let mut missed = Vec::new();
    for planted in &PLANTED_BUGS {
        match find(planted) {
            Some((seed, wrong)) => {
                let wrong: String = wrong.chars().take(100).collect();
                println!("{:18} seed {seed:3}: {wrong}", planted.name);
            }
            None => missed.push(planted.name),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn a_failing_seed_is_shrunk_to_a_short_story() {
    for name in ["IncidentForgotten", "LogUnsynced", "ReadersForgotten"] {
        let planted = PLANTED_BUGS.iter().find(|planted| planted.name == name);
        let planted = planted.expect("it is in the list");
        let (seed, _) = find(planted).expect("it is found");
        let (actions, story) = shortest_story(&Script::of(seed), Some(bug_of(planted)));
        println!("{name}, seed {seed}, {actions} actions:\n{story}\n");
        assert!(actions <= STORY_MAX, "{name}: {actions} actions:\n{story}");
    }
}
