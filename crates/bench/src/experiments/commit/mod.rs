//! The cost of writing, and of reading beside it: commits in flight, latency, memory,
//! recovery. Every row works on a copy of a graph that is bulk loaded once and cached.
//!
//! ```text
//!   graph      the plan of a graph, made in a process of its own; open, with the state that rows need
//!   ends       random ends that can be replayed ──> check: the graph holds the acknowledged commits
//!   in_flight  closed loop, by tickets            open_model  so many a second, intended times
//!   walk       all lists, both directions         bystander  processor time that the host took
//!   small latency beside memory recover scan      the rows
//! ```

mod beside;
mod bystander;
mod check;
mod ends;
mod in_flight;
mod latency;
mod memory;
mod open_model;
mod recover;
mod scan;
mod small;
mod walk;

pub(super) use beside::beside;
pub(super) use latency::latency;
pub(super) use memory::{memory, memory_inserts, memory_weight, memory_weight_inserts};
pub(crate) use recover::FillLog;
pub(super) use recover::recover;
pub(super) use scan::scan_dirty;
pub(super) use small::{hub, small};
