//! Connections to the endpoints of a target, and what they ask.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use hyper::body::Bytes;
use millrace_model::random::SplitMix64;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::dql::{Check, Request, Response, Version, decoded, framed};
use serde_json::Value;

use super::limits::SHOWN_BYTES;
use super::queries::Text;
use super::target::{Protocol, Target};
use crate::clients::closed_loop::{self, Driven, Work};
use crate::clients::grpc::Calls;
use crate::clients::http::{Connection, get, named, request};
use crate::machine::joined;

const QUERY: &str = "/api.Dgraph/Query";
const CHECK_VERSION: &str = "/api.Dgraph/CheckVersion";

/// How a right answer begins: with a node. What it says of that was compared before.
const FOUND_HTTP: &[u8] = b"{\"data\":{\"me\":[{";
const FOUND_GRPC: &[u8] = b"{\"me\":[{";

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// An answer without a query.
    Reference,
    /// A query of ids that are drawn at random.
    Query { text: &'a Text, ids: &'a [Box<str>] },
}

/// Connections, shared out among threads.
pub(super) struct Clients {
    name: String,
    protocol: Protocol,
    threads: Vec<Share>,
}

/// The connections of a thread.
struct Share {
    /// Where each of them leads to.
    servers: Vec<SocketAddr>,
    connections: Connections,
}

enum Connections {
    Http(Vec<Connection>),
    Grpc(Calls),
}

impl Share {
    fn open(protocol: Protocol, servers: Vec<SocketAddr>) -> Result<Share> {
        let connections = Connections::open(protocol, &servers)?;
        Ok(Share { servers, connections })
    }

    /// Connects anew if a server has ended a connection that was idle while others were asked.
    fn reopen(&mut self) -> Result<()> {
        let (protocol, is_any_closed) = match &self.connections {
            Connections::Http(connections) => {
                (Protocol::Http, connections.iter().any(Connection::is_closed))
            }
            Connections::Grpc(calls) => (Protocol::Grpc, calls.is_any_closed()),
        };
        if is_any_closed {
            self.connections = Connections::open(protocol, &self.servers)?;
        }
        Ok(())
    }
}

impl Connections {
    fn open(protocol: Protocol, servers: &[SocketAddr]) -> Result<Connections> {
        Ok(match protocol {
            Protocol::Http => Connections::Http(
                servers.iter().map(|server| Connection::open(*server)).collect::<Result<_>>()?,
            ),
            Protocol::Grpc => Connections::Grpc(Calls::open(servers)?),
        })
    }
}

impl Clients {
    /// Connects to the endpoints in turn.
    pub(super) fn open(target: &Target, connections: usize, threads: usize) -> Result<Clients> {
        let endpoints: Vec<_> = target
            .endpoints
            .iter()
            .cycle()
            .take(connections)
            .map(|endpoint| endpoint.address)
            .collect();
        let threads = threads.clamp(1, connections.max(1));
        // Neighbours go to different threads, so that each thread has connections to all endpoints.
        let share = |thread: usize| {
            let own = endpoints.iter().copied().skip(thread).step_by(threads);
            Share::open(target.protocol, own.collect())
        };
        let opened: Result<Vec<Share>> = (0..threads).map(share).collect();
        let threads = opened.map_err(|error| of_server(error, &target.name))?;
        Ok(Clients { name: target.name.clone(), protocol: target.protocol, threads })
    }

    /// The name of the target.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The data of an answer, from the first connection.
    pub(super) fn ask(&mut self, query: &str) -> Result<Value> {
        let bad = |detail: String| Error::new(ErrorKind::Failed, detail);
        let answered = match self.threads.first_mut().map(|share| &mut share.connections) {
            Some(Connections::Http(connections)) => {
                let first = connections.first_mut().ok_or_else(|| bad("no connection".into()))?;
                first.exchange(&post(&[query])).and_then(|answer| {
                    let text = answer.text();
                    let mut read: Value = serde_json::from_str(&text).unwrap_or_default();
                    let has_data = answer.status == 200 && read.get("errors").is_none();
                    match read.get_mut("data") {
                        Some(data) if has_data => Ok(data.take()),
                        _ => Err(bad(format!("{query}: {} {}", answer.status, shown(&text)))),
                    }
                })
            }
            Some(Connections::Grpc(calls)) => called(query).and_then(|message| {
                let answer = calls.ask(QUERY, message)?;
                let answer: Response = decoded(answer).map_err(|status| bad(status.message))?;
                serde_json::from_slice(&answer.json).map_err(|error| bad(error.to_string()))
            }),
            None => Err(bad("no connection".into())),
        };
        answered.map_err(|error| of_server(error, &self.name))
    }

