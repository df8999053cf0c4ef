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

mod commit_notifier;
mod database;
pub mod fair_queue;
mod graph;
mod graph_parts;
mod graph_size;
pub mod languages;
pub mod limits;
pub mod loads;
pub mod log_events;
pub mod maintenance;
mod memory;
mod metrics;
pub mod procedures;
pub mod query;
pub mod ragedb;
mod results;
mod schema;
mod script_files;
pub mod services;
pub mod session;
pub mod settings;
pub mod small_pages;
mod statements;
mod store_events;
mod trace;

pub use database::Database;
pub use fair_queue::Client;
pub use graph::Graph;
pub use graph_size::GraphSize;
pub use metrics::{Metric, MetricKind};
pub use millrace_store::Ticket;
pub use query::{DEFAULT_GRAPH, Query};
pub use results::{ResultHead, Results};
pub use session::{Caller, CancelFlag, RequestLimits};
pub use settings::Settings;
pub use trace::{Phase, QueryText, Trace};

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
    pub use millrace_store::{
        Changes, EdgeBlock, Elements, Isolation, NameKind, Neighbours, Run, ScanCursor, Snapshot,
        Store, Ticket, Transaction, VertexBlock, WriteBatch, limits,
    };
}

/// Files: their formats, loads, exports and generated data.
pub mod ingest {
    pub use millrace_ingest::{csv, error, export, generate, load, reading, rejects, source};
}
