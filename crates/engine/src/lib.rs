//! Runs plans in bulk over a store.
//!
//! A [`Prepared`] plan is checked and compiled once; it runs in a [`Context`] (a snapshot or a
//! transaction, with deadline, memory budget and cancel flag) and gives one batch. Nothing here runs
//! once for each row. An operator gets a batch, a subplan gets all outer rows together and marks their
//! rows apart by ordinals, a hop gets a whole frontier.
//!
//! ```text
//!   oracle      the same operators again, slow and simple: what the engine is compared to
//!   hints       what a front end may know of a graph before it plans
//!   runner      one context, the plans prepared in it, pending edges
//!   prepare     Plan ──check──> stages, fused ──> Prepared ──run──> Batch;  Cursor
//!   operators   one file for each operator of the algebra
//!   compile     what an operator may ask of the plan when it becomes a stage
//!   pipeline    operators in a row, pulled from the end
//!   folds, expressions    columns in, values or columns out
//!   run         what the operators of one run share
//!   procedures  those of the engine
//!   traversal   which edges a walk takes; a frontier under way, sparse or dense
//!   rows        batches: grown, grouped, weighed
//!   context     what a plan runs in: store::Snapshot or Transaction, limits, names, ids
//!   threads, limits
//! ```
//!
//! These are the modules, and a module imports from those below it only: the list is in
//! `crates/xtask/arrows.toml`, and `cargo xtask tidy` checks it.

mod compile;
pub mod context;
mod expressions;
mod folds;
mod hints;
pub mod limits;
mod operators;
pub mod oracle;
mod pipeline;
mod prepare;
pub mod procedures;
mod rows;
mod run;
mod runner;
mod threads;
mod traversal;

pub use context::{BatchTransactions, Caller, CancelFlag, Context, Limits, RunReport, RunWatcher};
pub use hints::{Samples, hints};
pub use prepare::{Cursor, Prepared};
pub use rows::batch_bytes;
pub use runner::{ContextRunner, PlanPool};

use millrace_model::{Batch, Result};
use millrace_plan::{Parameter, Plan};

/// Prepares a plan and runs it: all its rows in one batch of its output columns, weights kept.
pub fn execute(plan: &Plan, context: &Context, parameters: &[Parameter]) -> Result<Batch> {
    Prepared::within(plan, context)?.run(context, parameters)
}
