//! The requests under way: a description of each, and how it is cancelled.
//!
//! A request is listed from when it is let in until it is answered. Each has a cancel flag of its own; the end
//! of a WebSocket cancels all of its requests.
//!
//! It lists and cancels. Letting a request in belongs to `state`.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use millrace_db::{CancelFlag, Database, QueryText};
use millrace_model::{Error, ErrorKind, Result, Value};

use crate::connections::Peer;

/// The description of a request, for the list.
pub(crate) struct Description {
    /// The kind of its route, as metrics have it.
    pub(crate) kind: &'static str,
    /// Its text and language, if it is a query.
    pub(crate) text: Option<QueryText>,
    /// The graph that it asks, if it asks one.
    pub(crate) graph: Option<Arc<str>>,
    /// The client.
    pub(crate) peer: Peer,
    /// The WebSocket that it came by.
    pub(crate) socket: Option<SocketNumber>,
}

/// The number of a WebSocket in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SocketNumber(pub(crate) u64);

/// The progress of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Progress {
    /// It waits for a thread.
    Waiting,
    /// It runs.
    Running,
    /// It waits until its commit is visible.
    Committing,
    /// It waits until its client has read the bytes sent so far.
    Sending,
}

impl Progress {
    const ALL: [(Progress, &'static str); 4] = [
        (Progress::Waiting, "waiting"),
        (Progress::Running, "running"),
        (Progress::Committing, "committing"),
        (Progress::Sending, "sending"),
    ];
}

/// A request under way.
pub(crate) struct Entry {
    number: u64,
    description: Description,
    began: Instant,
    progress: AtomicU8,
    cancel: CancelFlag,
}

impl Entry {
    /// Its number in the list.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Sets its progress.
    pub(crate) fn note(&self, progress: Progress) {
        self.progress.store(progress as u8, Ordering::Relaxed);
    }

    /// Its language and the kind of its route, if it is a query.
    pub(crate) fn query(&self) -> Option<(&'static str, &'static str)> {
        let text = self.description.text.as_ref()?;
        Some((text.language(), self.description.kind))
    }

    /// How long it has been under way.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Its progress, as a word.
    fn state(&self) -> Option<&'static str> {
        let progress = self.progress.load(Ordering::Relaxed);
        let state = Progress::ALL.iter().find(|(known, _)| *known as u8 == progress);
        state.map(|(_, word)| *word)
    }

    fn client(&self) -> SocketAddr {
        let peer = &self.description.peer;
        SocketAddr::new(peer.address, peer.port())
    }

    fn listed(&self) -> Listed {
        Listed {
            number: self.number,
            kind: self.description.kind,
            graph: self.description.graph.clone(),
            text: self.description.text.as_ref().map(|text| text.redacted(None)),
            elapsed: self.elapsed(),
            client: self.client(),
            socket: self.description.socket.map(|socket| socket.0),
            state: self.state(),
            is_cancelled: self.cancel.is_cancelled(),
        }
    }

    fn show(&self, database: &Database) -> Value {
        let graph = self.description.graph.as_deref();
        let catalog = graph
            .and_then(|name| database.find_graph(name).ok().flatten())
            .and_then(|graph| Some(graph.store().snapshot().ok()?.catalog()));
        let text = self.description.text.as_ref();
        let or_null = |text: Option<&str>| text.map_or(Value::Null, Value::from);
        let redacted = text.map(|text| text.redacted(catalog.as_deref()));
        let (state, client) = (self.state(), self.client());
        let millis = self.began.elapsed().as_secs_f64() * 1_000.0;
        let pairs = [
            ("number", Value::I64(i64::try_from(self.number).unwrap_or(i64::MAX))),
            ("kind", Value::from(self.description.kind)),
            ("language", or_null(text.map(QueryText::language))),
            ("graph", or_null(graph)),
            ("text", or_null(redacted.as_deref())),
            ("since_ms", Value::F64((millis * 1_000.0).round() / 1_000.0)),
            ("client", Value::from(client.to_string().as_str())),
            ("state", or_null(state)),
        ];
        Value::map(pairs.into_iter().map(|(name, value)| (Value::from(name), value)).collect())
    }
}

/// A request under way, as it is now.
pub(crate) struct Listed {
    /// Its number in the list.
    pub(crate) number: u64,
    /// The kind of its route.
    pub(crate) kind: &'static str,
    /// The graph that it asks, if it asks one.
    pub(crate) graph: Option<Arc<str>>,
    /// Its text without literals, if it is a query.
    pub(crate) text: Option<String>,
    /// How long it has been under way.
    pub(crate) elapsed: Duration,
    /// The address of its client.
    pub(crate) client: SocketAddr,
    /// The WebSocket that it came by.
    pub(crate) socket: Option<u64>,
    /// Its progress, as a word.
    pub(crate) state: Option<&'static str>,
    /// Whether it was asked to stop.
    pub(crate) is_cancelled: bool,
}

/// All requests under way.
#[derive(Default)]
pub(crate) struct UnderWay {
    last: AtomicU64,
    last_socket: AtomicU64,
    entries: Mutex<HashMap<u64, Arc<Entry>>>,
}

impl UnderWay {
    fn entries(&self) -> MutexGuard<'_, HashMap<u64, Arc<Entry>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for a new WebSocket.
    pub(crate) fn new_socket(&self) -> SocketNumber {
        SocketNumber(self.last_socket.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Lists a request that was let in.
    pub(crate) fn begin(&self, description: Description, cancel: CancelFlag) -> Arc<Entry> {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let progress = AtomicU8::new(Progress::Waiting as u8);
        let entry = Entry { number, description, began: Instant::now(), progress, cancel };
        let entry = Arc::new(entry);
        self.entries().insert(number, Arc::clone(&entry));
        entry
    }

    /// Lists it no more.
    pub(crate) fn end(&self, number: u64) {
        self.entries().remove(&number);
    }

    /// The number of requests under way.
    pub(crate) fn count(&self) -> usize {
        self.entries().len()
    }

    /// Those there are now, oldest first.
    fn oldest_first(&self) -> Vec<Arc<Entry>> {
        let mut entries: Vec<Arc<Entry>> = self.entries().values().cloned().collect();
        entries.sort_by_key(|entry| entry.number);
        entries
    }

    /// The list, oldest first.
    pub(crate) fn show(&self, database: &Database) -> Value {
        Value::list(self.oldest_first().iter().map(|entry| entry.show(database)).collect())
    }

    /// The same as plain data.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        self.oldest_first().iter().map(|entry| entry.listed()).collect()
    }

    /// Cancels one.
    pub(crate) fn cancel(&self, number: u64) -> Result<()> {
        match self.entries().get(&number) {
            Some(entry) => {
                entry.cancel.cancel();
                Ok(())
            }
            None => {
                let detail = format!("there is no running request {number}");
                Err(Error::new(ErrorKind::NotFound, detail).with_help("GET /queries lists them"))
            }
        }
    }

    /// Cancels those of a WebSocket.
    pub(crate) fn cancel_socket(&self, socket: SocketNumber) {
        let entries = self.entries();
        let own = entries.values().filter(|entry| entry.description.socket == Some(socket));
        own.for_each(|entry| entry.cancel.cancel());
    }

    /// Cancels all.
    pub(crate) fn cancel_all(&self) {
        self.entries().values().for_each(|entry| entry.cancel.cancel());
    }
}
