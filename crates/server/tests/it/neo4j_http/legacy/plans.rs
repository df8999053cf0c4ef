//! The statements of batches run in bulk: elements are looked up by their numbers, and nothing is scanned.

use millrace_wire::neo4j_http::legacy::statement_texts;
use serde_json::json;

use super::{post, start};

/// Values for all parameters of the texts.
fn parameters() -> serde_json::Value {
    let row = json!({
        "job": 0, "id": 1, "source": 1, "target": 2, "type": "T", "types": ["T"], "key": "k",
        "value": 1, "labels": ["L"], "p": {"a": 1},
    });
    let mut all = row.clone();
    all["rows"] = json!([row]);
    all
}

#[test]
fn each_statement_looks_up_its_elements_and_scans_nothing() {
    let server = start();
    let texts = statement_texts();
    assert!(70 < texts.len(), "{}", texts.len());
    for text in texts {
        let statement = format!("EXPLAIN {text}");
        let body = json!({"statement": statement, "parameters": parameters()});
        let reply = post(&server, "/db/neo4j/query/v2", &body);
        assert_eq!(reply.status, 202, "{text}: {reply:?}");
        let plan = reply.json()["queryPlan"].to_string();
        assert!(!plan.contains("Scan"), "{text}: {plan}");
        let looks_up = plan.matches("\"operatorType\":\"LookupById\"").count();
        assert_eq!(looks_up, text.matches("WHERE id(").count(), "{text}: {plan}");
    }
}
