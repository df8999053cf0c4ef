//! All mutations of the suite of DQL are read.

use millrace_quads::text::json::Json;
use millrace_quads::{Action, BlankNames, Statement, parse_statements, statements_of};
use millrace_testkit::{require, shared};

/// Texts that Dgraph refuses too.
const REFUSED: [&str; 1] = ["_:x <dgraph.graphql.schema> \"df\""];

fn member<'a>(mutation: &'a serde_json::Value, name: &str) -> &'a str {
    mutation[name].as_str().unwrap_or_default()
}

#[test]
fn every_mutation_of_the_suite_is_read() {
    let file = shared().map(|folder| folder.join("suites/dql/vectors.json"));
    let file = file.filter(|file| file.is_file());
    if !require("mutations of DQL (../shared/suites/dql)", file.is_some()) {
        return;
    }
    let text = std::fs::read_to_string(file.unwrap()).unwrap();
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mutations = entries.iter().filter_map(|entry| entry["mutations"].as_array()).flatten();
    let (mut lines, mut of_json, mut refused) = (0, 0, 0);
    for mutation in mutations {
        for name in ["set_nquads", "del_nquads"] {
            let text = member(mutation, name);
            let read: Result<Vec<Statement<'_>>, _> = parse_statements(text).collect();
            match read {
                Ok(statements) => {
                    // All of the suite's statements stand on a line each.
                    let is_statement =
                        |line: &&str| !matches!(line.trim().as_bytes(), [] | [b'#', ..]);
                    assert_eq!(statements.len(), text.lines().filter(is_statement).count());
                    lines += statements.len();
                }
                Err(fault) => {
                    assert!(REFUSED.contains(&text), "{text}\n{fault}");
                    refused += 1;
                }
            }
        }
        for (name, action) in [("set_json", Action::Set), ("delete_json", Action::Delete)] {
            let text = member(mutation, name);
            if !text.is_empty() {
                let json = Json::parse_mutation(text).unwrap();
                of_json += statements_of(&json, action, &mut BlankNames::new(1)).unwrap().len();
            }
        }
    }
    println!("{lines} statements of N-Quads, {of_json} of JSON, {refused} texts refused");
    assert_eq!(refused, REFUSED.len());
    assert!(1000 < lines && 10 < of_json, "{lines}, {of_json}");
}
