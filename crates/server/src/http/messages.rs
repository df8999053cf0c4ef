//! Common parts of the listeners over HTTP: bodies, headers that change the limits of a request, responses.

use axum::body::Body;
use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Response as HttpResponse, StatusCode, header,
};
use millrace_db::RequestLimits;
use millrace_db::store::Isolation;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::http::Response;

use crate::connections::{self, Held, Unread};
use crate::state::State;

/// The header that gives a request another deadline.
const DEADLINE_HEADER: HeaderName = HeaderName::from_static("millrace-deadline-ms");

/// The header that lets a request hold less.
const BYTES_HEADER: HeaderName = HeaderName::from_static("millrace-bytes-max");

/// The header that lets a script answer less.
const ANSWER_HEADER: HeaderName = HeaderName::from_static("millrace-answer-bytes-max");

/// The header that asks for a transaction that is isolated otherwise.
const ISOLATION_HEADER: HeaderName = HeaderName::from_static("millrace-isolation");

/// The header that names the kind of an error.
const ERROR_HEADER: &str = "millrace-error";

/// The whole body, or the status of why it was not read.
pub(crate) async fn whole(state: &State, body: Body) -> std::result::Result<Held, (u16, Error)> {
    let bytes_max = state.database.settings().http.body_bytes_max;
    connections::whole(&state.connections.bodies, body, bytes_max).await.map_err(|unread| {
        let status = match &unread {
            Unread::TooLong => 413,
            Unread::NoRoom(_) => 503,
            Unread::TooSlow(_) => 408,
            Unread::CutOff(_) => 400,
        };
        (status, unread.error(bytes_max, "http.body-bytes-max"))
    })
}

/// The isolation of a header, if it is there.
pub(crate) fn isolation(headers: &HeaderMap) -> Result<Option<Isolation>> {
    let Some(header) = headers.get(&ISOLATION_HEADER) else { return Ok(None) };
    match header.as_bytes() {
        b"snapshot" => Ok(Some(Isolation::Snapshot)),
        b"serializable" => Ok(Some(Isolation::Serializable)),
        _ => {
            let detail = format!("{ISOLATION_HEADER} is neither `snapshot` nor `serializable`");
            Err(Error::new(ErrorKind::BadInput, detail))
        }
    }
}

/// The number of a header, if it is there.
fn asked(headers: &HeaderMap, name: &HeaderName, most: u64) -> Result<Option<u64>> {
    let Some(header) = headers.get(name) else { return Ok(None) };
    let number = header.to_str().ok().and_then(|text| text.trim().parse::<u64>().ok());
    match number.filter(|number| (1..=most).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => {
            let detail = format!("{name} must be a whole number from 1 to {most}");
            Err(Error::new(ErrorKind::BadInput, detail))
        }
    }
}

/// A response, whole or streamed.
pub(crate) enum Answer {
    /// All of it.
    Whole(Response),
    /// A body of some type, as it is made.
    Stream(&'static str, Body),
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        Answer::Whole(response)
    }
}

impl Answer {
    /// The status, and the response with its headers.
    pub(crate) fn into_http(self) -> (u16, HttpResponse<Body>) {
        match self {
            Answer::Whole(response) => (response.status, to_http(response)),
            Answer::Stream(content_type, body) => {
                let mut response = HttpResponse::new(body);
                let kind = HeaderValue::from_static(content_type);
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                (200, response)
            }
        }
    }
}

/// The limits of a request: a usual deadline and the bounds of the settings, changed by headers.
pub(crate) fn limits_of(
    state: &State,
    headers: &HeaderMap,
    usual_ms: u64,
) -> Result<RequestLimits> {
    let settings = state.database.settings();
    // The operator's deadline for a route is always within the bound for its clients.
    let most = settings.query.deadline_max.max(usual_ms);
    let deadline_ms = asked(headers, &DEADLINE_HEADER, most)?.unwrap_or(usual_ms);
    let mut limits = RequestLimits::within(deadline_ms, settings);
    if let Some(bytes) = asked(headers, &BYTES_HEADER, limits.bytes_max)? {
        limits.bytes_max = bytes;
    }
    if let Some(bytes) = asked(headers, &ANSWER_HEADER, limits.answer_bytes_max)? {
        limits.answer_bytes_max = bytes;
    }
    limits.isolation = isolation(headers)?.unwrap_or(limits.isolation);
    Ok(limits)
}

/// A response with its headers.
fn to_http(response: Response) -> HttpResponse<Body> {
    let mut answer = HttpResponse::new(Body::from(response.body));
    *answer.status_mut() =
        StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let fixed = HeaderValue::from_static;
    let headers = [
        (header::CONTENT_TYPE, response.content_type.map(fixed)),
        (HeaderName::from_static(ERROR_HEADER), response.error.map(fixed)),
        (header::ALLOW, response.allow.and_then(|methods| HeaderValue::try_from(methods).ok())),
    ];
    for (name, value) in headers {
        value.and_then(|value| answer.headers_mut().insert(name, value));
    }
    answer
}
