//! The interface of Neo4j 1 to 3, below `/db/data`.

mod batches;
mod clients;
mod named;
mod plans;
mod random;
mod transcripts;

use serde_json::Value;

use super::{count, only, post, send, start, start_with, statements};
use crate::client::{Reply, Running};

/// A request below `/db/data`.
fn ask(server: &Running, method: &str, path: &str, body: &Value) -> Reply {
    send(server, method, &format!("/db/data{path}"), body)
}

/// The answers of a batch that succeeds.
fn batch(server: &Running, jobs: &Value) -> Value {
    let reply = ask(server, "POST", "/batch", jobs);
    assert_eq!(reply.status, 200, "{jobs}: {reply:?}");
    reply.json()
}

/// The number at the end of an address.
fn number_of(address: &Value) -> i64 {
    let address = address.as_str().unwrap_or_else(|| panic!("{address} is no address"));
    address.rsplit('/').next().and_then(|last| last.parse().ok()).expect("it closes with a number")
}
