//! Bolt over real sockets, with queries in Gremlin: the protocol is the same in any language.

mod acid;
mod bad;
mod bad_cypher;
mod drivers;
mod login;
mod messages;
mod neo4j_browser;
mod notices;
mod older;
mod queries;
mod streaming;
mod tools;
mod transactions;
mod websocket;

use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use millrace_model::Value;
use millrace_server::wire::bolt::client::{Answer, ClientError, Connection, LogIn};
use millrace_server::wire::bolt::packstream::Datum;
use millrace_server::wire::bolt::{Failure, Version};

use crate::client::{Running, start_with};

pub(crate) type Client = Connection<TcpStream>;

fn start() -> Running {
    start_with(|_| {})
}

fn open_with(address: SocketAddr, log_in: &LogIn) -> Result<Client, ClientError> {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_nodelay(true).expect("it is a socket");
    Connection::open(stream, log_in)
}

pub(crate) fn open(server: &Running) -> Client {
    open_with(server.bolt, &LogIn::default()).expect("no login is needed")
}

fn open_as(server: &Running, version: Version) -> Client {
    let log_in = LogIn { version: Some(version), ..LogIn::default() };
    open_with(server.bolt, &log_in).expect("it is served")
}

fn run(client: &mut Client, query: &str) -> Answer {
    client.run(query, &[]).unwrap_or_else(|error| panic!("{query}: {error}"))
}

fn failure<T: std::fmt::Debug>(done: Result<T, ClientError>) -> Failure {
    match done {
        Err(ClientError::Failure(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

/// The only value of the only record.
fn only(answer: &Answer) -> Datum {
    match answer.records.as_slice() {
        [record] => record[0].clone(),
        other => panic!("{other:?}"),
    }
}

fn count(client: &mut Client, query: &str) -> i64 {
    only(&run(client, query)).as_int().expect("an integer")
}

pub(crate) fn parameter(name: &str, value: Value) -> (Arc<str>, Value) {
    (Arc::from(name), value)
}
