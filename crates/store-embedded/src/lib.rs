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

pub mod base;
mod checkpoint;
mod commit;
pub mod folder;
mod graph;
mod ids;
pub mod index;
pub mod io;
pub mod live;
pub mod log;
pub mod maintenance;
#[cfg(all(test, feature = "loom"))]
mod models;
pub mod persistent;
mod recovery;
mod store;
mod sync;

pub use base::options::{Durability, LogOptions, Options};
pub use folder::{Event, Watcher};
pub use store::{EmbeddedBackend, SchemaChangeCommit, Step};
