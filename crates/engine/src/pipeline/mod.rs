//! Pipelines of operators, and what operators of several families share.
//!
//! ```text
//!   stages    Operator, Stage, Pipeline, Upstream: who asks whom for batches
//!   keep      which columns go on
//!   whole     operators that read all their input first, and pieces of large results
//!   deferred  errors that wait until the rows before them are gone
//! ```
//!
//! No single operator enters, and nothing that reads a plan.

mod deferred;
mod keep;
mod stages;
mod whole;

pub(crate) use deferred::Deferred;
pub(crate) use keep::{AddColumn, Keep, MakeColumn, add};
pub(crate) use stages::{BatchSize, Counters, Operator, Pipeline, Scopes, Stage, Upstream};
pub(crate) use whole::{BatchPieces, Completing, Whole, WholeWrite, next_piece};
