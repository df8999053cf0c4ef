//! Endless requests of one client do not stop those of others, and no client asks for a longer deadline
//! than the operator allows.

use std::io::Write;
use std::net::TcpStream;

use super::socket::{Socket, eval};
use crate::client::{Running, start, start_with};

const ENDLESS: &str = "g.inject(1).repeat(identity()).until(is(2))";

/// An hour: far longer than a test may wait.
const LONG_MS: &str = "3600000";

/// The number of a metric.
fn metric(server: &Running, name: &str) -> f64 {
    let page = server.get("/metrics").body;
    let line = page.lines().find(|line| line.split(' ').next() == Some(name));
    line.and_then(|line| line.rsplit(' ').next())
        .expect("as the test has it")
        .parse()
        .expect("as the test has it")
}

/// Requests that are sent, with answers that are not read.
fn send_and_wait_for_none(url: &str, count: usize, path: &str, body: &str) -> Vec<TcpStream> {
    let address = url.strip_prefix("http://").expect("as the test has it");
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nMillrace-Deadline-Ms: {LONG_MS}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let open = |_| {
        let mut stream = TcpStream::connect(address).expect("as the test has it");
        stream.write_all(request.as_bytes()).expect("as the test has it");
        stream
    };
    (0..count).map(open).collect()
}

#[test]
fn seventy_endless_requests_of_one_connection_stop_no_other_client() {
    let server = start_with(|settings| settings.query.deadline_max = 3_600_000);
    let mut endless = Socket::open(server.gremlin);
    endless.options.timeout_ms = Some(3_600_000);
    for _ in 0..70 {
        endless.send(eval(ENDLESS));
    }
    let mut other = Socket::open(server.gremlin);
    assert_eq!(other.count("g.inject(1).count()"), 1);
    // By now more of them run than there are threads for short requests.
    while metric(&server, "millrace_workers_long") < 65.0 {
        assert_eq!(other.count("g.inject(1).count()"), 1);
    }
    let url = format!("http://{}", server.gremlin);
    let body = br#"{"gremlin": "g.inject(1).count()"}"#;
    let headers = [("Content-Type", "application/json")];
    assert_eq!(server.send_to(&url, "POST", "/gremlin", &headers, body).status, 200);
    assert_eq!(server.get("/dbs").status, 200);
}

#[test]
fn endless_scripts_do_not_stop_the_other_scripts_of_their_graph() {
    let server = start_with(|settings| {
        settings.query.deadline_max = 3_600_000;
        settings.scripts.interpreters_max = 4;
    });
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let script = "while true do end\n1";
    let endless = send_and_wait_for_none(&server.url, 8, "/ro/one/lua", script);
    while metric(&server, "millrace_http_requests_under_way") < 8.0 {
        assert_eq!(server.post("/ro/one/lua", "1 + 1").body, "2");
    }
    assert_eq!(server.post("/ro/one/lua", "1 + 1").body, "2");
    drop(endless);
}

#[test]
fn endless_queries_of_the_page_leave_threads_to_short_ones() {
    let server = start_with(|settings| settings.query.deadline_max = 3_600_000);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let query = serde_json::json!({ "language": "gremlin", "text": ENDLESS });
    let endless = send_and_wait_for_none(&server.admin, 70, "/query/g", &query.to_string());
    let mut other = Socket::open(server.gremlin);
    // By now more of them run than there are threads for short requests.
    while metric(&server, "millrace_workers_long") < 65.0 {
        assert_eq!(other.count("g.inject(1).count()"), 1);
    }
    assert_eq!(other.count("g.inject(1).count()"), 1);
    drop(endless);
}

#[test]
fn a_client_asks_for_no_longer_deadline_than_the_operator_allows() {
    let server = start_with(|settings| settings.query.deadline_max = 100);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let mut socket = Socket::open(server.gremlin);
    for asked in [3_600_000, 0] {
        socket.options.timeout_ms = Some(asked);
        let (code, message) = socket.fail(eval(ENDLESS));
        assert_eq!(code, 598, "{message}");
    }
    // The deadline of `/ro` is longer than that: an operator gave it.
    let headers = [("Millrace-Deadline-Ms", LONG_MS)];
    let refused = server.send("POST", "/ro/one/lua", &headers, b"1");
    assert_eq!((refused.status, refused.error.as_deref()), (400, Some("bad-input")));
}

#[test]
fn a_header_asks_for_isolation_and_a_wrong_word_is_refused() {
    let server = start();
    let send = |word| server.send("POST", "/rw/one/lua", &[("Millrace-Isolation", word)], b"1 + 1");
    assert_eq!(send("serializable").body, "2");
    assert_eq!(send("snapshot").body, "2");
    let refused = send("strict");
    assert_eq!((refused.status, refused.error.as_deref()), (400, Some("bad-input")));
    assert!(refused.body.contains("serializable"), "{refused:?}");
    let url = format!("http://{}", server.gremlin);
    let ask = |body: &[u8], word| {
        let headers = [("Content-Type", "application/json"), ("Millrace-Isolation", word)];
        server.send_to(&url, "POST", "/gremlin", &headers, body).status
    };
    let body = br#"{"gremlin": "g.inject(1)"}"#;
    assert_eq!((ask(body, "serializable"), ask(body, "strict")), (200, 400));
    let body = br#"{"gremlin": "g.inject(1)", "isolation": "serializable"}"#;
    assert_eq!(ask(body, "snapshot"), 200);
}
