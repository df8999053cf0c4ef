//! Error kinds to HTTP statuses: the one table of this protocol.
//!
//! There are two columns, since RageDB's clients know one status for whatever a *script* did wrong
//! (400), while a request as such says what the client can do: mend it, retry it, wait.

use millrace_model::ErrorKind;

/// The status of a request that failed.
pub fn of_request(kind: ErrorKind) -> u16 {
    row(kind).1
}

/// The status of a script that failed.
pub fn of_script(kind: ErrorKind) -> u16 {
    row(kind).2
}

/// The word of a kind, the status of a request, the status of a script.
pub(super) fn row(kind: ErrorKind) -> (&'static str, u16, u16) {
    match kind {
        ErrorKind::BadQuery => ("bad-query", 400, 400),
        ErrorKind::BadInput => ("bad-input", 400, 400),
        ErrorKind::Failed => ("failed", 400, 400),
        ErrorKind::Unsupported => ("unsupported", 501, 400),
        ErrorKind::Constraint => ("constraint", 409, 400),
        ErrorKind::Conflict => ("conflict", 409, 409),
        ErrorKind::NotFound => ("not-found", 404, 400),
        ErrorKind::AlreadyExists => ("already-exists", 409, 400),
        ErrorKind::LimitReached => ("limit-reached", 413, 400),
        ErrorKind::DeadlineExceeded => ("deadline-exceeded", 504, 400),
        ErrorKind::Cancelled => ("cancelled", 503, 503),
        ErrorKind::Forbidden => ("forbidden", 403, 403),
        ErrorKind::ReadOnly => ("read-only", 503, 503),
        ErrorKind::OutcomeUnknown => ("outcome-unknown", 500, 500),
        ErrorKind::Unavailable => ("unavailable", 503, 503),
        ErrorKind::Corrupt => ("corrupt", 500, 500),
        ErrorKind::Io => ("io", 500, 500),
        ErrorKind::Bug => ("bug", 500, 500),
    }
}