    /// Asks for so long, on all connections.
    pub(super) fn drive(&mut self, asked: Asked<'_>, time: Duration, seed: u64) -> Result<Driven> {
        let protocol = self.protocol;
        let one = |share: &mut Share, seed: u64| {
            let mut work = RandomRequests { asked, protocol, random: SplitMix64::new(seed) };
            share.reopen()?;
            match &mut share.connections {
                Connections::Http(connections) => closed_loop::drive(connections, time, &mut work),
                Connections::Grpc(calls) => {
                    let method = match asked {
                        Asked::Reference => CHECK_VERSION,
                        Asked::Query { .. } => QUERY,
                    };
                    calls.drive(method, time, &mut work)
                }
            }
        };
        let driven = match self.threads.as_mut_slice() {
            // In this thread: a thread of its own would have to start first.
            [share] => one(share, seed),
            shares => thread::scope(|scope| {
                let one = &one;
                let started: Vec<_> = (seed..)
                    .zip(shares)
                    .map(|(seed, share)| scope.spawn(move || one(share, seed)))
                    .collect();
                let mut all = Driven::default();
                for driven in started.into_iter().map(joined) {
                    all.add(&driven?);
                }
                Ok(all)
            }),
        };
        driven.map_err(|error| of_server(error, &self.name))
    }
}

/// Requests with ids drawn at random.
struct RandomRequests<'a> {
    asked: Asked<'a>,
    protocol: Protocol,
    random: SplitMix64,
}

impl Work for RandomRequests<'_> {
    fn next(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        let parts = match self.asked {
            Asked::Reference => None,
            Asked::Query { text, ids } => {
                let drawn = self.random.below(ids.len() as u64) as usize;
                Some(text.parts(&ids[drawn]))
            }
        };
        match (self.protocol, parts) {
            (Protocol::Http, None) => bytes.extend(get("/health")),
            (Protocol::Http, Some(parts)) => bytes.extend(post(&parts)),
            (Protocol::Grpc, None) => {
                let message = framed(&Check {}).map_err(|status| wrong(&status.message))?;
                bytes.extend_from_slice(&message);
            }
            (Protocol::Grpc, Some(parts)) => bytes.extend(called(&parts.concat())?),
        }
        Ok(())
    }

    fn judge(&mut self, answer: &[u8]) -> Result<()> {
        let is_right = match (self.protocol, self.asked) {
            (Protocol::Http, Asked::Reference) => !answer.is_empty(),
            (Protocol::Http, Asked::Query { .. }) => answer.starts_with(FOUND_HTTP),
            (Protocol::Grpc, Asked::Reference) => {
                let read = decoded::<Version>(Bytes::copy_from_slice(answer));
                read.is_ok_and(|version| !version.tag.is_empty())
            }
            (Protocol::Grpc, Asked::Query { .. }) => {
                let read = decoded::<Response>(Bytes::copy_from_slice(answer));
                read.is_ok_and(|response| response.json.starts_with(FOUND_GRPC))
            }
        };
        if is_right { Ok(()) } else { Err(wrong(&String::from_utf8_lossy(answer))) }
    }
}

/// The request of a query that comes in parts.
fn post(parts: &[&str]) -> Vec<u8> {
    request("POST", "/query", "Content-Type: application/dql\r\n", &parts.concat())
}

/// The same as a message.
fn called(query: &str) -> Result<Vec<u8>> {
    let request = Request { query: query.to_owned(), ..Request::default() };
    Ok(framed(&request).map_err(|status| wrong(&status.message))?.to_vec())
}

fn wrong(answer: &str) -> Error {
    Error::new(ErrorKind::Failed, format!("an answer without a node: {}", shown(answer)))
}

/// The beginning of an answer.
fn shown(answer: &str) -> String {
    answer.chars().take(SHOWN_BYTES).collect()
}

/// An error of a connection to a server, with its name.
fn of_server(error: Error, server: &str) -> Error {
    let error = named(error, server);
    match error.detail.contains(server) {
        true => error,
        false => Error { detail: format!("{server}: {}", error.detail), ..error },
    }
}
