//! Answers that a client does not read: they count in the memory of the process, and make room in it.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::socket::{Socket, eval};
use super::wait_until;
use crate::client::{Running, start_with};

fn gauge(server: &Running, name: &str) -> f64 {
    let page = server.get("/metrics").body;
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}: {page}"))
}

fn answers(server: &Running) -> f64 {
    gauge(server, "millrace_memory_answers_bytes")
}

/// Asks for answers of a megabyte, and reads none.
fn ask_for(socket: &mut Socket, megabytes: usize) {
    socket.eval(&format!("g.addV('long').property('t', '{}')", "x".repeat(1 << 20)));
    for _ in 0..megabytes {
        socket.send(eval("g.V().hasLabel('long').values('t')"));
    }
}

#[test]
fn frames_that_a_client_does_not_read_are_counted_until_it_is_gone() {
    let server = start_with(|_| {});
    assert_eq!(answers(&server), 0.0);
    let mut socket = Socket::open(server.gremlin);
    ask_for(&mut socket, 16);
    // The system takes some of them.
    wait_until("unread frames are counted", || 4e6 < answers(&server));
    assert!(4e6 < gauge(&server, "millrace_memory_used_bytes"));
    drop(socket);
    wait_until("they are given back", || answers(&server) == 0.0);
}

#[test]
fn a_body_that_a_client_does_not_read_is_counted_until_it_has() {
    let server = start_with(|_| {});
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let address = server.url.trim_start_matches("http://");
    let mut socket = TcpStream::connect(address).unwrap();
    let script = "string.rep('x', 40000000)";
    let head = "POST /db/one/lua HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ";
    socket.write_all(format!("{head}{}\r\n\r\n{script}", script.len()).as_bytes()).unwrap();
    wait_until("the unread body is counted", || 40e6 < answers(&server));
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).unwrap();
    assert!(40_000_000 < bytes.len() && bytes.starts_with(b"HTTP/1.1 200"), "{}", bytes.len());
    wait_until("it is given back", || answers(&server) == 0.0);
}

/// Symptom: unread answers counted in no budget. Shape: connections that ask and never read. Bound: all
/// of memory, 16 MB a connection.
#[test]
fn the_connection_with_the_most_unread_answers_makes_room_for_a_query() {
    let server = start_with(|settings| {
        settings.memory.max = 26 << 20;
        settings.connections.bodies_bytes_max = 4 << 20;
    });
    assert_eq!(server.post("/dbs/lua", "").status, 200);
    let mut socket = Socket::open(server.gremlin);
    ask_for(&mut socket, 40);
    wait_until("unread frames are counted", || 15e6 < answers(&server));
    // It holds less than the connection, and there is no room for both.
    let script = "local t = {} for i = 1, 12 do t[i] = string.rep('x', 1000000 + i) end\n\
                  local s = os.clock() while os.clock() - s < 0.2 do NodeTypesGetCount() end\n#t";
    let closed = || {
        let page = server.get("/metrics").body;
        page.contains("millrace_connections_closed_total{reason=\"memory\"} 1\n")
    };
    wait_until("the connection is closed", || {
        server.post("/db/lua/lua", script);
        closed()
    });
    wait_until("its memory is given back", || answers(&server) == 0.0);
    assert_eq!(server.post("/db/lua/lua", script).body, "12");
}
