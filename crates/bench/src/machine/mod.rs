//! The machine that an experiment runs on: its description, its processors, its threads.
//!
//! Nothing here knows a graph, a row or a report.

mod properties;
mod threads;

pub use properties::Machine;
pub(crate) use properties::use_processors;
pub(crate) use threads::joined;
