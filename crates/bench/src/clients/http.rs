//! A cheap client of HTTP/1.1, so that the server dominates the measurement: a connection that stays
//! open, one request under way, answers of a known length or in chunks.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use millrace_model::{Error, ErrorKind as Kind, Result};

/// How much is read at once.
const READ_BYTES: usize = 16 << 10;

/// How long an answer may take: a script of ten million writes is among those sent.
const ANSWER_MAX: Duration = Duration::from_secs(900);

/// A connection to a server.
pub(crate) struct Connection {
    server: SocketAddr,
    stream: TcpStream,
    /// Bytes received and not consumed.
    received: Vec<u8>,
    /// Whether the server said that it ends the connection behind its last answer.
    is_ended: bool,
}

/// The bytes of a request without a body, with headers, each of which ends a line.
pub(crate) fn get_with(headers: &str, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").into_bytes()
}

/// The bytes of a request without a body.
pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// The bytes of a request with a body.
pub(crate) fn post(path: &str, body: &str) -> Vec<u8> {
    post_with("", path, body)
}

/// The same with a body that says that it is JSON.
pub(crate) fn post_json(path: &str, body: &str) -> Vec<u8> {
    post_with("Content-Type: application/json\r\n", path, body)
}

fn post_with(headers: &str, path: &str, body: &str) -> Vec<u8> {
    request("POST", path, headers, body)
}

