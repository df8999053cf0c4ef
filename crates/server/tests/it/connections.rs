//! Clients that are slow, silent or too many, on raw sockets.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Running, start_with, start_with_ann};

/// How long a test waits for an effect of the server.
const PATIENCE: Duration = Duration::from_secs(60);

fn lua(server: &Running) -> SocketAddr {
    server.url.trim_start_matches("http://").parse().expect("the URL is an address")
}

/// A server that gives its clients little time.
fn impatient() -> Running {
    start_with(|settings| {
        let own = &mut settings.connections;
        own.head_ms = 200;
        own.idle_ms = 300;
        own.socket_idle_ms = 300;
        own.closing_ms = 200;
        own.body_window_ms = 200;
        own.body_rate_min = 10_000;
    })
}

fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).expect("it listens");
    socket.set_read_timeout(Some(PATIENCE)).expect("a socket has a timeout");
    socket.write_all(text.as_bytes()).expect("the server takes it");
    socket
}

/// All that the server sends until it closes.
fn until_closed(mut socket: TcpStream) -> String {
    let mut bytes = Vec::new();
    match socket.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "it closes in time");
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn gauge(server: &Running, name: &str) -> f64 {
    let page = server.get("/metrics").body;
    let line = page.lines().find(|line| line.starts_with(&format!("{name} ")));
    let number = line.and_then(|line| line.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}: {page}"))
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        thread::yield_now();
    }
}

const UPGRADE: &str = "GET /gremlin HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A WebSocket with frames that are written by hand.
fn upgraded(address: SocketAddr) -> TcpStream {
    let mut socket = connect(address, UPGRADE);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).expect("it becomes a WebSocket");
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{head:?}");
    socket
}

#[test]
fn a_head_that_does_not_end_and_a_connection_that_says_nothing_are_closed() {
    let server = impatient();
    for address in [lua(&server), server.gremlin] {
        for text in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n"] {
            assert_eq!(until_closed(connect(address, text)), "", "{text:?}");
        }
        // Byte by byte it takes no longer.
        let mut socket = connect(address, "");
        let began = Instant::now();
        while socket.write_all(b"G").is_ok() {
            assert!(began.elapsed() < PATIENCE, "it is never closed");
            thread::sleep(Duration::from_millis(5));
        }
    }
    assert!(server.get("/metrics").body.contains("closed_total{reason=\"head\"} "));
}

#[test]
fn a_body_that_stops_or_trickles_is_refused_and_closed() {
    let server = impatient();
    let posts = [(lua(&server), "/rw/one/lua"), (server.gremlin, "/gremlin")];
    for (address, path) in posts {
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\na");
        let answer = until_closed(connect(address, &head));
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("connections.body-rate-min"), "{answer}");
        let mut slow = connect(address, &head);
        let began = Instant::now();
        while slow.write_all(b"a").is_ok() {
            assert!(began.elapsed() < PATIENCE, "it is never closed");
            thread::sleep(Duration::from_millis(5));
        }
    }
    // A load that is only half there, too.
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let head =
        "POST /load/one?format=nquads HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\na";
    let answer = until_closed(connect(lua(&server), head));
    assert!(answer.contains("the body: too slow: less than"), "{answer}");
}

#[test]
fn connections_that_idle_are_closed_and_those_whose_request_runs_are_not() {
    let server = impatient();
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let request = "GET /dbs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert!(until_closed(connect(lua(&server), request)).starts_with("HTTP/1.1 200"));
    let slow = "local t = os.clock() while os.clock() - t < 1.2 do end\n7";
    assert_eq!(server.post("/db/one/lua", slow).body, "7", "longer than any of the limits");
    let socket = upgraded(server.gremlin);
    assert!(until_closed(socket).contains("connections.socket-idle-ms"));
}

