//! What the server counts and logs by itself.
//!
//! Counters that are added to as requests end, and events that clients can cause as often as they like. Nothing here
//! knows a request; what is only read when the page of metrics is asked for is collected by its listener.

pub(crate) mod events;
pub(crate) mod metrics;

pub(crate) use metrics::{Answered, HttpMetrics};
