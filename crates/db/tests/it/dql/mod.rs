//! DQL: requests and answers, as an embedded database gives them.

mod goldens;
mod suite;

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use millrace_db::dql::DqlSchema;
use millrace_db::ingest;
use millrace_db::ingest::load::{Format, LoadOptions};
use millrace_db::ingest::reading::{Reading, input_of};
use millrace_db::languages::Binding;
use millrace_db::languages::dql::changes::{Alter, Changes, Mutation};
use millrace_db::languages::dql::language::{self, DQL};
use millrace_db::languages::{Language, Script};
use millrace_db::session::{Request, Source, Statements};
use millrace_db::{Database, Results, Settings};
use millrace_model::{DetachedElements, Profile, Result, Value};

use crate::limits;

/// Takes an answer in JSON.
#[derive(Default)]
struct Answer(String);

impl Results for Answer {
    fn begin(&mut self, _streams: bool) {
        self.0.clear();
    }

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_json(&mut self, answer: &str) -> Result<()> {
        self.0.push_str(answer);
        Ok(())
    }

    fn take_profile(&mut self, _: &Profile) -> Result<()> {
        Ok(())
    }
}

/// The answer of a request to the graph `dql`.
fn run(
    database: &Database,
    language: &'static dyn Language,
    statements: Statements,
    bindings: Vec<(Arc<str>, Binding)>,
    is_read_only: bool,
) -> Result<String> {
    let mut request = Request::text(language, "", "dql", limits());
    request.source = Source { language, statements };
    request.bindings = bindings;
    request.is_read_only = is_read_only;
    let mut answer = Answer::default();
    let ticket = database.run(&request, &mut answer)?;
    if let Some(ticket) = ticket {
        ticket.wait()?;
    }
    Ok(answer.0)
}

fn query(database: &Database, text: &str) -> Result<String> {
    run(database, &DQL, Statements::Text(text.into()), Vec::new(), true)
}

fn change(database: &Database, script: Result<Arc<dyn Script>>) -> Result<String> {
    run(database, &DQL, Statements::Decoded(script?), Vec::new(), false)
}

fn alter(database: &Database, body: &str) -> Result<String> {
    change(database, Alter::of_body(body).and_then(language::altering))
}

/// Sets and deletes N-Quads.
fn mutate(database: &Database, set: &str, delete: &str) -> Result<String> {
    let mut mutation = Mutation::default();
    mutation.set.read_nquads(set, set, Default::default())?;
    mutation.delete.read_nquads(delete, delete, Default::default())?;
    let changes = Changes { query: Arc::from(""), mutations: vec![mutation] };
    change(database, language::changing(changes))
}

/// A load keeps the names of nodes as values; without a load a name is an id that a client chose.
#[test]
fn the_form_of_2016_finds_a_node_by_the_name_that_it_had_in_a_load() {
    const QUADS: &str = "<m.1> <name> \"Ann\" .\n<m.1> <friend> <m.2> .\n<m.2> <name> \"Bo\" .\n";
    let database = Database::in_memory(Settings::default()).expect("it opens");
    let ask = |names: &str| query(&database, &format!("{{ me ( _xid_ : {names} ) {{ name }} }}"));
    assert_eq!(ask("m.1").expect("it works"), r#"{"me":[]}"#);
    let schema = DqlSchema::parse("name: string .\nfriend: [uid] .").expect("it is right");
    let reading = Reading { declared: Some(schema.declared()), ..Reading::of(Format::NQuads) };
    let source = ingest::source::Source::stream("x.rdf", Cursor::new(QUADS));
    let input = input_of(vec![source], &reading).expect("it works");
    let graph = database.ensure_graph("dql").expect("it works");
    let loaded = graph
        .load(input, LoadOptions::default(), &mut |_| ControlFlow::Continue(()))
        .expect("it works");
    graph.define_dql(&schema, &loaded.undeclared, &limits()).expect("it works");
    assert_eq!(ask("m.1").expect("it works"), r#"{"me":[{"name":"Ann"}]}"#);
    assert_eq!(
        ask("[m.2, m.1, m.9]").expect("it works"),
        r#"{"me":[{"name":"Ann"},{"name":"Bo"}]}"#
    );
    assert_eq!(ask("m.9").expect("it works"), r#"{"me":[]}"#);
}

#[test]
fn a_request_goes_through_all_layers() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "name: string @index(exact) .\nfriend: [uid] .\nage: int .").unwrap();
    let set = "_:a <name> \"Ann\" .\n_:a <age> \"7\" .\n_:a <friend> _:b .\n_:b <name> \"Bo\" .";
    let answer = mutate(&database, set, "").unwrap();
    assert!(answer.contains("\"uids\":{\"a\":\"0x"), "{answer}");
    let found = query(&database, "{ q(func: eq(name, \"Ann\")) { name age friend { name } } }");
    assert_eq!(found.unwrap(), r#"{"q":[{"name":"Ann","age":7,"friend":[{"name":"Bo"}]}]}"#);
}
