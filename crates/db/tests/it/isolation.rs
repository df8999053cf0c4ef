//! Serializable transactions: asked for by a request, by its traversal, or demanded by a graph's setting.

use std::sync::Arc;
use std::thread;

use millrace_db::session::{Request, Session, SessionMode};
use millrace_db::store::Isolation;
use millrace_db::{Database, RequestLimits, Settings};
use millrace_model::{ErrorKind, Result, Value};

use crate::{Values, gremlin_request};

fn request(text: &str, isolation: Isolation) -> Request {
    let limits = RequestLimits { isolation, ..RequestLimits::within(60_000, &Settings::default()) };
    gremlin_request(text, limits)
}

fn run(database: &Database, text: &str, isolation: Isolation) -> Result<Vec<Value>> {
    let mut values = Values::default();
    if let Some(ticket) = database.run(&request(text, isolation), &mut values)? {
        ticket.wait()?;
    }
    Ok(values.0)
}

fn in_session(
    database: &Database,
    session: &mut Session,
    text: &str,
    isolation: Isolation,
) -> Result<()> {
    let (mode, request) = (SessionMode::default(), request(text, isolation));
    let ticket = database.run_in(session, mode, &request, &mut Values::default())?;
    ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop))
}

/// Two sessions read both lights, and each puts another one out. Returns how many are on afterwards, and the
/// result of the second commit.
fn write_skew(database: &Database, prefix: &str, isolation: Isolation) -> (Value, Result<()>) {
    let make = "g.addV('light').property('n', 1).property('on', true).iterate()\n\
                g.addV('light').property('n', 2).property('on', true).iterate()";
    run(database, make, Isolation::Snapshot).expect("as the test has it");
    let (mut one, mut two) = (Session::default(), Session::default());
    let all_on = format!("{prefix}.V().hasLabel('light').has('on', true).count()");
    for session in [&mut one, &mut two] {
        in_session(database, session, &all_on, isolation).expect("as the test has it");
    }
    let put_out = |n: u32| {
        format!("g.V().hasLabel('light').has('n', {n}).property(single, 'on', false).iterate()")
    };
    in_session(database, &mut one, &put_out(1), Isolation::Snapshot).expect("as the test has it");
    in_session(database, &mut two, &put_out(2), Isolation::Snapshot).expect("as the test has it");
    in_session(database, &mut one, "g.tx().commit()", Isolation::Snapshot)
        .expect("as the test has it");
    let second = in_session(database, &mut two, "g.tx().commit()", Isolation::Snapshot);
    let left = run(database, "g.V().has('on', true).count()", Isolation::Snapshot)
        .expect("as the test has it");
    (left[0].clone(), second)
}

#[test]
fn write_skew_is_refused_where_a_request_its_traversal_or_its_graph_is_serializable() {
    let plain = || Database::in_memory(Settings::default()).expect("as the test has it");
    let (left, second) = write_skew(&plain(), "g", Isolation::Snapshot);
    assert!(second.is_ok() && left == Value::I64(0), "snapshot isolation allows it: {left:?}");
    let mut settings = Settings::default();
    settings.isolations.push(("graph".to_owned(), "serializable".to_owned()));
    let demanding = Database::in_memory(settings).expect("as the test has it");
    demanding.make_graphs().expect("as the test has it");
    let said = "g.with('isolation', 'serializable')";
    for (database, prefix, isolation) in [
        (plain(), "g", Isolation::Serializable),
        (plain(), said, Isolation::Snapshot),
        (demanding, "g", Isolation::Snapshot),
    ] {
        let (left, second) = write_skew(&database, prefix, isolation);
        let error = second.expect_err("the second read what the first changed");
        assert_eq!((error.kind, left), (ErrorKind::Conflict, Value::I64(1)), "{error}");
    }
}

#[test]
fn serializable_requests_that_look_before_they_add_make_no_duplicates() {
    const KEYS: i64 = 8;
    let folder = tempfile::tempdir().expect("as the test has it");
    let database =
        Arc::new(Database::open(folder.path(), Settings::default()).expect("as the test has it"));
    thread::scope(|scope| {
        for _ in 0..6 {
            let database = Arc::clone(&database);
            scope.spawn(move || {
                for key in 0..KEYS {
                    let text = format!(
                        "g.V().has('w', 'key', {key}).fold()\
                         .coalesce(unfold(), addV('w').property('key', {key}))"
                    );
                    run(&database, &text, Isolation::Serializable).expect("as the test has it");
                }
            });
        }
    });
    let count = run(&database, "g.V().hasLabel('w').count()", Isolation::Snapshot)
        .expect("as the test has it");
    assert_eq!(count, [Value::I64(KEYS)]);
}

#[test]
fn more_isolation_than_a_transaction_began_with_is_refused() {
    let database = Database::in_memory(Settings::default()).expect("as the test has it");
    let mut session = Session::default();
    in_session(&database, &mut session, "g.addV('a').iterate()", Isolation::Snapshot)
        .expect("as the test has it");
    let later = in_session(&database, &mut session, "g.V().count()", Isolation::Serializable);
    let error = later.unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadQuery);
    assert!(error.to_string().contains("first statement"), "{error}");
}
