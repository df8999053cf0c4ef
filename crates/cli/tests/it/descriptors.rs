//! A process that may open few files, and clients that open many connections.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::program::serve_within;

const PATIENCE: Duration = Duration::from_secs(60);

fn connect(address: &str) -> TcpStream {
    let socket = TcpStream::connect(address).expect("it listens");
    socket.set_read_timeout(Some(PATIENCE)).expect("a socket has a timeout");
    socket
}

/// Sends a script on a connection that stays open; the status of its answer.
fn status(socket: &mut BufReader<TcpStream>, script: &str) -> u16 {
    let length = script.len();
    let head = format!("POST /db/one/lua HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
    socket.get_mut().write_all((head + script).as_bytes()).expect("the server reads");
    let (mut lines, mut line) = (Vec::new(), String::new());
    while socket.read_line(&mut line).expect("the server answers") != 0 && line.trim() != "" {
        lines.push(std::mem::take(&mut line).to_lowercase());
    }
    let length = lines.iter().find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse().ok()).expect("it says how long");
    socket.read_exact(&mut vec![0; length]).expect("all of it comes");
    let status = lines[0].split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("{lines:?}"))
}

/// Symptom: with 128 files and 300 idle connections new clients hung without end, and writes on a connection that was
/// open before failed after a few: the store could create no file. Shape: each accepted socket took a file
/// from the store. Bound: a low limit of open files.
#[test]
fn idle_connections_leave_files_for_the_store_and_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve_within(folder.path(), 128);
    assert_eq!(server.post("/dbs/one", "").unwrap().0, 200);
    let address = server.url.trim_start_matches("http://").to_owned();
    let mut open = BufReader::new(connect(&address));
    assert_eq!(status(&mut open, "NodeTypeInsert('P')\n1"), 200);
    let idle: Vec<TcpStream> = (0..300).map(|_| connect(&address)).collect();
    // A client that connects now gets an answer, and does not hang.
    let mut refused = connect(&address);
    let mut answer = String::new();
    // Unread bytes of a refused request may end it by a reset.
    let _reset = refused.write_all(b"GET /dbs HTTP/1.1\r\nHost: a\r\n\r\n");
    let _reset = refused.read_to_string(&mut answer);
    assert!(answer.is_empty() || answer.contains("connections.max"), "{answer}");
    // One that was there goes on, also where the store needs new files.
    let long = "x".repeat(40_000);
    for number in 0..200 {
        let script = format!("NodeAdd('P', 'p{number}', '{{\"t\": \"{long}\"}}')\n1");
        assert_eq!(status(&mut open, &script), 200, "write {number}");
    }
    drop(idle);
    let began = Instant::now();
    while server.post("/db/one/lua", "1").is_none_or(|answer| answer.0 != 200) {
        assert!(began.elapsed() < PATIENCE, "there is no room again");
    }
    assert_eq!(server.ask("one", "AllNodesCount('P')"), "200");
    assert_eq!(server.terminate(), Some(0));
}
