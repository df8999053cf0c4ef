//! The store that the rest of the workspace sees: graphs of a data folder behind the traits of
//! `millrace-store`, and the operations that begin a write.
//!
//! ```text
//!   backend, embedded_store, snapshot   the traits
//!   submit ─┬─ out_of_line              a batch from its committer to its position
//!           └─ schema_change ── build   a transaction that changes the schema
//!   bulk_load, spill, edge_ids          loads, parts of write sets in files, ids of edges
//!   threads, metrics                    the loops that run the steps, counters
//! ```
//!
//! No module below imports it: the parts that a commit, a checkpoint or a recovery needs are in
//! theirs.

mod backend;
mod build;
mod bulk_load;
mod edge_ids;
mod embedded_store;
mod load_notes;
mod metrics;
mod out_of_line;
mod schema_change;
mod snapshot;
mod spill;
mod submit;
mod threads;

pub use backend::{EmbeddedBackend, SchemaChangeCommit, Step};
use bulk_load::EmbeddedBulkLoad;
use embedded_store::EmbeddedStore;
use snapshot::EmbeddedSnapshot;
use spill::SpilledPart;