#[test]
fn a_message_of_a_websocket_that_trickles_closes_it() {
    let server = impatient();
    let mut socket = upgraded(server.gremlin);
    // A frame of 9,000 bytes, of which one comes every now and then.
    socket.write_all(&[0x82, 0xfe, 0x23, 0x28, 0, 0, 0, 0]).expect("the server takes it");
    let began = Instant::now();
    while socket.write_all(b"a").is_ok() {
        assert!(began.elapsed() < PATIENCE, "it is never closed");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_client_that_does_not_log_in_is_closed_in_time_and_sends_little() {
    let server = start_with_ann(|settings| settings.connections.login_ms = 200);
    assert!(until_closed(upgraded(server.gremlin)).contains("connections.login-ms"));
    let server = start_with_ann(|_| {});
    let mut socket = upgraded(server.gremlin);
    // A frame of 200,000 bytes; after the login it might have 16 MB.
    let mut frame = vec![0x82, 0xff, 0, 0, 0, 0, 0, 3, 0x0d, 0x40, 0, 0, 0, 0];
    frame.extend(vec![b' '; 200_000]);
    let _cut_off = socket.write_all(&frame);
    let answer = until_closed(socket);
    assert!(answer.contains("before the login a message has at most 65536 bytes"), "{answer}");
}

#[test]
fn a_connection_too_many_is_refused_at_once_and_there_is_room_again_later() {
    let server = start_with(|settings| settings.connections.max = 4);
    let mut open: Vec<TcpStream> = (0..3).map(|_| connect(server.gremlin, "")).collect();
    // The page of metrics is asked for on the fourth.
    wait_until("all are open", || gauge(&server, "millrace_connections_open") == 4.0);
    for address in [lua(&server), server.gremlin] {
        let refused = until_closed(connect(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
        assert!(refused.contains("connections.max"), "{refused}");
    }
    assert_eq!(gauge(&server, "millrace_connections_refused_total"), 2.0);
    open.pop();
    wait_until("there is room", || gauge(&server, "millrace_connections_open") == 3.0);
    drop(upgraded(server.gremlin));
}

#[test]
fn pings_whose_pongs_are_not_taken_are_not_read_without_end() {
    let server = start_with(|_| {});
    let mut flood = upgraded(server.gremlin);
    flood.set_write_timeout(Some(Duration::from_millis(500))).expect("a socket has a timeout");
    let mut ping = vec![0x89, 0xfd, 0, 0, 0, 0];
    ping.extend([b'x'; 125]);
    let pings = ping.repeat(1_000);
    // The buffers of the system take some; the server adds none of its own.
    let written = (0..2_000).take_while(|_| flood.write_all(&pings).is_ok()).count();
    assert!(written < 1_000, "{written} times {} bytes were read", pings.len());
    // Others go on.
    assert_eq!(server.get("/health/live").status, 200);
    drop(upgraded(server.gremlin));
}

/// A connection that has sent part of a request's body.
fn part_of_a_body(server: &Running, announced: usize, sent: usize) -> TcpStream {
    let head = format!(
        "POST /rw/one/lua HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {announced}\r\n\r\n"
    );
    connect(lua(server), &(head + &" ".repeat(sent)))
}

#[test]
fn bodies_of_all_connections_have_one_budget() {
    let server = start_with(|settings| settings.connections.bodies_bytes_max = 1 << 20);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let first = part_of_a_body(&server, 500_000, 450_000);
    wait_until("it is held", || 450_000.0 <= gauge(&server, "millrace_bodies_bytes"));
    // Neither a larger body nor a larger message fits.
    let refused = server.post("/rw/one/lua", &" ".repeat(700_000));
    assert_eq!((refused.status, refused.error.as_deref()), (503, Some("unavailable")));
    assert!(refused.body.contains("connections.bodies-bytes-max"), "{refused:?}");
    let url = format!("http://{}", server.gremlin);
    let gremlin = server.send_to(&url, "POST", "/gremlin", &[], &vec![b' '; 700_000]);
    assert_eq!(gremlin.status, 503, "{gremlin:?}");
    let mut socket = upgraded(server.gremlin);
    let mut frame = vec![0x82, 0xff, 0, 0, 0, 0, 0, 0x0a, 0xae, 0x60, 0, 0, 0, 0];
    frame.extend(vec![b' '; 700_000]);
    let _cut_off = socket.write_all(&frame);
    let answer = until_closed(socket);
    assert!(answer.contains("no room for the message"), "{answer}");
    // A small request goes on, even when there is no byte left, and so do all once there is room.
    let second = part_of_a_body(&server, 548_576, 540_000);
    wait_until("all is held", || f64::from(1 << 20) <= gauge(&server, "millrace_bodies_bytes"));
    assert_eq!(server.post("/rw/one/lua", "1").body, "1");
    drop((first, second));
    wait_until("it is given back", || gauge(&server, "millrace_bodies_bytes") == 0.0);
    // Blanks alone would be a script without text.
    let script = format!("{}1", " ".repeat(700_000));
    assert_eq!(server.post("/rw/one/lua", &script).body, "1");
}

#[test]
fn the_largest_body_that_is_arriving_makes_room_for_a_smaller_one() {
    let server = start_with(|settings| settings.connections.bodies_bytes_max = 1 << 20);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let mut body = part_of_a_body(&server, 800_000, 700_000);
    wait_until("it is held", || 700_000.0 <= gauge(&server, "millrace_bodies_bytes"));
    let script = format!("{}1", " ".repeat(400_000));
    assert_eq!(server.post("/rw/one/lua", &script).body, "1");
    wait_until("its memory is given back", || gauge(&server, "millrace_bodies_bytes") == 0.0);
    // Its client reads why.
    body.write_all(&[b' '; 100_000]).expect("the rest is read");
    let answer = until_closed(body);
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("the largest"), "{answer}");
    // So does that of a message, before its end comes.
    let mut socket = upgraded(server.gremlin);
    let mut frame = vec![0x82, 0xff, 0, 0, 0, 0, 0, 0x0c, 0x35, 0, 0, 0, 0, 0];
    frame.extend(vec![b' '; 700_000]);
    socket.write_all(&frame).expect("it is read");
    wait_until("it is held", || 700_000.0 <= gauge(&server, "millrace_bodies_bytes"));
    assert_eq!(server.post("/rw/one/lua", &script).body, "1");
    let answer = until_closed(socket);
    assert!(answer.contains("no room for"), "{answer}");
}
