//! Graphs that are emptied: what goes, what stays, and that no uid comes back.

use millrace_db::languages::Entry;
use millrace_db::languages::dql::changes::Alter;
use millrace_db::languages::dql::language::{self, DQL};
use millrace_db::session::{ExplicitTransaction, Request, Source, Statements};
use millrace_db::store::GRAPH_DROPPED;
use millrace_db::{Database, Emptying, Settings};
use millrace_model::ErrorKind;

use super::{Answer, alter, altered, mutate, query};
use crate::limits;

const SCHEMA: &str = "name: string @index(exact, term) @lang .\nage: int @index(int) .\nfriend: [uid] @reverse .\n\
                      email: string @index(hash) @upsert @unique .\ntype Person { name age friend }";

/// The uid of the node that an answer to a mutation names `a`.
fn uid(answer: &str) -> u64 {
    let text = answer.split("\"a\":\"0x").nth(1).and_then(|rest| rest.split('"').next());
    u64::from_str_radix(text.expect("it succeeds"), 16).expect("it succeeds")
}

fn fill(database: &Database) -> u64 {
    let quads = "_:b <name> \"Bo\"@en .\n_:b <email> \"b@x\" .\n_:a <name> \"Ann\" .\n_:a <age> \"7\" .\n\
                 _:a <friend> _:b (since=2010) .\n_:a <dgraph.type> \"Person\" .";
    uid(&mutate(database, quads, "").expect("it succeeds"))
}

fn check(database: &Database) {
    let schema = query(database, "schema {}").expect("it succeeds");
    let first = fill(database);
    // What has no part in DQL's schema is not its to drop.
    cypher(database, "CREATE INDEX own FOR (n:Person) ON (n.name, n.age)");
    altered(database, Alter::DropData).expect("it succeeds");
    assert_eq!(query(database, "schema {}").expect("it succeeds"), schema);
    let none = query(database, "{ q(func: has(name)) { uid } r(func: type(Person)) { uid } }");
    assert_eq!(none.expect("it succeeds"), r#"{"q":[],"r":[]}"#);
    let second = fill(database);
    assert!(first + 1 < second, "{first} {second}");
    let text = "{ q(func: eq(name, \"Ann\")) { name age friend @facets { name@en } } r(func: ge(age, 3)) { age } }";
    let found = query(database, text).expect("it succeeds");
    for part in [r#""name":"Ann","age":7"#, r#""name@en":"Bo""#, r#""friend|since":2010"#] {
        assert!(found.contains(part), "{found}");
    }
    mutate(database, "_:c <email> \"b@x\" .", "").expect_err("it is unique still");
    altered(database, Alter::DropAll).expect("it succeeds");
    let left = query(database, "schema { type }").expect("it succeeds");
    assert_eq!(left, r#"{"schema":[{"predicate":"dgraph.type","type":"string"}],"types":[]}"#);
    let none = query(database, "{ q(func: has(name)) { uid } r(func: type(Person)) { uid } }");
    assert_eq!(none.expect("it succeeds"), r#"{"q":[],"r":[]}"#);
    let shown =
        format!("{:?}", database.graph("dql").expect("it succeeds").schema().expect("it succeeds"));
    assert!(shown.contains("Person") && !shown.contains("email"), "{shown}");
    alter(database, SCHEMA).expect("it succeeds");
    assert!(second + 1 < fill(database));
}

fn cypher(database: &Database, text: &str) {
    let Ok(Entry::Compiled(language)) = Entry::of_name("cypher") else { panic!("no Cypher") };
    let request = Request::text(language, text, "dql", limits());
    if let Some(ticket) = database.run(&request, &mut Answer::default()).expect("it succeeds") {
        ticket.wait().expect("it succeeds");
    }
}

#[test]
fn an_emptied_graph_keeps_its_schema_or_not_and_gives_no_uid_twice() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, SCHEMA).unwrap();
    check(&database);
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(folder.path(), Settings::default()).unwrap();
    alter(&database, SCHEMA).unwrap();
    check(&database);
    altered(&database, Alter::DropData).unwrap();
    let before = fill(&database);
    altered(&database, Alter::DropData).unwrap();
    database.close();
    drop(database);
    let database = Database::open(folder.path(), Settings::default()).unwrap();
    assert!(before + 1 < fill(&database), "also over a restart");
    assert_eq!(database.graphs(), ["dql"]);
    assert!(database.renew_graph("nothing", Emptying::Data).is_err());
}

#[test]
fn what_was_under_way_on_an_emptied_graph_cannot_commit() {
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, SCHEMA).unwrap();
    fill(&database);
    let mut open = ExplicitTransaction::begin(false);
    let mut request = Request::text(&DQL, "", "dql", limits());
    let script = language::of_text("{ set { <0x1> <name> \"late\" . } }").unwrap();
    request.source = Source { language: &DQL, statements: Statements::Decoded(script) };
    open.run_whole(&database, &request, &mut Answer::default()).unwrap();
    let (pinned, graph) = {
        let graph = database.graph("dql").unwrap();
        (graph.pin().unwrap(), graph)
    };
    altered(&database, Alter::DropAll).unwrap();
    assert!(!pinned.is_newest());
    let error = open.commit().map(drop).unwrap_err();
    assert_eq!((error.kind, error.name), (ErrorKind::NotFound, Some(GRAPH_DROPPED)), "{error}");
    assert!(graph.demand_serializable(true, &limits()).is_err());
    let none = query(&database, "{ q(func: has(name)) { uid } }").unwrap();
    assert_eq!(none, r#"{"q":[]}"#);
}

/// More than one transaction removes at once: the data of a large predicate goes in several.
#[test]
fn a_predicate_goes_in_several_transactions_and_the_others_stay() {
    const NODES: usize = 10_050;
    let database = Database::in_memory(Default::default()).unwrap();
    alter(&database, SCHEMA).unwrap();
    let line = |node: usize| {
        format!(
            "<{node}> <age> \"{node}\" .\n<{node}> <friend> <{}> .\n<{node}> <name> \"n\" .\n",
            node + 1
        )
    };
    mutate(&database, &(1..=NODES).map(line).collect::<String>(), "").unwrap();
    let commits = |database: &Database| database.graph("dql").unwrap().visible_position().0;
    let before = commits(&database);
    altered(&database, Alter::RemoveEdges("friend".to_owned())).unwrap();
    altered(&database, Alter::RemoveValues("age".to_owned())).unwrap();
    assert!(before + 4 <= commits(&database), "two of each");
    let text = "{ q(func: has(friend)) { count(uid) } r(func: has(age)) { count(uid) } s(func: has(name)) { count(uid) } }";
    let expected =
        format!(r#"{{"q":[{{"count":0}}],"r":[{{"count":0}}],"s":[{{"count":{NODES}}}]}}"#);
    assert_eq!(query(&database, text).unwrap(), expected);
    altered(&database, Alter::DropPredicate("age".to_owned())).unwrap();
    assert!(!query(&database, "schema {}").unwrap().contains(r#""predicate":"age""#));
}
