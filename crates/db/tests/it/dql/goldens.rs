//! The goldens of DQL: each page is one graph, each case a request that sees the changes of those before it.

use std::cell::RefCell;
use std::collections::HashMap;

use millrace_db::Database;
use millrace_db::languages::dql::changes::{Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL, DQL_AS_RDF, DQL_WITH_UIDS};
use millrace_db::languages::dql::quads::{Action, BlankNames};
use millrace_db::session::Statements;
use millrace_model::Result;
use millrace_testkit::golden::{self, Case};

use super::{alter, change, run};

#[test]
fn requests_answer_as_the_goldens_say() {
    let databases: RefCell<HashMap<_, Database>> = RefCell::default();
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens/dql"), |case| {
        let mut databases = databases.borrow_mut();
        let database = databases
            .entry(case.file.clone())
            .or_insert_with(|| Database::in_memory(Default::default()).expect("no file is needed"));
        match answer(database, case) {
            Ok(answer) => answer,
            Err(error) => format!("error {:?}: {error}", error.kind),
        }
    });
}

/// Sets what a JSON says.
fn set(database: &Database, text: &str) -> Result<String> {
    let mut mutation = Mutation::default();
    mutation.set.read_json(text, Action::Set, &mut BlankNames::new(1))?;
    let changes = Changes { query: "".into(), mutations: vec![mutation] };
    change(database, language::changing(changes))
}

/// The part `as`, which holds until the next one, says what a text is: a schema, JSON to set, or a request with a form of its
/// answer.
fn answer(database: &Database, case: &Case) -> Result<String> {
    let text = case.input.as_str();
    let language = match case.part("as") {
        Some("schema") => return alter(database, text),
        Some("set") => return set(database, text),
        None | Some("json") => &DQL,
        Some("rdf") => &DQL_AS_RDF,
        Some("uids") => &DQL_WITH_UIDS,
        Some(other) => panic!("{other} is no form"),
    };
    run(database, language, Statements::Text(text.into()), Vec::new(), false)
}
