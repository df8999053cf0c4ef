//! DQL: requests and answers, as an embedded database gives them.

mod beside_writers;
mod emptied;
mod four_languages;
mod goldens;
mod indexes;
mod lists;
mod passwords;
mod random;
mod suite;
mod thousands;
mod upserts;
mod vectors;

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
use millrace_db::{Database, Emptying, Results, Settings};
use millrace_model::{DetachedElements, ErrorKind, Profile, Result, Value};

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

/// Takes a profile, as text.
#[derive(Default)]
struct Profiled(String);

impl Results for Profiled {
    fn begin(&mut self, _streams: bool) {
        self.0.clear();
    }

    fn take(&mut self, _: &[Value], _: &[u64], _: &DetachedElements) -> Result<()> {
        Ok(())
    }

    fn take_profile(&mut self, profile: &Profile) -> Result<()> {
        self.0 = format!("{profile:?}");
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
    let mut answer = Answer::default();
    run_into(database, language, (statements, bindings, is_read_only), &mut answer)?;
    Ok(answer.0)
}

/// A request to the graph `dql`: its statements, the values of its variables, and whether it only reads.
fn run_into(
    database: &Database,
    language: &'static dyn Language,
    (statements, bindings, is_read_only): (Statements, Vec<(Arc<str>, Binding)>, bool),
    results: &mut dyn Results,
) -> Result<()> {
    let mut request = Request::text(language, "", "dql", limits());
    request.source = Source { language, statements };
    request.bindings = bindings;
    request.is_read_only = is_read_only;
    if let Some(ticket) = database.run(&request, results)? {
        ticket.wait()?;
    }
    Ok(())
}

fn query(database: &Database, text: &str) -> Result<String> {
    run(database, &DQL, Statements::Text(text.into()), Vec::new(), true)
}

fn change(database: &Database, script: Result<Arc<dyn Script>>) -> Result<String> {
    run(database, &DQL, Statements::Decoded(script?), Vec::new(), false)
}

fn alter(database: &Database, body: &str) -> Result<String> {
    altered(database, Alter::of_body(body)?)
}

fn altered(database: &Database, alter: Alter) -> Result<String> {
    let goes = match alter {
        Alter::DropAll => Emptying::DataAndSchema,
        Alter::DropData => Emptying::Data,
        other => return change(database, language::altering(other)),
    };
    database.ensure_graph("dql")?;
    database.renew_graph("dql", goes).map(|()| String::new())
}

/// Sets and deletes N-Quads.
fn mutate(database: &Database, set: &str, delete: &str) -> Result<String> {
    let mut mutation = Mutation::default();
    mutation.set.read_nquads(set, set, Default::default())?;
    mutation.delete.read_nquads(delete, delete, Default::default())?;
    let changes = Changes { query: Arc::from(""), mutations: vec![mutation] };
    change(database, language::changing(changes))
}

#[test]
fn an_order_by_a_variable_of_the_request_is_by_the_predicate_that_it_names() {
    let database = Database::in_memory(Settings::default()).expect("it opens");
    let quads =
        "<0x1> <age> \"5\" .\n<0x2> <age> \"3\" .\n<0x1> <name> \"a\" .\n<0x2> <name> \"b\" .\n";
    mutate(&database, quads, "").expect("it works");
    let text = "query q($x: string = \"name\") { q(func: has(age), orderasc: $x) { uid } }";
    let ask = |bindings| run(&database, &DQL, Statements::Text(text.into()), bindings, true);
    let by = |name: &str| vec![(Arc::from("x"), Binding::Value(Value::from(name)))];
    assert_eq!(ask(Vec::new()).expect("it works"), r#"{"q":[{"uid":"0x1"},{"uid":"0x2"}]}"#);
    assert_eq!(ask(by("age")).expect("it works"), r#"{"q":[{"uid":"0x2"},{"uid":"0x1"}]}"#);
    let error = ask(by("nowhere")).expect_err("it is refused").to_string();
    assert!(error.contains("Cannot sort by unknown attribute nowhere"), "{error}");
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

#[test]
fn a_unique_predicate_has_each_value_once() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "email: string @index(hash) @upsert @unique .").unwrap();
    mutate(&database, "<0x1> <email> \"a@x\" .\n<0x2> <email> \"b@x\" .", "").unwrap();
    let error = mutate(&database, "_:c <email> \"a@x\" .", "").unwrap_err().to_string();
    assert!(error.contains("email"), "{error}");
    let twice = mutate(&database, "_:c <email> \"c@x\" .\n_:d <email> \"c@x\" .", "");
    twice.expect_err("one request has it twice");
    mutate(&database, "<0x1> <email> \"b@x\" .\n<0x2> <email> \"a@x\" .", "").expect("a swap");
    let found = query(&database, "{ q(func: eq(email, \"a@x\")) { uid } }").unwrap();
    assert_eq!(found, r#"{"q":[{"uid":"0x2"}]}"#);
    alter(&database, "email: string @index(hash) .").unwrap();
    mutate(&database, "<0x3> <email> \"a@x\" .", "").expect("it is not unique any more");
    alter(&database, "email: string @index(hash) @upsert @unique .").unwrap_err();
    let both = query(&database, "{ q(func: eq(email, \"a@x\")) { uid } }").unwrap();
    assert_eq!(both, r#"{"q":[{"uid":"0x2"},{"uid":"0x3"}]}"#, "nothing changed");
}

#[test]
fn a_division_by_0_leaves_the_value_out_and_an_absent_text_is_empty() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, "n: int @index(int) .\nname: string @index(exact) .").unwrap();
    mutate(&database, "<1> <n> \"0\" .\n<2> <n> \"2\" .\n<3> <name> \"\" .", "").unwrap();
    let text = "{ q(func: has(n)) { a as n m: math(4 / a) r: math(5 % a) } }";
    let found = query(&database, text).unwrap();
    assert_eq!(found, r#"{"q":[{"n":0},{"n":2,"m":2,"r":1}]}"#);
    query(&database, "{ q(func: has(n)) { a as n m: math(a / 0) } }").unwrap_err();
    let text = "query q($a: string) { q(func: eq(name, $a)) { uid } }";
    assert_eq!(query(&database, text).unwrap(), r#"{"q":[{"uid":"0x3"}]}"#);
    query(&database, "query q($a: int) { q(func: eq(n, $a)) { uid } }").unwrap_err();
}

#[test]
fn the_schema_has_what_was_declared_or_set_and_no_names_of_facets() {
    let database = Database::in_memory(Default::default()).unwrap();
    mutate(&database, "<1> <knows> <2> (since=2010) .\n<1> <nick> \"a\" .", "").unwrap();
    let names = |database: &Database| {
        let answer = query(database, "schema { type }").unwrap();
        let names = answer.split("\"predicate\":\"").skip(1);
        names.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&database), ["dgraph.type", "knows", "nick"]);
    alter(&database, "{\"drop_attr\": \"nick\"}").unwrap();
    assert_eq!(names(&database), ["dgraph.type", "knows"]);
    alter(&database, "{\"drop_all\": true}").unwrap();
    assert_eq!(names(&database), ["dgraph.type"]);
}

#[test]
fn what_was_dropped_is_new_when_it_is_used_again() {
    let database = Database::in_memory(Default::default()).unwrap();
    let schema = |database: &Database| query(database, "schema(pred: [a, b, close]) { type }");
    let first = "<1> <a> \"x\" .\n<1> <b> <2> (close=true) .";
    let swapped = "<1> <b> \"1\"^^<xs:int> .\n<1> <a> <2> .\n<1> <close> \"c\" .";
    for drops in ["drop_all", "drop_attr"] {
        mutate(&database, first, "").unwrap();
        let made =
            r#"{"schema":[{"predicate":"a","type":"default"},{"predicate":"b","type":"uid"}]}"#;
        assert_eq!(schema(&database).unwrap(), made);
        if drops == "drop_all" {
            alter(&database, "{\"drop_all\": true}").unwrap();
        } else {
            alter(&database, "{\"drop_attr\": \"a\"}").unwrap();
            alter(&database, "{\"drop_attr\": \"b\"}").unwrap();
        }
        assert_eq!(schema(&database).unwrap(), "{}");
        let text = "{ q(func: eq(a, \"x\")) { uid } r(func: regexp(a, /xyz/)) { uid } s(func: gt(count(b), 1)) { uid } }";
        assert_eq!(query(&database, text).unwrap(), r#"{"q":[],"r":[],"s":[]}"#);
        mutate(&database, swapped, "").unwrap();
        let made = r#"{"schema":[{"predicate":"a","type":"uid"},{"predicate":"b","type":"int"},{"predicate":"close","type":"default"}]}"#;
        assert_eq!(schema(&database).unwrap(), made);
        let found = query(&database, "{ q(func: uid(1)) { a { uid } b close } }").unwrap();
        assert_eq!(found, r#"{"q":[{"a":[{"uid":"0x2"}],"b":1,"close":"c"}]}"#);
        alter(&database, "{\"drop_all\": true}").unwrap();
    }
}

#[test]
fn spread_fragments_are_as_deep_and_as_long_as_a_text_may_be() {
    let database = Database::in_memory(Default::default()).unwrap();
    mutate(&database, "<1> <name> \"a\" .\n<1> <friend> <1> .", "").unwrap();
    let chained = |count: usize, body: &dyn Fn(usize) -> String| {
        let all: Vec<String> =
            (0..count).map(|own| format!("fragment f{own} {{ {} }}", body(own + 1))).collect();
        format!("{{ q(func: uid(1)) {{ ...f0 }} }} {} fragment f{count} {{ name }}", all.join(" "))
    };
    let nested = |own: usize| format!("friend {{ ...f{own} }}");
    query(&database, &chained(20, &nested)).unwrap();
    let error = |text: &str| query(&database, text).unwrap_err();
    for count in [300, 5_000, 20_000] {
        for body in [&nested as &dyn Fn(usize) -> String, &|own| format!("...f{own}")] {
            let error = error(&chained(count, body));
            assert_eq!(error.kind, ErrorKind::LimitReached, "{error}");
            assert!(error.detail.contains("deeper than 200 levels"), "{error}");
        }
    }
    let doubled = |own: usize| format!("friend {{ ...f{own} }} f: friend {{ ...f{own} }}");
    assert!(error(&chained(30, &doubled)).detail.contains("more than 20000 children"));
    assert!(error(&chained(30, &|own| format!("...f{own} ...f{own}"))).detail.contains("20000"));
}

#[test]
fn the_schema_of_an_export_may_have_what_dgraph_has_of_its_own() {
    let database = Database::in_memory(Default::default()).unwrap();
    let text = "[0x0] <name>:string @index(exact) . \n[0x0] <dgraph.drop.op>:string . \n\
                [0x0] <dgraph.namespace.id>:int @index(int) @upsert @unique . \n\
                [0x0] type <P> {\n\tname\n}\n[0x0] type <dgraph.graphql> {\n\tdgraph.graphql.schema\n}\n";
    alter(&database, text).unwrap();
    let answer = query(&database, "schema { type }").unwrap();
    assert!(answer.contains("\"name\"") && !answer.contains("graphql"), "{answer}");
    assert!(!answer.contains("dgraph.drop.op") && answer.contains("\"P\""), "{answer}");
    let error = alter(&database, "dgraph.mine: string .").unwrap_err();
    assert!(error.detail.contains("reserved"), "{error}");
}
