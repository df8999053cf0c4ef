//! Paths that need no query: what the server is, numbers in advance, methods, pages of other origins.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::{DQL, JSON, failure, get, pack, post, send, start, start_with, unpack};

#[test]
fn the_server_says_what_it_is() {
    let server = start();
    let health = get(&server, "/health").json();
    assert_eq!(
        (&health[0]["instance"], &health[0]["status"]),
        (&json!("alpha"), &json!("healthy"))
    );
    let version = health[0]["version"].as_str().unwrap();
    assert!(version.starts_with("v25."), "{version}");
    assert_eq!(health[0]["ee_features"], json!([]));
    let state = get(&server, "/state").json();
    assert_eq!(state["groups"]["1"]["members"]["1"]["leader"], true);
    let words = get(&server, "/ui/keywords").json();
    assert!(words["keywords"].as_array().unwrap().contains(&json!({"type": "", "name": "regexp"})));
    assert!(get(&server, "/").body.contains("Ratel"));
}

#[test]
fn uids_and_numbers_are_leased_in_advance_and_once() {
    let server = start();
    let assigned = |query: &str| get(&server, &format!("/assign?{query}")).json();
    let range = |query: &str| {
        let answer = assigned(query);
        let number = |name: &str| answer[name].as_str().unwrap().parse::<u64>().unwrap();
        (number("startId"), number("endId"))
    };
    let (first, last) = range("what=uids&num=70000");
    assert_eq!((first, last), (1, 70_000));
    assert_eq!(range("what=uids&num=1"), (70_001, 70_001));
    let (first, last) = range("what=timestamps&num=10");
    assert_eq!(last - first, 9);
    assert!(last < 1 << 53);
    assert!(last < range("what=timestamps&num=1").0);
    assert_eq!(failure(&assigned("what=uids&num=0")).0, "Nothing to be leased");
    assert!(failure(&assigned("what=uids&num=100000000")).0.contains("67108864"));
    assert!(failure(&assigned("what=nsids&num=1")).0.contains("CreateNamespace"));
}

#[test]
fn methods_and_paths_that_are_not_served_are_refused_with_what_is() {
    let server = start();
    let with = |method: &str, path: &str| server.send_to(&server.dql, method, path, &[], b"");
    let wrong = with("GET", "/query");
    assert_eq!(
        (wrong.status, failure(&wrong.json())),
        (400, ("Invalid method", "ErrorInvalidMethod"))
    );
    assert_eq!(with("DELETE", "/health").status, 400);
    assert_eq!((with("OPTIONS", "/query").status, with("OPTIONS", "/nowhere").status), (204, 404));
    assert_eq!(with("HEAD", "/health").status, 200);
    assert_eq!(with("GET", "/queries").status, 404);
    for path in ["/graphql", "/admin/schema"] {
        let refused = with("POST", path);
        assert_eq!(refused.status, 501);
        assert!(failure(&refused.json()).0.contains("Type.field"), "{path}");
    }
}

#[test]
fn pages_of_listed_origins_may_ask_and_no_others() {
    let server =
        start_with(|settings| settings.listen.origins = "http://localhost:8000".to_owned());
    let with = |origin: &str| {
        server.send_to(&server.dql, "POST", "/query", &[DQL, ("origin", origin)], b"{")
    };
    assert_eq!(with("http://localhost:8000").status, 200);
    assert_eq!(with("http://evil.example").status, 403);
    let headers = [
        ("origin", "http://localhost:8000"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "x-dgraph-accesstoken"),
    ];
    assert_eq!(server.send_to(&server.dql, "OPTIONS", "/query", &headers, b"").status, 204);
}

#[test]
fn a_packed_body_is_unpacked_and_a_bomb_is_refused() {
    let server = start_with(|settings| settings.http.body_bytes_max = 1 << 20);
    let packed = |body: &[u8]| {
        let headers = [DQL, ("content-encoding", "gzip")];
        server.send_to(&server.dql, "POST", "/query", &headers, body)
    };
    let long = format!("{{ q {}", " ".repeat(100_000));
    for text in ["{ q ", long.as_str()] {
        let plain = post(&server, "/query", DQL, text).json();
        assert_eq!(packed(&pack(text.as_bytes())).json(), plain);
    }
    let bomb = packed(&pack(&vec![b' '; 4 << 20]));
    assert_eq!(bomb.status, 413, "{bomb:?}");
    assert!(failure(&bomb.json()).0.contains("1048576"), "{bomb:?}");
    let wrong = packed(b"{ q(func: uid(1)) { uid } }");
    assert_eq!(wrong.status, 400, "{wrong:?}");
    let headers = [DQL, ("content-encoding", "br")];
    let other = server.send_to(&server.dql, "POST", "/query", &headers, b"x").json();
    assert_eq!(failure(&other).0, "Unsupported content encoding");
    assert_eq!(get(&server, "/health").status, 200);
}

#[test]
fn a_long_answer_is_packed_for_a_client_that_takes_it() {
    let server = start();
    let address = server.dql.trim_start_matches("http://");
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET /ui/keywords HTTP/1.1\r\nhost: {address}\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).unwrap();
    let at = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..at]).to_ascii_lowercase();
    assert!(head.contains("content-encoding: gzip"), "{head}");
    let plain = send(&server, "/ui/keywords", JSON, b"");
    assert_eq!(plain.status, 400);
    assert_eq!(unpack(&answer[at + 4..]), get(&server, "/ui/keywords").body);
}
