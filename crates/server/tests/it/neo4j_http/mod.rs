//! Neo4j's HTTP interface over real sockets, with queries in Cypher.

mod bad;
mod jolt;
mod legacy;

use millrace_server::db::{Database, Settings};
use serde_json::{Value, json};

use crate::client::{Reply, Running, add_ann, settings, start_speaking};

fn start_with(change: impl FnOnce(&mut Settings)) -> Running {
    let mut settings = settings();
    settings.listen.set("neo4j-http", "127.0.0.1:0");
    change(&mut settings);
    start_speaking(Database::in_memory(settings).expect("it opens"), "cypher")
}

fn start() -> Running {
    start_with(|_| {})
}

fn send(server: &Running, method: &str, path: &str, body: &Value) -> Reply {
    let json = [("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    server.send_to(&server.neo4j_http, method, path, &json, body.as_bytes())
}

fn post(server: &Running, path: &str, body: &Value) -> Reply {
    send(server, "POST", path, body)
}

/// The answer of a query that succeeds.
fn query(server: &Running, body: &Value) -> Value {
    let reply = post(server, "/db/neo4j/query/v2", body);
    assert_eq!(reply.status, 202, "{reply:?}");
    reply.json()
}

/// The body of a transaction with statements.
fn statements(texts: &[&str]) -> Value {
    let statements: Vec<Value> = texts.iter().map(|text| json!({ "statement": text })).collect();
    json!({ "statements": statements })
}

/// The only value of the only row of the first result.
fn only(answer: &Value) -> &Value {
    assert_eq!(answer["errors"], json!([]), "{answer}");
    &answer["results"][0]["data"][0]["row"][0]
}

fn count(server: &Running) -> Value {
    let answer = post(server, "/db/neo4j/tx/commit", &statements(&["MATCH (n) RETURN count(n)"]));
    only(&answer.json()).clone()
}

fn code(answer: &Value) -> &str {
    answer["errors"][0]["code"].as_str().unwrap_or_else(|| panic!("no error: {answer}"))
}

/// The path of a URL.
fn path_of<'u>(server: &Running, url: &'u Value) -> &'u str {
    let url = url.as_str().expect("a URL");
    url.strip_prefix(&server.neo4j_http).unwrap_or_else(|| panic!("{url} is of another server"))
}

#[test]
fn discovery_names_the_interfaces() {
    let server = start();
    let answer = server.send_to(&server.neo4j_http, "GET", "/", &[], b"").json();
    assert_eq!(answer["neo4j_version"], "5.26.0");
    let place = format!("{}/db/{{databaseName}}/tx", server.neo4j_http);
    assert_eq!(answer["transaction"], place);
}

#[test]
fn a_query_has_fields_values_counters_and_a_bookmark() {
    let server = start();
    let answer = query(
        &server,
        &json!({
            "statement": "CREATE (p:Person {name: $name}) RETURN p, p.name AS name",
            "parameters": { "name": "Ann" },
            "includeCounters": true,
        }),
    );
    assert_eq!(answer["data"]["fields"], json!(["p", "name"]));
    let row = &answer["data"]["values"][0];
    assert_eq!(row[0]["labels"], json!(["Person"]));
    assert_eq!((&row[0]["properties"], &row[1]), (&json!({ "name": "Ann" }), &json!("Ann")));
    assert_eq!(answer["counters"]["nodesCreated"], 1);
    assert_eq!(answer["counters"]["containsUpdates"], true);
    let bookmarks = &answer["bookmarks"];
    let read = json!({
        "statement": "MATCH (p:Person) RETURN count(p)", "accessMode": "READ", "bookmarks": bookmarks,
    });
    assert_eq!(query(&server, &read)["data"]["values"], json!([[1]]));
}

