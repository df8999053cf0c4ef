//! Jobs of a batch: requests of this interface as one transaction, done in bulk.
//!
//! ```text
//!   bytes, messages ──read──> Jobs ──stages──> jobs of a stage and a form are one statement ──run──> answers
//! ```
//!
//! The meaning of a batch is that of its jobs one after another. Jobs that do not need each other are run together, as one
//! plan over all their rows. If that fails, the transaction is rolled back, and the jobs are run singly and in order,
//! which names the job that fails ([`in_bulk_or_singly`]).

mod failure;
mod read;
mod run;
mod stages;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

use millrace_model::Value;

use super::operation::Operation;

pub use failure::{JobFailure, in_bulk_or_singly};
pub use write::write_answers;

/// A job as its client sent it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// Its number, by which other jobs refer to what it makes.
    pub id: Option<i64>,
    /// The method: `GET`, `POST`, `PUT` or `DELETE`.
    pub method: Arc<str>,
    /// The path below `/db/data`, or a whole address; `{n}` is what job n made.
    pub to: Arc<str>,
    /// The body; null if there is none.
    pub body: Value,
}

/// Jobs that can be run: their numbers are unique, they refer to earlier ones, and each has a route.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jobs {
    jobs: Vec<Checked>,
}

/// A job that can be run.
#[derive(Clone, Debug, PartialEq)]
struct Checked {
    id: Option<i64>,
    method: Arc<str>,
    /// The path as the client wrote it.
    to: Arc<str>,
    operation: Operation,
    /// The jobs that its path and its strings name, and their indexes.
    named: Vec<(i64, usize)>,
    /// Whether its values have such strings.
    has_named_values: bool,
}

/// Which answers are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers<'a> {
    /// Statuses only.
    None,
    /// All.
    Full {
        /// `http://host:port/db/data`.
        base: &'a str,
        /// The version of Neo4j that is spoken.
        version: &'a str,
    },
}

/// How jobs are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those alike together.
    Bulk,
    /// One after another.
    Single,
}

/// The answer to a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobAnswer {
    /// The number of the job.
    pub id: Option<i64>,
    /// Its path.
    pub from: String,
    /// The address of what it made.
    pub location: Option<String>,
    /// The status.
    pub status: u16,
    /// JSON.
    pub body: Option<String>,
}

impl Jobs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Adds jobs behind these, which refer to each other only.
    pub fn append(&mut self, jobs: Jobs) {
        use super::operation::Element;
        let before = self.jobs.len();
        self.jobs.extend(jobs.jobs.into_iter().map(|mut job| {
            for element in job.operation.elements_mut() {
                if let Element::MadeBy(index) = element {
                    *index += before;
                }
            }
            job.named.iter_mut().for_each(|(_, index)| *index += before);
            job
        }));
    }
}
