//! A connection that waits for each answer.

use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Value};

use super::half::Half;
use crate::bolt::WantedNotifications;
use crate::bolt::errors::Failure;
use crate::bolt::options::{Amount, TransactionOptions};
use crate::bolt::packstream::Datum;
use crate::bolt::reply::Reply;
use crate::bolt::request::{Auth, Hello, Request, Run};
use crate::bolt::version::Version;

/// Bytes that are read at once.
const READ_BYTES: usize = 16 << 10;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientError {
    /// The server answered with a failure; the connection can be used again.
    Failure(Failure),
    /// The connection or its bytes are broken.
    Broken(Error),
}

/// A result of a call.
pub type ClientResult<T> = Result<T, ClientError>;

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Failure(failure) => write!(f, "{}: {}", failure.code, failure.message),
            ClientError::Broken(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<Error> for ClientError {
    fn from(error: Error) -> ClientError {
        ClientError::Broken(error)
    }
}

/// How a connection begins.
#[derive(Clone, Debug)]
pub struct LogIn {
    /// The only version that is proposed; `None`: all.
    pub version: Option<Version>,
    /// The login.
    pub auth: Auth,
    /// The name of the client.
    pub user_agent: Arc<str>,
    /// The address that the client used, where it asks for routes.
    pub routing_address: Option<Arc<str>>,
}

impl Default for LogIn {
    fn default() -> LogIn {
        LogIn {
            version: None,
            auth: Auth::none(),
            user_agent: Arc::from(concat!("millrace/", env!("CARGO_PKG_VERSION"))),
            routing_address: None,
        }
    }
}

/// The fields of a SUCCESS.
pub type Fields = Vec<(Arc<str>, Datum)>;

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The names of its columns.
    pub columns: Vec<Arc<str>>,
    /// Its records.
    pub records: Vec<Vec<Datum>>,
    /// The fields of the last SUCCESS.
    pub summary: Fields,
}

impl Answer {
    /// A field of the summary.
    pub fn summary_field(&self, name: &str) -> Option<&Datum> {
        field(&self.summary, name)
    }
}

/// A field by its name.
fn field<'f>(fields: &'f Fields, name: &str) -> Option<&'f Datum> {
    fields.iter().find(|(own, _)| &**own == name).map(|(_, datum)| datum)
}

/// A connection over a stream.
#[derive(Debug)]
pub struct Connection<S> {
    stream: S,
    half: Half,
    greeting: Fields,
    /// Requests that are not answered.
    unanswered: usize,
}

impl<S: Read + Write> Connection<S> {
    /// Shakes hands and logs in.
    pub fn open(stream: S, log_in: &LogIn) -> ClientResult<Connection<S>> {
        let half = Half::new(log_in.version);
        let mut connection = Connection { stream, half, greeting: Fields::new(), unanswered: 0 };
        connection.flush()?;
        let version = loop {
            match connection.half.version() {
                Some(version) => break version,
                None => connection.read()?,
            }
        };
        connection.send(&Request::Hello(Hello {
            user_agent: Arc::clone(&log_in.user_agent),
            auth: log_in.auth.clone(),
            routing_address: log_in.routing_address.clone(),
            wants_utc: !version.is_always_utc(),
            notifications: WantedNotifications::default(),
        }))?;
        if version.has_logon() {
            connection.send(&Request::Logon(log_in.auth.clone()))?;
        }
        connection.flush()?;
        connection.greeting = connection.success()?;
        if version.has_logon() {
            connection.success()?;
        }
        Ok(connection)
    }

    /// The fields of the first SUCCESS.
    pub fn greeting(&self) -> &Fields {
        &self.greeting
    }

    /// The version that both sides speak.
    pub fn version(&self) -> Option<Version> {
        self.half.version()
    }

    /// The stream below.
    pub fn stream(&self) -> &S {
        &self.stream
    }

    /// Runs a query as a transaction of its own and takes all records. After a failure the connection is reset.
    pub fn run(&mut self, query: &str, parameters: &[(Arc<str>, Value)]) -> ClientResult<Answer> {
        self.run_with(query, parameters, TransactionOptions::default())
    }

    /// The same with options; in an open transaction they are the transaction's.
    pub fn run_with(
        &mut self,
        query: &str,
        parameters: &[(Arc<str>, Value)],
        options: TransactionOptions,
    ) -> ClientResult<Answer> {
        let parameters = parameters.to_vec();
        self.send(&Request::Run(Run { query: Arc::from(query), parameters, options }))?;
        self.send(&Request::Pull(Amount::ALL))?;
        self.flush()?;
        let answer = self.take_answer();
        self.recover(answer)
    }

    fn take_answer(&mut self) -> ClientResult<Answer> {
        let begun = self.success()?;
        let columns = columns(&begun);
        let (records, summary) = self.records()?;
        Ok(Answer { columns, records, summary })
    }

