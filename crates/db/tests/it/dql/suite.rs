//! The suite of Dgraph's own query tests: its steps in their order, and the queries that do not have its answer.
//!
//! The list of misses may only become shorter.

use std::collections::BTreeMap;
use std::sync::Arc;

use millrace_db::languages::Binding as Bound;
use millrace_db::languages::dql::changes::{Alter, Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL, DQL_AS_RDF, DQL_WITH_UIDS};
use millrace_db::session::Statements;
use millrace_db::{Database, Settings};
use millrace_model::{Result, Value};
use millrace_testkit::shared;
use serde_json::Value as Json;

use super::{change, run};

/// Queries with another answer here, by their numbers in the suite.
const MISSES_MAX: usize = 3;

fn text<'j>(entry: &'j Json, name: &str) -> &'j str {
    entry[name].as_str().unwrap_or_default()
}

fn step(database: &Database, entry: &Json) -> Result<String> {
    match text(entry, "op") {
        "alter" => {
            let alter = match (text(entry, "schema"), text(entry, "drop_attr")) {
                ("", "") if entry["drop_all"] == true => Alter::DropAll,
                ("", "") => {
                    let value = text(entry, "drop_value").to_owned();
                    Alter::of_operation(text(entry, "drop_op"), value)?
                }
                ("", name) => Alter::DropPredicate(name.to_owned()),
                (schema, _) => Alter::Schema(schema.to_owned()),
            };
            change(database, language::altering(alter))
        }
        "mutate" => {
            let mut mutations = Vec::new();
            let mut blanks = millrace_db::languages::dql::quads::BlankNames::new(1);
            for own in entry["mutations"].as_array().into_iter().flatten() {
                let mut mutation = Mutation::with_condition(text(own, "cond"))?;
                for (name, is_set) in [("set_nquads", true), ("del_nquads", false)] {
                    let quads = if is_set { &mut mutation.set } else { &mut mutation.delete };
                    quads.read_nquads(text(own, name), text(own, name), Default::default())?;
                }
                use millrace_db::languages::dql::quads::Action;
                for (name, action) in [("set_json", Action::Set), ("delete_json", Action::Delete)] {
                    let is_set = action == Action::Set;
                    let quads = if is_set { &mut mutation.set } else { &mut mutation.delete };
                    if !text(own, name).is_empty() {
                        quads.read_json(text(own, name), action, &mut blanks)?;
                    }
                }
                mutations.push(mutation);
            }
            let query = Arc::from(text(entry, "query"));
            change(database, language::changing(Changes { query, mutations }))
        }
        _ => {
            let language = match (&entry["rdf"], &entry["debug"]) {
                (Json::Bool(true), _) => &DQL_AS_RDF,
                (_, Json::Bool(true)) => &DQL_WITH_UIDS,
                _ => &DQL,
            };
            let variables = entry["vars"].as_object().into_iter().flatten();
            let bindings = variables.map(|(name, value)| {
                let value = Value::from(value.as_str().unwrap_or_default());
                (Arc::from(name.trim_start_matches('$')), Bound::Value(value))
            });
            let statements = Statements::Text(text(entry, "query").into());
            run(database, language, statements, bindings.collect(), true)
        }
    }
}

/// The value without what a server is free to choose.
fn comparable(value: &Json) -> Json {
    match value {
        Json::Object(members) => {
            let compared = |(name, value): (&String, &Json)| (name.clone(), comparable(value));
            let mut members: serde_json::Map<_, _> = members.iter().map(compared).collect();
            if let Some(Json::Array(paths)) = members.get_mut("_path_") {
                paths.sort_by_key(|path| (path["_weight_"].to_string(), path.to_string()));
            }
            Json::Object(members)
        }
        Json::Array(values) => Json::Array(values.iter().map(comparable).collect()),
        Json::String(text) => {
            let uid = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            match uid {
                Some(uid) if 65_536 < uid => Json::from("0x*"),
                _ if text.len() >= 19
                    && text.starts_with("202")
                    && text.as_bytes()[10] == b'T'
                    && "6789".contains(&text[3..4]) =>
                {
                    Json::from("now")
                }
                _ => value.clone(),
            }
        }
        Json::Number(number) => Json::from(number.as_f64().unwrap_or_default()),
        other => other.clone(),
    }
}

#[test]
fn steps_pass_and_queries_have_their_answers() {
    let Some(shared) = shared() else { return };
    let suite = std::fs::read(shared.join("suites/dql/vectors.json")).expect("the suite");
    let entries: Vec<Json> = serde_json::from_slice(&suite).expect("JSON");
    let database = Database::in_memory(Settings::default()).unwrap();
    // The data names uids up to there.
    database.ensure_graph("dql").unwrap().lease_uids(65_536).unwrap();
    let (mut wrong_steps, mut misses) = (Vec::new(), Vec::new());
    let mut why: BTreeMap<String, usize> = BTreeMap::new();
    let mut passed = 0;
    for (number, entry) in entries.iter().enumerate() {
        let expected_error = text(entry, "expect_error");
        if expected_error.to_lowercase().contains("aborted") {
            continue;
        }
        let answer = step(&database, entry);
        let is_query = text(entry, "op") == "query";
        let ok = match (&answer, expected_error.is_empty(), is_query) {
            (Err(_), false, _) => true,
            (Ok(_), false, _) => false,
            (Ok(_), true, false) => true,
            (Ok(answer), true, true) => match serde_json::from_str::<Json>(answer) {
                Ok(found) if entry["rdf"] == true => {
                    let lines = |text: &str| {
                        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                        lines.sort();
                        lines
                    };
                    lines(found.as_str().unwrap_or_default()) == lines(text(entry, "expect_rdf"))
                }
                Ok(found) => comparable(&found) == comparable(&entry["expect"]),
                Err(_) => false,
            },
            (Err(_), true, _) => false,
        };
        if ok {
            passed += usize::from(is_query);
            continue;
        }
        let found = match &answer {
            Ok(answer) => format!("answered {answer}"),
            Err(error) => {
                *why.entry(error.detail.chars().take(60).collect()).or_default() += 1;
                format!("{error}")
            }
        };
        let line = format!("#{number} {entry}\n    {found}\n");
        if is_query {
            misses.push(line);
        } else {
            wrong_steps.push(line);
        };
    }
    let report = format!("{}\n{}", wrong_steps.concat(), misses.concat());
    if let Some(path) = std::env::var_os("MILLRACE_DQL_REPORT") {
        std::fs::write(path, &report).expect("the report");
    }
    println!("{passed} queries pass, {} steps are wrong; {why:#?}", wrong_steps.len());
    assert!(wrong_steps.is_empty(), "steps that fail:\n{}", wrong_steps.concat());
    assert!(misses.len() <= MISSES_MAX, "{} misses:\n{report}", misses.len());
}
