//! Why a batch was refused, or which of its jobs failed.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind};

use super::super::failure::Failure;
use super::{Checked, JobAnswer, Order, write_answers};
use crate::json::write_string;

/// A batch that was not done.
#[derive(Clone, Debug, PartialEq)]
pub struct JobFailure {
    /// The job that failed, if one did: its number, its method and its path.
    pub job: Option<(Option<i64>, Arc<str>, Arc<str>)>,
    /// Why.
    pub failure: Failure,
    /// Whether the batch was refused before anything was run.
    pub is_refused: bool,
}

impl JobFailure {
    /// A batch that is none.
    pub(super) fn refused(failure: Failure) -> JobFailure {
        JobFailure { job: None, failure, is_refused: true }
    }

    /// A job that failed as it ran.
    pub(super) fn of(job: &Checked, failure: Failure) -> JobFailure {
        let job = (job.id, Arc::clone(&job.method), Arc::clone(&job.to));
        JobFailure { job: Some(job), failure, is_refused: false }
    }

    /// The failure of the transaction besides its jobs.
    pub fn of_transaction(error: &Error) -> JobFailure {
        JobFailure { job: None, failure: Failure::of(error), is_refused: false }
    }

    /// The error behind it.
    pub fn error(&self) -> &Error {
        &self.failure.error
    }

    /// The job and the reason as a sentence.
    pub fn message(&self) -> String {
        let reason = &self.failure.message;
        match &self.job {
            None => reason.to_string(),
            Some((Some(id), method, to)) => format!("job {id} ({method} {to}): {reason}"),
            Some((None, method, to)) => format!("job {method} {to}: {reason}"),
        }
    }

    /// The HTTP status of the answer: 500 if a job failed, or could never be done, as Neo4j has it.
    pub fn status(&self) -> u16 {
        match (self.is_of_batch(), self.failure.status) {
            (true, 413) => 413,
            (true, _) => 400,
            (false, _) => 500,
        }
    }

    /// Whether the batch is none, rather than one of its jobs.
    fn is_of_batch(&self) -> bool {
        self.is_refused && self.job.is_none()
    }

    /// The body of the answer.
    pub fn body(&self) -> String {
        let exception = match self.is_of_batch() {
            true => self.failure.exception,
            false => "BatchOperationFailedException",
        };
        let mut out = String::from("{");
        self.failure.write_as(&mut out, exception, &self.message());
        if let Some((id, method, to)) = &self.job {
            if let Some(id) = id {
                out.push_str(&format!(",\"id\":{id}"));
            }
            for (name, text) in [(",\"method\":", method), (",\"from\":", to)] {
                out.push_str(name);
                write_string(&mut out, text);
            }
            out.push_str(&format!(",\"status\":{},\"cause\":", self.failure.status));
            out.push_str(&self.failure.body());
        }
        out.push('}');
        out
    }

    /// The body of an answer that is streamed, if a job failed: a list of the answer to that job. Neo4j has sent the answers
    /// before by then, and its transaction is rolled back, too.
    pub fn streamed_body(&self) -> Option<String> {
        let (id, _, to) = self.job.as_ref()?;
        let Failure { status, .. } = self.failure;
        let (location, body) = (None, Some(self.failure.body()));
        Some(write_answers(&[JobAnswer { id: *id, from: to.to_string(), location, status, body }]))
    }

    /// Whether the jobs may fare otherwise singly, or another job is the first that fails.
    fn may_be_of_bulk(&self) -> bool {
        match self.error().kind {
            ErrorKind::BadQuery
            | ErrorKind::BadInput
            | ErrorKind::Failed
            | ErrorKind::Unsupported
            | ErrorKind::Constraint
            | ErrorKind::NotFound
            | ErrorKind::AlreadyExists
            | ErrorKind::LimitReached => !self.is_refused,
            ErrorKind::Conflict
            | ErrorKind::DeadlineExceeded
            | ErrorKind::Cancelled
            | ErrorKind::Forbidden
            | ErrorKind::ReadOnly
            | ErrorKind::OutcomeUnknown
            | ErrorKind::Unavailable
            | ErrorKind::Corrupt
            | ErrorKind::Io
            | ErrorKind::Bug => false,
        }
    }
}

/// Runs jobs in bulk, and where that fails by anything but circumstances, singly. Each attempt is a transaction of its own.
pub fn in_bulk_or_singly<T>(
    mut attempt: impl FnMut(Order) -> Result<T, JobFailure>,
) -> Result<T, JobFailure> {
    match attempt(Order::Bulk) {
        Err(failure) if failure.may_be_of_bulk() => attempt(Order::Single),
        done => done,
    }
}
