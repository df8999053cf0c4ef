//! Error kinds to HTTP statuses: the one table of all protocols over HTTP.
//!
//! A status tells the client its remedy: mend the request, retry it, wait.

use millrace_model::{Error, ErrorKind};

/// The status of a request that failed. No wait makes a database writable that is open to be read only.
pub fn of_error(error: &Error) -> u16 {
    match error.is_of_read_only_database() {
        true => of_kind(ErrorKind::Forbidden),
        false => of_kind(error.kind),
    }
}

fn of_kind(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::BadQuery | ErrorKind::BadInput | ErrorKind::Failed => 400,
        ErrorKind::Forbidden => 403,
        ErrorKind::NotFound => 404,
        ErrorKind::Constraint | ErrorKind::Conflict | ErrorKind::AlreadyExists => 409,
        ErrorKind::LimitReached => 413,
        ErrorKind::OutcomeUnknown | ErrorKind::Corrupt | ErrorKind::Io | ErrorKind::Bug => 500,
        ErrorKind::Unsupported => 501,
        ErrorKind::Cancelled | ErrorKind::ReadOnly | ErrorKind::Unavailable => 503,
        ErrorKind::DeadlineExceeded => 504,
    }
}
