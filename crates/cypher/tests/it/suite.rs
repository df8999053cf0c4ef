//! Every query of openCypher's TCK is read, except for those that it calls wrong.

use std::collections::BTreeMap;
use std::fs;

use millrace_cypher::{check, normal_text};
use millrace_testkit::features::feature_files;
use millrace_testkit::{require, shared};

/// Queries of the 3,091 scenarios and of their preparations, each once for each row of examples.
const QUERIES_MIN: usize = 3_700;

#[test]
fn every_query_of_the_suite_is_read() {
    let features = shared().map(|shared| shared.join("suites/cypher/features"));
    let features = features.filter(|folder| folder.is_dir());
    if !require("cypher texts of openCypher's scenarios", features.is_some()) {
        return;
    }
    let files = feature_files(&features.expect("it is there")).expect("a folder can be read");
    let mut failures = Vec::new();
    let (mut count, mut wrong) = (0, BTreeMap::<bool, usize>::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a feature file can be read");
        for query in queries_of(&text) {
            count += 1;
            let errors = check(&query.text);
            if let Some(name) = &query.error {
                *wrong.entry(errors.is_empty()).or_default() += 1;
                let found = errors.first().and_then(|error| error.name);
                if found.is_some_and(|found| found != name) {
                    failures.push(format!("{found:?}, not {name}:\n{}\n", query.text));
                }
            } else if let Some(first) = errors.first() {
                failures.push(format!("{}: {first}\n{}\n", file.display(), query.text));
            }
            if let Ok(normal) = normal_text(&query.text) {
                let normal = normal.join(";");
                let again = normal_text(&normal).map(|again| again.join(";"));
                if again.as_deref() != Ok(normal.as_str()) {
                    failures.push(format!("{}: {normal}\nreads as\n{again:?}", file.display()));
                }
            }
        }
    }
    let unread = wrong.get(&false).copied().unwrap_or_default();
    println!("{count} queries; of those that are wrong the parser refuses {unread}: {wrong:?}");
    assert!(failures.is_empty(), "{} queries:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= QUERIES_MIN, "{count} queries");
}

struct Query {
    text: String,
    /// The name of the error that its scenario expects at compile time.
    error: Option<String>,
}

/// The texts between triple quotes, of outlines once for each row of examples.
fn queries_of(feature: &str) -> Vec<Query> {
    feature.split("\n  Scenario").skip(1).flat_map(queries_of_scenario).collect()
}

fn queries_of_scenario(scenario: &str) -> Vec<Query> {
    let lines: Vec<&str> =
        scenario.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect();
    let expected =
        lines.iter().find(|line| line.contains("SyntaxError should be raised at compile"));
    let name = expected.and_then(|line| line.rsplit(": ").next()).map(str::to_owned);
    let (steps, examples) = match lines.iter().position(|line| line.starts_with("Examples:")) {
        Some(place) => lines.split_at(place),
        None => (lines.as_slice(), [].as_slice()),
    };
    let mut texts = Vec::new();
    let mut is_action = false;
    let mut pieces = steps.join("\n");
    while let Some((before, behind)) = pieces.split_once("\"\"\"") {
        is_action |= before.lines().last().is_some_and(|line| line.contains("When executing"));
        let (text, rest) = behind.split_once("\"\"\"").expect("a text has an end");
        texts.push((text.to_owned(), name.clone().filter(|_| is_action)));
        pieces = rest.to_owned();
    }
    let rows: Vec<Vec<&str>> = examples
        .iter()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|row| row.split('|').map(str::trim).collect())
        .collect();
    let Some((head, rows)) = rows.split_first() else {
        return texts.into_iter().map(|(text, error)| Query { text, error }).collect();
    };
    let filled = |(text, error): &(String, Option<String>), row: &Vec<&str>| {
        let cells = head.iter().zip(row);
        let text = cells.fold(text.clone(), |text, (name, cell)| {
            text.replace(&format!("<{name}>"), &cell.replace("\\\\", "\\"))
        });
        Query { text, error: error.clone() }
    };
    rows.iter().flat_map(|row| texts.iter().map(move |text| filled(text, row))).collect()
}
