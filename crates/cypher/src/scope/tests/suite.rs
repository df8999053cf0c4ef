//! openCypher's suite: each scenario that expects an error before a query runs gets it, and no other is refused.

use std::collections::BTreeMap;

use millrace_plan::{Signature, Signatures, ValueType};
use millrace_testkit::features::feature_files;
use millrace_testkit::{require, shared};

use super::resolved_with;

/// Scenarios with an error that is not found here, and the reason.
const EXCEPTIONS: &[(&str, &str)] =
    &[("Call1 [11]", "a missing parameter is known where parameters are")];

/// A scenario with its placeholders filled.
#[derive(Debug)]
struct Case {
    folder: String,
    name: String,
    /// The queries that must be right: preparations.
    before: Vec<String>,
    query: String,
    /// The name of the error that is expected before the query runs; a star is any.
    fault: Option<String>,
    /// Whether the error may come when it runs.
    may_run: bool,
    signatures: Signatures,
}

#[test]
fn errors_of_the_suite_are_found_before_a_query_runs() {
    let features = shared().map(|shared| shared.join("suites/cypher/features"));
    let features = features.filter(|folder| folder.is_dir());
    if !require("errors of openCypher's suite", features.is_some()) {
        return;
    }
    let features = features.expect("it was required");
    let mut folders: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in feature_files(&features).expect("the suite can be read") {
        let text = std::fs::read_to_string(&file).expect("the suite can be read");
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let parent = file.parent().and_then(|folder| folder.strip_prefix(&features).ok());
        let folder = parent.map(|folder| folder.display().to_string()).unwrap_or_default();
        for case in cases(&text, &folder, &stem) {
            let counts = folders.entry(case.folder.clone()).or_default();
            let outcome = judge(&case);
            counts[0] += 1;
            counts[1] += usize::from(case.fault.is_some());
            if let Err(message) = outcome {
                counts[2] += 1;
                wrong.push(format!(
                    "{}: {message}\n    {}",
                    case.name,
                    case.query.replace('\n', " / ")
                ));
            }
        }
    }
    for (folder, [all, faults, wrong]) in &folders {
        println!("{folder}: {all} scenarios, {faults} with an error, {wrong} wrong");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn judge(case: &Case) -> Result<(), String> {
    for query in &case.before {
        if let Err(errors) = resolved_with(query, &case.signatures) {
            return Err(format!("a query before is refused: {errors:?}: {query}"));
        }
    }
    let outcome = resolved_with(&case.query, &case.signatures);
    let is_exception = EXCEPTIONS.iter().any(|(name, _)| case.name.starts_with(name));
    match (&case.fault, outcome) {
        (None, Ok(_)) => Ok(()),
        (None, Err(errors)) => Err(format!("refused: {errors:?}")),
        (Some(_), Ok(_)) if case.may_run || is_exception => Ok(()),
        (Some(fault), Ok(_)) => Err(format!("not refused: {fault}")),
        (Some(_), Err(_)) if is_exception => Err("this is no exception any more".to_owned()),
        (Some(fault), Err(errors)) => {
            let name = errors.first().and_then(|error| error.name);
            let is_right = fault == "*" || name == Some(fault);
            is_right.then_some(()).ok_or_else(|| format!("{fault}, but {errors:?}"))
        }
    }
}

/// The scenarios of a feature's text, those of outlines once for each row.
fn cases(text: &str, folder: &str, stem: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().starts_with('#')).collect();
    let text = lines.join("\n");
    let background = text.split("Scenario").next().unwrap_or_default();
    let mut cases = Vec::new();
    for block in text.split("\n  Scenario").skip(1) {
        let (block, examples) = block.split_once("Examples:").unwrap_or((block, ""));
        let rows: Vec<Vec<String>> = examples.lines().filter_map(cells).collect();
        let (head, values) =
            rows.split_first().map_or((&[][..], &[][..]), |(head, values)| (head, values));
        if values.is_empty() {
            cases.push(case(&format!("{background}{block}"), folder, stem));
        }
        for row in values {
            let filled = head.iter().zip(row).fold(block.to_owned(), |block, (name, value)| {
                block.replace(&format!("<{name}>"), value)
            });
            cases.push(case(&format!("{background}{filled}"), folder, stem));
        }
    }
    cases
}

fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let marked = row.replace("\\|", "\u{1}");
    Some(marked.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect())
}

fn case(block: &str, folder: &str, stem: &str) -> Case {
    let number = block.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let mut case = Case {
        folder: folder.to_owned(),
        name: format!("{stem} [{}]", number.map_or("", |(number, _)| number)),
        before: Vec::new(),
        query: String::new(),
        fault: None,
        may_run: false,
        signatures: Signatures::default(),
    };
    let mut signatures = Vec::new();
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        if line.trim_end().ends_with("query:") || line.trim_end().ends_with("having executed:") {
            let text = lines.by_ref().skip_while(|line| !line.contains("\"\"\"")).skip(1);
            let text: Vec<&str> = text.take_while(|line| !line.contains("\"\"\"")).collect();
            let text = text.join("\n");
            match line.contains("executing query:") {
                true => case.query = text,
                false => case.before.push(text),
            }
        } else if let Some((_, signature)) = line.split_once("there exists a procedure ") {
            signatures.push(procedure(signature));
        } else if let Some((_, fault)) = line.split_once("at compile time: ") {
            case.fault = Some(fault.trim().to_owned());
        } else if let Some((_, fault)) = line.split_once("at any time: ") {
            (case.fault, case.may_run) = (Some(fault.trim().to_owned()), true);
        }
    }
    case.signatures = Signatures::new(signatures);
    case
}

/// A procedure by the text of its signature: `name(a :: T, …) :: (b :: T, …):`.
fn procedure(text: &str) -> Signature {
    let (name, rest) = text.split_once('(').unwrap_or((text, ""));
    let (arguments, columns) = rest.split_once(')').unwrap_or((rest, ""));
    let of_list = |list: &str| -> Vec<(String, ValueType)> {
        let list = list.trim_matches([':', ' ', '(', ')']);
        let typed = list.split(',').filter_map(|own| own.split_once("::"));
        typed.map(|(name, own)| (name.trim().to_owned(), value_type(own.trim()))).collect()
    };
    let start = Signature::reading(name.trim(), "");
    let with_arguments = of_list(arguments)
        .iter()
        .fold(start, |signature, (name, own)| signature.argument(name, *own));
    of_list(columns)
        .iter()
        .fold(with_arguments, |signature, (name, own)| signature.yields(name, *own))
}

fn value_type(name: &str) -> ValueType {
    match name.trim_end_matches('?') {
        "STRING" => ValueType::Text,
        "INTEGER" => ValueType::Integer,
        "FLOAT" => ValueType::Float,
        "NUMBER" => ValueType::Number,
        "BOOLEAN" => ValueType::Boolean,
        other => panic!("the type {other} of a procedure is unknown"),
    }
}
