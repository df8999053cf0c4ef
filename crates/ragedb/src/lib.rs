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
//!
//!   lua          the interpreter, checks and completion of a text, the reference page
//!   sandbox      the names that a script may use
//!   functions    RageDB's functions
//!   host         files to read, lines to print
//!   arguments    of a call
//!   results      userdata over columns
//!   traversal    steps, and the plan they become
//!   values       of Lua and of the model
//!   session      a running script: its runner, its memory, what it will ask for
//!   columns      the entries of results
//!   json, memory, script, error, access
//!   elements     requests of routes, which know nothing of Lua
//!   plans, limits
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.

mod access;
mod arguments;
mod columns;
pub mod elements;
mod error;
mod functions;
mod host;
mod json;
pub mod limits;
pub mod lua;
mod memory;
mod plans;
mod results;
mod sandbox;
mod script;
mod session;
mod traversal;
mod values;
