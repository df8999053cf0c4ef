//! What carries the requests of a client: Dgraph's HTTP or its gRPC. What a request is for never enters here.

mod grpc;
mod http;

use std::path::Path;
use std::time::Duration;

use serde_json::Value as Json;

use crate::program::{Served, serve_dql, serve_dql_grpc};

/// No answer takes so long.
pub(super) const ANSWER_MAX: Duration = Duration::from_secs(60);

/// A message with these words is that of a transaction that may be run again.
const MAY_BE_TRIED_AGAIN: &str = "Please retry";

/// Why a request has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// It was not done, and may be tried again.
    Aborted,
    /// No whole answer came: it may have been done.
    Gone,
}

pub(super) type Reached<T> = Result<T, Failed>;

/// A query, changes, or both.
#[derive(Clone, Copy, Default)]
pub(super) struct Request<'r> {
    pub(super) query: &'r str,
    /// When the changes are made: `@if(…)`, or always.
    pub(super) condition: &'r str,
    /// N-Quads.
    pub(super) set: &'r str,
    /// N-Quads.
    pub(super) delete: &'r str,
    /// The transaction; 0: a new one.
    pub(super) start_ts: u64,
    /// Whether the changes are committed when they are acknowledged.
    pub(super) commit_now: bool,
}

/// What an answer has.
pub(super) struct Answer {
    pub(super) data: Json,
    pub(super) context: Context,
}

/// What belongs to a transaction over requests.
#[derive(Default)]
pub(super) struct Context {
    pub(super) start_ts: u64,
    pub(super) keys: Vec<String>,
    pub(super) predicates: Vec<String>,
}

/// The requests of one client to the server at a URL. A failure other than [`Failed`] panics.
pub(super) trait Transport {
    fn alter(&self, url: &str, schema: &str) -> Reached<()>;

    fn ask(&self, url: &str, request: &Request<'_>) -> Reached<Answer>;

    fn commit(&self, url: &str, context: &Context) -> Reached<()>;
}

/// Which of both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Protocol {
    Http,
    Grpc,
}

impl Protocol {
    pub(super) fn name(self) -> &'static str {
        match self {
            Protocol::Http => "HTTP",
            Protocol::Grpc => "gRPC",
        }
    }

    /// A server of a folder that speaks it.
    pub(super) fn serve(self, data: &Path, further: &[&str]) -> Served {
        match self {
            Protocol::Http => serve_dql(data, further),
            Protocol::Grpc => serve_dql_grpc(data, further),
        }
    }

    pub(super) fn transport(self) -> Box<dyn Transport> {
        match self {
            Protocol::Http => Box::new(http::Http::new()),
            Protocol::Grpc => Box::new(grpc::Grpc::default()),
        }
    }
}
