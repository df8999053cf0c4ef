//! The server's half of HTTP/1.1, as much as the app needs: a body of a known length, connections that stay open.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use super::super::limits::{BODY_BYTES_MAX, HEAD_BYTES_MAX};

/// How much is read at once.
const READ_BYTES: usize = 4 << 10;

/// A request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
}

/// The requests of a connection.
pub(super) struct Requests<S> {
    stream: S,
    received: Vec<u8>,
}

impl Requests<TcpStream> {
    pub(super) fn of(stream: TcpStream) -> io::Result<Requests<TcpStream>> {
        stream.set_nodelay(true)?;
        Ok(Requests { stream, received: Vec::new() })
    }
}

impl<S: Read + Write> Requests<S> {
    /// The next request; none if the client has closed the connection.
    pub(super) fn next(&mut self) -> io::Result<Option<Request>> {
        let head = loop {
            if let Some(end) = self.received.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            if HEAD_BYTES_MAX < self.received.len() {
                return Err(bad("a head that is too long"));
            }
            if !self.read_more()? {
                return match self.received.is_empty() {
                    true => Ok(None),
                    false => Err(bad("half a request")),
                };
            }
        };
        let text = String::from_utf8_lossy(&self.received[..head]).into_owned();
        let mut lines = text.lines();
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(path)) = (first.next(), first.next()) else {
            return Err(bad("no method and path"));
        };
        let fields = lines.filter_map(|line| line.split_once(':'));
        let mut lengths = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let length = lengths.next().map_or(Ok(0), |(_, length)| length.trim().parse::<usize>());
        let length = length.map_err(|_| bad("a length that is no number"))?;
        if BODY_BYTES_MAX < length {
            return Err(bad("a body that is too long"));
        }
        let end = head + 4 + length;
        while self.received.len() < end {
            if !self.read_more()? {
                return Err(bad("half a body"));
            }
        }
        let body = self.received[head + 4..end].to_vec();
        self.received.drain(..end);
        Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), body }))
    }

    /// Answers the request.
    pub(super) fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        let Answer { status, body } = answer;
        let reason = if *status < 400 { "OK" } else { "Error" };
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(text.as_bytes())
    }

    fn read_more(&mut self) -> io::Result<bool> {
        let before = self.received.len();
        self.received.resize(before + READ_BYTES, 0);
        let read = self.stream.read(&mut self.received[before..]);
        self.received.truncate(before + read.as_ref().map_or(0, |read| *read));
        Ok(0 < read?)
    }
}

fn bad(detail: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn requests(text: &str) -> Requests<Cursor<Vec<u8>>> {
        Requests { stream: Cursor::new(text.as_bytes().to_vec()), received: Vec::new() }
    }

    #[test]
    fn requests_of_a_connection_are_taken_apart() {
        let mut both = requests(
            "POST /node HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        );
        let request = |method: &str, path: &str, body: &str| Request {
            method: method.into(),
            path: path.into(),
            body: body.into(),
        };
        assert_eq!(both.next().unwrap(), Some(request("POST", "/node", "{}")));
        assert_eq!(both.next().unwrap(), Some(request("GET", "/", "")));
        assert_eq!(both.next().unwrap(), None);
    }

    #[test]
    fn half_a_request_or_one_that_is_too_long_is_an_error() {
        let long = format!("POST /{} HTTP/1.1\r\n", "x".repeat(2 * HEAD_BYTES_MAX));
        for (text, said) in [
            ("POST /node", "half a request"),
            ("POST /node HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}", "half a body"),
            ("POST /node HTTP/1.1\r\nContent-Length: x\r\n\r\n{}", "no number"),
            ("POST /node HTTP/1.1\r\nContent-Length: 999999\r\n\r\n{}", "too long"),
            ("POST\r\n\r\n", "no method"),
            (&long, "too long"),
        ] {
            let error = requests(text).next().unwrap_err().to_string();
            assert!(error.contains(said), "{text:.40}: {error}");
        }
    }
}
