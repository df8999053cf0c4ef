//! Requests of Gremlin's protocol: any frame, query or body to a request or a refusal.

use millrace_wire::gremlin::{Frame, Refusal, http, read_frame};

use crate::graphbinary::{inputs, unhex};

/// Requests that the Python driver sends.
const BINARY: &str = include_str!("../../wire/tests/vectors/graphbinary-requests.md");
const JSON: &str = include_str!("../../wire/tests/vectors/graphson3-requests.md");
const TEXT: &str = include_str!("../../wire/tests/gremlin/requests/text.md");

/// The id of a request that comes without one.
const ID: [u8; 16] = [7; 16];

/// Requests of every kind; the first byte says which.
pub fn seeds() -> Vec<Vec<u8>> {
    let kind = |kind: u8, bytes: &[u8]| [&[kind], bytes].concat();
    let binary = inputs(BINARY).map(|text| kind(0, &unhex(text)));
    let json = inputs(JSON).map(|text| kind(0, text.as_bytes()));
    let text = inputs(TEXT).map(|text| kind(1, text.as_bytes()));
    let query = kind(2, b"gremlin=g.V(x)&bindings.x=1&aliases.g=gmodern&batchSize=%32");
    let body =
        kind(3, b"{\"gremlin\":\"g.V(x)\",\"bindings\":{\"x\":1},\"aliases\":{\"g\":\"a\"}}");
    binary.chain(json).chain(text).chain([query, body]).collect()
}

/// Reads a request; a refusal has an answer that can be written.
pub fn run(bytes: &[u8]) {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    match kind {
        0 => frame(Frame::Binary(rest)),
        1 => frame(Frame::Text(&text)),
        2 => http::read_query(&text, ID).map(drop).unwrap_or_else(|refusal| answered(&refusal)),
        _ => {
            let kinds = ["application/json", "application/vnd.graphbinary-v1.0"];
            let request = http::read_body(Some(kinds[usize::from(kind & 1)]), rest, ID);
            request.map(drop).unwrap_or_else(|refusal| answered(&refusal));
        }
    }
}

fn frame(frame: Frame<'_>) {
    if let (form, Err(refusal)) = read_frame(frame) {
        assert!(!form.write(&refusal.response()).is_empty(), "a refusal has an answer");
    }
}

fn answered(refusal: &Refusal) {
    assert!(400 <= http::refusal_body(refusal).status, "a refusal is an error");
}
