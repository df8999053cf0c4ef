//! TinkerPop's feature files, as gremlin-lang text, over graphs that this crate opens.
//!
//! Skips by name where `cargo xtask suite-files` has not fetched them. Known failures are in
//! a list of their own, with reasons; a listed scenario that passes fails the test too.

mod answers;
mod found;
mod graphs;
mod ids;
mod janusgraph;
mod kinds;
mod literals;
mod loops;
mod many_walks;
mod map_entries;
mod modern;
mod normalized_queries;
mod profiles;
mod public_scripts;
mod random;
mod sacks;
mod scenarios;
mod several_values;
mod steps;
mod wheres;
mod written;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use millrace_testkit::features::Scenario;
use millrace_testkit::{gremlin_suite, require};

use graphs::Graphs;

/// Tags of scenarios that are left out, and why.
const LEFT_OUT: [(&str, &str); 6] = [
    ("@GraphComputerOnly", "there is no graph computer"),
    ("@AllowNullPropertyValues", "a null property is no property"),
    ("@UserSuppliedVertexPropertyIds", "ids of properties are given by the store"),
    ("@TinkerServiceRegistry", "services of TinkerGraph are its own"),
    ("@StepRead", "no files are read for a client"),
    ("@StepWrite", "no files are written for a client"),
];

/// The scenarios of the suite that do not pass yet.
const NOT_YET: &str = include_str!("not_yet.txt");

#[test]
fn tinkerpop_features_pass_but_for_a_written_list() {
    let suite = gremlin_suite();
    if !require("TinkerPop's feature files", suite.is_some()) {
        return;
    }
    let suite = suite.expect("as the suite has it");
    let graphs = Graphs::open(&suite);
    let mut failures = BTreeMap::new();
    let mut passed = 0;
    for scenario in scenarios::read(&suite) {
        if LEFT_OUT.iter().any(|(tag, _)| scenario.tags.iter().any(|own| own == tag)) {
            continue;
        }
        graphs::expect_failure(NOT_YET.lines().any(|name| name == scenario.name));
        match outcome(&scenario, &graphs) {
            Ok(()) => passed += 1,
            Err(reason) => {
                failures.insert(scenario.name, reason);
            }
        }
    }
    report(passed, &failures);
}

fn outcome(scenario: &Scenario, graphs: &Graphs) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| scenarios::run_scenario(scenario, graphs))).unwrap_or_else(
        |panic| {
            let text = panic.downcast_ref::<String>().cloned();
            Err(format!("panicked: {}", text.unwrap_or_default()))
        },
    )
}

fn report(passed: usize, failures: &BTreeMap<String, String>) {
    let known: Vec<&str> = NOT_YET.lines().filter(|line| !line.starts_with('#')).collect();
    let new: Vec<String> = failures
        .iter()
        .filter(|(name, _)| !known.contains(&name.as_str()))
        .map(|(name, reason)| format!("{name}: {reason}"))
        .collect();
    let passing: Vec<&&str> = known.iter().filter(|name| !failures.contains_key(**name)).collect();
    if let Some(file) = std::env::var_os("MILLRACE_GREMLIN_FAILURES") {
        let lines: Vec<String> =
            failures.iter().map(|(name, reason)| format!("{name}\t{reason}")).collect();
        std::fs::write(file, lines.join("\n")).expect("as the suite has it");
    }
    println!("{passed} scenarios pass, {} do not", failures.len());
    assert!(new.is_empty(), "{} scenarios fail:\n{}", new.len(), new.join("\n"));
    assert!(passing.is_empty(), "these pass and are still listed: {passing:?}");
}
