//! Pipelines of operators, and what operators of several families share.
//!
//! ```text
//!   stages    Operator, Stage, Pipeline, Upstream: who asks whom for batches
//!   keep      which columns go on
//!   whole     operators that read all their input first, and pieces of large results
//!   deferred  errors that wait until the rows before them are gone
//!   shared    a scan and what is done with its rows, on several threads
//!   row_order the order in which a source gives its rows, and who takes the first of them
//! ```
//!
//! No single operator enters, and nothing that reads a plan.

mod deferred;
mod keep;
mod row_order;
mod shared;
mod stages;
mod whole;

pub(crate) use deferred::Deferred;
pub(crate) use keep::{AddColumn, Keep, MakeColumn, add};
pub(crate) use row_order::{FirstRows, RowOrder};
pub(crate) use shared::{Part, Pieces, Shared, Worker};
pub(crate) use stages::{BatchSize, Counters, Operator, Pipeline, Scopes, Stage, Upstream};
pub(crate) use whole::{BatchPieces, Completing, Whole, WholeWrite, next_piece};
