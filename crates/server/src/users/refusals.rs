//! Logins that are refused: their responses, and their counters.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use millrace_model::{Error, ErrorKind};
use millrace_wire::gremlin::status;

use crate::monitoring::events;

/// A login that was refused.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The error for the client.
    pub(crate) error: Error,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// There were no name and password, or none that can be read.
    Missing,
    /// They are not those of a user.
    Wrong,
    /// Too many failed before.
    Delayed(Duration),
    /// Too many are checked just now.
    Busy,
}

impl Refused {
    fn of(why: Why, kind: ErrorKind, detail: &str, help: &str) -> Refused {
        Refused { why, error: Error::new(kind, detail).with_help(help) }
    }

    /// A request without a name and a password.
    pub(super) fn missing() -> Refused {
        let help = "send the header Authorization: Basic …";
        Refused::of(Why::Missing, ErrorKind::Forbidden, "a name and a password are needed", help)
    }

    /// A header that holds no name and password.
    pub(super) fn unreadable(error: Error) -> Refused {
        Refused { error, why: Why::Missing }
    }

    /// The message reveals neither which of the two is wrong nor whether the name is known.
    pub(super) fn wrong() -> Refused {
        let error = Error::new(ErrorKind::Forbidden, "the name or the password is wrong");
        Refused { error, why: Why::Wrong }
    }

    /// Too many failed before.
    pub(super) fn delayed(wait: Duration) -> Refused {
        let detail = "too many logins of this user or from this address have failed";
        let help = format!("try again in {} s", seconds(wait));
        Refused::of(Why::Delayed(wait), ErrorKind::LimitReached, detail, &help)
    }

    /// Too many are checked just now.
    pub(super) fn busy() -> Refused {
        let detail = "too many logins are being checked";
        Refused::of(Why::Busy, ErrorKind::Unavailable, detail, "try again later")
    }

    /// There was no room, or no thread, to check it.
    pub(super) fn without(error: Error) -> Refused {
        let error = Error { kind: ErrorKind::Unavailable, ..error };
        Refused { error, why: Why::Busy }
    }

    /// The status of HTTP.
    pub(crate) fn status(&self) -> u16 {
        status::http(self.code())
    }

    /// The code of Gremlin.
    pub(crate) fn code(&self) -> u16 {
        match self.why {
            Why::Missing | Why::Wrong => status::UNAUTHORIZED,
            Why::Delayed(_) => status::TOO_MANY_REQUESTS,
            Why::Busy => status::TEMPORARY,
        }
    }

    /// Adds the response headers: the login scheme, or the time after which to try again.
    pub(crate) fn put_headers(&self, headers: &mut HeaderMap) {
        match self.why {
            Why::Missing | Why::Wrong => {
                let challenge = HeaderValue::from_static("Basic realm=\"millrace\"");
                headers.insert(header::WWW_AUTHENTICATE, challenge);
            }
            Why::Delayed(wait) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds(wait)));
            }
            Why::Busy => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(1));
            }
        }
    }
}

/// The whole seconds after which a wait is over.
fn seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000) as u64
}

/// The counters of refused logins.
#[derive(Default)]
pub(super) struct Refusals {
    wrong: AtomicU64,
    delayed: AtomicU64,
    busy: AtomicU64,
}

impl Refusals {
    /// The number of refusals, by reason.
    pub(super) fn counts(&self) -> [(&'static str, u64); 3] {
        [("wrong", &self.wrong), ("delayed", &self.delayed), ("busy", &self.busy)]
            .map(|(word, count)| (word, count.load(Ordering::Relaxed)))
    }

    /// Counts and logs one. `user` is a name that is known: another may be a password in the wrong field.
    pub(super) fn note(&self, refused: &Refused, user: Option<&str>, address: IpAddr) {
        let count = match refused.why {
            Why::Missing => return,
            Why::Wrong => &self.wrong,
            Why::Delayed(_) => &self.delayed,
            Why::Busy => &self.busy,
        };
        count.fetch_add(1, Ordering::Relaxed);
        events::refused_login(address, user, &refused.error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_login_scheme_or_the_delay() {
        for (refused, status, name, value) in [
            (Refused::wrong(), 401, header::WWW_AUTHENTICATE, "Basic realm=\"millrace\""),
            (Refused::delayed(Duration::from_millis(1_200)), 429, header::RETRY_AFTER, "2"),
            (Refused::busy(), 503, header::RETRY_AFTER, "1"),
        ] {
            let mut headers = HeaderMap::new();
            refused.put_headers(&mut headers);
            assert_eq!(refused.status(), status);
            assert_eq!(headers.get(name).unwrap(), value);
        }
    }
}
