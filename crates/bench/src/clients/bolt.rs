//! A cheap client of Bolt, so that the server dominates the measurement: requests are bytes made before, and
//! answers are counted without being decoded.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use millrace_model::{Error, ErrorKind as Kind, Result, Value};
use millrace_wire::bolt::chunks::{Dechunker, write_chunked};
use millrace_wire::bolt::client::{Connection as Driver, LogIn};
use millrace_wire::bolt::packstream::Form;
use millrace_wire::bolt::{
    Amount, Reply, Request, Run, TransactionOptions, Version, write_request,
};

/// How much is read at once.
const READ_BYTES: usize = 64 << 10;

/// How long an answer may take.
const ANSWER_MAX: Duration = Duration::from_secs(900);

/// Bytes of a reply at most.
const REPLY_BYTES_MAX: usize = 64 << 20;

/// The version that is spoken.
const VERSION: Version = Version::NEWEST;

/// The second byte of a message: its kind.
const SUCCESS: u8 = 0x70;
const RECORD: u8 = 0x71;

/// A text with parameters that differ from request to request.
pub(crate) struct Query {
    text: Arc<str>,
    database: Arc<str>,
}

impl Query {
    /// A text for a graph.
    pub(crate) fn new(graph: &str, text: &str) -> Query {
        Query { text: text.into(), database: graph.into() }
    }

    /// The bytes of RUN and PULL: a transaction of its own, all records.
    pub(crate) fn request(&self, parameters: Vec<(Arc<str>, Value)>) -> Result<Vec<u8>> {
        let mut bytes = self.begin(parameters)?;
        pull(&mut bytes, Amount::ALL)?;
        Ok(bytes)
    }

    /// The bytes of RUN and of a PULL for so many records.
    pub(crate) fn request_part(&self, records: u64) -> Result<Vec<u8>> {
        let mut bytes = self.begin(Vec::new())?;
        pull(&mut bytes, Amount { records: Some(records), query: None })?;
        Ok(bytes)
    }

    fn begin(&self, parameters: Vec<(Arc<str>, Value)>) -> Result<Vec<u8>> {
        let database = Some(Arc::clone(&self.database));
        let options = TransactionOptions { database, ..TransactionOptions::default() };
        let mut bytes = Vec::new();
        add(&mut bytes, &Request::Run(Run { query: Arc::clone(&self.text), parameters, options }))?;
        Ok(bytes)
    }
}

/// The bytes of a PULL for so many records more.
pub(crate) fn pull_part(records: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pull(&mut bytes, Amount { records: Some(records), query: None })?;
    Ok(bytes)
}

fn pull(bytes: &mut Vec<u8>, amount: Amount) -> Result<()> {
    add(bytes, &Request::Pull(amount))
}

fn add(bytes: &mut Vec<u8>, request: &Request) -> Result<()> {
    write_chunked(bytes, |bytes| write_request(bytes, request, Form::of(VERSION)))
}

/// Records of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Records {
    /// Their number.
    pub(crate) count: u64,
    /// The last SUCCESS, not decoded.
    last: Vec<u8>,
}

impl Records {
    /// A field of the last SUCCESS that is a boolean or is missing.
    pub(crate) fn has_more(&self) -> Result<bool> {
        match Reply::read(&self.last)? {
            Reply::Success(fields) => Ok(fields.iter().any(|(name, _)| &**name == "has_more")),
            Reply::Record(_) | Reply::Ignored | Reply::Failure(_) => Ok(false),
        }
    }
}

/// A connection, logged in.
pub(crate) struct Connection {
    stream: TcpStream,
    replies: Dechunker,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects and logs in.
    pub(crate) fn open(server: SocketAddr) -> Result<Connection> {
        let driver = driver(server)?;
        let stream = driver.stream().try_clone().map_err(|error| failed(&error))?;
        let replies = Dechunker::new(REPLY_BYTES_MAX);
        Ok(Connection { stream, replies, buffer: vec![0; READ_BYTES] })
    }

