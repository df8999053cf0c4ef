//! A WebSocket to a Gremlin server, in two halves: one thread sends, another receives.
//!
//! The receiver writes too (it answers pings). Both halves write whole frames under one lock, so that no
//! frame is torn.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};

use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::gremlin::{AnswerHead, Format, Request, read_answer_head, write_frame};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

use super::limits;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// As it was given.
    pub(super) url: String,
    /// Host and port.
    host: String,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Address> {
        let bad = |detail: &str| {
            let error = Error::new(ErrorKind::BadInput, format!("--url {url}: {detail}"));
            error.with_help("such as ws://127.0.0.1:8182/gremlin")
        };
        let rest = match url.split_once("://") {
            Some(("ws", rest)) => rest,
            Some(("wss", _)) => return Err(bad("a server behind TLS (wss) is not driven")),
            _ => return Err(bad("a URL that begins with ws://")),
        };
        let host = rest.split('/').next().unwrap_or_default();
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        match (host.is_empty(), has_port) {
            (true, _) => Err(bad("there is no host")),
            (false, true) => Ok(Address { url: url.into(), host: host.into() }),
            (false, false) => Ok(Address { url: url.into(), host: format!("{host}:80") }),
        }
    }

    fn connect(&self) -> Result<TcpStream> {
        let addresses = self.host.to_socket_addrs().map_err(|error| self.failed(error))?;
        let mut last = None;
        for address in addresses {
            match TcpStream::connect_timeout(&address, limits::CONNECT_MAX) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = Some(error),
            }
        }
        let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        Err(self.failed(last.unwrap_or_else(none)))
    }

    fn failed(&self, error: impl std::fmt::Display) -> Error {
        Error::new(ErrorKind::Unavailable, format!("{}: {error}", self.url))
    }
}

/// Connects.
pub(super) fn open(address: &Address, format: Format) -> Result<(Sender, Receiver, Hangup)> {
    let stream = address.connect()?;
    stream.set_nodelay(true).map_err(|error| address.failed(error))?;
    let half = Half { stream: Arc::new(stream), writing: Arc::default() };
    let config = WebSocketConfig::default()
        .max_message_size(Some(limits::MESSAGE_BYTES_MAX))
        .max_frame_size(Some(limits::MESSAGE_BYTES_MAX));
    // A server that takes the connection and says nothing must not hold the bench up for ever.
    let quiet = |limit| half.stream.set_read_timeout(limit).map_err(|error| address.failed(error));
    quiet(Some(limits::CONNECT_MAX))?;
    let client = tungstenite::client::client_with_config(&address.url, half.clone(), Some(config));
    let (receiving, _response) = client.map_err(|error| address.failed(error))?;
    quiet(None)?;
    let sending = WebSocket::from_raw_socket(half.clone(), Role::Client, Some(config));
    let sender = Sender { socket: sending, format };
    let receiver = Receiver { socket: receiving, format };
    Ok((sender, receiver, Hangup { stream: half.stream }))
}

/// Sends requests.
pub(super) struct Sender {
    socket: WebSocket<Half>,
    format: Format,
}

impl Sender {
    /// Puts a request behind those that leave next.
    pub(super) fn feed(&mut self, request: &Request) -> std::result::Result<(), String> {
        let frame = write_frame(request, self.format).map_err(|error| error.to_string())?;
        self.socket.write(Message::Binary(frame.into())).map_err(|error| error.to_string())
    }

    /// Sends the requests that were fed.
    pub(super) fn flush(&mut self) -> std::result::Result<(), String> {
        self.socket.flush().map_err(|error| error.to_string())
    }
}

/// Receives answers.
pub(super) struct Receiver {
    socket: WebSocket<Half>,
    format: Format,
}

impl Receiver {
    /// The next answer, or why there will be none.
    pub(super) fn next(&mut self) -> std::result::Result<AnswerHead, String> {
        loop {
            let message = self.socket.read().map_err(|error| error.to_string())?;
            let head = match &message {
                Message::Binary(bytes) => read_answer_head(bytes, self.format),
                // The refusal of an unreadable request may come as a text, whatever format was sent.
                Message::Text(text) => read_answer_head(text.as_bytes(), TEXT),
                Message::Close(_) => return Err("the server closed the connection".into()),
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
            };
            return head.map_err(|error| format!("an answer that cannot be read: {error}"));
        }
    }
}

const TEXT: Format = Format::GraphSon(millrace_wire::gremlin::graphson::Version::V3);

/// Ends a connection from any thread.
pub(super) struct Hangup {
    stream: Arc<TcpStream>,
}

impl Hangup {
    pub(super) fn hang_up(&self) {
        // The other side may have done so already.
        let _gone = self.stream.shutdown(Shutdown::Both);
    }
}

/// One end of the socket, for either half.
#[derive(Clone, Debug)]
struct Half {
    stream: Arc<TcpStream>,
    writing: Arc<Mutex<()>>,
}

impl Read for Half {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.stream).read(buffer)
    }
}

impl Write for Half {
    /// Writes all bytes under the lock: a call of the socket's writer consists of whole frames.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _whole = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        (&*self.stream).write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_host_and_perhaps_a_port() {
        let host = |url: &str| Address::parse(url).map(|address| address.host);
        assert_eq!(host("ws://127.0.0.1:8182/gremlin").as_deref(), Ok("127.0.0.1:8182"));
        assert_eq!(host("ws://[::1]:8182/gremlin").as_deref(), Ok("[::1]:8182"));
        assert_eq!(host("ws://example.org/gremlin").as_deref(), Ok("example.org:80"));
        for (url, said) in [
            ("wss://a/gremlin", "TLS"),
            ("http://a:1/", "ws://"),
            ("a:1", "ws://"),
            ("ws:///gremlin", "no host"),
        ] {
            assert!(host(url).unwrap_err().to_string().contains(said), "{url}");
        }
    }
}
