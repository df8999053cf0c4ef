//! Neo4j's interface of versions 1 to 3, below `/db/data`: a route for each node, relationship, property and label, and
//! batches of such requests.
//!
//! ```text
//!   method, path, body ──routes──> Operation ──statement──> text and parameters     (the server or a queue runs it)
//!   jobs of a batch ──jobs──> stages of operations alike ──> few statements over all their rows
//!   status, Location, JSON with links <──operation/answer── rows
//! ```
//!
//! An operation has one meaning and two texts: one for a request of its own, and one over the rows of many jobs.

mod cypher;
mod extension;
mod failure;
mod jobs;
mod labels;
mod names;
mod nodes;
mod operation;
mod properties;
mod refused;
mod relationships;
mod root;
mod routes;
mod schema;

/// The content type of answers.
pub const JSON: &str = "application/json;charset=utf-8";

pub use super::results::BASE_PATH;
pub(super) use cypher::translate;
pub use failure::Failure;
pub use jobs::{
    Answers, Job, JobAnswer, JobFailure, Jobs, Order, in_bulk_or_singly, write_answers,
};
pub use operation::{Answer, Operation, Statement, StatementRows, Statements, statement_texts};
pub(super) use routes::{Parsed, is_legacy, parse};
pub use routes::{Request, page};
