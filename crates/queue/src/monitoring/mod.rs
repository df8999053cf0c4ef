//! What an operator sees of a queue: its numbers, and what is wrong with it, in health and the log.
//!
//! It counts and reports what others do. No connection, batch or key enters.

mod metrics;
mod reason;
mod status;

pub use metrics::{METRICS, reference_page};
pub(crate) use metrics::{Outcome, QueueMetrics};
pub(crate) use reason::reason;
pub(crate) use status::Status;
