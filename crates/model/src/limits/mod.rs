//! What stops work: the limits of the query that a thread works for, and the memory of the process.
//!
//! A loop asks here; who sets the limits is above all of this crate. No named bound of a crate enters.

pub mod memory_budget;
pub mod query_limits;
