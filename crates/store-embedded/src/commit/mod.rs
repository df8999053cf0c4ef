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
//! small commit are copied to two queues: the applier reads the bytes that the log writes.
//!
//! Each box is a *step function*: it does the waiting work and returns. `threads` calls them
//! in loops; a thread that waits for a commit to be visible calls the applier's; the simulator
//! calls them from one seeded scheduler.
//!
//! Applying does not wait for the log. A commit may be in the partitions before it is on disk, but
//! no snapshot begins at a position that is not durable (on an `async` folder it may), and such a
//! position is never a checkpoint position.
//!
//! This module knows no open folder: the beginning of a write (`store/submit.rs`) and the freeing
//! of the log (`checkpoint`) are above it.

mod admission;
pub(crate) mod apply;
mod apply_queue;
mod conflict;
mod frame;
mod log_room;
mod physical;
mod pin;
mod pipeline;
#[cfg(test)]
mod pipeline_test;
pub(crate) mod prepare;
mod readers;
mod sequencer;
mod wakeup;
mod watermark;
mod write_times;

pub(crate) use admission::{Admission, Pace, Usage};
pub(crate) use apply_queue::ApplyQueue;
pub(crate) use conflict::{Footprint, Mark};
pub use frame::LogOwner;
pub(crate) use frame::{Effect, OutOfLineFiles, Record, new_edges};
pub(crate) use log_room::Purpose;
pub(crate) use physical::{OrderedEntry, Physical, encode};
pub(crate) use pin::{Pin, PresentView};
pub(crate) use pipeline::{Pipeline, Stepped};
pub(crate) use sequencer::Submission;
pub(crate) use wakeup::WakeUp;
pub(crate) use watermark::{Pump, as_watermark};

/// Parts that `models` construct by themselves.
#[cfg(all(test, feature = "loom"))]
pub(crate) use {
    apply_queue::Waiting,
    conflict::ConflictTable,
    log_room::LogRoom,
    readers::Readers,
    sequencer::{Sequenced, Sequencer},
    watermark::Progress,
};
