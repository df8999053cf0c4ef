//! Large write sets become images: a bulk load's bases and an out-of-line commit's transaction
//! layers, one path.
//!
//! ```text
//!   parts ──push──> rows by partition ─┬─ in memory, over budget: chunks in the spool
//!                                      │
//!   finish: partition by partition     ▼
//!     out lists sorted by (source, target); slots in that order where the store assigns them;
//!     columns in slot order; in rows routed by target ──> rows by partition (or the spool)
//!     ends checked
//!   then partition by partition: in lists, image handed over
//! ```
//!
//! Out lists are walked by ascending partition, source, target and slot, so in rows arrive almost
//! sorted and a counting sort by local finishes them.
//!
//! An image of a load has checkpoint position 0. It gets its position later, when it is installed;
//! until then nothing handed over may be visible, because a later partition may still fail.

mod builder;
mod finish;
mod incoming;
mod key_columns;
mod out;
mod pile;
mod rows;
mod spill_file;
mod spool;
mod target;
#[cfg(test)]
mod tests;

pub use builder::BulkBuilder;
pub(crate) use spill_file::verify_spill_file;
pub use spill_file::{read_spill_file, write_durable_spill_file, write_spill_file};
pub use target::{BulkError, LoadTarget};
