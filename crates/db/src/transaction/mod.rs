//! One transaction on one graph: the engine over a store, its retry after a write conflict, its batches.
//!
//! ```text
//!   parts      what the graphs of a database share, and the transactions of a graph
//!   attempt    work on a thread that must not block
//!   retry      again after a write conflict
//!   batches    transactions of `CALL { … } IN TRANSACTIONS`
//!   execution  a transaction under way, a Runner
//!   index_build  the commit of one that builds an index: its client may stop waiting
//! ```
//!
//! What runs in a transaction is a plan. Texts, statements and their cache are above, and no transaction here spans
//! two graphs.

mod attempt;
mod batches;
mod execution;
mod index_build;
mod parts;
mod retry;

pub(crate) use attempt::Attempts;
pub use attempt::attempt;
pub(crate) use execution::{Execution, Shared};
pub(crate) use parts::{DatabaseParts, GraphParts};
pub(crate) use retry::retrying;
