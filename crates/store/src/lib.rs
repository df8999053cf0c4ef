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

pub mod backend;
pub mod calls_out;
pub mod changes;
pub mod conflict_queue;
pub mod conformance;
pub mod constraint;
pub mod external_ids;
pub mod guarantees;
pub mod index_keys;
pub mod key_hash;
pub mod key_range;
pub mod limits;
pub mod memory;
pub mod non_blocking;
pub mod pairs;
pub mod run;
pub mod snapshot;
pub mod ticket;
pub mod transaction;

pub use backend::{Backend, BulkLoad, NameKind, SpilledChanges, Store, check_new_name};
pub use calls_out::{CallsOut, StoreCall};
pub use changes::{
    Changes, CommitOrigin, ConflictUnit, EdgeBlock, EdgeEnds, Isolation, Labels, PropertyBlock,
    ReadUnit, VertexBlock, WriteBatch,
};
pub use conflict_queue::{ConflictQueue, ConflictTicket, ConflictTicketId};
pub use guarantees::{DurabilityMode, Guarantees};
pub use run::{Neighbours, Run, RunEdges, RunSink};
pub use snapshot::{
    EdgeRows, Elements, Ends, Freshness, IdSpace, KeyRanges, RangeBound, ScanCursor, SeekMatches,
    Snapshot,
};
pub use ticket::{Ticket, Watermark};
pub use transaction::{LeasedEdges, Transaction};
