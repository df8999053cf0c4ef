//! A response: a status, a content type and bytes.
//!
//! An error is a JSON string; the header `Millrace-Error` names its kind, for programs.

use millrace_model::{Error, Value};

use super::status;
use crate::json;

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

    /// A text that is JSON already.
    pub fn json(text: String) -> Response {
        Response::of(200, "application/json", text)
    }

    /// A text, as a JSON string.
    pub fn text(status: u16, text: &str) -> Response {
        Response::value(status, &Value::from(text))
    }

    /// A request that failed.
    pub fn error(error: &Error) -> Response {
        let response = Response::text(status::of_error(error), &error.to_string());
        Response { error: Some(error.kind.word()), ..response }
    }
}
