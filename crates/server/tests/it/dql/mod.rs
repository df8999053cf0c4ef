//! Dgraph's HTTP over real sockets.

mod alters;
mod bad;
mod conflicts;
mod drivers;
mod grpc;
mod grpc_bad;
mod live;
mod login;
mod paths;
mod ratel;
mod suite;
mod transactions;

use std::io::{Read, Write};

use millrace_server::db::{Database, Settings};
use serde_json::Value;

use crate::client::{Reply, Running, settings, start_over};

const JSON: (&str, &str) = ("content-type", "application/json");
const DQL: (&str, &str) = ("content-type", "application/dql");
const RDF: (&str, &str) = ("content-type", "application/rdf");

fn start_with(change: impl FnOnce(&mut Settings)) -> Running {
    let mut settings = settings();
    settings.listen.set("dql", "127.0.0.1:0");
    change(&mut settings);
    start_over(Database::in_memory(settings).expect("it opens"))
}

fn start() -> Running {
    start_with(|_| {})
}

fn send(server: &Running, path: &str, kind: (&str, &str), body: &[u8]) -> Reply {
    server.send_to(&server.dql, "POST", path, &[kind], body)
}

fn post(server: &Running, path: &str, kind: (&str, &str), body: &str) -> Reply {
    send(server, path, kind, body.as_bytes())
}

fn get(server: &Running, path: &str) -> Reply {
    server.send_to(&server.dql, "GET", path, &[], b"")
}

/// The message of the only error of an answer, and its code.
fn failure(answer: &Value) -> (&str, &str) {
    let error = &answer["errors"][0];
    let code = error["extensions"]["code"].as_str();
    match (error["message"].as_str(), code) {
        (Some(message), Some(code)) => (message, code),
        _ => panic!("no error: {answer}"),
    }
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("there is memory");
    packed.finish().expect("there is memory")
}

fn unpack(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("it is packed text");
    text
}
