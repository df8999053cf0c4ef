//! Queries to a server: the interface that scenarios are run by.
//!
//! What a scenario expects never enters here.

mod bolt;
mod decode;
mod own_server;
#[cfg(test)]
mod scripted_server;
mod tabled;

use std::fmt;

use crate::errors::Failure;
use crate::procedure::Procedure;
use crate::values::{Answer, Value};

pub(crate) use bolt::{Bolt, Login};
pub(crate) use own_server::OwnServer;

/// A server with one graph.
pub(crate) trait Executor {
    /// Makes the graph empty.
    fn clear(&mut self) -> Result<(), String>;

    /// Runs a query in a transaction of its own.
    fn run(&mut self, query: &str, parameters: &[(String, Value)]) -> Result<Answer, RunError>;

    /// Makes these procedures, and none but these, known to queries. False where that is not possible.
    fn define(&mut self, procedures: &[Procedure]) -> Result<bool, String>;
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RunError {
    /// The server refused it.
    Failed(Failure),
    /// No answer was read.
    Broken(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Failed(failure) => failure.fmt(f),
            RunError::Broken(reason) => f.write_str(reason),
        }
    }
}
