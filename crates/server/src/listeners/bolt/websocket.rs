//! The beginning of a WebSocket on the port of Bolt: the head of its request, and the answer.
//!
//! Only browsers connect so: the gate before all routes stands here, too.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use millrace_model::{Error, ErrorKind, Result};
use tungstenite::handshake::derive_accept_key;

use crate::state::State;

/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// The end of a head.
const END: &[u8] = b"\r\n\r\n";

/// The answer to a request, and the bytes behind it; `None`: more have to arrive. An error is answered, too.
pub(super) fn answer(state: &State, bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
    let Some(end) = bytes.windows(END.len()).position(|part| part == END) else {
        if HEAD_BYTES_MAX < bytes.len() {
            return Err(bad("its head is too long"));
        }
        return Ok(None);
    };
    let headers = headers(&bytes[..end]).ok_or_else(|| bad("its head cannot be read"))?;
    state.browsers.check(&headers)?;
    let has = |name: HeaderName, word: &str| {
        let texts = headers.get_all(name).iter().filter_map(|text| text.to_str().ok());
        texts.flat_map(|text| text.split(',')).any(|own| own.trim().eq_ignore_ascii_case(word))
    };
    if !has(header::UPGRADE, "websocket") || !has(header::SEC_WEBSOCKET_VERSION, "13") {
        return Err(bad("it does not ask for a WebSocket of version 13"));
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY).ok_or_else(|| bad("it has no key"))?;
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-accept: {accept}\r\n\r\n"
    );
    Ok(Some((answer.into_bytes(), end + END.len())))
}

/// The answer to a request that is refused.
pub(super) fn refusal(error: &Error) -> Vec<u8> {
    let (status, text) = match error.kind {
        ErrorKind::Forbidden => ("403 Forbidden", error.to_string()),
        _ => ("400 Bad Request", error.to_string()),
    };
    let length = text.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{text}"
    )
    .into_bytes()
}

/// The headers behind the first line of a head.
fn headers(head: &[u8]) -> Option<HeaderMap> {
    let text = std::str::from_utf8(head).ok()?;
    let mut headers = HeaderMap::new();
    for line in text.split("\r\n").skip(1) {
        let (name, value) = line.split_once(':')?;
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        headers.append(name, HeaderValue::from_str(value.trim()).ok()?);
    }
    Some(headers)
}

fn bad(detail: &str) -> Error {
    let error =
        Error::new(ErrorKind::BadInput, format!("an HTTP request on the Bolt port: {detail}"));
    error.with_help("connect with a Bolt driver; HTTP has its own ports")
}
