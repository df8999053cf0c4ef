//! One run of a prepared plan: what its operators share while they run.
//!
//! Parameters, `Let`s, side effects, random streams, and charges against the memory budget. The state of one operator
//! stays in that operator; no expression and no operator is known here.

mod charge;
mod collections;
mod random_stream;
mod single_rows;
mod state;

pub(crate) use charge::Charge;
pub(crate) use collections::Collection;
pub(crate) use random_stream::RandomStream;
pub(crate) use single_rows::single_rows;
pub(crate) use state::{Run, RunState};
