//! Error kinds to HTTP statuses and words: the one table of all protocols over HTTP.
//!
//! A status tells the client its remedy: mend the request, retry it, wait.

use millrace_model::{Error, ErrorKind};

/// The status of a request that failed. No wait makes a database writable that is open to be read only.
pub fn of_error(error: &Error) -> u16 {
    match error.is_of_read_only_database() {
        true => row(ErrorKind::Forbidden).1,
        false => row(error.kind).1,
    }
}

/// The word of a kind, as the header `Millrace-Error` shows it.
pub fn kind_word(kind: ErrorKind) -> &'static str {
    row(kind).0
}

fn row(kind: ErrorKind) -> (&'static str, u16) {
    match kind {
        ErrorKind::BadQuery => ("bad-query", 400),
        ErrorKind::BadInput => ("bad-input", 400),
        ErrorKind::Failed => ("failed", 400),
        ErrorKind::Unsupported => ("unsupported", 501),
        ErrorKind::Constraint => ("constraint", 409),
        ErrorKind::Conflict => ("conflict", 409),
        ErrorKind::NotFound => ("not-found", 404),
        ErrorKind::AlreadyExists => ("already-exists", 409),
        ErrorKind::LimitReached => ("limit-reached", 413),
        ErrorKind::DeadlineExceeded => ("deadline-exceeded", 504),
        ErrorKind::Cancelled => ("cancelled", 503),
        ErrorKind::Forbidden => ("forbidden", 403),
        ErrorKind::ReadOnly => ("read-only", 503),
        ErrorKind::OutcomeUnknown => ("outcome-unknown", 500),
        ErrorKind::Unavailable => ("unavailable", 503),
        ErrorKind::Corrupt => ("corrupt", 500),
        ErrorKind::Io => ("io", 500),
        ErrorKind::Bug => ("bug", 500),
    }
}
