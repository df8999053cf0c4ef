//! The durable store: log, segments, delta, indexes, recovery.
//!
//! ```text
//!   EmbeddedBackend ── EmbeddedStore ─┬─ commit     the life of a write (read commit/mod.rs first)
//!                                     ├─ snapshot   the graph at a position
//!                                     └─ leases, catalog, spill, bulk_load
//!   recovery    manifest, segments, log ──> an open folder
//!   checkpoint  dirty shards ──> segments, manifest; files freed
//!   ────────────────────────────────────────────────────────────────────
//!   partition   2^16 vertices: lists, records, edges, at every pinned snapshot
//!   index       entries by hash, in shards
//!   image, segment, bulk    immutable content of a partition, its file, and large sets of it
//!   log, manifest, folder   what is durable, and which files it is in
//!   check, repair, inspect, backup   is everything as it must be, what of it can be saved,
//!               what is there, copies of an open or a closed folder
//!   io          disk, clock and randomness as traits: the machine, or a simulated one
//! ```
//!
//! A commit may be applied to partitions before it is durable, and readers read at a position that
//! is durable. Only the watermark of `commit` joins the two.

mod backend;
pub mod backup;
mod build;
pub mod bulk;
mod bulk_load;
mod bytes;
mod catalog;
pub mod check;
mod checkpoint;
mod chosen;
pub mod codec;
mod commit;
mod contents;
mod edge_ids;
mod embedded_store;
pub mod error;
mod fetch;
mod files;
pub mod folder;
pub mod format;
mod graph;
pub mod image;
pub mod index;
pub mod inspect;
pub mod io;
mod leases;
pub mod limits;
pub mod log;
pub mod manifest;
mod mend;
mod metrics;
#[cfg(all(test, feature = "loom"))]
mod models;
mod open;
mod options;
pub mod paced_file;
mod pacer;
pub mod partition;
mod recovery;
pub mod repair;
mod roots;
mod schema_lock;
pub mod segment;
mod snapshot;
mod spill;
mod sync;
mod view;
mod view_ranges;
mod watch;

pub use backend::{EmbeddedBackend, SchemaChangeCommit, Step};
pub use options::{Durability, Options};
pub use watch::{Event, Watcher};