    /// Sends requests.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<()> {
        self.stream.write_all(request).map_err(|error| failed(&error))
    }

    /// Waits for the answers to so many requests, all of which must be successes.
    pub(crate) fn receive(&mut self, requests: usize) -> Result<Records> {
        let (mut records, mut left) = (Records::default(), requests);
        while left != 0 {
            let message = self.next_message()?;
            match message.get(1) {
                Some(&RECORD) => records.count += 1,
                Some(&SUCCESS) => {
                    left -= 1;
                    records.last = message;
                }
                _ => return Err(refused(&message)),
            }
        }
        Ok(records)
    }

    /// Waits for the answer to RUN and PULL.
    pub(crate) fn receive_answer(&mut self) -> Result<Records> {
        self.receive(2)
    }

    fn next_message(&mut self) -> Result<Vec<u8>> {
        loop {
            if let Some(message) = self.replies.next_message()? {
                return Ok(message);
            }
            match self.stream.read(&mut self.buffer) {
                Ok(0) => return Err(failed(&ErrorKind::UnexpectedEof.into())),
                Ok(count) => self.replies.push(&self.buffer[..count]),
                // A read with a time limit is not begun anew by itself when the process was stopped meanwhile.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(&error)),
            }
        }
    }
}

/// A connection that decodes its answers, for checks.
pub(crate) fn driver(server: SocketAddr) -> Result<Driver<TcpStream>> {
    let stream = TcpStream::connect(server).map_err(|error| failed(&error))?;
    stream.set_nodelay(true).map_err(|error| failed(&error))?;
    stream.set_read_timeout(Some(ANSWER_MAX)).map_err(|error| failed(&error))?;
    let log_in = LogIn { version: Some(VERSION), ..LogIn::default() };
    Driver::open(stream, &log_in)
        .map_err(|error| Error::new(Kind::Unavailable, format!("the bench's server: {error}")))
}

fn failed(error: &std::io::Error) -> Error {
    Error::new(Kind::Unavailable, format!("the bench's server: {error}"))
}

fn refused(message: &[u8]) -> Error {
    let detail = match Reply::read(message) {
        Ok(Reply::Failure(failure)) => format!("{}: {}", failure.code, failure.message),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.to_string(),
    };
    Error::new(Kind::Bug, format!("the bench's server answers {detail}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_wire::bolt::{Failure, write_failure, write_record, write_success};
    use std::net::TcpListener;

    /// A connection to a server that sends these bytes.
    fn serving(answer: Vec<u8>) -> Connection {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || listener.accept().unwrap().0.write_all(&answer).unwrap());
        let stream = TcpStream::connect(address).unwrap();
        let replies = Dechunker::new(REPLY_BYTES_MAX);
        Connection { stream, replies, buffer: vec![0; READ_BYTES] }
    }

    fn message(write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_chunked(&mut bytes, write).unwrap();
        bytes
    }

    #[test]
    fn records_are_counted_up_to_the_last_success() {
        let form = Form::of(VERSION);
        let success =
            |fields: &[(&'static str, Value)]| message(|out| write_success(out, fields, form));
        let record = message(|out| write_record(out, &[Value::I64(7)], &Default::default(), form));
        let more = success(&[("has_more", Value::Bool(true))]);
        let answer = [success(&[]), record.clone(), record.clone(), more, record, success(&[])];
        let mut connection = serving(answer.concat());
        let first = connection.receive_answer().unwrap();
        assert_eq!((first.count, first.has_more().unwrap()), (2, true));
        let second = connection.receive(1).unwrap();
        assert_eq!((second.count, second.has_more().unwrap()), (1, false));
    }

    #[test]
    fn a_failure_is_an_error_with_its_code_and_so_is_an_end() {
        let failure = Failure::new("Neo.ClientError.X", "oops");
        let mut connection =
            serving(message(|out| write_failure(out, &failure, Form::of(VERSION))));
        let detail = connection.receive_answer().unwrap_err().detail;
        assert!(detail.ends_with("Neo.ClientError.X: oops"), "{detail}");
        assert!(connection.receive_answer().unwrap_err().detail.contains("the bench's server"));
    }
}
