//! The base of all modules: errors, options, limits, the encodings of values, and a seeded
//! generator.
//!
//! Nothing here knows a file, a graph or a thread, and nothing of the crate is imported.

pub(crate) mod bytes;
pub mod codec;
pub(crate) mod commit_limits;
pub mod error;
pub(crate) mod fetch;
pub mod format;
pub mod limits;
pub(crate) mod mend;
pub(crate) mod merge_cost;
pub(crate) mod options;
pub(crate) mod random;
