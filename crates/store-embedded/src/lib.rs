//! The durable store: log, segments, delta, indexes, recovery.
//!
//! ```text
//!   store        EmbeddedBackend, EmbeddedStore, snapshots, bulk loads; the beginning of a write
//!   maintenance  check, repair, inspect, backup
//!   recovery     manifest, segments, log ──> an open folder
//!   checkpoint   the open folder; dirty shards ──> segments, manifest; files freed
//!   commit       the life of a write (read commit/mod.rs first)
//!   graph        partitions, indexes and catalog of a graph, at a position
//!   ids, index, live         leases; entries in shards; 2^16 vertices at every pinned snapshot
//!   persistent   immutable content of a partition, its file, and large sets of it
//!   log, folder  durable records, and the files of the folder
//!   io, sync     the machine, or a simulated one; locks and atomics, or the model checker's
//!   base         errors, options, limits, encodings
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.
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

pub use base::options::{Durability, GroupCommitOptions, LogOptions, Options};
pub use commit::LogOwner;
pub use folder::{Event, Watcher};
pub use store::{EmbeddedBackend, SchemaChangeCommit, Step};
