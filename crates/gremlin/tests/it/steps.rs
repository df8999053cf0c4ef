//! A golden for every step: traversals with it, as instructions with parameterized literals, and the plans that
//! these become.

use std::fs;
use std::path::Path;

use millrace_gremlin::parameterize::parameterize;
use millrace_gremlin::translate;
use millrace_testkit::golden;

use super::reference::{Row, rows};
use super::show;
use super::translated::bytecode;

/// One file for each step, called as the step.
const GOLDENS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/steps");

#[test]
fn steps_become_the_plans_that_their_goldens_say() {
    golden::check_folder(GOLDENS, |case| all(&case.input));
}

#[test]
fn facts_of_steps_have_the_effects_that_the_goldens_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/facts");
    golden::check_folder(folder, |case| all(&case.input));
}

fn all(texts: &str) -> String {
    texts.split("\n---\n").map(instructions_and_plan).collect::<Vec<_>>().join("---\n")
}

fn instructions_and_plan(text: &str) -> String {
    let mut bytecode = bytecode(text);
    parameterize(&mut bytecode);
    let plan = match translate(&bytecode) {
        Ok(translation) => translation.plan.to_string(),
        Err(error) => format!("{:?}: {error}\n", error.kind),
    };
    format!("{}\n{plan}", show::bytecode(&bytecode))
}

#[test]
fn every_step_has_a_golden_with_it_and_with_each_of_its_modulators() {
    let rows = rows();
    let mut missing = Vec::new();
    for Row { name, modulators, .. } in &rows {
        let text = fs::read_to_string(Path::new(GOLDENS).join(format!("{name}.md")));
        let text = text.unwrap_or_default();
        let inputs: String =
            text.split("```input").skip(1).filter_map(|own| own.split("```").next()).collect();
        let calls = modulators.iter().chain([name]).map(|word| format!("{word}("));
        missing.extend(
            calls.filter(|call| !inputs.contains(call)).map(|call| format!("{name}: {call})")),
        );
    }
    assert_eq!(missing, Vec::<String>::new());
    for file in fs::read_dir(GOLDENS).expect("they are there") {
        let name = file.expect("it is listed").path().with_extension("");
        let is_step = rows.iter().any(|row| name.ends_with(row.name));
        assert!(is_step, "{} is no step", name.display());
    }
}
