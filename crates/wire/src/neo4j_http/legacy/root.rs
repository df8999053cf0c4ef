//! The addresses of everything, and the routes of batches and transactions.

use super::failure::Failure;
use super::operation::{AnswerKind, Kind, Operation, Whole};
use super::routes::{At, Made, Route, Target, route};
use crate::http::Method::{Delete, Get, Post};
use crate::json::write_string;
use crate::neo4j_http::results::write_texts;

pub(super) const ROUTES: &[Route] = &[
    route(Get, "/", "200: the addresses of what is below", |_| {
        Ok(Target::Operation(Operation(Kind::Whole(Box::new(Whole::of(AnswerKind::Root))))))
    }),
    route(
        Post,
        "/batch",
        "200: `[{id, from, location, status, body}]` of the jobs `[{method, to, id, body}]`, which are one transaction",
        |_| Ok(Target::Batch),
    ),
    route(Post, "/transaction", "201: as `/db/NAME/tx`, on the default graph", |_| {
        Ok(Target::Transaction { id: None, commits: false })
    }),
    route(Post, "/transaction/commit", "200: as `/db/NAME/tx/commit`", |_| {
        Ok(Target::Transaction { id: None, commits: true })
    }),
    route(Post, "/transaction/{id}", "200: as `/db/NAME/tx/ID`", |at| open(at, false)),
    route(Delete, "/transaction/{id}", "200: rolled back", |at| Ok(Target::RollBack(number(at)?))),
    route(Post, "/transaction/{id}/commit", "200: as `/db/NAME/tx/ID/commit`", |at| open(at, true)),
];

fn open(at: &At<'_>, commits: bool) -> Made {
    Ok(Target::Transaction { id: Some(number(at)?), commits })
}

fn number(at: &At<'_>) -> Result<u64, Failure> {
    let text = at.text("id");
    text.parse().map_err(|_| Failure::bad_input(format!("`{text}` is no number of a transaction")))
}

/// Names of the addresses, and their paths.
const ADDRESSES: [(&str, &str); 12] = [
    ("batch", "/batch"),
    ("constraints", "/schema/constraint"),
    ("cypher", "/cypher"),
    ("extensions_info", "/ext"),
    ("indexes", "/schema/index"),
    ("node", "/node"),
    ("node_index", "/index/node"),
    ("node_labels", "/labels"),
    ("relationship", "/relationship"),
    ("relationship_index", "/index/relationship"),
    ("relationship_types", "/relationship/types"),
    ("transaction", "/transaction"),
];

/// The plugin that runs scripts.
pub(super) const GREMLIN: &str = "GremlinPlugin";

/// The addresses of everything below `base`.
pub(super) fn body(base: &str, version: &str) -> String {
    let mut out = String::from("{\"extensions\":{\"");
    out.push_str(GREMLIN);
    out.push_str("\":{\"execute_script\":");
    write_string(&mut out, &format!("{base}/ext/{GREMLIN}/graphdb/execute_script"));
    out.push_str("}}");
    for (name, path) in ADDRESSES {
        out.push_str(",\"");
        out.push_str(name);
        out.push_str("\":");
        write_string(&mut out, &format!("{base}{path}"));
    }
    out.push_str(",\"neo4j_version\":");
    write_string(&mut out, version);
    out.push('}');
    out
}

/// A list of names as JSON.
pub(super) fn names(names: &[&str]) -> String {
    let mut out = String::new();
    write_texts(&mut out, names);
    out
}
