//! A result that is open: records that wait, and where more come from.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::session::{ExplicitTransaction, ResultNumber, ResultStream};
use millrace_db::{CancelFlag, Database, Ticket, Trace};
use millrace_model::Result;

use super::records::Records;
use crate::limits::CHUNK_BYTES;
use crate::monitoring::Answered;
use crate::neo4j::Target;
use crate::state::{Admitted, State};
use crate::under_way::Progress;

/// Where the records of a result come from.
pub(super) enum Source {
    /// All have come.
    Ended,
    /// A query that is a transaction of its own.
    Stream(Box<ResultStream>),
    /// A query of the open transaction.
    Transaction(ResultNumber),
}

/// A result.
pub(super) struct OpenResult {
    pub(super) records: Records,
    pub(super) source: Source,
    /// The commit of a transaction of its own that wrote.
    pub(super) ticket: Option<Ticket>,
    pub(super) target: Arc<Target>,
    pub(super) request: UnderWay,
    /// When all records had come.
    pub(super) made: Option<Instant>,
}

/// The request of a result, until it is answered.
pub(super) struct UnderWay {
    pub(super) admitted: Admitted,
    pub(super) answered: Answered,
    pub(super) trace: Trace,
    pub(super) cancel: CancelFlag,
    pub(super) began: Instant,
}

impl UnderWay {
    /// It is answered.
    pub(super) fn end(self, state: &State, done: &Result<()>) {
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        self.answered.end(&state.metrics, done);
        self.admitted.end(outcome);
        self.trace.end(outcome);
    }
}

impl OpenResult {
    /// Whether more records may come than those that wait.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.source, Source::Ended)
    }

    /// Lets records come until enough wait, or no more come.
    pub(super) fn fill(
        &mut self,
        transaction: Option<&mut ExplicitTransaction>,
        database: &Database,
        is_whole: bool,
    ) -> Result<()> {
        self.request.admitted.note(Progress::Running);
        let mut transaction = transaction;
        while is_whole || self.records.waiting_bytes() < CHUNK_BYTES {
            let more = match (&mut self.source, &mut transaction) {
                (Source::Ended, _) => break,
                (Source::Stream(stream), _) => stream.next(database, &mut self.records)?,
                (Source::Transaction(number), Some(transaction)) => {
                    transaction.next(database, *number, &mut self.records)?
                }
                (Source::Transaction(_), None) => false,
            };
            if !more {
                self.source = Source::Ended;
            }
        }
        self.request.admitted.note(Progress::Sending);
        if !self.is_open() {
            self.made.get_or_insert_with(Instant::now);
        }
        Ok(())
    }
}
