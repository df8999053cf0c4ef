//! A client of gRPC: calls with one message each way, over HTTP/2 without encryption, one under way on each connection.
//!
//! One thread drives all connections.

use std::cell::RefCell;
use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::dql::unframed;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use super::closed_loop::{Driven, SILENCE_MAX, Work, silent};

/// Connections to servers, with the thread that is to drive them.
pub struct Calls {
    runtime: Runtime,
    connections: Vec<Called>,
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum CallFailed {
    /// The server ended it with a code and a message.
    Refused(u16, String),
    /// No whole answer came.
    Gone(Error),
}

impl From<Error> for CallFailed {
    fn from(error: Error) -> CallFailed {
        CallFailed::Gone(error)
    }
}

impl From<CallFailed> for Error {
    /// Where every call has to succeed.
    fn from(failed: CallFailed) -> Error {
        match failed {
            CallFailed::Refused(code, message) => {
                Error::new(ErrorKind::Bug, format!("a call ended with {code}: {message}"))
            }
            CallFailed::Gone(error) => error,
        }
    }
}

/// A connection to a server.
struct Called {
    server: SocketAddr,
    sender: SendRequest<Full<Bytes>>,
}

impl Calls {
    /// Connects to each server, as often as it is named.
    pub fn open(servers: &[SocketAddr]) -> Result<Calls> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let opened = servers.iter().map(|server| Called::open(*server));
        let connections = runtime.block_on(in_time(SILENCE_MAX, try_join_all(opened)))?;
        Ok(Calls { runtime, connections })
    }

    /// Whether a server has ended one of the connections.
    pub(crate) fn is_any_closed(&self) -> bool {
        self.connections.iter().any(|called| called.sender.is_closed())
    }

    /// The answer to a message, from the first connection. Messages have their frames.
    pub fn ask(
        &mut self,
        method: &str,
        message: impl Into<Bytes>,
    ) -> std::result::Result<Bytes, CallFailed> {
        let first = self.connections.first_mut();
        let first = first.ok_or_else(|| Error::new(ErrorKind::Bug, "there is no connection"))?;
        self.runtime.block_on(in_time(SILENCE_MAX, first.call(method, message.into())))
    }

    /// Drives all connections for so long, and until the last call is answered.
    pub(crate) fn drive(
        &mut self,
        method: &str,
        time: Duration,
        work: &mut dyn Work,
    ) -> Result<Driven> {
        let end = Instant::now() + time;
        let run = RefCell::new((work, Driven::default()));
        let loops = self.connections.iter_mut().map(|called| called.repeat(method, end, &run));
        self.runtime.block_on(in_time(time + SILENCE_MAX, try_join_all(loops)))?;
        Ok(run.into_inner().1)
    }
}

impl Called {
    async fn open(server: SocketAddr) -> Result<Called> {
        let stream = TcpStream::connect(server).await.map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let opened = handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
        let (sender, connection) = opened.map_err(|error| failed(&error))?;
        // Its end shows in the calls.
        tokio::spawn(async move { drop(connection.await) });
        Ok(Called { server, sender })
    }

    /// One call after the other. What they share is never borrowed over a wait.
    async fn repeat(
        &mut self,
        method: &str,
        end: Instant,
        run: &RefCell<(&mut dyn Work, Driven)>,
    ) -> Result<()> {
        loop {
            let mut message = Vec::new();
            run.borrow_mut().0.next(&mut message)?;
            let sent = Instant::now();
            let answer = self.call(method, message.into()).await?;
            let now = Instant::now();
            let (work, driven) = &mut *run.borrow_mut();
            work.judge(&answer)?;
            driven.count(now - sent, answer.len(), now <= end);
            if end < now {
                return Ok(());
            }
        }
    }

    async fn call(
        &mut self,
        method: &str,
        message: Bytes,
    ) -> std::result::Result<Bytes, CallFailed> {
        let request = hyper::Request::post(format!("http://{}{method}", self.server))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(Full::new(message))
            .map_err(|error| Error::new(ErrorKind::Bug, error.to_string()))?;
        let response = self.sender.send_request(request).await.map_err(|error| failed(&error))?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| failed(&error))?;
        // A call that fails at once has its status in the head.
        let trailers = body.trailers().unwrap_or(&head.headers);
        let text = |name: &str| {
            String::from_utf8_lossy(trailers.get(name).map_or(&[][..], |value| value.as_bytes()))
        };
        match text("grpc-status").parse() {
            Ok(0) => {}
            Ok(code) => return Err(CallFailed::Refused(code, text("grpc-message").into_owned())),
            Err(_) => {
                return Err(Error::new(ErrorKind::Unavailable, "the answer has no status").into());
            }
        }
        let bad = |detail: &str| CallFailed::Gone(Error::new(ErrorKind::Bug, detail));
        match unframed(&body.to_bytes()) {
            Ok((message, false)) => Ok(message),
            Ok((_, true)) => Err(bad("the answer is packed")),
            Err(status) => Err(bad(&status.message)),
        }
    }
}

async fn in_time<T, E: From<Error>>(
    most: Duration,
    work: impl Future<Output = std::result::Result<T, E>>,
) -> std::result::Result<T, E> {
    tokio::time::timeout(most, work).await.unwrap_or_else(|_| Err(silent().into()))
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Unavailable, error.to_string())
}
