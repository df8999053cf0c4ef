//! What goes back: a status, a content type and bytes.
//!
//! The errors of scripts have RageDB's shape: HTML, [`SCRIPT_ERROR_PREFIX`] and the text of Lua; all
//! others are a JSON string. Both name the error's kind in the header `Millrace-Error`, for programs.

use millrace_model::{Error, ErrorKind, Value};

use super::status;
use crate::json;

/// What the body of a failed script begins with.
pub const SCRIPT_ERROR_PREFIX: &str = "An exception has occurred: ";

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The type of the body; `None` if there is no body.
    pub content_type: Option<&'static str>,
    /// The kind of the error, if it is one: the header `Millrace-Error`.
    pub error: Option<&'static str>,
    /// The methods the path knows, for a wrong one: the header `Allow`.
    pub allow: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// The word of a kind, as the header `Millrace-Error` shows it.
pub fn kind_word(kind: ErrorKind) -> &'static str {
    status::row(kind).0
}

impl Response {
    /// No body.
    pub fn empty(status: u16) -> Response {
        Response { status, content_type: None, error: None, allow: None, body: Vec::new() }
    }

    /// A body of some type.
    pub fn of(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Response {
        let content_type = Some(content_type);
        Response { content_type, body: body.into(), ..Response::empty(status) }
    }

    /// A value, as JSON.
    pub fn value(status: u16, value: &Value) -> Response {
        Response::of(status, "application/json", json::to_json(value))
    }

    /// The answer of a script, which is JSON text already.
    pub fn script(answer: String) -> Response {
        Response::of(200, "application/json", answer)
    }

    /// A text, as a JSON string.
    pub fn text(status: u16, text: &str) -> Response {
        Response::value(status, &Value::from(text))
    }

    /// A request that failed.
    pub fn error(error: &Error) -> Response {
        let response = Response::text(status::of_request(error.kind), &error.to_string());
        Response { error: Some(kind_word(error.kind)), ..response }
    }

    /// A script that failed; `text` is what Lua says.
    pub fn script_error(kind: ErrorKind, text: &str) -> Response {
        let body = format!("{SCRIPT_ERROR_PREFIX}{text}");
        let response = Response::of(status::of_script(kind), "text/html", body);
        Response { error: Some(kind_word(kind)), ..response }
    }

    /// RageDB's answer to a script without text.
    pub fn empty_script() -> Response {
        let response = Response::text(400, "Empty script");
        Response { error: Some(kind_word(ErrorKind::BadInput)), ..response }
    }
}