/// The bytes of any request. Each header ends a line.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The status and body of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Whether the request was done.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as a text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Connection {
    /// Connects.
    pub(crate) fn open(server: SocketAddr) -> Result<Connection> {
        let stream = connected(server)?;
        Ok(Connection { server, stream, received: Vec::new(), is_ended: false })
    }

    /// Connects anew if the server ended the connection by its last answer; says whether it did.
    pub(super) fn reopen_if_ended(&mut self) -> Result<bool> {
        if !self.is_ended {
            return Ok(false);
        }
        self.stream = connected(self.server)?;
        self.is_ended = false;
        Ok(true)
    }

    /// Sends a request.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<()> {
        self.reopen_if_ended()?;
        self.stream.write_all(request).map_err(|error| failed(&error))
    }

    /// Waits for the answer, which must be a success, and calls `look` with its body.
    pub(crate) fn receive<T>(&mut self, look: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
        let (head, end) = self.read_whole()?;
        let looked = match head.is_success() {
            true => look(&self.received[head.bytes..end]),
            false => Err(refused(&String::from_utf8_lossy(&self.received[..end]))),
        };
        self.received.drain(..end);
        looked
    }

    /// Reads once from a connection that has something, and calls `look` with the body of the answer if that makes it
    /// whole. The answer must be a success.
    pub(crate) fn receive_ready<T>(
        &mut self,
        look: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<Option<T>> {
        self.read_more()?;
        let whole = match head(&self.received)? {
            None => false,
            Some(Head { body_bytes: Some(body), bytes, .. }) => bytes + body <= self.received.len(),
            // The rest of an answer in chunks is under way: waiting for it is simpler than keeping its state.
            Some(Head { body_bytes: None, .. }) => true,
        };
        if whole { self.receive(look).map(Some) } else { Ok(None) }
    }

    /// Sends a request and waits for its answer, whatever its status is.
    pub(crate) fn exchange(&mut self, request: &[u8]) -> Result<Response> {
        self.send(request)?;
        let (head, end) = self.read_whole()?;
        let body = self.received[head.bytes..end].to_vec();
        self.received.drain(..end);
        Ok(Response { status: head.status, body })
    }

    /// Reads until an answer is there; says where its body ends. The bytes of chunks are moved together.
    fn read_whole(&mut self) -> Result<(Head, usize)> {
        let head = loop {
            if let Some(head) = head(&self.received)? {
                break head;
            }
            self.read_more()?;
        };
        self.is_ended = head.ends_connection;
        match head.body_bytes {
            Some(body) => {
                let end = head.bytes + body;
                while self.received.len() < end {
                    self.read_more()?;
                }
                Ok((head, end))
            }
            None => {
                let end = self.read_chunks(head.bytes)?;
                Ok((head, end))
            }
        }
    }

    /// Reads chunks from `begin` on, and leaves their content there; says where it ends.
    fn read_chunks(&mut self, begin: usize) -> Result<usize> {
        let mut end = begin;
        loop {
            // What is at `end` is a line with the length of the next chunk.
            let line = loop {
                match self.received[end..].windows(2).position(|two| two == b"\r\n") {
                    Some(line) => break line,
                    None => self.read_more()?,
                }
            };
            let text = String::from_utf8_lossy(&self.received[end..end + line]);
            let length = text.split(';').next().unwrap_or_default().trim();
            let length = usize::from_str_radix(length, 16)
                .map_err(|_| refused(&format!("a chunk of the length {text}")))?;
            let whole = end + line + 2 + length + 2;
            while self.received.len() < whole {
                self.read_more()?;
            }
            self.received.drain(whole - 2..whole);
            self.received.drain(end..end + line + 2);
            end += length;
            // No trailer is read: none of the servers sends one.
            if length == 0 {
                return Ok(end);
            }
        }
    }

    /// The socket, to be waited for.
    pub(super) fn socket(&self) -> &TcpStream {
        &self.stream
    }

    /// Whether the server has ended the connection, as servers do with those that are idle for long.
    pub(crate) fn is_closed(&self) -> bool {
        let looked = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut [0]));
        let waits = looked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        !waits || self.stream.set_nonblocking(false).is_err()
    }

    /// Sends a request and gives the text of its answer.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<String> {
        self.send(request)?;
        self.receive(|body| Ok(String::from_utf8_lossy(body).into_owned()))
    }

    fn read_more(&mut self) -> Result<()> {
        let before = self.received.len();
        self.received.resize(before + READ_BYTES, 0);
        let read = self.stream.read(&mut self.received[before..]);
        self.received.truncate(before + read.as_ref().map_or(0, |read| *read));
        match read {
            Ok(0) => Err(failed(&ErrorKind::UnexpectedEof.into())),
            Ok(_) => Ok(()),
            // A read with a time limit is not begun anew by itself when the process was stopped meanwhile.
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn connected(server: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(server).map_err(|error| failed(&error))?;
    stream.set_nodelay(true).map_err(|error| failed(&error))?;
    stream.set_read_timeout(Some(ANSWER_MAX)).map_err(|error| failed(&error))?;
    Ok(stream)
}

/// The head of an answer.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    bytes: usize,
    /// None where the body comes in chunks.
    body_bytes: Option<usize>,
    status: u16,
    /// As Dgraph does behind each answer.
    ends_connection: bool,
}

impl Head {
    fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// The head of the answer that these bytes begin with, once it is whole.
fn head(bytes: &[u8]) -> Result<Option<Head>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = text.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let status: u16 =
        status.ok_or_else(|| refused(&format!("an answer without a status: {text}")))?;
    let fields = lines.filter_map(|line| line.split_once(':'));
    let value = |name: &str| {
        let mut named = fields.clone().filter(|(field, _)| field.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.trim())
    };
    let in_chunks =
        value("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    let ends_connection =
        value("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    let body_bytes = match (in_chunks, value("content-length").map(str::parse)) {
        (true, _) => None,
        (false, Some(Ok(length))) => Some(length),
        // An answer of this status has no body and need not say so.
        (false, None) if status == 204 => Some(0),
        (false, _) => return Err(refused(&format!("an answer without a length: {text}"))),
    };
    Ok(Some(Head { bytes: end + 4, body_bytes, status, ends_connection }))
}

/// What errors of a connection call the server.
const SERVER: &str = "the bench's server";

/// An error of a connection to a server that is not the bench's own.
pub(crate) fn named(error: Error, server: &str) -> Error {
    Error { detail: error.detail.replacen(SERVER, server, 1), ..error }
}

fn failed(error: &std::io::Error) -> Error {
    Error::new(Kind::Unavailable, format!("{SERVER}: {error}"))
}

fn refused(answer: &str) -> Error {
    Error::new(Kind::Bug, format!("{SERVER} answers {answer}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A server that reads a request and sends these pieces.
    fn serving(pieces: &'static [&'static str]) -> Connection {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for piece in pieces {
                let _read = stream.read(&mut [0; 1024]).unwrap();
                stream.write_all(piece.as_bytes()).unwrap();
            }
        });
        Connection::open(address).unwrap()
    }

    #[test]
    fn answers_are_taken_apart_however_they_come() {
        const PIECES: &[&str] = &[
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo\
             HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n",
        ];
        let mut server = serving(PIECES);
        assert_eq!(server.ask(&get("/")).unwrap(), "one");
        assert_eq!(server.ask(&post("/", "x")).unwrap(), "two");
        assert_eq!(server.receive(|body| Ok(body.len())).unwrap(), 0);
        assert!(server.ask(&get("/")).unwrap_err().detail.contains("the bench's server"));
    }

    #[test]
    fn a_connection_knows_that_the_server_has_ended_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connection = Connection::open(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        assert!(!connection.is_closed());
        drop(stream);
        // Its end arrives by the system's own way.
        let _end = connection.stream.peek(&mut [0]).unwrap();
        assert!(connection.is_closed());
    }

    #[test]
    fn chunks_are_put_together_however_they_arrive() {
        const PIECES: &[&str] = &[
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0a;x=1\r\n, two, thr\r\n2\r\nee\r\n0\r\n\r\n\
             HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n4\r\nno",
            "ne\r\n0\r\n\r\n",
        ];
        let mut server = serving(PIECES);
        let answer = server.exchange(&get("/")).unwrap();
        assert_eq!((answer.status, answer.text()), (200, "one, two, three".to_owned()));
        let answer = server.exchange(&get("/")).unwrap();
        assert_eq!((answer.status, answer.text()), (404, "none".to_owned()));
    }

    #[test]
    fn an_answer_that_comes_in_pieces_is_seen_when_it_is_whole() {
        const PIECES: &[&str] = &["HTTP/1.1 200 OK\r\ncontent-", "length: 5\r\n\r\nwh", "ole"];
        let mut server = serving(PIECES);
        let mut found = Vec::new();
        for _ in PIECES {
            server.send(b"more").unwrap();
            found.push(server.receive_ready(|body| Ok(body.to_vec())).unwrap());
        }
        assert_eq!(found, [None, None, Some(b"whole".to_vec())]);
    }

    #[test]
    fn a_server_that_ends_the_connection_behind_its_answer_is_connected_to_anew() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming().take(2) {
                let mut stream = stream.unwrap();
                let _read = stream.read(&mut [0; 1024]).unwrap();
                let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 3\r\n\r\none";
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        let mut connection = Connection::open(address).unwrap();
        for _ in 0..2 {
            assert_eq!(connection.ask(&get("/")).unwrap(), "one");
        }
    }

    #[test]
    fn an_answer_without_success_or_length_is_an_error_with_its_message() {
        let mut server = serving(&["HTTP/1.1 400 Bad\r\ncontent-length: 4\r\n\r\noops"]);
        assert!(server.ask(&get("/")).unwrap_err().detail.ends_with("oops"));
        let mut server = serving(&["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"]);
        assert!(server.ask(&get("/")).unwrap_err().detail.contains("without a length"));
    }
}
