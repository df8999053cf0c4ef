//! HTTP: a query or a body to the same requests, and one body back.
//!
//! ```text
//!   GET  /gremlin?gremlin=g.V(x)&bindings.x=1&aliases.g=gmodern
//!   POST /gremlin   {"gremlin": "g.V(x)", "bindings": {"x": 1}, "language": …, "aliases": {…}}
//!   POST /gremlin   a message, with or without its mime type in front, as drivers send it
//! ```
//!
//! A binding in a query string is text, since a query string has no types. An error has one form,
//! `{"message", "requestId"}`, whatever the client accepts.

use millrace_model::{Error, ErrorKind, Value, uuid};

use super::arguments;
use super::datum::Datum;
use super::format::{self, Format};
use super::frame::split_mime;
use super::graphson;
use super::graphson::json::Json;
use super::message::{parse, read_json_request, read_request, uuid, write_response};
use super::request::{Refusal, Request, RequestId};
use super::response::Response;
use super::status;
use crate::http::target::query_pairs;
use crate::json::write_string;
use crate::limits::SHOWN_CHARACTERS_MAX;

/// The mime type of errors.
pub const ERROR_TYPE: &str = "application/json";

/// The beginning of a frame in a body, behind the length of its mime type.
const FRAME_TYPE: &[u8] = b"application/";

/// How a body is sent.
const BODY_EXAMPLE: &str =
    r#"such as curl http://127.0.0.1:8182/gremlin -d '{"gremlin": "g.V().count()"}'"#;

/// How a query is asked.
const QUERY_EXAMPLE: &str = "such as /gremlin?gremlin=g.V().count(), or send a body by POST";

/// The default type of curl, which says nothing of the body.
const FORM_TYPE: &str = "application/x-www-form-urlencoded";

/// A body, its mime type and HTTP's status.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// HTTP's status.
    pub status: u16,
    /// The mime type.
    pub content_type: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads the query of a GET. A request without an id gets `id`.
pub fn read_query(query: &str, id: RequestId) -> Result<Request, Refusal> {
    let refuse = |error| Refusal { id: Some(id), code: status::BAD_ARGUMENTS, error };
    let pairs = query_pairs(query).map_err(refuse)?;
    let mut arguments = Vec::new();
    let (mut bindings, mut aliases) = (Vec::new(), Vec::new());
    for (name, text) in pairs {
        let (into, name) = match name.split_once('.') {
            Some(("bindings", name)) => (&mut bindings, name),
            Some(("aliases", name)) => (&mut aliases, name),
            _ => (&mut arguments, name.as_str()),
        };
        into.push((Datum::Value(Value::from(name)), Datum::Value(Value::from(text.as_str()))));
    }
    for (name, pairs) in [("bindings", bindings), ("aliases", aliases)] {
        if !pairs.is_empty() {
            arguments.push((Datum::Value(Value::from(name)), Datum::map(pairs)));
        }
    }
    let has_text = arguments.iter().any(|(name, _)| *name == Datum::Value(Value::from("gremlin")));
    let request = arguments::request(id, "eval", "", Datum::map(arguments));
    request.map_err(|refusal| with_example(refusal, !has_text, QUERY_EXAMPLE))
}

