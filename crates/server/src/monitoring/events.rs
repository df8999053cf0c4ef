//! Events of the server for the log; `millrace_db::log_events` lists them.
//!
//! An event that clients can cause as often as they like is logged at most once in a while, with the number of
//! times it happened since.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use millrace_model::Error;

use crate::limits::LOGIN_LINE_EVERY;

/// How seldom something is logged that clients bring about.
const SELDOM: Duration = Duration::from_secs(10);

static LOGINS: Seldom = Seldom::every(LOGIN_LINE_EVERY);
static CONNECTIONS: Seldom = Seldom::every(SELDOM);
static ACCEPTS: Seldom = Seldom::every(SELDOM);

/// Lets one event through in a while, and counts the others.
struct Seldom {
    every: Duration,
    state: Mutex<(Option<Instant>, u64)>,
}

impl Seldom {
    const fn every(every: Duration) -> Seldom {
        Seldom { every, state: Mutex::new((None, 0)) }
    }

    /// How many were held back since the last one, if this one may be logged.
    fn take(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (last, others) = &mut *state;
        if last.is_some_and(|last| now.saturating_duration_since(last) < self.every) {
            *others += 1;
            return None;
        }
        *last = Some(now);
        Some(std::mem::take(others))
    }
}

/// A login was refused. `user` is a name that is known.
pub(crate) fn refused_login(peer: IpAddr, user: Option<&str>, error: &Error) {
    if let Some(others) = LOGINS.take(Instant::now()) {
        let user = user.unwrap_or("unknown");
        tracing::warn!(name: "refused-login", %peer, user, %error, others);
    }
}

/// A connection too many was refused.
pub(crate) fn too_many_connections(connections_max: u64) {
    if let Some(others) = CONNECTIONS.take(Instant::now()) {
        tracing::warn!(name: "too-many-connections", connections_max, others);
    }
}

/// The system refuses further connections for now.
pub(crate) fn accept_failed(error: &std::io::Error) {
    if let Some(others) = ACCEPTS.take(Instant::now()) {
        tracing::warn!(name: "accept-failed", %error, others);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_let_through_in_a_while_with_how_many_were_passed_over() {
        let (seldom, now) = (Seldom::every(SELDOM), Instant::now());
        let later = now + SELDOM;
        assert_eq!(seldom.take(now), Some(0));
        assert_eq!((seldom.take(now), seldom.take(now + SELDOM / 2)), (None, None));
        assert_eq!(seldom.take(later), Some(2));
        assert_eq!(seldom.take(later + SELDOM), Some(0));
    }
}
