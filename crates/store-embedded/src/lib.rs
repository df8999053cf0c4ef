//! The durable store: log, segments, delta, indexes, recovery.

pub mod bulk;
mod bytes;
pub mod codec;
pub mod error;
pub mod folder;
pub mod format;
pub mod image;
pub mod io;
pub mod limits;
pub mod log;
pub mod manifest;
pub mod segment;
