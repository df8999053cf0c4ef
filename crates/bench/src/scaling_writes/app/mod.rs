//! The article's web app, a process of its own so that it can be killed: each request asks for one node.
//!
//! ```text
//!   POST /node                        ──────────────────────────> database, one node, then the answer
//!   POST /nodes                       ── accumulator: N numbers ─> database, N nodes, then the answer to the Nth
//!   POST /evented_nodes               ──────────────────────────> broker, one command a message
//!   POST /evented_accumulated_nodes   ── accumulator: 100 ──────> broker, 100 commands a message
//! ```
//!
//! Requests that only join an accumulator are answered at once, as in the article: a crash loses them. `POST /flush`
//! writes what has accumulated; the article's app had no such request.

mod accumulator;
mod http;

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use millrace_model::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

use accumulator::Accumulator;
use http::{Answer, Request, Requests};

use super::database::{Client, Database};
use super::node::Node;
use super::queue::{Broker, Publisher, Queue, message};
use super::variant::Variant;
use crate::jobs::Job;

/// An app to be run until its process is killed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct App {
    pub(super) database: Database,
    /// Where the evented variants publish.
    pub(super) queue: Option<Queue>,
    /// The mark of its nodes.
    pub(super) run: String,
    pub(super) variant: Variant,
}

/// It answers, once it listens, with its address.
impl Job for App {
    const NAME: &'static str = "App";
}

/// State that all connections share.
struct Shared {
    app: App,
    publisher: Option<Publisher>,
    /// Of `/nodes`.
    nodes: Accumulator,
    /// Of `/evented_accumulated_nodes`.
    evented: Accumulator,
}

impl App {
    /// Serves; says where, once it listens.
    pub(crate) fn run(
        self,
        listening: &mut dyn FnMut(SocketAddr) -> Result<()>,
    ) -> Result<Infallible> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Unavailable, format!("the app can't listen: {error}"))
        };
        let broker = self.queue.as_ref().map(Broker::connect).transpose()?;
        let publisher = broker.as_ref().map(Broker::publisher).transpose()?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        listening(listener.local_addr().map_err(failed)?)?;
        let shared = Arc::new(Shared {
            nodes: Accumulator::of(self.variant.accumulates()),
            evented: Accumulator::of(Variant::Evented100.accumulates()),
            publisher,
            app: self,
        });
        loop {
            let shared = Arc::clone(&shared);
            let (stream, _user) = listener.accept().map_err(failed)?;
            thread::spawn(move || {
                // A user that goes away ends its connection, not the app.
                let _gone = shared.serve(stream);
            });
        }
    }
}

impl Shared {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut requests = Requests::of(stream)?;
        let mut client = self.app.database.client();
        while let Some(request) = requests.next()? {
            let answer = self.answer(&request, &mut client);
            requests.answer(&answer)?;
        }
        Ok(())
    }

    fn answer(&self, request: &Request, client: &mut Client) -> Answer {
        match self.done(request, client) {
            Ok(()) => Answer { status: 201, body: "{}".to_owned() },
            Err(error) => {
                let status = match error.kind {
                    ErrorKind::BadInput => 400,
                    ErrorKind::NotFound => 404,
                    _ => 500,
                };
                let body = serde_json::json!({ "error": error.to_string() });
                Answer { status, body: body.to_string() }
            }
        }
    }

    fn done(&self, request: &Request, client: &mut Client) -> Result<()> {
        let Request { method, path, body } = request;
        match (&**method, &**path) {
            ("POST", "/node") => client.write(&self.nodes_of(&[number(body)?])),
            ("POST", "/nodes") => match self.nodes.add(number(body)?) {
                Some(batch) => client.write(&self.nodes_of(&batch)),
                None => Ok(()),
            },
            ("POST", "/evented_nodes") => self.publish(&[number(body)?]),
            ("POST", "/evented_accumulated_nodes") => match self.evented.add(number(body)?) {
                Some(batch) => self.publish(&batch),
                None => Ok(()),
            },
            ("POST", "/flush") => {
                let (nodes, evented) = (self.nodes.take(), self.evented.take());
                client.write(&self.nodes_of(&nodes))?;
                if evented.is_empty() { Ok(()) } else { self.publish(&evented) }
            }
            _ => {
                let detail = format!("the app has no route {method} {path}");
                Err(Error::new(ErrorKind::NotFound, detail))
            }
        }
    }

    fn publish(&self, numbers: &[u64]) -> Result<()> {
        let publisher = self.publisher.as_ref().ok_or_else(|| {
            let detail = "the app was started without a broker";
            Error::new(ErrorKind::Unavailable, detail)
                .with_help("millrace bench scaling-writes --amqp URL")
        })?;
        let message = message::encode(&self.nodes_of(numbers))?;
        // The number of a message's first node is in no other message.
        let first = numbers.first().copied().unwrap_or_default();
        publisher.publish(&message, &format!("{}-{first}", self.app.run))
    }

    fn nodes_of(&self, numbers: &[u64]) -> Vec<Node> {
        let node = |number: &u64| Node { run: self.app.run.clone(), number: *number };
        numbers.iter().map(node).collect()
    }
}

/// The number of a request: `{"number": 17}`.
fn number(body: &[u8]) -> Result<u64> {
    #[derive(Deserialize)]
    struct Body {
        number: u64,
    }
    let body: Body = serde_json::from_slice(body).map_err(|error| {
        let detail = format!("the body of a request: {error}");
        Error::new(ErrorKind::BadInput, detail).with_help(r#"such as {"number": 17}"#)
    })?;
    Ok(body.number)
}
