//! A client of Dgraph's HTTP, and the address of the server that lives now.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// No answer takes so long.
const ANSWER_MAX: Duration = Duration::from_secs(120);

/// Why a request has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// It was not done, and may be tried again.
    Aborted,
    /// No whole answer came: it may have been done.
    Gone,
}

pub(super) type Reached<T> = Result<T, Failed>;

/// The server that lives now, and whether clients go on.
pub(super) struct Servers {
    /// How many there were, and the address of the last one.
    current: Mutex<(u64, String)>,
    changed: Condvar,
    is_over: AtomicBool,
    aborted: AtomicU64,
}

impl Servers {
    pub(super) fn at(url: &str) -> Servers {
        let (changed, is_over, aborted) = Default::default();
        Servers { current: Mutex::new((0, url.to_owned())), changed, is_over, aborted }
    }

    pub(super) fn move_to(&self, url: &str) {
        let mut current = self.current.lock().expect("no test panicked with it");
        *current = (current.0 + 1, url.to_owned());
        self.changed.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        let _current = self.current.lock();
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Lets so much time go by, or less if it is over.
    pub(super) fn wait_unless_over(&self, time: Duration) {
        let current = self.current.lock().expect("no test panicked with it");
        let goes_on = |_: &mut (u64, String)| !self.is_over();
        drop(self.changed.wait_timeout_while(current, time, goes_on));
    }

    /// How many transactions were aborted.
    pub(super) fn aborted(&self) -> u64 {
        self.aborted.load(Ordering::Relaxed)
    }
}

/// Ends all clients when one of them panics.
pub(super) struct EndsClients<'s>(pub(super) &'s Servers);

impl Drop for EndsClients<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// One client, one request after the other.
pub(super) struct Client<'s> {
    servers: &'s Servers,
    agent: ureq::Agent,
    seen: AtomicU64,
}

const JSON: &str = "application/json";
const DQL: &str = "application/dql";
const RDF: &str = "application/rdf";

impl Client<'_> {
    pub(super) fn new(servers: &Servers) -> Client<'_> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_MAX));
        Client { servers, agent: config.build().into(), seen: AtomicU64::new(0) }
    }

    /// Waits until another server lives than the one of the last request, or all is over.
    pub(super) fn wait_for_the_next(&self) {
        let seen = self.seen.load(Ordering::Relaxed);
        let current = self.servers.current.lock().expect("no test panicked with it");
        let is_same = |own: &mut (u64, String)| own.0 == seen && !self.servers.is_over();
        drop(self.servers.changed.wait_while(current, is_same));
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> Reached<Json> {
        let (number, url) = self.servers.current.lock().expect("no test panicked with it").clone();
        self.seen.store(number, Ordering::Relaxed);
        let request = self.agent.post(format!("{url}{path}")).content_type(kind);
        let mut response = request.send(body).map_err(|_| Failed::Gone)?;
        let answer = response.body_mut().read_to_string().map_err(|_| Failed::Gone)?;
        let answer: Json = serde_json::from_str(&answer).map_err(|_| Failed::Gone)?;
        match answer["errors"][0]["message"].as_str() {
            None => Ok(answer),
            Some(message) if message.contains("Please retry") => {
                self.servers.aborted.fetch_add(1, Ordering::Relaxed);
                Err(Failed::Aborted)
            }
            Some(_) => panic!("{path} {body}: {answer}"),
        }
    }

    pub(super) fn alter(&self, schema: &str) -> Reached<()> {
        self.post("/alter", DQL, schema).map(drop)
    }

    /// The data of a query in a snapshot of its own.
    pub(super) fn query(&self, text: &str) -> Reached<Json> {
        Ok(self.post("/query", DQL, text)?["data"].take())
    }

    /// Sets N-Quads, acknowledged when it returns.
    pub(super) fn set(&self, quads: &str) -> Reached<()> {
        self.post("/mutate?commitNow=true", RDF, &format!("{{ set {{\n{quads}\n}} }}")).map(drop)
    }

    /// Runs an upsert block, and returns the data of its query.
    pub(super) fn upsert(&self, block: &str) -> Reached<Json> {
        let mut answer =
            self.post("/mutate?commitNow=true", RDF, &format!("upsert {{ {block} }}"))?;
        Ok(answer["data"]["queries"].take())
    }

    /// A transaction that begins with its first request.
    pub(super) fn begin(&self) -> Transaction<'_> {
        Transaction { client: self, start_ts: 0, keys: Vec::new(), predicates: Vec::new() }
    }
}

/// A transaction over requests.
pub(super) struct Transaction<'c> {
    client: &'c Client<'c>,
    start_ts: u64,
    keys: Vec<Json>,
    predicates: Vec<Json>,
}

impl Transaction<'_> {
    fn note(&mut self, answer: &Json) {
        let context = &answer["extensions"]["txn"];
        self.start_ts = context["start_ts"].as_u64().expect("a transaction has a number");
        self.keys.extend(context["keys"].as_array().into_iter().flatten().cloned());
        self.predicates.extend(context["preds"].as_array().into_iter().flatten().cloned());
    }

    pub(super) fn query(&mut self, text: &str) -> Reached<Json> {
        let path = format!("/query?startTs={}", self.start_ts);
        let mut answer = self.client.post(&path, DQL, text)?;
        self.note(&answer);
        Ok(answer["data"].take())
    }

    pub(super) fn set(&mut self, quads: &str) -> Reached<()> {
        let path = format!("/mutate?startTs={}", self.start_ts);
        let answer = self.client.post(&path, RDF, &format!("{{ set {{\n{quads}\n}} }}"))?;
        self.note(&answer);
        Ok(())
    }

    pub(super) fn commit(self) -> Reached<()> {
        let body = json!({ "keys": self.keys, "preds": self.predicates }).to_string();
        self.client.post(&format!("/commit?startTs={}", self.start_ts), JSON, &body).map(drop)
    }
}

/// The rows of a block.
pub(super) fn rows<'j>(data: &'j Json, block: &str) -> &'j [Json] {
    data[block].as_array().map_or(&[], |rows| rows.as_slice())
}
