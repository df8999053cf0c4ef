//! What a client asks of the listener of administration, and the form of errors.

use millrace_model::Error;

use super::load::StartLoad;
use super::ndjson::error_object;
use super::query::{CheckRequest, QueryRequest};
use super::schema::SchemaChange;
use crate::http::Response;
use crate::http::status::of_error;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The query page.
    Page,
    /// How the server is: version, uptime, whether it takes requests.
    Health,
    /// Whether the process lives.
    Live,
    /// Whether it takes requests.
    Ready,
    /// Counters, for Prometheus.
    Metrics,
    /// The names and sizes of all graphs.
    ListGraphs,
    /// A graph: its size and its isolation.
    ShowGraph {
        /// Which.
        graph: String,
    },
    /// A graph is made, if it is not there, and isolated so.
    MakeGraph {
        /// Which.
        graph: String,
        /// `None`: as it is, or as the settings say.
        isolation: Option<Isolation>,
    },
    /// A graph goes.
    DropGraph {
        /// Which.
        graph: String,
    },
    /// The catalog of a graph.
    ShowSchema {
        /// Of which graph.
        graph: String,
    },
    /// Changes of the catalog, as one transaction.
    ChangeSchema {
        /// Of which graph.
        graph: String,
        /// In their order.
        changes: Vec<SchemaChange>,
    },
    /// Files, as the body, loaded into a graph.
    StartLoad(Box<StartLoad>),
    /// All loads of this process.
    ListLoads,
    /// How far a load is.
    ShowLoad {
        /// Its number.
        id: u64,
    },
    /// A graph as one file.
    Export {
        /// Which.
        graph: String,
        /// Its format.
        format: String,
        /// Whether values of types that the format has no words for are written as text.
        unsupported_as_text: bool,
    },
    /// A backup of everything; the answer is an archive.
    Backup,
    /// The requests under way.
    ListQueries,
    /// A request under way is cancelled.
    CancelQuery {
        /// Its number.
        number: u64,
    },
    /// The graphs and the languages that can be asked.
    ListTargets,
    /// A query in any language on a graph.
    Query(Box<QueryRequest>),
    /// A transaction of several queries on a graph begins.
    BeginTransaction {
        /// Which.
        graph: String,
    },
    /// It is committed.
    CommitTransaction {
        /// Its graph.
        graph: String,
        /// Its number.
        id: u64,
    },
    /// It is rolled back.
    RollBackTransaction {
        /// Its graph.
        graph: String,
        /// Its number.
        id: u64,
    },
    /// A text is checked and completed.
    Check(Box<CheckRequest>),
}

/// How the transactions of a graph are isolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// As each request asks.
    Snapshot,
    /// All of them serializable.
    Serializable,
}

impl Isolation {
    /// Both, with their words.
    pub const ALL: [(Isolation, &'static str); 2] =
        [(Isolation::Snapshot, "snapshot"), (Isolation::Serializable, "serializable")];
}

/// The answer to a request that failed: an object, with the status of its kind or another one. `text` is the text
/// that its position is in.
pub fn error_response(status: Option<u16>, error: &Error, text: Option<&str>) -> Response {
    let status = status.unwrap_or_else(|| of_error(error));
    let response = Response::of(status, "application/json", error_object(error, text));
    Response { error: Some(error.kind.word()), ..response }
}
