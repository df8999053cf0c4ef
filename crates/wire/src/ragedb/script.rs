//! Responses to scripts, as RageDB sends them.
//!
//! A failed script is HTML: [`SCRIPT_ERROR_PREFIX`] and the text of Lua. RageDB's clients know one status
//! for everything that a *script* did wrong (400), so scripts have a table of their own.

use millrace_model::{Error, ErrorKind};

use crate::http::Response;

/// The beginning of the body of a failed script.
pub const SCRIPT_ERROR_PREFIX: &str = "An exception has occurred: ";

/// A script that failed; `text` is the message of Lua.
pub fn script_error(error: &Error, text: &str) -> Response {
    let body = format!("{SCRIPT_ERROR_PREFIX}{text}");
    let response = Response::of(status_of_script(error), "text/html", body);
    Response { error: Some(error.kind.word()), ..response }
}

/// The response to a script without text.
pub fn empty_script() -> Response {
    let response = Response::text(400, "Empty script");
    Response { error: Some(ErrorKind::BadInput.word()), ..response }
}

fn status_of_script(error: &Error) -> u16 {
    match error.kind {
        ErrorKind::BadQuery
        | ErrorKind::BadInput
        | ErrorKind::Failed
        | ErrorKind::Unsupported
        | ErrorKind::Constraint
        | ErrorKind::NotFound
        | ErrorKind::AlreadyExists
        | ErrorKind::LimitReached
        | ErrorKind::DeadlineExceeded => 400,
        ErrorKind::Conflict => 409,
        ErrorKind::ReadOnly if error.is_of_read_only_database() => 403,
        ErrorKind::Cancelled | ErrorKind::ReadOnly | ErrorKind::Unavailable => 503,
        ErrorKind::Forbidden => 403,
        ErrorKind::OutcomeUnknown | ErrorKind::Corrupt | ErrorKind::Io | ErrorKind::Bug => 500,
    }
}
