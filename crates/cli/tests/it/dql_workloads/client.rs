//! A client of Dgraph's interface, whatever carries its requests: queries, changes, and transactions over requests.

use std::cell::Cell;
use std::time::Instant;

use serde_json::Value as Json;

use super::servers::Servers;
use super::transport::{ANSWER_MAX, Answer, Context, Failed, Reached, Request, Transport};

/// One client, one request after the other.
pub(super) struct Client<'s> {
    servers: &'s Servers,
    transport: Box<dyn Transport>,
    /// The number of the server that was asked last.
    seen: Cell<u64>,
}

impl Client<'_> {
    pub(super) fn new(servers: &Servers) -> Client<'_> {
        Client { servers, transport: servers.protocol.transport(), seen: Cell::new(0) }
    }

    /// Waits until another server lives than the one of the last request, or all is over.
    pub(super) fn wait_for_the_next(&self) {
        self.servers.wait_for_another(self.seen.get());
    }

    fn reach<T>(&self, call: impl FnOnce(&dyn Transport, &str) -> Reached<T>) -> Reached<T> {
        let (number, url) = self.servers.current();
        self.seen.set(number);
        let began = Instant::now();
        let reached = call(&*self.transport, &url);
        // A server that says nothing is no server that was killed.
        assert!(began.elapsed() < ANSWER_MAX, "no answer came for {ANSWER_MAX:?}");
        if let Err(Failed::Aborted) = reached {
            self.servers.note_abort();
        }
        reached
    }

    fn ask(&self, request: &Request<'_>) -> Reached<Answer> {
        self.reach(|transport, url| transport.ask(url, request))
    }

    pub(super) fn alter(&self, schema: &str) -> Reached<()> {
        self.reach(|transport, url| transport.alter(url, schema))
    }

    /// The data of a query in a snapshot of its own.
    pub(super) fn query(&self, query: &str) -> Reached<Json> {
        Ok(self.ask(&Request { query, ..Request::default() })?.data)
    }

    /// Sets N-Quads, acknowledged when it returns.
    pub(super) fn set(&self, set: &str) -> Reached<()> {
        self.ask(&Request { set, commit_now: true, ..Request::default() }).map(drop)
    }

    /// Asks and changes in one transaction, which is committed when it returns; the data of its query.
    pub(super) fn upsert(&self, request: Request<'_>) -> Reached<Json> {
        Ok(self.ask(&Request { commit_now: true, ..request })?.data)
    }

    /// A transaction that begins with its first request.
    pub(super) fn begin(&self) -> Transaction<'_> {
        Transaction { client: self, context: Context::default() }
    }
}

/// A transaction over requests.
pub(super) struct Transaction<'c> {
    client: &'c Client<'c>,
    context: Context,
}

impl Transaction<'_> {
    fn ask(&mut self, request: Request<'_>) -> Reached<Json> {
        let start_ts = self.context.start_ts;
        let answer = self.client.ask(&Request { start_ts, ..request })?;
        self.context.start_ts = answer.context.start_ts;
        self.context.keys.extend(answer.context.keys);
        self.context.predicates.extend(answer.context.predicates);
        Ok(answer.data)
    }

    pub(super) fn query(&mut self, query: &str) -> Reached<Json> {
        self.ask(Request { query, ..Request::default() })
    }

    pub(super) fn set(&mut self, set: &str) -> Reached<()> {
        self.ask(Request { set, ..Request::default() }).map(drop)
    }

    pub(super) fn commit(self) -> Reached<()> {
        self.client.reach(|transport, url| transport.commit(url, &self.context))
    }
}

/// The rows of a block.
pub(super) fn rows<'j>(data: &'j Json, block: &str) -> &'j [Json] {
    data[block].as_array().map_or(&[], |rows| rows.as_slice())
}
