//! Transactions that a component composes of several queries, with notes of the graph.

use std::cell::Cell;
use std::sync::Arc;

use millrace_db::languages::Entry;
use millrace_db::session::Request;
use millrace_db::{Database, Settings};
use millrace_model::{Error, ErrorKind, Value};

use crate::{Values, gremlin_request, limits};

const GRAPH: &str = "graph";

fn names(database: &Database) -> Vec<Value> {
    let mut taken = Values::default();
    let request = gremlin_request("g.V().values('n').order()", limits());
    database.run(&request, &mut taken).expect("runs");
    taken.0
}

fn text(text: &str) -> Option<Arc<str>> {
    Some(Arc::from(text))
}

#[test]
fn queries_and_notes_are_one_commit() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(folder.path(), Settings::default()).unwrap();
    let graph = database.ensure_graph(GRAPH).unwrap();
    let (found, ticket) = database
        .compose(&graph, &limits(), |transaction| {
            let mut taken = Values::default();
            transaction
                .run(&gremlin_request("g.addV('a').property('n', 1L)", limits()), &mut taken)?;
            transaction.run(&gremlin_request("g.V().values('n')", limits()), &mut taken)?;
            transaction.set_notes(&[("queue.a".into(), text("1")), ("other".into(), text("2"))])?;
            assert_eq!(transaction.note("queue.a")?, text("1"));
            Ok(taken.0)
        })
        .unwrap();
    ticket.expect("it wrote").wait().unwrap();
    assert_eq!(found, [Value::I64(1)]);
    drop(graph);
    database.close();
    drop(database);
    let database = Database::open(folder.path(), Settings::default()).unwrap();
    let graph = database.graph(GRAPH).unwrap();
    assert_eq!(graph.notes("queue.").unwrap(), [("queue.a".into(), "1".into())]);
    assert_eq!(names(&database), [Value::I64(1)]);
}

#[test]
fn a_failure_leaves_neither_data_nor_notes() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.ensure_graph(GRAPH).unwrap();
    let failed = database.compose(&graph, &limits(), |transaction| {
        let request = gremlin_request("g.addV('a').property('n', 1L)", limits());
        transaction.run(&request, &mut Values::default())?;
        transaction.set_notes(&[("queue.a".into(), text("1"))])?;
        Err::<(), _>(Error::new(ErrorKind::BadInput, "no"))
    });
    assert_eq!(failed.map(drop).unwrap_err().kind, ErrorKind::BadInput);
    assert_eq!((names(&database), graph.notes("").unwrap()), (vec![], vec![]));
}

#[test]
fn another_graph_is_read_and_not_written() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.ensure_graph(GRAPH).unwrap();
    database.ensure_graph("other").unwrap();
    let Ok(Entry::Compiled(cypher)) = Entry::of_name("cypher") else { panic!("compiled") };
    let run = |text: &str| {
        let mut taken = Values::default();
        let composed = database.compose(&graph, &limits(), |transaction| {
            transaction.set_notes(&[("queue.a".into(), self::text("1"))])?;
            transaction.run(&Request::text(cypher, text, GRAPH, limits()), &mut taken)
        });
        composed.map(|_| taken.0)
    };
    let error = run("USE other CREATE (:A)").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.detail.contains("`other`"), "{error}");
    assert_eq!(graph.notes("").unwrap(), vec![]);
    assert_eq!(run("USE other MATCH (n) RETURN count(n)").unwrap(), [Value::I64(0)]);
    assert_eq!(graph.notes("").unwrap().len(), 1);
}

#[test]
fn it_runs_again_as_a_whole_where_another_claimed_its_key_first() {
    let database = Database::in_memory(Settings::default()).unwrap();
    let graph = database.ensure_graph(GRAPH).unwrap();
    let attempts = Cell::new(0);
    let (seen, _) = database
        .compose(&graph, &limits(), |transaction| {
            attempts.set(attempts.get() + 1);
            let seen = transaction.note("key")?;
            transaction.claim(7)?;
            transaction.set_notes(&[("key".into(), text("second"))])?;
            if attempts.get() == 1 {
                let (_, ticket) = database.compose(&graph, &limits(), |first| {
                    first.claim(7)?;
                    first.set_notes(&[("key".into(), text("first"))])
                })?;
                ticket.expect("it wrote").wait()?;
            }
            Ok(seen)
        })
        .unwrap();
    assert_eq!((attempts.get(), seen), (2, text("first")));
}
