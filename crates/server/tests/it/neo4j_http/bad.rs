//! What a client can do wrong over HTTP: each has its code, and leaves nothing behind.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::{Value, json};

use super::{code, count, post, query, start, start_with, statements};
use crate::client::{Running, add_ann};
use crate::gremlin::wait_until;

/// A connection without a client of HTTP.
fn connect(server: &Running) -> TcpStream {
    let address = server.neo4j_http.strip_prefix("http://").expect("it is a URL");
    TcpStream::connect(address).expect("it listens")
}

/// A request up to the end of its head, for a body of so many bytes.
fn head(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {length}\r\n\r\n"
    )
}

const NEVER_ENDS: &str = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b \
                          WITH a, b WHERE a + b < 0 RETURN count(*)";

#[test]
fn every_fault_of_a_statement_has_its_code_and_nothing_is_half_done() {
    let server = start();
    let made = ["CREATE CONSTRAINT FOR (p:P) REQUIRE p.k IS UNIQUE", "CREATE (:P {k: 1})"];
    made.iter().for_each(|text| _ = query(&server, &json!({ "statement": text })));
    for (text, code_of, says) in [
        ("CREATE (:N) RETURN (", "Statement.SyntaxError", "line 1, column"),
        ("CREATE (:N)\n  RETURN missing", "Statement.SyntaxError", "line 2, column 10"),
        ("CREATE (:N) RETURN 1 + true", "Statement.SyntaxError", "line 1, column"),
        ("CREATE (n:N {v: 'a'}) RETURN n.v / 2", "Statement.TypeError", ""),
        ("CREATE (n:N {v: {a: 1}})", "Statement.TypeError", ""),
        ("CREATE (:N) RETURN nothing.such(1)", "Statement.SyntaxError", "nothing.such"),
        ("CREATE (:N) RETURN toInteger()", "Statement.SyntaxError", "toInteger"),
        ("CREATE (:N) CREATE (:P {k: 1})", "Schema.ConstraintValidationFailed", "already exists"),
        ("MATCH (p:P) CREATE (:N)-[:R]->(p) DELETE p", "Schema.ConstraintValidationFailed", ""),
    ] {
        let expected = format!("Neo.ClientError.{code_of}");
        let alone = post(&server, "/db/neo4j/query/v2", &json!({ "statement": text }));
        assert_eq!((alone.status, code(&alone.json())), (400, expected.as_str()), "{text}");
        let both = post(&server, "/db/neo4j/tx/commit", &statements(&["CREATE (:N)", text]));
        assert_eq!((both.status, code(&both.json())), (200, expected.as_str()), "{text}");
        for reply in [alone, both] {
            let answer = reply.json();
            let message = answer["errors"][0]["message"].as_str().expect("a text");
            assert!(message.contains(says), "{text}: {message}");
        }
        assert_eq!(count(&server), 1, "{text}");
    }
}

#[test]
fn a_statement_that_nests_deep_is_refused() {
    let server = start();
    let deep = |left: &str, right: &str| {
        format!("CREATE (:N) RETURN {}1{}", left.repeat(10_000), right.repeat(10_000))
    };
    for text in [deep("(", ")"), deep("[", "]"), deep("NOT ", ""), deep("abs(", ")")] {
        let refused = post(&server, "/db/neo4j/tx/commit", &statements(&[&text])).json();
        assert_eq!(code(&refused), "Neo.ClientError.Statement.SyntaxError", "{}", &text[..40]);
        assert!(refused.to_string().len() < 2_000, "{refused}");
    }
    assert_eq!(count(&server), 0);
}

#[test]
fn a_parameter_of_100_mb_is_refused_or_taken_by_the_setting() {
    let body = json!({
        "statement": "CREATE (:N) RETURN size($x) AS size",
        "parameters": { "x": "x".repeat(100 << 20) },
    });
    let large = start_with(|settings| settings.http.body_bytes_max = 200 << 20);
    assert_eq!(query(&large, &body)["data"]["values"], json!([[100 << 20]]));
    let small = start_with(|settings| settings.http.body_bytes_max = 10 << 20);
    let body = body.to_string();
    let mut socket = connect(&small);
    // The server may close before all of it was sent.
    let _closed = socket
        .write_all(head("/db/neo4j/query/v2", body.len()).as_bytes())
        .and_then(|()| socket.write_all(body.as_bytes()));
    let mut answer = Vec::new();
    let _reset = socket.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert_eq!(count(&small), 0);
}

