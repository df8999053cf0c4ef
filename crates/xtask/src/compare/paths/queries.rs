//! The patterns, and what of their answers is compared.

use serde_json::{Value, json};

use super::network::{CHAIN_FIRST, pair};

/// A pattern.
pub(super) struct Query {
    /// The row of `millrace bench cypher`.
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The parameters of a run.
    pub(super) parameters: fn(u64) -> Value,
    /// Whether only the number of rows is compared.
    pub(super) any_rows: bool,
}

/// All of them.
pub(super) const QUERIES: [Query; 4] = [
    Query {
        name: "paths.limit",
        text: "MATCH p = (a {id: 1})-[:KW*1..6]-(b) RETURN p LIMIT 10",
        parameters: |_| json!({}),
        any_rows: true,
    },
    Query {
        name: "paths.chain",
        text: "MATCH p = (a {id: $first})-[:NX*]->(m) WHERE NOT (m)-[:NX]->() RETURN length(p)",
        parameters: |_| json!({ "first": CHAIN_FIRST }),
        any_rows: false,
    },
    Query {
        name: "paths.exists",
        text: "MATCH (n:Node) WHERE n.id >= 1 AND n.id <= 1000 \
               AND EXISTS { (n)-[:KW*1..6]-(:Rare) } RETURN count(n)",
        parameters: |_| json!({}),
        any_rows: false,
    },
    Query {
        name: "shortest.where",
        text: "MATCH p = shortestPath((a:Node {id: $source})-[:KW*]-(b:Node {id: $target})) \
               WHERE all(r IN relationships(p) WHERE r.weight < 30) RETURN length(p)",
        parameters: |run| {
            let [source, target] = pair(run);
            json!({ "source": source, "target": target })
        },
        any_rows: false,
    },
];
