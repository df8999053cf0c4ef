//! What an operator knows when it becomes a stage, and what it may ask of the plan.
//!
//! ```text
//!   compiler          the compiler as an operator sees it; the operator's place and goal
//!   layout            which columns are alive behind an operator, and where they stand
//!   reads_and_writes  whether a subplan that writes reads its own writes
//!   dependencies      which of its rows may run together
//! ```
//!
//! Facts of plans only. No operator's own code enters, and no run: what walks a plan and knows all operators is
//! `prepare`, which the compiler has as a function.

mod compiler;
mod dependencies;
mod layout;
mod reads_and_writes;

pub(crate) use compiler::{Compile, Compiled, Compiler, Goal, Place, Placed, Purpose};
pub(crate) use dependencies::{Dependencies, Point};
pub(crate) use layout::{keep, live_in, lives};
pub(crate) use reads_and_writes::{
    MergeTurns, Turns, merge_turns, set_reads_what_it_writes, turns,
};
