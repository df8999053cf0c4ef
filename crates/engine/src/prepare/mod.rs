//! From a plan to a pipeline of physical operators, checked.
//!
//! ```text
//!   Plan ──check──> order (plan::analysis) ──compile──> stages, fused where a pattern fits
//! ```
//!
//! Names stay names until a run asks for them (`names.rs`), so a prepared plan outlives catalog
//! versions. Dropping dead columns here is layout, not the liveness *rule*; rows are merged only where
//! the plan says so.

mod access;
mod check;
mod compiler;
mod conditions;
mod cursor;
mod dependencies;
mod fuse;
mod layout;
mod prepared;
mod rounds;

pub use cursor::Cursor;
pub use prepared::Prepared;

pub(crate) use access::{Turns, merge_turns, set_reads_what_it_writes, turns};
pub(crate) use compiler::{Compiled, Compiler, Goal, Place, Placed, Purpose, bug};
pub(crate) use layout::{keep, live_in};
