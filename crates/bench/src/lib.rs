//! Experiments that measure Millrace beside the limit of the machine, in one run.
//!
//! A row is a figure with, where there is one, its reference: plain array code answering the same
//! question ([`limit`]) in turn with it. An experiment checks that both answers are the same before it
//! times either; an experiment that writes checks afterwards that the graph holds the acknowledged
//! writes.
//!
//! ```text
//!   arguments ──> rows × scales ──> each in a process of its own (jobs), so that memory is its own
//!                     │  data (generated once, cached)
//!                     │  measure (in turn, medians), histogram, process (memory, bytes written)
//!                     └──> report ──> table, JSON, exit code by the thresholds
//!
//!   command                   arguments of an experiment; what a child process does
//!   scaling_writes, gremlin, films   load generators with reports of their own
//!   experiments               rows
//!   load                      parts of load generators
//!   jobs, clients             child processes; connections
//!   process, report, limit    figures of a process; rows; plain array code
//!   data, measure, machine
//! ```
//!
//! The second list are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.

mod clients;
mod command;
mod data;
mod experiments;
pub mod films;
pub mod gremlin;
mod jobs;
pub mod limit;
mod load;
mod machine;
mod measure;
mod process;
mod report;
pub mod scaling_writes;

pub use clients::grpc::{CallFailed, Calls};
pub use command::{Arguments, measure, run, run_job};
pub use jobs::{JOB_VARIABLE, Program};
pub use machine::Machine;
pub use measure::Histogram;
pub use report::{BYTES_WRITTEN, Figure, MEMORY_GROWTH, PEAK_MEMORY, Report, Row, Threshold, Unit};
