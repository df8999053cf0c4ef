//! The state of a transaction: its write set in parts, in memory or spilled, and the log of its reads.
//!
//! What is kept until the commit enters. Nothing here reads the snapshot: that is the view's.

pub(super) mod column_append;
pub(super) mod created;
pub(super) mod own_edges;
pub(super) mod own_index;
pub(super) mod own_keys;
pub(super) mod part;
pub(super) mod part_index;
pub(super) mod read_log;
pub(super) mod spilled_part;
pub(super) mod write_set;

pub use part::NewProperties;
