//! What Bolt and Neo4j's HTTP interface share: databases by name, bookmarks, deadlines, routes.
//!
//! No message and no socket: those belong to the two listeners.

pub(crate) mod bookmark;
pub(crate) mod notices;
pub(crate) mod routing;
mod target;

use std::time::{Duration, Instant};

use millrace_db::Database;

pub(crate) use target::{DEFAULT_DATABASE, Target};

/// When a request must be done that asks for some milliseconds.
pub(crate) fn deadline(database: &Database, timeout_ms: u64) -> Option<Instant> {
    let most = database.settings().query.deadline_max;
    Instant::now().checked_add(Duration::from_millis(timeout_ms.min(most)))
}
