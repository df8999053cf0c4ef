//! Commands as plans: indexes, constraints, databases, `SHOW`.
//!
//! The syntax of a command is in `tree` and `text`, its columns are in `scope`. Each is a call of a procedure; what the
//! procedure does is not known here.

mod plan;
mod types;

pub(crate) use plan::translate;

/// The name of the default graph in a text without `USE`.
pub(crate) const DEFAULT_GRAPH: &str = "neo4j";
