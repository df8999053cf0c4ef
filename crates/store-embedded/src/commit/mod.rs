//! The life of a write.
//!
//! ```text
//!    committer's thread            under one short lock          log thread
//!   ┌─────────────────────┐       ┌───────────────────┐       ┌──────────────────────┐
//!   │ admission           │       │ sequencer         │   ┌──>│ log_step             │──> durable ─┐
//!   │ prepare: ends, rules│──────>│ conflicts, room   │───┤   │ one write, one sync  │             │
//!   │ encode, checksum    │       │ position given    │   │   └──────────────────────┘        min ─┴─> visible
//!   └─────────────────────┘       │ queued twice      │   │   ┌──────────────────────┐             │      │
//!             │                   └───────────────────┘   └──>│ apply_step           │──> applied ─┘      v
//!             └── ticket: wait until visible ≥ position       │ group by partition   │            tickets resolve
//!                                                             └──────────────────────┘            snapshots begin
//! ```
//!
//! Every record of the log has a position of its own, commits and the rest alike (names, leases,
//! graphs, installed segments), so one order says everything. A commit is encoded and judged before
//! it takes the lock; under the lock only table cells are compared and set, and the bytes of a
//! small commit are copied to two queues: the applier reads what the log writes.
//!
//! Each box is a *step function*: it does what there is to do and returns. `threads` calls them
//! in loops; a thread that waits for a commit to be visible calls the applier's; the simulator
//! calls them from one seeded scheduler.
//!
//! Applying does not wait for the log. A commit may be in the partitions before it is on disk, but
//! no snapshot begins at a position that is not durable (on an `async` folder it may), and such a
//! position is never a checkpoint position.

mod admission;
pub(crate) mod apply;
mod apply_queue;
mod catalog_codec;
mod conflict;
mod frame;
pub(crate) mod limits;
mod log_room;
mod mark;
mod out_of_line;
mod physical;
mod pipeline;
pub(crate) mod prepare;
mod readers;
mod recent;
mod schema_change;
mod sequencer;
mod submit;
mod threads;
mod wakeup;
mod watermark;
mod write_times;

pub(crate) use admission::{Admission, Pace, Usage};
pub(crate) use apply_queue::ApplyQueue;
pub(crate) use catalog_codec::{decode_catalog, encode_catalog};
pub(crate) use conflict::Mark;
pub(crate) use frame::{Effect, Installed, NewName, OutOfLineFiles, Record, ShardName, new_edges};
pub(crate) use log_room::Purpose;
pub(crate) use out_of_line::{Files as OutOfLineCommit, load_error};
pub(crate) use physical::{OrderedEntry, Physical};
pub(crate) use pipeline::{Pipeline, Stepped};
pub(crate) use schema_change::SchemaChange;
pub(crate) use sequencer::Submission;
pub(crate) use submit::submit;
pub(crate) use threads::Threads;
pub(crate) use wakeup::WakeUp;
pub(crate) use watermark::{Pump, as_watermark};

/// What `models` make alone.
#[cfg(all(test, feature = "loom"))]
pub(crate) use {
    apply_queue::Waiting,
    conflict::{ConflictTable, Footprint},
    log_room::LogRoom,
    readers::Readers,
    sequencer::{Sequenced, Sequencer},
    watermark::Progress,
};
