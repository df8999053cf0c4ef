//! The state of a load that runs: its options, its opened files, its counters and bad rows, and for a
//! load in batches the batches and their journal. Formats report to it and are called back by it; it
//! knows none of them.

mod batches;
mod datatypes;
mod journal;
mod meter;
mod open;
mod options;

pub(crate) use batches::{Batch, Batches};
pub(crate) use datatypes::DatatypeCounts;
pub use datatypes::UnknownTypes;
pub(crate) use journal::Journal;
pub(crate) use meter::Meter;
pub use meter::{Counts, OnProgress, Phase, Progress, Summary, quiet};
pub(crate) use open::{open, open_all};
pub use options::{LoadOptions, LoadPath};
