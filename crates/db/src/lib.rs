//! Assembly: opens a data folder, holds its graphs, runs requests in any language, scripts, plans and loads in
//! transactions.
//!
//! Programs embed this crate; nothing here knows a socket. A request is one transaction unless a session keeps
//! it open, and its answer leaves only when the commit is visible, which is after it is durable. A request with a
//! write conflict is run again here, invisibly to its caller.
//!
//! ```text
//!   Request ──> session ──> statements (cache) ──> languages ─┐
//!   Script ───> ragedb (interpreters) ────────────────────────┼─> Execution (engine over a store) ──> results
//!   plans ────> Graph::read, write ───────────────────────────┘        │ commit
//!   files ────> Graph::load ──> ingest ──────────────────────> store   └──> commit notifier
//! ```
//!
//! The modules, and a module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it.
//!
//! ```text
//!   languages     the list of languages; a query in any of them
//!   session       requests in transactions, and their results
//!   database      the graphs of a data folder by name; loads
//!   maintenance, graph    operations on a folder that no process serves; one graph
//!   ragedb        scripts of Lua, on interpreters
//!   statements    the cache of texts, prepared statements, operators
//!   transaction   one transaction on one graph, its retry
//!   procedures    the registry, and those that know the database
//!   request       a request as it comes: limits, trace, receiver of results
//!   resources, monitoring    memory and threads of the process; metrics, events
//!   dql           schemas of DQL
//!   settings, limits
//! ```

mod database;
pub mod dql;
mod graph;
pub mod languages;
pub mod limits;
pub mod maintenance;
mod monitoring;
pub mod procedures;
pub mod ragedb;
mod request;
mod resources;
pub mod session;
pub mod settings;
mod statements;
mod transaction;

pub use database::{Database, Emptying};
pub use graph::{Graph, GraphSize};
pub use languages::Query;
pub use millrace_store::Ticket;
pub use monitoring::{Metric, MetricKind, log_events, services};
pub use request::{
    Caller, CancelFlag, GRAPH_REPLACED, Phase, Pinned, QueryText, RequestLimits, ResultHead,
    Results, Trace,
};
pub use resources::fair_queue::Client;
pub use resources::{fair_queue, small_pages};
pub use settings::{DEFAULT_GRAPH, Settings};

/// Queries in any language.
pub mod query {
    pub use crate::languages::Query;
    pub use crate::settings::DEFAULT_GRAPH;
}

/// Loads: under way and ended.
pub mod loads {
    pub use crate::database::loads::{
        Loads, phase_word, progress_pairs, summary_pairs, with_rejects,
    };
    pub use crate::graph::LoadWay;
}

/// Plans: programs build and run them in bulk, without a language.
pub mod plan {
    pub use millrace_plan::{
        ColumnId, Comparison, Definition, ElementKind, End, Expr, Fold, Function, Name, Notice,
        OwnerName, Parameter, Plan, PlanBuilder, PreparedPlan, Properties, RowsSource, Runner,
        ScanSource, Template, WriteCounts, op,
    };
}

/// The store below: to measure it without the layers above, and to see its bounds.
pub mod store {
    pub use millrace_store::ordered_keys::check_method;
    pub use millrace_store::{
        Changes, ConflictUnit, EdgeBlock, Elements, GRAPH_DROPPED, Isolation, NameKind, Neighbours,
        Run, ScanCursor, Snapshot, Store, Ticket, Transaction, VertexBlock, WriteBatch, limits,
    };
}

/// Files: their formats, loads, exports and generated data.
pub mod ingest {
    pub use millrace_ingest::{
        csv, declared, error, export, generate, load, nquads, reading, rejects, source,
    };
}
