//! The sessions of a connection: each runs its requests one by one, and ends with the connection.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use millrace_db::session::{Session, SessionMode};
use millrace_model::{Error, ErrorKind, Result};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::run::Job;
use crate::limits::SESSIONS_MAX;
use crate::state::State;

/// A message to a session.
enum SessionMessage {
    Run(Box<Job>, SessionMode),
    /// End; called back when it has.
    End(Box<dyn FnOnce() + Send>),
}

/// The sessions of a connection, by name.
pub(super) struct Sessions {
    state: Arc<State>,
    by_name: HashMap<String, UnboundedSender<SessionMessage>>,
}

impl Sessions {
    pub(super) fn new(state: Arc<State>) -> Sessions {
        Sessions { state, by_name: HashMap::new() }
    }

    /// Queues a request of a session, which begins with its first one. A request that cannot be queued is returned.
    pub(super) fn run(
        &mut self,
        name: &str,
        mode: SessionMode,
        job: Job,
    ) -> std::result::Result<(), Box<(Job, Error)>> {
        let session = match self.session(name) {
            Ok(session) => session,
            Err(error) => return Err(Box::new((job, error))),
        };
        let Err(refused) = session.send(SessionMessage::Run(Box::new(job), mode)) else {
            return Ok(());
        };
        self.by_name.remove(name);
        let detail = format!("session {name} was idle for too long and was rolled back");
        let error = Error::new(ErrorKind::NotFound, detail).with_help(
            "the setting is gremlin.session-idle-ms; the next request begins a new session",
        );
        match refused.0 {
            SessionMessage::Run(job, _) => Err(Box::new((*job, error))),
            SessionMessage::End(_) => Ok(()),
        }
    }

    fn session(&mut self, name: &str) -> Result<&UnboundedSender<SessionMessage>> {
        if !self.by_name.contains_key(name) {
            if SESSIONS_MAX <= self.by_name.len() {
                let detail = format!("a connection has at most {SESSIONS_MAX} sessions");
                let error = Error::new(ErrorKind::LimitReached, detail);
                return Err(error.with_help("close sessions that are no longer needed"));
            }
            let (sender, messages) = unbounded_channel();
            let idle =
                Duration::from_millis(self.state.database.settings().gremlin.session_idle_ms);
            tokio::spawn(live(Arc::clone(&self.state), messages, idle));
            self.by_name.insert(name.to_owned(), sender);
        }
        let session = self.by_name.get(name);
        session.ok_or_else(|| Error::new(ErrorKind::Bug, "a session that was just made is missing"))
    }

    /// Ends a session after its queued requests: its open transaction is rolled back. One that is not there has
    /// ended.
    pub(super) fn end(&mut self, name: &str, then: impl FnOnce() + Send + 'static) {
        let then: Box<dyn FnOnce() + Send> = Box::new(then);
        let sent = match self.by_name.remove(name) {
            Some(session) => session.send(SessionMessage::End(then)).map_err(|refused| refused.0),
            None => Err(SessionMessage::End(then)),
        };
        if let Err(SessionMessage::End(then)) = sent {
            then();
        }
    }
}

/// Counts a session while it is there.
struct Counted(Arc<State>);

impl Counted {
    fn new(state: &Arc<State>) -> Counted {
        state.sessions.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(state))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.sessions.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs the requests of a session until it ends, its connection does, or it does nothing for too long.
async fn live(state: Arc<State>, mut messages: UnboundedReceiver<SessionMessage>, idle: Duration) {
    let _counted = Counted::new(&state);
    let mut session = Session::default();
    while let Ok(Some(next)) = tokio::time::timeout(idle, messages.recv()).await {
        match next {
            SessionMessage::End(then) => {
                drop(session);
                return then();
            }
            SessionMessage::Run(job, mode) => {
                let (own, client) = (Arc::clone(&state), job.request.limits.client);
                let ran = state.executor.answer(client, move || {
                    job.run_in(&own, &mut session, mode);
                    session
                });
                // A thread that is gone took the session with it.
                let Ok(left) = ran.await else { return };
                session = left;
            }
        }
    }
}
