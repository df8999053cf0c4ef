//! Expressions of temporal values: goldens, and the scenarios of openCypher's TCK where the suite lies. Each
//! is evaluated by the plan's functions, without a language, a plan or a store.

mod evaluate;
mod random;
mod scenario;

use std::collections::BTreeMap;
use std::path::Path;

use millrace_model::Value;
use millrace_model::temporal::{Seconds, text};
use millrace_testkit::{golden, require, shared};

use evaluate::{Reader, Variables};
use scenario::{Scenario, Step};

/// The scenarios there are, outlines counted by their examples.
const SCENARIOS: usize = 834;

#[test]
fn expressions_of_the_tck_give_its_results() {
    let folder = shared().map(|it| it.join("suites/cypher/features/expressions/temporal"));
    let folder = folder.filter(|folder| folder.is_dir());
    if !require("temporal values of the TCK", folder.is_some()) {
        return;
    }
    let mut files: Vec<_> = std::fs::read_dir(folder.expect("is there"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let (mut count, mut differences) = (0, Vec::new());
    for file in files {
        let content = std::fs::read_to_string(&file).expect("a text");
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for scenario in scenario::scenarios(&content) {
            count += 1;
            if let Err(difference) = check(&scenario) {
                differences.push(format!("{name} {}: {difference}", scenario.name));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {count}:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert_eq!(count, SCENARIOS);
}

#[test]
fn expressions_give_the_values_of_the_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/temporal");
    golden::check_folder(folder, |case| {
        let lines = case.input.lines().map(|line| {
            let mut reader = Reader { rest: line };
            match reader.expression(&Variables::new()) {
                Ok(value) => format!("{line} = {}", cell(&value)),
                Err(error) => format!("{line}: {error}"),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    });
}

/// Elements by label: each has the properties that were given last.
type Graph = BTreeMap<String, Value>;

fn check(scenario: &Scenario) -> Result<(), String> {
    let (mut graph, mut rows) = (Graph::new(), Vec::new());
    if !scenario.steps.iter().any(|step| matches!(step, Step::Result(_))) {
        return Err("it expects no result".to_owned());
    }
    for step in &scenario.steps {
        match step {
            Step::Statement(statement) => rows = run(statement, &mut graph)?,
            Step::Result(expected) if *expected == rows => {}
            Step::Result(expected) => {
                return Err(format!("expected {expected:?}, found {rows:?}"));
            }
        }
    }
    Ok(())
}

/// The results of a statement, as cells of a table; none if it returns nothing.
fn run(statement: &str, graph: &mut Graph) -> Result<Vec<String>, String> {
    let mut variables = Variables::new();
    let mut cells = Vec::new();
    for (word, clause) in clauses(statement) {
        let mut reader = Reader { rest: &clause };
        let in_clause = |error: String| format!("{error}, in {word} {clause}");
        match word {
            "CREATE" => {
                let (_, label, properties) = reader.element(&variables).map_err(in_clause)?;
                graph.insert(label, properties);
            }
            "MATCH" => loop {
                let (name, label, _) = reader.element(&variables).map_err(in_clause)?;
                let found = graph.get(&label).ok_or_else(|| format!("no element {label}"))?;
                variables.insert(name, found.clone());
                if !reader.take(",") {
                    break;
                }
            },
            _ => loop {
                let value = reader.expression(&variables).map_err(in_clause)?;
                let name = if reader.take("AS ") { reader.word() } else { String::new() };
                cells.push(cell(&value));
                variables.insert(name, value);
                if !reader.take(",") {
                    break;
                }
            },
        }
        if word != "RETURN" {
            cells.clear();
        }
    }
    Ok(cells)
}

/// The clauses of a statement with their words; a line without one goes on with the line before.
fn clauses(statement: &str) -> Vec<(&'static str, String)> {
    let mut clauses: Vec<(&'static str, String)> = Vec::new();
    for line in statement.lines() {
        let words = ["CREATE", "MATCH", "WITH", "RETURN"];
        let line = line.trim();
        match words.into_iter().find_map(|word| Some((word, line.strip_prefix(word)?))) {
            Some((word, clause)) => clauses.push((word, clause.to_owned())),
            None => {
                if let Some((_, clause)) = clauses.last_mut() {
                    clause.push(' ');
                    clause.push_str(line);
                }
            }
        }
    }
    clauses
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::I64(int) => int.to_string(),
        Value::String(text) => format!("'{text}'"),
        Value::List(entries) => {
            let entries: Vec<String> = entries.iter().map(cell).collect();
            format!("[{}]", entries.join(", "))
        }
        other => match text(other, Seconds::IfAny) {
            Some(text) => format!("'{text}'"),
            None => format!("{other:?}"),
        },
    }
}