#[test]
fn values_have_types_where_they_are_asked_for() {
    let server = start();
    let body = json!({
        "statement": "RETURN $n AS n, date('2020-01-02') AS d, [1.5] AS l",
        "parameters": { "n": { "$type": "Integer", "_value": "7" } },
    });
    let headers = [
        ("content-type", "application/vnd.neo4j.query"),
        ("accept", "application/vnd.neo4j.query"),
    ];
    let reply = server.send_to(
        &server.neo4j_http,
        "POST",
        "/db/neo4j/query/v2",
        &headers,
        body.to_string().as_bytes(),
    );
    assert_eq!(reply.status, 202, "{reply:?}");
    assert_eq!(reply.content_type.as_deref(), Some("application/vnd.neo4j.query"));
    assert_eq!(
        reply.json()["data"]["values"][0],
        json!([
            { "$type": "Integer", "_value": "7" },
            { "$type": "Date", "_value": "2020-01-02" },
            { "$type": "List", "_value": [{ "$type": "Float", "_value": "1.5" }] },
        ])
    );
}

#[test]
fn a_query_that_fails_has_a_code_and_a_status() {
    let server = start();
    for (statement, mode, status, code_of) in [
        ("RETURN", "WRITE", 400, "Neo.ClientError.Statement.SyntaxError"),
        ("RETURN $missing", "WRITE", 400, "Neo.ClientError.Statement.ParameterMissing"),
        ("CREATE ()", "READ", 400, "Neo.ClientError.Statement.AccessMode"),
    ] {
        let body = json!({ "statement": statement, "accessMode": mode });
        let reply = post(&server, "/db/neo4j/query/v2", &body);
        assert_eq!((reply.status, code(&reply.json())), (status, code_of), "{statement}");
    }
    for name in ["NEO4J", "System"] {
        let path = format!("/db/{name}/query/v2");
        let reply = post(&server, &path, &json!({ "statement": "SHOW DATABASES" }));
        assert_eq!(reply.status, 202, "{name}: {reply:?}");
    }
    let reply = post(&server, "/db/nowhere/query/v2", &json!({ "statement": "RETURN 1" }));
    let expected = (404, "Neo.ClientError.Database.DatabaseNotFound");
    assert_eq!((reply.status, code(&reply.json())), expected);
    let reply = post(&server, "/db/neo4j/query/v2", &json!({ "parameters": {} }));
    let expected = (400, "Neo.ClientError.Request.InvalidFormat");
    assert_eq!((reply.status, code(&reply.json())), expected);
}

#[test]
fn one_request_is_a_transaction_of_all_its_statements() {
    let server = start();
    let body = json!({ "statements": [
        { "statement": "CREATE (a:A {n: 1})-[r:R]->(b:B) RETURN a, r", "includeStats": true,
          "resultDataContents": ["row", "graph"] },
        { "statement": "MATCH (n) RETURN count(n) AS n" },
    ]});
    let answer = post(&server, "/db/neo4j/tx/commit", &body).json();
    assert_eq!(answer["errors"], json!([]), "{answer}");
    let first = &answer["results"][0];
    assert_eq!(first["columns"], json!(["a", "r"]));
    assert_eq!(first["data"][0]["row"], json!([{ "n": 1 }, {}]));
    assert_eq!(first["data"][0]["meta"][0]["type"], "node");
    assert_eq!(first["data"][0]["graph"]["nodes"][0]["labels"], json!(["A"]));
    assert_eq!(first["data"][0]["graph"]["relationships"][0]["type"], "R");
    assert_eq!(first["stats"]["nodes_created"], 2);
    assert_eq!(answer["results"][1]["data"][0]["row"], json!([2]));
    // What fails leaves nothing behind.
    let failed = post(&server, "/db/neo4j/tx/commit", &statements(&["CREATE ()", "RETURN"]));
    assert_eq!(
        (failed.status, code(&failed.json())),
        (200, "Neo.ClientError.Statement.SyntaxError")
    );
    assert_eq!(count(&server), 2);
}

