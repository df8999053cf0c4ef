//! The durable store: log, segments, delta, indexes, recovery.

pub mod error;
pub mod io;
pub mod limits;
