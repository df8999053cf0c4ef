//! From a plan to a pipeline of physical operators, checked; and its runs.
//!
//! ```text
//!   Plan ──check──> order (plan::analysis) ──stages──> operators, fused where a pattern fits ──> Prepared ──> Cursor
//! ```
//!
//! Names stay names until a run asks for them (`context/names.rs`), so a prepared plan outlives catalog
//! versions. Dropping dead columns here is layout, not the liveness *rule*; rows are merged only where
//! the plan says so.
//!
//! No operator imports it: what an operator may ask is in `compile`. No session and no pool of plans enters.

mod check;
mod cursor;
mod explain;
mod fuse;
mod keyed;
mod prepared;
mod shared;
mod stages;
#[cfg(test)]
mod threads_test;

pub use cursor::Cursor;
pub use prepared::Prepared;
