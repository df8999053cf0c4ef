//! One HTTP request on a connection of its own, which another thread may cut off.
//!
//! The client of the other commands keeps its connections to itself; a shell has to close one in the middle of
//! a request, since that is what cancels a query in the server. HTTP/1.0 is spoken, so that an answer has a
//! length, or ends with its connection, and no chunks.

use std::io::{BufRead, BufReader, Read, Take, Write};
use std::net::TcpStream;
use std::time::Duration;

use millrace_model::{Error, ErrorKind, Result};
use millrace_server::wire::base64;

use super::interrupt::{Interrupt, Watched};
use crate::answer::ADMINISTRATION;
use crate::client::Reply;

/// Bytes of an answer that are read.
const REPLY_BYTES_MAX: u64 = 1 << 30;

/// Bytes of the head of an answer.
const HEAD_BYTES_MAX: u64 = 64 << 10;

/// Time for a server to take a connection.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// Where a server is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Url {
    /// Host and port.
    pub(crate) authority: String,
    /// The header `Authorization`, if the URL has a name and a password.
    authorization: Option<String>,
}

impl Url {
    /// Reads `http://[NAME:PASSWORD@]HOST[:PORT]`.
    pub(crate) fn parse(url: &str) -> Result<Url> {
        let bad = |detail: &str| {
            Error::new(ErrorKind::BadInput, format!("--url {detail}"))
                .with_help("write http://HOST:PORT or http://NAME:PASSWORD@HOST:PORT")
        };
        let rest = match url.split_once("://") {
            Some(("http", rest)) => rest,
            Some(("https", _)) => {
                let error = bad("must begin with http: the shell has no TLS");
                return Err(error.with_help("connect through a tunnel, such as ssh -L"));
            }
            _ => return Err(bad("does not begin with http://")),
        };
        let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
        if !path.is_empty() {
            return Err(bad("has a path; give only the host and the port"));
        }
        let (login, authority) = match place.rsplit_once('@') {
            Some((login, authority)) => (Some(login), authority),
            None => (None, place),
        };
        let authorization = match login {
            Some(login) => {
                let (name, password) =
                    login.split_once(':').ok_or_else(|| bad("has a name without a password"))?;
                let both = format!("{}:{}", decoded(name), decoded(password));
                Some(format!("Basic {}", base64::encode(both.as_bytes())))
            }
            None => None,
        };
        let has_port =
            authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Url { authority, authorization })
    }
}

/// A text of a URL without `%` escapes.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escaped = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = escaped.and_then(|two| u8::from_str_radix(two, 16).ok());
        match escaped.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An answer with a body that is read as it arrives.
pub(crate) struct Opened<'a> {
    pub(crate) status: u16,
    pub(crate) body: BufReader<Take<TcpStream>>,
    /// Bytes of the body, where its head says so.
    length: Option<usize>,
    authority: &'a str,
    interrupt: &'a Interrupt,
    _guard: Watched<'a>,
}

/// Sends a request and reads the head of its answer; an interrupt closes the connection, until the answer is dropped.
pub(crate) fn open<'a>(
    url: &'a Url,
    (method, path): (&str, &str),
    body: &str,
    interrupt: &'a Interrupt,
) -> Result<Opened<'a>> {
    let authority = &url.authority;
    let failed = |error: std::io::Error| failed(authority, interrupt, &error);
    let mut stream = connect(authority).map_err(failed)?;
    let closing = stream.try_clone().map_err(failed)?;
    let guard = interrupt.watch(move || {
        // A connection that is gone already needs no closing.
        let _gone = closing.shutdown(std::net::Shutdown::Both);
    });
    let mut request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {authority}\r\nContent-Length: {}\r\n\
         Content-Type: application/json\r\n",
        body.len()
    );
    if let Some(authorization) = &url.authorization {
        request.push_str(&format!("Authorization: {authorization}\r\n"));
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    stream.write_all(body.as_bytes()).map_err(failed)?;
    let mut body = BufReader::new(stream.take(u64::MAX));
    let head = read_head(&mut body).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => no_http(authority),
        _ => failed(error),
    })?;
    let (status, length) = parse(&head).ok_or_else(|| no_http(authority))?;
    Ok(Opened { status, body, length, authority, interrupt, _guard: guard })
}

