//! Bolt, the protocol of Neo4j's drivers: versions 3, 4.0 to 4.4 and 5.0 to 5.8, bytes to messages and back.
//!
//! ```text
//!   bytes ──handshake──> Version
//!   bytes ──chunks──> message ──packstream──> Request ──state──> Action   (the server does it)
//!   bytes <──chunks── message <──packstream── fields, records, Failure <──────────┘
//! ```
//!
//! No socket is here, and nothing runs a query. A request's parameters leave as `model`'s values; results arrive as
//! values with their detached elements. [`client`] is the other half, for tests and tools.

pub mod chunks;
pub mod client;
pub mod errors;
pub mod frames;
pub mod handshake;
pub(crate) mod notification;
mod options;
pub mod packstream;
pub mod plan;
mod reply;
mod request;
pub mod state;
mod version;

pub use errors::Failure;
pub use notification::{Notification, Wanted as WantedNotifications};
pub use options::{Amount, TransactionOptions};
pub use reply::{
    Reply, write_failure, write_ignored, write_plain_record, write_record, write_success,
};
pub use request::{Auth, Hello, Request, Route, Run, read_request, write_request};
pub use version::Version;
