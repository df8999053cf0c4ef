//! What a client can do wrong in Cypher: each has its code, its position if it is in a text, and leaves nothing behind.

use std::io::Write;
use std::net::TcpStream;

use millrace_db::Database;
use millrace_model::Value;
use millrace_server::db::Settings;
use millrace_server::wire::bolt::client::ClientError;
use millrace_server::wire::bolt::client::LogIn;
use millrace_server::wire::bolt::{Amount, Auth, Reply, Request, Run, TransactionOptions};

use super::{Client, count, failure, open, open_with, parameter, run};
use crate::client::{Running, settings, start_speaking, start_speaking_with_ann};

fn start_with(change: impl FnOnce(&mut Settings)) -> Running {
    let mut settings = settings();
    change(&mut settings);
    start_speaking(Database::in_memory(settings).expect("it opens"), "cypher")
}

fn start() -> Running {
    start_with(|_| {})
}

const COUNT: &str = "MATCH (n) RETURN count(n)";

fn nodes(server: &Running) -> i64 {
    count(&mut open(server), COUNT)
}

#[test]
fn every_fault_of_a_query_has_its_code_and_nothing_is_half_done() {
    let server = start();
    let mut client = open(&server);
    run(&mut client, "CREATE CONSTRAINT FOR (p:P) REQUIRE p.k IS UNIQUE");
    run(&mut client, "CREATE (:P {k: 1})");
    for (text, code, says) in [
        ("CREATE (:N) RETURN (", "Statement.SyntaxError", "line 1, column"),
        ("CREATE (:N)\n  RETURN missing", "Statement.SyntaxError", "line 2, column 10"),
        ("CREATE (:N) RETURN nothing.such(1)", "Statement.SyntaxError", "nothing.such"),
        (
            "CREATE (:N) WITH 1 AS one CALL no.such() YIELD x RETURN x",
            "Procedure.ProcedureNotFound",
            "no.such",
        ),
        ("CREATE (:N) RETURN $x", "Statement.ParameterMissing", "x"),
        ("CREATE (:N) RETURN 1 + true", "Statement.SyntaxError", "line 1, column"),
        ("CREATE (n:N {v: 'a'}) RETURN n.v / 2", "Statement.TypeError", ""),
        ("CREATE (:N) WITH [0] AS l RETURN 1 / l[0]", "Statement.ArithmeticError", "zero"),
        ("CREATE (:N) CREATE (:P {k: 1})", "Schema.ConstraintValidationFailed", "already exists"),
        ("CREATE (n:N {v: {a: 1}})", "Statement.TypeError", ""),
        ("MATCH (p:P) CREATE (:N)-[:R]->(p) DELETE p", "Schema.ConstraintValidationFailed", ""),
        (
            "CREATE (:N) WITH 1 AS one OPTIONAL MATCH (x:None) CREATE (x)-[r:R]->(:N)",
            "Statement.ArgumentError",
            "Failed to create relationship `r`, node `x` is missing",
        ),
        ("USE nowhere CREATE (:N)", "Database.DatabaseNotFound", "nowhere"),
        ("USE system CREATE (:N)", "Statement.SemanticError", "user database"),
        ("CREATE (:N) RETURN toInteger()", "Statement.SyntaxError", "toInteger"),
    ] {
        let wrong = failure(client.run(text, &[]));
        assert_eq!(wrong.code, format!("Neo.ClientError.{code}"), "{text}: {wrong:?}");
        assert!(wrong.message.contains(says), "{text}: {wrong:?}");
        client.reset().expect("works");
        assert_eq!(count(&mut client, COUNT), 1, "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_wherever_it_is() {
    let server = start();
    let mut client = open(&server);
    let deep = |left: &str, inside: &str, right: &str| {
        format!("RETURN {}{inside}{} AS x", left.repeat(10_000), right.repeat(10_000))
    };
    for text in [
        deep("(", "1", ")"),
        deep("[", "1", "]"),
        deep("{a: ", "1", "}"),
        deep("NOT ", "true", ""),
        deep("- ", "1", ""),
        deep("CASE WHEN true THEN ", "1", " END"),
        deep("abs(", "1", ")"),
        deep("COUNT { RETURN ", "1", "}"),
        format!("MATCH {}(a){} RETURN a", "(".repeat(10_000), ")".repeat(10_000)),
        format!("{} RETURN 1 {}", "CALL {".repeat(10_000), "}".repeat(10_000)),
    ] {
        let wrong = failure(client.run(&text, &[]));
        assert_eq!(wrong.code, "Neo.ClientError.Statement.SyntaxError", "{}", &text[..40]);
        assert!(wrong.message.contains("line 1, column"), "{}", wrong.message);
        assert!(wrong.message.len() < 1_000, "{}", wrong.message);
        client.reset().expect("works");
    }
    let mut value = Value::I64(1);
    for _ in 0..50 {
        value = Value::list(vec![value]);
    }
    client.run("RETURN $x AS x", &[parameter("x", value)]).expect("it is not deep");
    // The client half writes no deeper value than it may, so the bytes of RUN come from here.
    let mut message = b"\xb3\x10\x8bRETURN $x".to_vec();
    message[2] = 0x89;
    message.extend(b"\xa1\x81x");
    message.extend([0x91; 10_000]);
    message.extend(b"\x01\xa0");
    let mut chunks = u16::try_from(message.len()).expect("it is short").to_be_bytes().to_vec();
    chunks.extend(&message);
    chunks.extend([0, 0]);
    client.stream().write_all(&chunks).expect("works");
    let Reply::Failure(wrong) = client.receive().expect("works") else { panic!("a failure") };
    assert!(wrong.code.starts_with("Neo.ClientError."), "{wrong:?}");
    assert!(wrong.message.contains("nests deeper"), "{wrong:?}");
    client.reset().expect("works");
    assert_eq!(count(&mut client, COUNT), 0);
}

#[test]
fn a_parameter_of_100_mb_is_refused_or_taken_by_the_setting() {
    let text: std::sync::Arc<str> = "x".repeat(100 << 20).into();
    let parameters = [parameter("x", Value::String(text))];
    let large = start_with(|settings| settings.bolt.message_bytes_max = 200 << 20);
    let mut client = open(&large);
    let answer = client.run("RETURN size($x) AS size", &parameters).expect("it has room");
    assert_eq!(super::only(&answer).as_int(), Some(100 << 20));
    let small = start_with(|settings| settings.bolt.message_bytes_max = 10 << 20);
    let mut client = open(&small);
    match client.run("CREATE (:N {x: $x})", &parameters) {
        Err(ClientError::Failure(wrong)) => {
            assert!(wrong.message.contains("10485760 bytes"), "{wrong:?}");
        }
        // The server closed before all was written.
        Err(ClientError::Broken(_)) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(nodes(&small), 0);
}

fn begin(client: &mut Client, options: TransactionOptions) -> Reply {
    client.send(&Request::Begin(options)).expect("works");
    client.flush().expect("works");
    client.receive().expect("works")
}

#[test]
fn a_commit_after_a_failure_commits_nothing() {
    let server = start();
    let mut client = open(&server);
    assert!(matches!(begin(&mut client, TransactionOptions::default()), Reply::Success(_)));
    for query in ["CREATE (:N)", "RETURN ("] {
        client.send(&Request::Run(Run { query: query.into(), ..Run::default() })).expect("works");
        client.send(&Request::Pull(Amount::ALL)).expect("works");
    }
    client.send(&Request::Commit).expect("works");
    client.flush().expect("works");
    let replies: Vec<Reply> = (0..5).map(|_| client.receive().expect("works")).collect();
    assert!(matches!(replies[0], Reply::Success(_)), "{replies:?}");
    assert!(matches!(replies[1], Reply::Success(_)), "{replies:?}");
    assert!(matches!(&replies[2], Reply::Failure(_)), "{replies:?}");
    assert!(matches!(replies[3], Reply::Ignored), "{replies:?}");
    assert!(matches!(replies[4], Reply::Ignored), "{replies:?}");
    client.reset().expect("works");
    assert_eq!(count(&mut client, COUNT), 0);
}

#[test]
fn a_client_that_is_gone_leaves_neither_its_transaction_nor_half_a_query() {
    let server = start();
    let mut client = open(&server);
    assert!(matches!(begin(&mut client, TransactionOptions::default()), Reply::Success(_)));
    run(&mut client, "CREATE (:N)");
    client
        .send(&Request::Run(Run {
            query: "UNWIND range(1, 100000) AS i CREATE (:N)".into(),
            ..Run::default()
        }))
        .expect("works");
    client.flush().expect("works");
    drop(client);
    // Half a RUN, and then nothing.
    let half = open(&server);
    half.stream().write_all(b"\x00\x40\xb3\x10\xd0\x20CREATE (:N)").expect("works");
    half.stream().shutdown(std::net::Shutdown::Both).expect("works");
    assert_eq!(nodes(&server), 0);
}

#[test]
fn a_foreign_bookmark_is_refused_before_anything_runs() {
    let server = start();
    let mut client = open(&server);
    for bookmark in ["FB:kcwQ", "", "neo4j:notanumber", "x".repeat(5_000).as_str()] {
        let options = TransactionOptions {
            bookmarks: vec![bookmark.into()],
            ..TransactionOptions::default()
        };
        let Reply::Failure(wrong) = begin(&mut client, options) else { panic!("{bookmark}") };
        assert_eq!(wrong.code, "Neo.ClientError.Transaction.InvalidBookmark", "{bookmark}");
        client.reset().expect("works");
    }
}

#[test]
fn the_database_system_takes_commands_only() {
    let server = start();
    let mut client = open(&server);
    // The same text on the default database first: what is kept of it must not answer here.
    assert_eq!(count(&mut client, COUNT), 0);
    let system =
        || TransactionOptions { database: Some("system".into()), ..TransactionOptions::default() };
    for text in [COUNT, "CREATE (:N)", "RETURN 1", "SHOW INDEXES", "CALL db.labels()"] {
        let wrong = failure(client.run_with(text, &[], system()));
        assert_eq!(wrong.code, "Neo.ClientError.Statement.SemanticError", "{text}: {wrong:?}");
        client.reset().expect("works");
    }
    for (text, count) in [
        ("SHOW DATABASES", 2),
        ("SHOW USERS", 0),
        ("CALL dbms.components()", 3),
        ("CREATE DATABASE films", 0),
        ("SHOW DATABASES YIELD name RETURN name", 3),
        ("DROP DATABASE films", 0),
    ] {
        let answer = client.run_with(text, &[], system()).expect(text);
        assert_eq!(answer.records.len(), count, "{text}");
    }
    let Reply::Success(_) = begin(&mut client, system()) else { panic!("a transaction begins") };
    let wrong = failure(client.run(COUNT, &[]));
    assert_eq!(wrong.code, "Neo.ClientError.Statement.SemanticError", "{wrong:?}");
}

#[test]
fn a_wrong_login_says_so_and_runs_nothing() {
    let server = start_speaking_with_ann("cypher");
    for auth in [Auth::basic("ann", "wrong"), Auth::basic("eve", "secret"), Auth::none()] {
        let log_in = LogIn { auth, ..LogIn::default() };
        let wrong = failure(open_with(server.bolt, &log_in).map(|_: Client| ()));
        assert_eq!(wrong.code, "Neo.ClientError.Security.Unauthorized");
    }
    // RUN in front of a login closes the connection.
    let mut stream = TcpStream::connect(server.bolt).expect("it listens");
    stream.write_all(b"\x60\x60\xb0\x17\0\0\x04\x05\0\0\0\0\0\0\0\0\0\0\0\0").expect("works");
    let mut version = [0; 4];
    std::io::Read::read_exact(&mut stream, &mut version).expect("works");
    assert_eq!(version, [0, 0, 4, 5]);
    stream.write_all(b"\x00\x0b\xb3\x10\x86RETURN\xa0\xa0\0\0").expect("works");
    let mut rest = Vec::new();
    let _end = std::io::Read::read_to_end(&mut stream, &mut rest);
    let text = String::from_utf8_lossy(&rest);
    assert!(text.contains("Neo.ClientError.Request.Invalid"), "{text}");
}
