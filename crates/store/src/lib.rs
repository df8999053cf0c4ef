//! The contract of a backend, independent of plans and queries.
//!
//! Everything is set-at-a-time: the embedded store can prefetch, a cluster can have hundreds of
//! reads in flight. Calls block; concurrency is inside a call. An adjacency list is not one slice
//! but a short sequence of [`Run`]s, and only the first is sorted.
//!
//! ```text
//!   Backend ── graphs ──> Store ── snapshot ──> Snapshot   scan seek expand degrees gather
//!                           │
//!                           ├─ commit(WriteBatch) ──> Ticket (resolves when visible)
//!                           └─ bulk load: Changes in, all or nothing
//! ```
//!
//! The modules, of which each imports from those below it only (the list is in `crates/xtask/arrows.toml`, and
//! `cargo xtask tidy` checks it):
//!
//! ```text
//!   conformance      the suite that every backend passes
//!   transaction      a private write set over a snapshot, for every backend
//!   memory           the reference implementation, in maps
//!   backend          the traits of a backend; what it promises
//!   conflict_queue   tickets for contended keys
//!   snapshot         the trait of reads, at one position
//!   constraint       the rules of a schema, and the errors of their violations
//!   external_ids     ids that clients chose, as numbers and texts
//!   changes          the writes of a transaction, in columns
//!   reads            what reads take and give; reads that must not block
//!   base             limits, hashes, entries of indexes
//! ```

pub mod backend;
mod base;
pub mod changes;
pub mod conflict_queue;
pub mod conformance;
pub mod constraint;
pub mod external_ids;
pub mod memory;
mod reads;
pub mod snapshot;
pub mod transaction;

pub use backend::{
    Backend, BulkLoad, CallsOut, DurabilityMode, GRAPH_DROPPED, Guarantees, NameKind, Store,
    StoreCall, Ticket, Watermark, calls_out, check_new_name, guarantees,
};
pub use base::{index_keys, key_hash, limits};
pub use changes::{
    Changes, CommitOrigin, ConflictTicketId, ConflictUnit, EdgeBlock, EdgeEnds, Isolation, Labels,
    PropertyBlock, ReadUnit, SpilledChanges, VertexBlock, WriteBatch,
};
pub use conflict_queue::{ConflictQueue, ConflictTicket};
pub use reads::run::{Neighbours, Run, RunEdges, RunSink};
pub use reads::{
    EdgeRows, Elements, Ends, IdSpace, IndexState, IndexUsage, KeyRanges, RangeBound, ScanCursor,
    Scanned, SeekMatches, key_range, nearest, non_blocking, ordered_keys, pairs, postings,
    question, run,
};
pub use snapshot::{Freshness, Snapshot};
pub use transaction::{LeasedEdges, Transaction};