    /// Records up to the SUCCESS that ends them.
    pub fn records(&mut self) -> ClientResult<(Vec<Vec<Datum>>, Fields)> {
        let mut records = Vec::new();
        loop {
            match self.receive()? {
                Reply::Record(record) => records.push(record),
                Reply::Success(summary) => return Ok((records, summary)),
                Reply::Failure(failure) => return Err(ClientError::Failure(failure)),
                Reply::Ignored => return Err(ignored()),
            }
        }
    }

    /// Begins a transaction.
    pub fn begin(&mut self, options: TransactionOptions) -> ClientResult<()> {
        self.ask(&Request::Begin(options)).map(drop)
    }

    /// Commits it; its bookmark.
    pub fn commit(&mut self) -> ClientResult<Option<Arc<str>>> {
        let fields = self.ask(&Request::Commit)?;
        Ok(field(&fields, "bookmark").and_then(Datum::as_str).map(Arc::from))
    }

    /// Rolls it back.
    pub fn roll_back(&mut self) -> ClientResult<()> {
        self.ask(&Request::Rollback).map(drop)
    }

    /// Sends a request and waits for its SUCCESS. After a failure the connection is reset.
    pub fn ask(&mut self, request: &Request) -> ClientResult<Fields> {
        self.send(request)?;
        self.flush()?;
        let answer = self.success();
        self.recover(answer)
    }

    /// Cancels what is under way, passes over its answers, and clears a failure.
    pub fn reset(&mut self) -> ClientResult<()> {
        self.send(&Request::Reset)?;
        self.flush()?;
        loop {
            match (self.receive()?, self.unanswered) {
                (Reply::Failure(failure), 0) => return Err(ClientError::Failure(failure)),
                (Reply::Success(_) | Reply::Ignored, 0) => return Ok(()),
                // Of requests in front of it.
                (Reply::Success(_) | Reply::Ignored | Reply::Failure(_) | Reply::Record(_), _) => {}
            }
        }
    }

    /// Says goodbye; the stream may be dropped then.
    pub fn close(mut self) -> ClientResult<()> {
        self.send(&Request::Goodbye)?;
        self.flush()
    }

    fn recover<T>(&mut self, answer: ClientResult<T>) -> ClientResult<T> {
        if let Err(ClientError::Failure(_)) = answer {
            self.reset()?;
        }
        answer
    }

    /// Adds a request to those that wait to be sent.
    pub fn send(&mut self, request: &Request) -> ClientResult<()> {
        self.half.request(request)?;
        self.unanswered += usize::from(*request != Request::Goodbye);
        Ok(())
    }

    /// Sends what waits.
    pub fn flush(&mut self) -> ClientResult<()> {
        let bytes = self.half.take_outgoing();
        let sent = self.stream.write_all(&bytes).and_then(|()| self.stream.flush());
        sent.map_err(|error| broken(&error))
    }

    fn success(&mut self) -> ClientResult<Fields> {
        match self.receive()? {
            Reply::Success(fields) => Ok(fields),
            Reply::Failure(failure) => Err(ClientError::Failure(failure)),
            Reply::Ignored => Err(ignored()),
            Reply::Record(_) => {
                let detail = "a record came where a result was over";
                Err(Error::new(ErrorKind::BadInput, detail).into())
            }
        }
    }

    /// Waits for the next reply.
    pub fn receive(&mut self) -> ClientResult<Reply> {
        loop {
            if let Some(reply) = self.half.reply()? {
                if !matches!(reply, Reply::Record(_)) {
                    self.unanswered = self.unanswered.saturating_sub(1);
                }
                return Ok(reply);
            }
            self.read()?;
        }
    }

    fn read(&mut self) -> ClientResult<()> {
        let mut bytes = vec![0; READ_BYTES];
        let count = self.stream.read(&mut bytes).map_err(|error| broken(&error))?;
        if count == 0 {
            let detail = "the server closed the connection";
            return Err(Error::new(ErrorKind::Unavailable, detail).into());
        }
        self.half.push(&bytes[..count])?;
        // The answer to a manifest.
        self.flush()
    }
}

/// The names of columns in the SUCCESS of RUN.
fn columns(begun: &Fields) -> Vec<Arc<str>> {
    let Some(Datum::Value(Value::List(names))) = field(begun, "fields") else { return Vec::new() };
    names.iter().filter_map(|name| name.as_str().map(Arc::from)).collect()
}

fn broken(error: &std::io::Error) -> ClientError {
    Error::new(ErrorKind::Io, format!("the connection is broken: {error}")).into()
}

fn ignored() -> ClientError {
    let detail = "the server ignored a request: an earlier one failed";
    Error::new(ErrorKind::BadInput, detail).into()
}
