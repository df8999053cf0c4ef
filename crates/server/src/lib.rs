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

mod browsers;
mod connections;
mod events;
mod executor;
mod http;
pub mod limits;
mod listener;
mod listeners;
mod metrics;
mod neo4j;
mod procedures;
pub mod query;
mod server;
mod state;
mod stream_body;
mod under_way;
pub mod users;

pub use listener::{StartError, rows as listener_rows};
pub use millrace_db as db;
pub use millrace_wire as wire;
pub use server::{Listening, Server, Signals};
