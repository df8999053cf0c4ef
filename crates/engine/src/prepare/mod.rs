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
mod lookup;
mod loops;
mod paths;
mod prepared;
mod random;
mod writes;

pub use cursor::Cursor;
pub use prepared::Prepared;