#[test]
fn bytes_that_are_no_request_and_half_a_request_run_nothing() {
    let server = start();
    let mut socket = connect(&server);
    socket.write_all(b"\x60\x60\xb0\x17\0\0\x04\x05\0\0\0\0\0\0\0\0\0\0\0\0").expect("works");
    let mut answer = Vec::new();
    let _reset = socket.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{answer:?}");
    let body = statements(&["CREATE ()"]).to_string();
    let head = head("/db/neo4j/tx/commit", body.len());
    for sent in [&head[..head.len() - 4], &head, &format!("{head}{}", &body[..body.len() - 1])] {
        let mut socket = connect(&server);
        socket.write_all(sent.as_bytes()).expect("works");
        socket.shutdown(Shutdown::Write).expect("works");
        let mut answer = Vec::new();
        let _reset = socket.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    }
    assert_eq!(count(&server), 0);
    let mut socket = connect(&server);
    socket.write_all(format!("{head}{body}").as_bytes()).expect("works");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("works");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "the whole request is one");
    assert_eq!(count(&server), 1);
}

#[test]
fn a_wrong_login_says_so_and_runs_nothing() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    add_ann(&path);
    let server = start_with(|settings| {
        settings.users.file = path.to_str().expect("a plain name").to_owned();
    });
    let ask = |login: Option<&str>, text: &str| {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(login.map(|login| ("authorization", login)));
        let body = statements(&[text]).to_string();
        let path = "/db/neo4j/tx/commit";
        server.send_to(&server.neo4j_http, "POST", path, &headers, body.as_bytes())
    };
    // `ann:wrong`, `eve:secret`, no Base64, another scheme.
    for login in ["Basic YW5uOndyb25n", "Basic ZXZlOnNlY3JldA==", "Basic ?", "Bearer abc"] {
        let refused = ask(Some(login), "CREATE ()");
        let expected = (401, "Neo.ClientError.Security.Unauthorized");
        assert_eq!((refused.status, code(&refused.json())), expected, "{login}");
    }
    let seen = ask(Some("Basic YW5uOnNlY3JldA=="), "MATCH (n) RETURN count(n)");
    assert_eq!(super::only(&seen.json()), 0);
}

#[test]
fn a_foreign_bookmark_is_refused_before_anything_runs() {
    let server = start();
    for bookmark in ["FB:kcwQ", "", "neo4j:notanumber", "x".repeat(5_000).as_str()] {
        let body = json!({ "statement": "CREATE ()", "bookmarks": [bookmark] });
        let refused = post(&server, "/db/neo4j/query/v2", &body);
        let expected = (400, "Neo.ClientError.Transaction.InvalidBookmark");
        assert_eq!((refused.status, code(&refused.json())), expected, "{bookmark}");
    }
    assert_eq!(count(&server), 0);
}

#[test]
fn a_client_that_is_gone_ends_its_statement_and_harms_no_other() {
    let server = start();
    let under_way = |wanted: usize| {
        server.administer("GET", "/queries", "").as_array().is_some_and(|all| all.len() == wanted)
    };
    let begun = post(&server, "/db/neo4j/tx", &statements(&["CREATE ()"])).json();
    let commit = super::path_of(&server, &begun["commit"]).to_owned();
    let open = commit.strip_suffix("/commit").expect("it ends so");
    for path in ["/db/neo4j/tx/commit", open] {
        let body = statements(&["CREATE ()", NEVER_ENDS]).to_string();
        let mut socket = connect(&server);
        socket.write_all(format!("{}{body}", head(path, body.len())).as_bytes()).expect("works");
        wait_until("the statement runs", || under_way(1));
        drop(socket);
        wait_until("the statement is cancelled", || under_way(0));
    }
    assert_eq!(count(&server), 0);
    // The transaction of the cancelled statement is gone, or still there without a commit.
    let rolled_back = super::send(&server, "DELETE", open, &Value::Null);
    assert!(matches!(rolled_back.status, 200 | 404), "{rolled_back:?}");
    assert_eq!(count(&server), 0);
}

#[test]
fn a_result_that_is_not_read_harms_no_other() {
    let server = start();
    let body = statements(&["UNWIND range(1, 500000) AS i RETURN i, 'a text that takes room'"]);
    let body = body.to_string();
    let mut socket = connect(&server);
    let head = head("/db/neo4j/tx/commit", body.len());
    socket.write_all(format!("{head}{body}").as_bytes()).expect("works");
    let mut first = [0; 15];
    socket.read_exact(&mut first).expect("the answer begins");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    assert_eq!(count(&server), 0);
    drop(socket);
    query(&server, &json!({ "statement": "CREATE ()" }));
    assert_eq!(count(&server), 1);
}
