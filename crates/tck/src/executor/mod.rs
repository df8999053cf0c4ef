//! Queries to a server: the interface that scenarios are run by.

mod bolt;
mod decode;
mod own_server;
#[cfg(test)]
mod scripted_server;
mod tabled;

use std::fmt;

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

/// A failure that a server reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
    /// All other texts that came with it.
    pub(crate) details: Vec<String>,
}

impl Failure {
    /// The message and all other texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.message).chain(&self.details).map(String::as_str)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.rsplit('.').next().unwrap_or_default();
        write!(f, "{code}: {}", self.message)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Failed(failure) => failure.fmt(f),
            RunError::Broken(reason) => f.write_str(reason),
        }
    }
}
