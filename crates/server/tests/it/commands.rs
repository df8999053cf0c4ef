//! Commands of Cypher that only a server has: transactions and users.

use serde_json::{Value, json};

use crate::client::{Reply, Running, start};

fn ask(server: &Running, text: &str) -> Reply {
    ask_of(server, "g", text)
}

fn ask_of(server: &Running, graph: &str, text: &str) -> Reply {
    let body = json!({ "language": "cypher", "text": text, "access": "write" });
    server.admin("POST", &format!("/query/{graph}"), &body.to_string())
}

/// The first columns of all rows.
fn rows(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{reply:?}");
    let lines = reply.body.lines().map(|line| serde_json::from_str::<Value>(line).expect("json"));
    let rows = lines.flat_map(|line| line["rows"].as_array().cloned().unwrap_or_default());
    rows.map(|row| row[0].clone()).collect()
}

#[test]
fn a_transaction_is_listed_and_terminated_by_its_id() {
    let server = start();
    assert_eq!(server.post("/dbs/other", "").status, 200);
    std::thread::scope(|scope| {
        let long = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a % b)";
        let long = scope.spawn(|| ask_of(&server, "other", long));
        let listed = "SHOW TRANSACTIONS YIELD transactionId, database WHERE database = 'other'";
        let id = loop {
            assert!(!long.is_finished(), "{:?}", long.join());
            if let Some(id) = rows(&ask(&server, listed)).first() {
                break id.as_str().expect("a text").to_owned();
            }
        };
        assert_eq!(
            rows(&ask(&server, &format!("TERMINATE TRANSACTIONS '{id}'"))),
            [] as [Value; 0]
        );
        let ended = long.join().expect("it ends");
        assert!(ended.body.contains("cancelled"), "{ended:?}");
    });
    let unknown = ask(&server, "TERMINATE TRANSACTION 'g-transaction-0'");
    assert!(unknown.body.contains("Transaction not found"), "{unknown:?}");
    assert_eq!(rows(&ask(&server, "SHOW USERS")), [] as [Value; 0]);
}
