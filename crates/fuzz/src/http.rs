//! Requests of the HTTP interface: any method, path, query and body, to a message or a refusal.

use millrace_wire::ragedb::{ROUTES, parse};

/// Between the parts of a request: method, path, query, body.
const PART_END: u8 = b'\n';

/// Bodies that some route reads.
const BODIES: [&str; 4] = ["", "{\"a\": 1}", "[1, \"x\", null, {\"b\": 2.5}]", "\"text\""];

/// A request for every route, its names filled in, with each kind of body.
pub fn seeds() -> Vec<Vec<u8>> {
    let with = |(number, route): (usize, &millrace_wire::ragedb::Route)| {
        let path = route.pattern.replace("{id}", "7").replace("{id2}", "8");
        let path = path.replace("{operation}", "GTE").replace("{data_type}", "integer_list");
        let path = path.replace("{options…}", "out/A&B").replace(['{', '}'], "");
        let (method, body) = (route.method.word(), BODIES[number % BODIES.len()]);
        format!("{method}\n{path}\nskip=1&limit=%32&kind=range\n{body}").into_bytes()
    };
    ROUTES.iter().enumerate().map(with).collect()
}

/// Reads a request; a second read gives the same, and a refusal has an answer.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(4, |byte| *byte == PART_END);
    let mut text = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (method, path, query) = (text(), text(), text());
    let query = (!query.is_empty()).then_some(query.as_str());
    let body = parts.next().unwrap_or_default();
    let message = parse(&method, &path, query, body);
    match &message {
        Err(refusal) => assert!(400 <= refusal.response().status, "a refusal is an error"),
        // NaN is not itself, and JSON has none.
        Ok(_) => assert!(message == parse(&method, &path, query, body), "read twice, not the same"),
    }
}