#[test]
fn a_transaction_spans_requests_until_it_is_committed_or_rolled_back() {
    let server = start();
    for (ends_by, left) in [("commit", 2), ("delete", 2)] {
        let begun = post(&server, "/db/neo4j/tx", &statements(&["CREATE ()"]));
        assert_eq!(begun.status, 201, "{begun:?}");
        let begun = begun.json();
        let expires = begun["transaction"]["expires"].as_str().expect("a date");
        assert!(expires.ends_with(" GMT"), "{expires}");
        let commit = path_of(&server, &begun["commit"]).to_owned();
        let place = commit.strip_suffix("/commit").expect("it ends so");
        let seen = post(&server, place, &statements(&["CREATE ()", "MATCH (n) RETURN n"]));
        let seen = seen.json();
        assert_eq!(seen["errors"], json!([]), "{seen}");
        let ended = match ends_by {
            "commit" => post(&server, &commit, &json!({ "statements": [] })),
            _ => send(&server, "DELETE", place, &Value::Null),
        };
        assert_eq!((ended.status, &ended.json()["errors"]), (200, &json!([])), "{ended:?}");
        assert_eq!(count(&server), left, "{ends_by}");
        let gone = post(&server, &commit, &Value::Null);
        let expected = (404, "Neo.ClientError.Transaction.TransactionNotFound");
        assert_eq!((gone.status, code(&gone.json())), expected);
    }
}

#[test]
fn a_failure_rolls_an_open_transaction_back() {
    let server = start();
    let begun = post(&server, "/db/neo4j/tx", &statements(&["CREATE ()"])).json();
    let commit = path_of(&server, &begun["commit"]).to_owned();
    let place = commit.strip_suffix("/commit").expect("it ends so");
    let failed = post(&server, place, &statements(&["RETURN 1/0"])).json();
    assert_eq!(code(&failed), "Neo.ClientError.Statement.ArithmeticError");
    assert_eq!(post(&server, &commit, &Value::Null).status, 404);
    assert_eq!(count(&server), 0);
}

/// Each request may come before or after the transaction has expired; at last one comes after.
#[test]
fn an_idle_transaction_is_rolled_back() {
    let server = start_with(|settings| settings.bolt.transaction_idle_ms = 1);
    let begun = post(&server, "/db/neo4j/tx", &statements(&["CREATE ()"])).json();
    let commit = path_of(&server, &begun["commit"]).to_owned();
    let place = commit.strip_suffix("/commit").expect("it ends so");
    while post(&server, place, &Value::Null).status == 200 {}
    assert_eq!(count(&server), 0);
}

#[test]
fn a_login_is_needed_where_there_are_users() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    add_ann(&path);
    let server = start_with(|settings| {
        settings.users.file = path.to_str().expect("a plain name").to_owned();
    });
    let refused = post(&server, "/db/neo4j/tx/commit", &statements(&["RETURN 1"]));
    assert_eq!(
        (refused.status, code(&refused.json())),
        (401, "Neo.ClientError.Security.Unauthorized")
    );
    assert!(refused.challenge.is_some());
    // A body that is not read for the refusal does not end the connection, which the client uses again.
    let large = vec![b' '; 1 << 20];
    let json = [("content-type", "application/json")];
    for _ in 0..4 {
        let refused =
            server.send_to(&server.neo4j_http, "POST", "/db/neo4j/tx/commit", &json, &large);
        assert_eq!(refused.status, 401);
    }
    // `ann:secret`.
    let headers =
        [("content-type", "application/json"), ("authorization", "Basic YW5uOnNlY3JldA==")];
    let body = statements(&["RETURN 1"]).to_string();
    let path = "/db/neo4j/tx/commit";
    let reply = server.send_to(&server.neo4j_http, "POST", path, &headers, body.as_bytes());
    assert_eq!((reply.status, only(&reply.json())), (200, &json!(1)));
}

#[test]
fn other_types_paths_and_methods_are_refused() {
    let server = start();
    let plain = server.send_to(&server.neo4j_http, "POST", "/db/neo4j/tx/commit", &[], b"{}");
    assert_eq!(plain.status, 415, "{plain:?}");
    assert_eq!(send(&server, "GET", "/db/neo4j/tx/commit", &Value::Null).status, 405);
    assert_eq!(post(&server, "/db/data/nothing", &json!([])).status, 404);
    assert_eq!(post(&server, "/db/neo4j/query/v2/tx", &json!({})).status, 501);
}

