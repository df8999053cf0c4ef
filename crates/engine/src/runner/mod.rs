//! The runner of front ends that run plans while they execute: one context, the plans prepared in it, and edges that
//! are created together.
//!
//! Nothing in the engine imports it. How a plan is prepared and run is in `prepare`.

mod context_runner;
mod pending_edges;
mod plan_pool;

pub use context_runner::ContextRunner;
pub use plan_pool::PlanPool;
