//! What all requests share: the database, how many are under way, how to stop them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use millrace_db::{CancelFlag, Database, RequestLimits};
use millrace_model::{Error, ErrorKind, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::browsers::Browsers;
use crate::connections::Connections;
use crate::metrics::HttpMetrics;
use crate::users::Users;
use crate::workers::Workers;

/// The state of a server.
pub(crate) struct State {
    pub(crate) database: Arc<Database>,
    pub(crate) metrics: HttpMetrics,
    pub(crate) started: Instant,
    is_ready: AtomicBool,
    permits: Arc<Semaphore>,
    next_request: AtomicU64,
    under_way: Mutex<HashMap<u64, CancelFlag>>,
    /// The users; `None`: no client has to log in.
    pub(crate) users: Option<Arc<Users>>,
    /// Which web pages may ask.
    pub(crate) browsers: Browsers,
    /// The threads that run requests that seldom wait.
    pub(crate) workers: Workers,
    /// Sessions that there are.
    pub(crate) sessions: AtomicU64,
    /// Bounds of connections, and what they hold.
    pub(crate) connections: Connections,
    /// Held by each connection.
    alive: watch::Sender<()>,
}

/// A request that was let in. Dropped, also because its client went away, it is cancelled, unless its
/// flag is that of a connection.
pub(crate) struct Admitted {
    state: Arc<State>,
    number: u64,
    cancel: Option<CancelFlag>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.cancel.iter().for_each(CancelFlag::cancel);
        self.state.requests().remove(&self.number);
    }
}

impl State {
    pub(crate) fn new(database: Arc<Database>) -> Result<State> {
        let requests_max = usize::try_from(database.settings().http.requests_max);
        let permits = requests_max.unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let users = Users::of(&database.settings().users)?.map(Arc::new);
        let browsers = Browsers::of(&database.settings().listen)?;
        Ok(State {
            users,
            browsers,
            workers: Workers::start()?,
            sessions: AtomicU64::new(0),
            connections: Connections::new(&database)?,
            alive: watch::Sender::new(()),
            database,
            metrics: HttpMetrics::default(),
            started: Instant::now(),
            is_ready: AtomicBool::new(true),
            permits: Arc::new(Semaphore::new(permits)),
            next_request: AtomicU64::new(0),
            under_way: Mutex::default(),
        })
    }

    /// What a connection holds until it has ended.
    pub(crate) fn connect(&self) -> watch::Receiver<()> {
        self.alive.subscribe()
    }

    /// When no connection is left.
    pub(crate) async fn connections_ended(&self) {
        self.alive.closed().await;
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<u64, CancelFlag>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a request in, or says that there are too many.
    pub(crate) fn admit(self: &Arc<State>, limits: &RequestLimits) -> Result<Admitted> {
        let mut admitted = self.admit_one_of_many(limits)?;
        admitted.cancel = Some(limits.cancel.clone());
        Ok(admitted)
    }

    /// The same for a request that shares its flag with all requests of its connection.
    pub(crate) fn admit_one_of_many(self: &Arc<State>, limits: &RequestLimits) -> Result<Admitted> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(|_| {
            let most = self.database.settings().http.requests_max;
            let detail = format!("{most} requests are under way, which is the limit");
            Error::new(ErrorKind::Unavailable, detail).with_help("try again later")
        })?;
        let number = self.next_request.fetch_add(1, Ordering::Relaxed);
        self.requests().insert(number, limits.cancel.clone());
        Ok(Admitted { state: Arc::clone(self), number, cancel: None, _permit: permit })
    }

    /// Whether requests are taken.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }

    /// From now on the server says that it is not ready.
    pub(crate) fn begin_to_stop(&self) {
        self.is_ready.store(false, Ordering::Relaxed);
    }

    /// Cancels what is under way.
    pub(crate) fn cancel_all(&self) {
        self.requests().values().for_each(CancelFlag::cancel);
    }

    /// How many requests are under way.
    pub(crate) fn under_way_count(&self) -> usize {
        self.requests().len()
    }
}
