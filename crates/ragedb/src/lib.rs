//! RageDB's interface as plans: Lua 5.4 scripts with its functions, and the requests of its REST routes.
//!
//! This crate sees a graph only through the [`millrace_plan::Runner`] of a transaction. It never commits
//! and never touches a store: the owner of the runner commits. Both halves use the same plans, so a key
//! means the same to a script and to a route.
//!
//! ```text
//!   script ──lua──────┐
//!                     ├──> plans ──> Runner ──> batch ──> results of Lua, values of a route
//!   route ──elements──┘
//! ```

pub mod elements;
pub mod limits;
pub mod lua;
mod plans;
