//! The suite of Dgraph's own query tests: its steps in their order, and the queries that do not have its answer.
//!
//! The list of misses may only become shorter.

use std::sync::Arc;

use millrace_db::languages::Binding as Bound;
use millrace_db::languages::dql::changes::{Alter, Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL, DQL_AS_RDF, DQL_WITH_UIDS};
use millrace_db::languages::dql::quads::{Action, BlankNames};
use millrace_db::session::Statements;
use millrace_db::{Database, Settings};
use millrace_model::{Result, Value};
use millrace_testkit::dql_suite::{MISSES_MAX, Step, UIDS, replay, text};
use millrace_testkit::shared;

use super::{altered, change, run};

fn run_step(database: &Database, step: &Step) -> Result<String> {
    match step.kind() {
        "alter" => {
            let alter = match (step.text("schema"), step.text("drop_attr")) {
                ("", "") if step.is("drop_all") => Alter::DropAll,
                ("", "") => {
                    let value = step.text("drop_value").to_owned();
                    Alter::of_operation(step.text("drop_op"), value)?
                }
                ("", name) => Alter::DropPredicate(name.to_owned()),
                (schema, _) => Alter::Schema(schema.to_owned()),
            };
            altered(database, alter)
        }
        "mutate" => {
            let mut mutations = Vec::new();
            let mut blanks = BlankNames::new(1);
            for own in step.mutations() {
                let mut mutation = Mutation::with_condition(text(own, "cond"))?;
                for (name, is_set) in [("set_nquads", true), ("del_nquads", false)] {
                    let quads = if is_set { &mut mutation.set } else { &mut mutation.delete };
                    quads.read_nquads(text(own, name), text(own, name), Default::default())?;
                }
                for (name, action) in [("set_json", Action::Set), ("delete_json", Action::Delete)] {
                    let is_set = action == Action::Set;
                    let quads = if is_set { &mut mutation.set } else { &mut mutation.delete };
                    if !text(own, name).is_empty() {
                        quads.read_json(text(own, name), action, &mut blanks)?;
                    }
                }
                mutations.push(mutation);
            }
            let query = Arc::from(step.text("query"));
            change(database, language::changing(Changes { query, mutations }))
        }
        _ => {
            let language = match (step.is("rdf"), step.is("debug")) {
                (true, _) => &DQL_AS_RDF,
                (_, true) => &DQL_WITH_UIDS,
                _ => &DQL,
            };
            let bindings = step.variables().map(|(name, value)| {
                (Arc::from(name.trim_start_matches('$')), Bound::Value(Value::from(value)))
            });
            let statements = Statements::Text(step.text("query").into());
            run(database, language, statements, bindings.collect(), true)
        }
    }
}

#[test]
fn steps_pass_and_queries_have_their_answers() {
    let Some(shared) = shared() else { return };
    let suite = std::fs::read(shared.join("suites/dql/vectors.json")).expect("the suite");
    let database = Database::in_memory(Settings::default()).unwrap();
    database.ensure_graph("dql").unwrap().lease_uids(UIDS).unwrap();
    let replayed =
        replay(&suite, |step| run_step(&database, step).map_err(|error| error.to_string()));
    let report = replayed.report();
    if let Some(path) = std::env::var_os("MILLRACE_DQL_REPORT") {
        std::fs::write(path, &report).expect("the report");
    }
    println!("{}", replayed.summary());
    let wrong = &replayed.wrong_steps;
    assert!(wrong.is_empty(), "steps that fail:\n{}", wrong.concat());
    assert!(replayed.misses.len() <= MISSES_MAX, "{} misses:\n{report}", replayed.misses.len());
}
