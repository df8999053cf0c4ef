//! Web pages and the gate: on both ports, before anything runs, and GET never writes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::client::{Running, start, start_with};

/// The status of a request with all its headers given, and its whole answer.
fn raw(address: SocketAddr, head: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("a local socket works");
    let length = body.len();
    let text = format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).expect("a local socket works");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("a local socket works");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no status: {answer}")), answer)
}

fn lua(server: &Running) -> SocketAddr {
    server.url.trim_start_matches("http://").parse().expect("a local socket works")
}

fn count(server: &Running) -> String {
    let own = format!("POST /gremlin HTTP/1.1\r\nHost: {}", server.gremlin);
    raw(server.gremlin, &own, r#"{"gremlin": "g.V().count()"}"#).1
}

#[test]
fn a_page_of_another_origin_reaches_no_route_of_either_port() {
    let server = start();
    let foreign = "Origin: http://evil.example";
    for (address, line, body) in [
        (server.gremlin, "GET /gremlin?gremlin=g.addV(%22x%22)", ""),
        (server.gremlin, "POST /gremlin", r#"{"gremlin": "g.addV('x')"}"#),
        (server.gremlin, "OPTIONS /gremlin", ""),
        (server.gremlin, "GET /nowhere", ""),
        (lua(&server), "POST /db/one/lua", r#"NodeTypeInsert("E")"#),
        (lua(&server), "POST /dbs/evil", ""),
        (lua(&server), "DELETE /dbs/one", ""),
        (lua(&server), "GET /backup", ""),
        (lua(&server), "POST /load/one", ""),
        (lua(&server), "GET /health", ""),
    ] {
        let head = format!("{line} HTTP/1.1\r\nHost: {address}\r\n{foreign}");
        let (status, answer) = raw(address, &head, body);
        assert_eq!(status, 403, "{line}: {answer}");
        assert!(answer.contains("listen.origins"), "{answer}");
        let rebound = format!(
            "{line} HTTP/1.1\r\nHost: evil.example:8182\r\nOrigin: http://evil.example:8182"
        );
        let (status, answer) = raw(address, &rebound, body);
        assert_eq!(status, 421, "{line}: {answer}");
        assert!(answer.contains("listen.hosts"), "{answer}");
        assert!(!answer.contains("ccess-control"), "{answer}");
    }
    assert_eq!(server.shown("/dbs"), serde_json::json!(["one"]));
    assert_eq!(server.run("NodeTypesGet()"), serde_json::json!([]));
    let page = server.get("/metrics").body;
    assert!(page.contains("millrace_browser_requests_refused_total 20"), "{page}");
}

#[test]
fn a_page_of_another_origin_opens_no_web_socket() {
    let server = start();
    let handshake = |origin: &str| {
        let head = format!(
            "GET /gremlin HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nConnection: Upgrade{origin}",
            server.gremlin
        );
        let mut stream = TcpStream::connect(server.gremlin).expect("a local socket works");
        stream.write_all(format!("{head}\r\n\r\n").as_bytes()).expect("a local socket works");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("a local socket works");
        String::from_utf8_lossy(&first).into_owned()
    };
    assert_eq!(handshake("\r\nOrigin: http://evil.example"), "HTTP/1.1 403");
    assert_eq!(handshake("\r\nOrigin: null"), "HTTP/1.1 403");
    assert_eq!(handshake(""), "HTTP/1.1 101");
    assert_eq!(handshake(&format!("\r\nOrigin: http://{}", server.gremlin)), "HTTP/1.1 101");
}

#[test]
fn a_page_of_a_listed_origin_may_ask_and_reads_the_answer() {
    let server = start_with(|settings| {
        settings.listen.origins = "https://app.example.com".to_owned();
    });
    let address = server.gremlin;
    let from = format!("HTTP/1.1\r\nHost: {address}\r\nOrigin: https://app.example.com");
    let asks = format!(
        "OPTIONS /gremlin {from}\r\nAccess-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type"
    );
    let (status, answer) = raw(address, &asks, "");
    assert_eq!(status, 204);
    assert!(answer.contains("access-control-allow-headers: content-type"), "{answer}");
    let (status, answer) =
        raw(address, &format!("POST /gremlin {from}"), r#"{"gremlin": "g.inject(1)"}"#);
    assert_eq!(status, 200);
    assert!(answer.contains("access-control-allow-origin: https://app.example.com"), "{answer}");
}

#[test]
fn get_never_writes() {
    let server = start();
    let address = server.gremlin;
    let get = |query: &str| {
        raw(address, &format!("GET /gremlin?gremlin={query} HTTP/1.1\r\nHost: {address}"), "")
    };
    assert!(count(&server).contains(r#""@value":0"#));
    for write in [
        "g.addV(%22x%22)",
        "g.V().drop()",
        "g.addV(%22x%22).iterate();g.tx().commit();g.V()",
        "g.mergeV([(T.label):%22x%22])",
        "g.inject(1).addV(%22x%22)",
        "x=g.addV(%22x%22).next();1",
    ] {
        let (status, answer) = get(write);
        assert_eq!(status, 405, "{write}: {answer}");
        assert!(answer.contains("use POST") && answer.contains("allow: POST"), "{answer}");
    }
    assert!(count(&server).contains(r#""@value":0"#));
    assert_eq!(get("g.V().count()").0, 200);
    assert_eq!(get("g.V().hasLabel(%22x%22).profile()").0, 200);
    // A wrong traversal gets the usual error.
    assert_eq!(get("g.V().nosuch()").0, 500);
}

#[test]
fn get_makes_no_graph() {
    let server = start_with(|_| {});
    for (query, expected) in [("g.V()", 200), ("g.addV()", 405)] {
        let head = format!("GET /gremlin?gremlin={query} HTTP/1.1\r\nHost: {}", server.gremlin);
        let (status, answer) = raw(server.gremlin, &head, "");
        assert_eq!(status, expected, "{answer}");
    }
    assert_eq!(server.shown("/dbs"), serde_json::json!([]));
}