impl Opened<'_> {
    /// The whole body, up to a bound.
    pub(crate) fn whole(&mut self) -> Result<String> {
        self.body.get_mut().set_limit(REPLY_BYTES_MAX);
        let mut text = String::new();
        self.body.read_to_string(&mut text).map_err(|error| self.failed(&error))?;
        match self.length.is_none_or(|length| length == text.len()) && !self.interrupt.is_raised() {
            true => Ok(text),
            false => Err(self.failed(&truncated())),
        }
    }

    /// What a failure of its connection means.
    pub(crate) fn failed(&self, error: &std::io::Error) -> Error {
        failed(self.authority, self.interrupt, error)
    }

    /// The body ended before its last line.
    pub(crate) fn ended_early(&self) -> Error {
        match self.interrupt.is_raised() {
            true => self.failed(&truncated()),
            false => crate::answer::truncated(),
        }
    }
}

/// Sends a request and reads its answer; an interrupt closes the connection.
pub(crate) fn send(
    url: &Url,
    target: (&str, &str),
    body: &str,
    interrupt: &Interrupt,
) -> Result<Reply> {
    let mut opened = open(url, target, body, interrupt)?;
    Ok(Reply { status: opened.status, body: opened.whole()? })
}

fn failed(authority: &str, interrupt: &Interrupt, error: &std::io::Error) -> Error {
    if interrupt.is_raised() {
        return Error::new(ErrorKind::Cancelled, "cancelled");
    }
    Error::new(ErrorKind::Unavailable, format!("http://{authority}: {error}"))
        .with_help("is the server running, and is the URL correct?")
}

/// Bytes came that no program for HTTP sends.
fn no_http(authority: &str) -> Error {
    let detail = format!("http://{authority}: this is no HTTP port");
    Error::new(ErrorKind::Unavailable, detail).with_help(ADMINISTRATION)
}

fn truncated() -> std::io::Error {
    std::io::Error::other("the answer was cut off")
}

fn connect(authority: &str) -> std::io::Result<TcpStream> {
    use std::net::ToSocketAddrs;
    let mut last = std::io::Error::other("the name has no address");
    for address in authority.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_MAX) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The head of an answer, up to the empty line behind it.
fn read_head(body: &mut impl BufRead) -> std::io::Result<String> {
    let mut head = String::new();
    let mut limited = body.take(HEAD_BYTES_MAX);
    loop {
        let before = head.len();
        limited.read_line(&mut head)?;
        match &head[before..] {
            "" => return Err(truncated()),
            "\r\n" => return Ok(head),
            _ => {}
        }
    }
}

/// The status of a head, and the length of the body, if it says so.
fn parse(head: &str) -> Option<(u16, Option<usize>)> {
    let mut lines = head.strip_prefix("HTTP/")?.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    Some((status, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_a_host_and_perhaps_a_login() {
        let url = Url::parse("http://ann:a%3Ab@localhost:7243/").unwrap();
        assert_eq!(url.authority, "localhost:7243");
        // ann:a:b
        assert_eq!(url.authorization.as_deref(), Some("Basic YW5uOmE6Yg=="));
        assert_eq!(Url::parse("http://db").unwrap().authority, "db:80");
        assert_eq!(Url::parse("http://[::1]:7243").unwrap().authority, "[::1]:7243");
        for (wrong, word) in [
            ("localhost:7243", "http://"),
            ("https://db:1", "TLS"),
            ("http://ann@db:1", "password"),
            ("http://db:1/db/films", "path"),
        ] {
            let refused = Url::parse(wrong).unwrap_err().to_string();
            assert!(refused.contains(word), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_head_ends_with_an_empty_line_or_is_truncated() {
        let whole = b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n";
        let head = read_head(&mut &whole[..]).unwrap();
        assert_eq!(parse(&head), Some((200, Some(2))));
        for length in 0..whole.len() {
            assert!(read_head(&mut &whole[..length]).is_err(), "{length}");
        }
        assert_eq!(parse("HTTP/1.0\r\n\r\n"), None);
    }
}
