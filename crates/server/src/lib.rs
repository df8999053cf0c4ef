//! Listeners, limits, metrics: the sockets.
//!
//! A listener reads requests by `wire`, asks `db`, and writes answers by `wire`. No socket thread ever
//! runs a script or waits for a disk; scripts answer through a channel, plans and loads run on bounded
//! threads, and a client that goes away cancels its query.
//!
//! ```text
//!   socket ──listener──> permit, list ──> dispatch ─┬─ script ──> db's interpreters ──channel──┐
//!                             │                     ├─ plan, load ──> blocking thread ─────────┤
//!                        503 when full              └─ health, metrics ────────────────────────┴─> socket
//! ```
//!
//! The modules, and a module imports from those below it only: the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it.
//!
//! ```text
//!   server        addresses, start, signals, end
//!   listeners     a folder for each protocol, and the list of them
//!   http, query   what listeners share: bodies and responses; a query's answer as lines
//!   dql           what the listeners of Dgraph's protocols share
//!   state         what all requests share; it lets them in
//!   procedures, neo4j     procedures that only a server has; databases, bookmarks, routes of Neo4j
//!   users, under_way      logins; the list of the requests under way
//!   connections   sockets: their number, time limits, memory
//!   browsers, executor    the gate for web pages; the threads that run requests
//!   monitoring, limits
//! ```

mod browsers;
mod connections;
mod dql;
mod executor;
mod http;
pub mod limits;
mod listeners;
mod monitoring;
mod neo4j;
mod procedures;
pub mod query;
mod server;
mod state;
mod under_way;
pub mod users;

pub use millrace_db as db;
pub use millrace_wire as wire;
pub use server::{Listening, Server, Signals, StartError, check_settings, rows as listener_rows};
