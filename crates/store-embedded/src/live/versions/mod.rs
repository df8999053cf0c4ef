//! The state of a partition: roots, deltas and versions of records, and the versions that may be
//! freed.

pub(super) mod cells;
pub(super) mod chunk_lock;
pub(super) mod counts;
pub(super) mod delta;
pub(super) mod edge_records;
pub(super) mod edge_run;
pub(super) mod existence;
pub(super) mod pinned;
pub(super) mod record;
pub(super) mod root;
pub(super) mod state;
pub(super) mod traces;