#[test]
fn explain_and_profile_are_trees_and_profile_has_its_rows() {
    let server = start();
    query(&server, &json!({ "statement": "CREATE (:A {n: 1})-[:R]->(:B {n: 2})" }));
    let text = "MATCH (a:A)-[:R]->(b) RETURN b.n AS n";
    let explained = query(&server, &json!({ "statement": format!("EXPLAIN {text}") }));
    assert_eq!(explained["data"], json!({ "fields": ["n"], "values": [] }));
    let root = &explained["queryPlan"];
    assert_eq!(
        (&root["operatorType"], &root["identifiers"]),
        (&json!("ProduceResults"), &json!(["n"]))
    );
    assert_eq!(root.get("records"), None, "{root}");
    let profiled = query(&server, &json!({ "statement": format!("PROFILE {text}") }));
    assert_eq!(profiled["data"], json!({ "fields": ["n"], "values": [[2]] }));
    let mut operator = &profiled["profiledQueryPlan"];
    let mut depth = 0;
    while operator["children"].as_array().is_some_and(|children| !children.is_empty()) {
        assert_eq!(operator["records"], 1, "{operator}");
        operator = &operator["children"][0];
        depth += 1;
    }
    assert!(2 < depth, "{profiled}");
    assert!(
        operator["identifiers"].as_array().is_some_and(|names| names.contains(&json!("a"))),
        "{operator}"
    );
    let done = post(
        &server,
        "/db/neo4j/tx/commit",
        &statements(&[&format!("PROFILE {text}"), "PROFILE CREATE (:C)"]),
    );
    let done = done.json();
    assert_eq!(only(&done), 2);
    let roots = [0, 1].map(|index: usize| done["results"][index]["plan"]["root"].clone());
    assert_eq!(
        (&roots[0]["operatorType"], &roots[0]["Rows"]),
        (&json!("ProduceResults"), &json!(1))
    );
    assert_eq!(roots[1]["operatorType"], "ProduceResults");
    assert_eq!(count(&server), 3, "a profiled write is a write");
}

#[test]
fn bad_bodies_are_refused_and_nothing_is_half_done() {
    let server = start();
    let json = [("content-type", "application/json")];
    let send =
        |path: &str, body: &[u8]| server.send_to(&server.neo4j_http, "POST", path, &json, body);
    let deep = format!(
        "{{\"statement\":\"RETURN 1\",\"parameters\":{{\"x\":{}1{}}}}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    for body in
        [deep.as_bytes(), b"{\"statement\":\"CREATE ()", b"\xff\xfe", b"[]", b"{\"statement\":7}"]
    {
        let refused = send("/db/neo4j/query/v2", body);
        assert_eq!(
            (refused.status, code(&refused.json())),
            (400, "Neo.ClientError.Request.InvalidFormat")
        );
    }
    for (text, code_of) in [
        ("CREATE () RETURN no.such(1)", "Neo.ClientError.Statement.SyntaxError"),
        (
            "CREATE () WITH 1 AS x CALL no.such() YIELD y RETURN y",
            "Neo.ClientError.Procedure.ProcedureNotFound",
        ),
        ("CREATE () WITH [0] AS l RETURN 1 / l[0]", "Neo.ClientError.Statement.ArithmeticError"),
        ("CREATE () RETURN $x", "Neo.ClientError.Statement.ParameterMissing"),
    ] {
        for before in [&["CREATE ()"][..], &[]] {
            let texts: Vec<&str> = before.iter().copied().chain([text]).collect();
            let refused = post(&server, "/db/neo4j/tx/commit", &statements(&texts)).json();
            assert_eq!(code(&refused), code_of, "{text}");
        }
    }
    assert_eq!(count(&server), 0);
}

#[test]
fn statements_of_one_request_are_run_again_after_a_write_conflict() {
    let server = start();
    query(&server, &json!({ "statement": "CREATE (:C {n: 0})" }));
    let raise = statements(&["MATCH (c:C) SET c.n = c.n + 1", "MATCH (c:C) RETURN c.n"]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let done = post(&server, "/db/neo4j/tx/commit", &raise).json();
                    assert_eq!(done["errors"], json!([]), "{done}");
                }
            });
        }
    });
    let sum = query(&server, &json!({ "statement": "MATCH (c:C) RETURN c.n" }));
    assert_eq!(sum["data"]["values"], json!([[40]]));
}
