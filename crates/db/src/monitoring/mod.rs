//! What an operator sees of a database: metrics, events of the log, services beside the listeners.
//!
//! Numbers and lists as plain values, and what writes an event for a crate that knows no logger. Nothing here
//! measures or decides by itself; the slow-query log belongs to `request`, which knows queries.

pub mod log_events;
mod metrics;
pub mod services;
mod store_events;

pub(crate) use metrics::Counters;
pub use metrics::{Metric, MetricKind};
pub(crate) use store_events::StoreEvents;
