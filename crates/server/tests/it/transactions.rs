//! Transactions of several queries at the address of administration.

use serde_json::{Value, json};

use crate::client::{Reply, Running, start, start_with, start_with_ann};

fn begin(server: &Running) -> u64 {
    let begun = server.admin("POST", "/transactions/g", "");
    assert_eq!(begun.status, 201, "{begun:?}");
    begun.json()["transaction"].as_u64().expect("it has a number")
}

fn ask(server: &Running, transaction: Option<u64>, text: &str) -> Reply {
    let body = json!({ "language": "cypher", "text": text, "transaction": transaction });
    server.admin("POST", "/query/g", &body.to_string())
}

/// The first value of the first row.
fn value(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{reply:?}");
    let lines = reply.body.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows = lines.filter_map(|line| line.get("rows").cloned());
    rows.map(|rows| rows[0][0].clone()).next().unwrap_or_default()
}

const COUNT: &str = "MATCH (n:T) RETURN count(n) AS n";

#[test]
fn queries_of_a_transaction_see_each_other_and_others_see_them_together() {
    let server = start();
    let id = begin(&server);
    assert_eq!(ask(&server, Some(id), "CREATE (:T)").status, 200);
    assert_eq!(ask(&server, Some(id), "CREATE (:T)").status, 200);
    assert_eq!(value(&ask(&server, Some(id), COUNT)), 2);
    assert_eq!(value(&ask(&server, None, COUNT)), 0);
    let committed = server.admin("POST", &format!("/transactions/g/{id}"), "");
    assert_eq!((committed.status, &committed.json()["committed"]), (200, &json!(id)));
    assert_eq!(value(&ask(&server, None, COUNT)), 2);
    let other = begin(&server);
    assert_eq!(ask(&server, Some(other), "MATCH (n:T) DELETE n").status, 200);
    let rolled_back = server.admin("DELETE", &format!("/transactions/g/{other}"), "");
    assert_eq!(rolled_back.status, 200, "{rolled_back:?}");
    assert_eq!(value(&ask(&server, None, COUNT)), 2);
    // All rows of a result come, however many.
    let many = begin(&server);
    let rows = ask(&server, Some(many), "UNWIND range(1, 20000) AS x RETURN x");
    assert!(rows.body.contains("\"rows\":20000,"), "{}", rows.body.len());
    assert_eq!(value(&ask(&server, Some(many), COUNT)), 2);
}

#[test]
fn an_error_ends_a_transaction_and_an_unknown_one_is_named() {
    let server = start();
    let id = begin(&server);
    assert_eq!(ask(&server, Some(id), "CREATE (:T)").status, 200);
    assert_eq!(ask(&server, Some(id), "RETURN nothing").status, 400);
    for reply in [
        ask(&server, Some(id), COUNT),
        server.admin("POST", &format!("/transactions/g/{id}"), ""),
        server.admin("DELETE", "/transactions/g/999", ""),
    ] {
        assert_eq!(reply.status, 404, "{reply:?}");
        assert!(reply.body.contains("no open transaction"), "{reply:?}");
    }
    assert_eq!(value(&ask(&server, None, COUNT)), 0);
    assert_eq!(server.admin("POST", "/transactions/nope", "").status, 404);
    let id = begin(&server);
    let body = json!({ "language": "lua", "text": "1", "transaction": id });
    let lua = server.admin("POST", "/query/g", &body.to_string());
    assert!(lua.status == 501 && lua.body.contains("lua"), "{lua:?}");
}

#[test]
fn a_transaction_that_waits_too_long_is_rolled_back() {
    let server = start_with(|settings| settings.bolt.transaction_idle_ms = 1);
    let id = begin(&server);
    let began = std::time::Instant::now();
    while ask(&server, Some(id), COUNT).status != 404 {
        assert!(began.elapsed().as_secs() < 60, "it still waits");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn values_and_parameters_have_types_where_they_are_wanted() {
    let server = start();
    let body = json!({
        "language": "cypher", "types": true, "text": "RETURN $day + duration('P1D') AS day, $n AS n, $p AS p",
        "parameters": { "n": 7 },
        "typed_parameters": {
            "day": { "$type": "Date", "_value": "2024-02-28" },
            "p": { "$type": "Point", "_value": "SRID=4979;POINT Z (1.0 2.0 3.0)" },
        },
    });
    let reply = server.admin("POST", "/query/g", &body.to_string());
    for wanted in [
        r#"{"$type":"Date","_value":"2024-02-29"}"#,
        r#"{"$type":"Integer","_value":"7"}"#,
        r#"{"$type":"Point","_value":"SRID=4979;POINT Z (1.0 2.0 3.0)"}"#,
    ] {
        assert!(reply.body.contains(wanted), "{wanted}: {reply:?}");
    }
}

#[test]
fn a_transaction_is_that_of_its_user() {
    let server = start_with_ann(|_| {});
    assert_eq!(server.admin("POST", "/transactions/g", "").status, 401);
}
