//! Answers over HTTP: JSON, packed where the client takes it.

use std::io::Write;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response as HttpResponse, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use millrace_db::Client;
use millrace_model::Error;
use millrace_wire::dql::{Code, Failure, Refused};

use crate::dql::{Denied, DeniedKind};
use crate::limits::{PACKED_ANSWER_BYTES_MIN, PACKED_ANSWER_INLINE_BYTES_MAX};
use crate::state::State;

/// The type of answers.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An answer.
pub(super) struct Answer {
    status: StatusCode,
    text: String,
    kind: HeaderValue,
    /// The methods that the path takes.
    allow: &'static str,
}

/// Why there is no other answer.
pub(super) enum Failed {
    /// The request failed.
    Request(Failure),
    /// It did not arrive whole.
    Body(u16, Failure),
    /// Its client may not ask.
    Denied(Denied),
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Failed {
        Failed::Request(failure)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Request(Failure::of(&error))
    }
}

impl Failed {
    pub(super) fn into_answer(self) -> Answer {
        match self {
            Failed::Request(failure) => Answer::failed(&failure),
            Failed::Body(status, failure) => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
                Answer { status, ..Answer::failed(&failure) }
            }
            Failed::Denied(Denied { message, kind }) => match kind {
                DeniedKind::LogIn => Answer::failed(&Failure::new(Code::Unauthorized, message)),
                DeniedKind::Wrong => Answer::failed(&Failure::new(Code::InvalidRequest, message)),
                DeniedKind::Busy => {
                    let failure = Failure::new(Code::Error, message).without_data();
                    let status = StatusCode::SERVICE_UNAVAILABLE;
                    Answer { status, ..Answer::failed(&failure) }
                }
            },
        }
    }
}

impl Answer {
    /// A request that succeeded.
    pub(super) fn new(text: String) -> Answer {
        Answer { status: StatusCode::OK, text, kind: JSON, allow: "" }
    }

    /// A word for people.
    pub(super) fn plain(text: &str) -> Answer {
        let kind = HeaderValue::from_static("text/plain; charset=utf-8");
        Answer { kind, ..Answer::new(text.to_owned()) }
    }

    /// A request that failed.
    pub(super) fn failed(failure: &Failure) -> Answer {
        Answer::new(failure.body())
    }

    /// A path or a method that is not served.
    pub(super) fn refused(refused: Refused) -> Answer {
        let Refused { status, failure, allow } = refused;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
        let text = failure.map(|failure| failure.body()).unwrap_or_default();
        Answer { status, allow, ..Answer::new(text) }
    }

    /// The response; packed on a thread of the pool where it is long.
    pub(super) async fn into_http(self, state: &State, packs: bool) -> HttpResponse<Body> {
        let Answer { status, text, kind, allow } = self;
        let is_empty = text.is_empty();
        let (bytes, is_packed) = match packs && PACKED_ANSWER_BYTES_MIN <= text.len() {
            false => (text.into_bytes(), false),
            true if text.len() <= PACKED_ANSWER_INLINE_BYTES_MAX => packed(text.into_bytes()),
            true => {
                let packing = move || packed(text.into_bytes());
                match state.executor.answer(Client::default(), packing).await {
                    Ok(packed) => packed,
                    Err(error) => (Failure::of(&error).body().into_bytes(), false),
                }
            }
        };
        let mut response = HttpResponse::new(Body::from(bytes));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        if !is_empty {
            headers.insert(header::CONTENT_TYPE, kind);
        }
        if is_packed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if !allow.is_empty() {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// Bytes as gzip; as they are where that fails.
fn packed(bytes: Vec<u8>) -> (Vec<u8>, bool) {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    match encoder.write_all(&bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => (packed, true),
        Err(_) => (bytes, false),
    }
}

/// Whether a client takes gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings =
        values.filter_map(|value| value.to_str().ok()).flat_map(|text| text.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|own| own.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| 0.0 < weight)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_clients_that_name_it_with_a_weight() {
        let of = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(text));
            accepts_gzip(&headers)
        };
        assert!(of("gzip") && of("deflate, GZIP;q=0.5") && of("br,gzip"));
        assert!(!of("") && !of("gzip;q=0") && !of("identity") && !of("xgzip"));
    }
}
