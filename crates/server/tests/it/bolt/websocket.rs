//! Bolt in a WebSocket on the same port, and pages that may not ask.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use millrace_server::wire::bolt::client::{Connection, LogIn};
use tungstenite::{Message, WebSocket};

use super::start;
use crate::client::{Running, start_with};

/// A WebSocket as a stream of bytes.
struct Socket {
    socket: WebSocket<TcpStream>,
    read: Vec<u8>,
}

impl Read for Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read.is_empty() {
            match self.socket.read().map_err(io::Error::other)? {
                Message::Binary(bytes) => self.read = bytes.to_vec(),
                Message::Close(_) => return Ok(0),
                Message::Text(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
        let count = into.len().min(self.read.len());
        into[..count].copy_from_slice(&self.read[..count]);
        self.read.drain(..count);
        Ok(count)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.write(Message::Binary(bytes.to_vec().into())).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush().map_err(io::Error::other)
    }
}

fn open(server: &Running) -> Socket {
    let stream = TcpStream::connect(server.bolt).expect("it listens");
    let url = format!("ws://{}/", server.bolt);
    let (socket, _) = tungstenite::client(url, stream).expect("it is a WebSocket");
    Socket { socket, read: Vec::new() }
}

#[test]
fn queries_run_in_a_websocket_and_its_pings_are_answered() {
    let server = start();
    let mut socket = open(&server);
    socket.socket.send(Message::Ping("ping".into())).expect("works");
    let mut client = Connection::open(socket, &LogIn::default()).expect("works");
    let many = "g.inject(1).repeat(__.union(__.identity(), __.identity())).times(15)";
    assert_eq!(client.run(many, &[]).expect("works").records.len(), 1 << 15);
    assert_eq!(client.run("g.inject(7)", &[]).expect("works").records[0][0].as_int(), Some(7));
    client.close().expect("works");
}

/// What the server answers to the head of a request.
fn answer(server: &Running, head: &str) -> String {
    let mut stream = TcpStream::connect(server.bolt).expect("works");
    stream.write_all(head.as_bytes()).expect("works");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("works");
    answer
}

#[test]
fn a_page_of_another_site_is_refused_unless_it_is_listed() {
    let server = start();
    let head = |origin: &str| {
        format!(
            "GET / HTTP/1.1\r\nhost: localhost\r\norigin: {origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    };
    assert!(answer(&server, &head("http://evil.example")).starts_with("HTTP/1.1 403 "));
    let plain = answer(&server, "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(plain.starts_with("HTTP/1.1 400 ") && plain.contains("Bolt driver"), "{plain}");
    let server = start_with(|settings| settings.listen.origins = "http://app.example".to_owned());
    let mut stream = TcpStream::connect(server.bolt).expect("works");
    stream.write_all(head("http://app.example").as_bytes()).expect("works");
    let mut first = [0; 12];
    stream.read_exact(&mut first).expect("works");
    assert_eq!(&first, b"HTTP/1.1 101");
}