/// Reads the body of a POST by its `Content-Type`. A request without an id gets `id`.
pub fn read_body(
    content_type: Option<&str>,
    body: &[u8],
    id: RequestId,
) -> Result<Request, Refusal> {
    let unreadable = |error| Refusal { id: Some(id), code: status::UNREADABLE, error };
    let name = match content_type {
        // A body without a type, or with curl's default one, is JSON.
        None | Some(FORM_TYPE) => ERROR_TYPE,
        Some(name) => name,
    };
    let Some(format) = Format::of_mime(name) else {
        let detail = format!("there is no format `{name}`");
        let error = Error::new(ErrorKind::BadInput, detail);
        return Err(unreadable(error.with_help(format!("known: {}", Format::known()))));
    };
    // A driver may send a whole frame as the body. The length of its mime type may look like a space.
    let is_framed = match (format, body.first()) {
        (_, None) => false,
        (Format::GraphBinary, Some(first)) => *first < 0x80,
        (Format::GraphSon(_), Some(_)) => body[1..].starts_with(FRAME_TYPE),
    };
    let (format, body) =
        if is_framed { split_mime(body).map_err(unreadable)? } else { (format, body) };
    if format == Format::GraphBinary {
        return read_request(body, format);
    }
    let json = parse(body).map_err(|refusal| Refusal {
        id: Some(id),
        code: refusal.code,
        error: no_object(body, refusal.error),
    })?;
    if json.get("args").is_some() {
        return read_json_request(&json);
    }
    let id = json.get("requestId").and_then(uuid).unwrap_or(id);
    let refuse = |code, error| Refusal { id: Some(id), code, error };
    if !matches!(json, Json::Object(_)) {
        let detail = format!("the body is an object, and no {}", json.kind());
        let error = Error::new(ErrorKind::BadInput, detail).with_help(BODY_EXAMPLE);
        return Err(refuse(status::MALFORMED, error));
    }
    let arguments = graphson::datum(&json).map_err(|error| refuse(status::BAD_ARGUMENTS, error))?;
    let request = arguments::request(id, "eval", "", arguments);
    request.map_err(|refusal| with_example(refusal, json.get("gremlin").is_none(), BODY_EXAMPLE))
}

/// A refusal with an example, if the request has nothing to run.
fn with_example(refusal: Refusal, is_missing: bool, example: &str) -> Refusal {
    let Refusal { id, code, error } = refusal;
    let error = if is_missing { error.with_help(example) } else { error };
    Refusal { id, code, error }
}

/// The error for a body that is no JSON: its beginning, and an example.
fn no_object(body: &[u8], error: Error) -> Error {
    if body.trim_ascii_start().starts_with(b"{") {
        return error.with_help(BODY_EXAMPLE);
    }
    let text = String::from_utf8_lossy(body);
    let begin: String = text.chars().take(SHOWN_CHARACTERS_MAX).collect();
    let detail = match begin.is_empty() {
        true => "the body is empty, and should be a JSON object with `gremlin`".to_owned(),
        false => format!("the body is not a JSON object with `gremlin`: it begins with `{begin}`"),
    };
    Error::new(ErrorKind::BadInput, detail).with_help(BODY_EXAMPLE)
}

/// The mime type and format of the answer, by the request's `Accept`.
pub fn choose(accept: Option<&str>, id: RequestId) -> Result<(&'static str, Format), Refusal> {
    format::accepted(accept).ok_or_else(|| {
        let detail = format!("no format fits `Accept: {}`", accept.unwrap_or_default());
        let error = Error::new(ErrorKind::BadInput, detail);
        let error = error.with_help(format!("known: {}", Format::known()));
        Refusal { id: Some(id), code: status::MALFORMED, error }
    })
}

/// The one body of an answer: all results, each as often as its bulk says, or an error.
pub fn body(response: &Response, (content_type, format): (&'static str, Format)) -> Body {
    if 400 <= response.code {
        return error_body(response.id, response.code, &response.message);
    }
    // As Gremlin Server has it, no results are an empty list by HTTP; only frames are 204.
    let empty = (response.code == status::NO_CONTENT).then(|| Response {
        code: status::SUCCESS,
        data: Datum::List(Vec::new()),
        ..response.clone()
    });
    match write_response(empty.as_ref().unwrap_or(response), format) {
        Ok(bytes) => Body { status: status::http(response.code), content_type, bytes },
        Err(error) => error_body(response.id, status::UNWRITABLE, &error.to_string()),
    }
}

/// The body of a request that is none.
pub fn refusal_body(refusal: &Refusal) -> Body {
    error_body(refusal.id, refusal.code, &refusal.error.to_string())
}

fn error_body(id: Option<RequestId>, code: u16, message: &str) -> Body {
    let mut text = String::from("{\"message\":");
    write_string(&mut text, message);
    text.push_str(",\"requestId\":");
    match id {
        Some(id) => write_string(&mut text, &uuid::text(id)),
        None => text.push_str("null"),
    }
    text.push('}');
    Body { status: status::http(code), content_type: ERROR_TYPE, bytes: text.into_bytes() }
}
