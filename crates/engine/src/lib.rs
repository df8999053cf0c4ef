//! Runs plans in bulk over a store.
//!
//! A [`Prepared`] plan is checked and compiled once; it runs in a [`Context`] (a snapshot or a
//! transaction, with deadline, memory budget and cancel flag) and gives one batch. Nothing here runs
//! once for each row. An operator gets a batch, a subplan gets all outer rows together and marks their
//! rows apart by ordinals, a hop gets a whole frontier.
//!
//! ```text
//!   Plan ──prepare──> Prepared ── pipeline of operators ──> Batch
//!                        │            │        │
//!                     fused hops   expressions  frontier (sparse, dense)
//!                        └──────── store::Snapshot / Transaction
//! ```

pub mod context;
pub mod explain;
pub mod limits;
pub mod oracle;

mod caller;
mod collections;
mod element_ids;
mod expressions;
mod folds;
mod frontier;
mod hints;
mod names;
mod operators;
mod pending_edges;
mod pipeline;
mod plan_pool;
mod prepare;
pub mod procedures;
mod random_stream;
mod rows;
mod run;
mod runner;
mod sum;
mod tally;
mod threads;
mod watch;
mod write_counter;

pub use caller::Caller;
pub use context::{BatchTransactions, CancelFlag, Context, Limits};
pub use hints::{Samples, hints};
pub use plan_pool::PlanPool;
pub use prepare::{Cursor, Prepared};
pub use rows::batch_bytes;
pub use runner::ContextRunner;
pub use watch::{RunReport, RunWatcher};

use millrace_model::{Batch, Result};
use millrace_plan::{Parameter, Plan};

/// Prepares a plan and runs it: all its rows in one batch of its output columns, weights kept.
pub fn execute(plan: &Plan, context: &Context, parameters: &[Parameter]) -> Result<Batch> {
    Prepared::new(plan)?.run(context, parameters)
}
