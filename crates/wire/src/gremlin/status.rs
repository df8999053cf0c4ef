//! Status codes: the one table of this protocol.
//!
//! A driver repeats a request that failed with 596, so only errors that a repeat may cure have this
//! code. HTTP has codes of its own, and says the protocol's code nowhere.

use millrace_model::{Error, ErrorKind};

/// The last frame, and it has results.
pub const SUCCESS: u16 = 200;
/// There are no results.
pub const NO_CONTENT: u16 = 204;
/// Results, and more to come.
pub const PARTIAL_CONTENT: u16 = 206;
/// The client failed to authenticate.
pub const UNAUTHORIZED: u16 = 401;
/// Not allowed.
pub const FORBIDDEN: u16 = 403;
/// The client must authenticate, under the same request id.
pub const AUTHENTICATE: u16 = 407;
/// Longer than a message may be; over WebSocket the connection is closed with 1009 instead.
pub const TOO_LONG: u16 = 413;
/// A body came too slowly.
pub const TOO_SLOW: u16 = 408;
/// The queue is full, or logins failed too often.
pub const TOO_MANY_REQUESTS: u16 = 429;
/// The bytes are no message.
pub const UNREADABLE: u16 = 497;
/// There is no such operation.
pub const MALFORMED: u16 = 498;
/// The operation cannot have these arguments.
pub const BAD_ARGUMENTS: u16 = 499;
/// A bug of ours, or damage.
pub const SERVER_ERROR: u16 = 500;
/// The traversal reached its `fail()`.
pub const FAIL_STEP: u16 = 595;
/// Not now: run it again.
pub const TEMPORARY: u16 = 596;
/// The traversal is wrong or failed.
pub const EVALUATION: u16 = 597;
/// The deadline passed.
pub const TIMEOUT: u16 = 598;
/// A result has no form in the format.
pub const UNWRITABLE: u16 = 599;

/// The code of an error while a request ran.
pub fn of_error(error: &Error) -> u16 {
    match error.is_of_read_only_database() {
        true => FORBIDDEN,
        false => of_kind(error.kind),
    }
}

/// The code of a kind of error.
pub fn of_kind(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::BadQuery => EVALUATION,
        ErrorKind::BadInput => EVALUATION,
        ErrorKind::Failed => FAIL_STEP,
        ErrorKind::Unsupported => EVALUATION,
        ErrorKind::Constraint => EVALUATION,
        ErrorKind::Conflict => TEMPORARY,
        ErrorKind::NotFound => EVALUATION,
        ErrorKind::AlreadyExists => EVALUATION,
        ErrorKind::LimitReached => EVALUATION,
        ErrorKind::DeadlineExceeded => TIMEOUT,
        ErrorKind::Cancelled => EVALUATION,
        ErrorKind::Forbidden => FORBIDDEN,
        ErrorKind::ReadOnly => TEMPORARY,
        ErrorKind::OutcomeUnknown => SERVER_ERROR,
        ErrorKind::Unavailable => TEMPORARY,
        ErrorKind::Corrupt => SERVER_ERROR,
        ErrorKind::Io => SERVER_ERROR,
        ErrorKind::Bug => SERVER_ERROR,
    }
}

/// The status of HTTP for a code.
pub fn http(code: u16) -> u16 {
    match code {
        SUCCESS | NO_CONTENT | PARTIAL_CONTENT => 200,
        UNAUTHORIZED | AUTHENTICATE => 401,
        FORBIDDEN => 403,
        TOO_LONG => 413,
        TOO_SLOW => 408,
        TOO_MANY_REQUESTS => 429,
        UNREADABLE | MALFORMED | BAD_ARGUMENTS => 400,
        TEMPORARY => 503,
        _ => 500,
    }
}
