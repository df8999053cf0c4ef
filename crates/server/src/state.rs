//! State shared by all requests: the database, the requests under way, and the way to stop them.
//!
//! It holds what the modules below made and lets requests in. Protocols and sockets are above.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use axum::http::{Extensions, HeaderMap};
use millrace_db::{CancelFlag, Database, RequestLimits};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::auth::Credentials;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::browsers::Browsers;
use crate::connections::{Connections, Peer, peer_of};
use crate::executor::Executor;
use crate::monitoring::HttpMetrics;
use crate::procedures::procedures;
use crate::under_way::{Description, Entry, Progress, UnderWay};
use crate::users::{self, Refused, Users};

/// The state of a server.
pub(crate) struct State {
    pub(crate) database: Arc<Database>,
    pub(crate) metrics: HttpMetrics,
    pub(crate) started: Instant,
    is_ready: AtomicBool,
    permits: Arc<Semaphore>,
    /// The requests that were let in and not answered yet.
    pub(crate) under_way: Arc<UnderWay>,
    /// The users; `None`: no client has to log in.
    pub(crate) users: Option<Arc<Users>>,
    /// Which web pages may ask.
    pub(crate) browsers: Arc<Browsers>,
    /// Where requests run.
    pub(crate) executor: Executor,
    /// The language of queries over Bolt.
    pub(crate) bolt_language: &'static str,
    /// Open sessions.
    pub(crate) sessions: AtomicU64,
    /// Bounds of connections, and the memory they hold.
    pub(crate) connections: Arc<Connections>,
}

/// A request that was let in. Dropped, also because its client went away, it is cancelled, unless it came by a
/// WebSocket: the transaction of a session goes on with the flag of its last request.
pub(crate) struct Admitted {
    state: Arc<State>,
    entry: Arc<Entry>,
    cancel: Option<CancelFlag>,
    outcome: Option<std::result::Result<(), ErrorKind>>,
    _permit: OwnedSemaphorePermit,
}

impl Admitted {
    /// Sets the progress of the request.
    pub(crate) fn note(&self, progress: Progress) {
        self.entry.note(progress);
    }

    /// The request in the list of those under way.
    pub(crate) fn entry(&self) -> Arc<Entry> {
        Arc::clone(&self.entry)
    }

    /// It is answered; how it ended and how long it took is counted if it is a query.
    pub(crate) fn end(mut self, outcome: std::result::Result<(), ErrorKind>) {
        self.outcome = Some(outcome);
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.cancel.iter().for_each(CancelFlag::cancel);
        self.state.under_way.end(self.entry.number());
        if let (Some(outcome), Some(query)) = (self.outcome, self.entry.query()) {
            self.state.metrics.ended(query, outcome, self.entry.elapsed());
        }
    }
}

impl State {
    pub(crate) fn new(
        database: Arc<Database>,
        bolt_language: &'static str,
        users: Option<Users>,
    ) -> Result<State> {
        let users = users.map(Arc::new);
        let requests_max = usize::try_from(database.settings().http.requests_max);
        let permits = requests_max.unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let under_way = Arc::new(UnderWay::default());
        database.register_procedures(procedures(&under_way, users.as_ref(), database.settings()));
        let browsers = Arc::new(Browsers::of(&database.settings().listen)?);
        Ok(State {
            users,
            browsers,
            executor: Executor::start()?,
            bolt_language,
            sessions: AtomicU64::new(0),
            connections: Arc::new(Connections::new(&database)?),
            database,
            metrics: HttpMetrics::default(),
            started: Instant::now(),
            is_ready: AtomicBool::new(true),
            permits: Arc::new(Semaphore::new(permits)),
            under_way,
        })
    }

    /// Refuses a wrong name or password, where a login is required.
    pub(crate) async fn check_login(
        &self,
        credentials: Credentials,
        peer: Peer,
    ) -> std::result::Result<(), Refused> {
        let Some(users) = &self.users else { return Ok(()) };
        users.check((&self.executor, self.database.memory()), credentials, peer).await
    }

    /// Refuses an HTTP request without a valid login in its headers, where a login is required.
    pub(crate) async fn log_in(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> std::result::Result<(), Refused> {
        if self.users.is_none() {
            return Ok(());
        }
        self.check_login(users::credentials(headers)?, peer_of(extensions)).await
    }

    /// Admits a request; fails where too many are under way.
    pub(crate) fn admit(
        self: &Arc<State>,
        limits: &RequestLimits,
        description: Description,
    ) -> Result<Admitted> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| {
            let most = self.database.settings().http.requests_max;
            let detail = format!("{most} requests are in progress, which is the limit");
            Error::new(ErrorKind::Unavailable, detail).with_help("try again later")
        })?;
        let cancel = description.socket.is_none().then(|| limits.cancel.clone());
        let entry = self.under_way.begin(description, limits.cancel.clone());
        Ok(Admitted { state: Arc::clone(self), entry, cancel, outcome: None, _permit: permit })
    }

    /// Whether requests are taken.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }

    /// From now on the server reports that it is not ready.
    pub(crate) fn begin_to_stop(&self) {
        self.is_ready.store(false, Ordering::Relaxed);
    }
}
