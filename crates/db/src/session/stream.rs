//! A result that leaves piece by piece: the rest of a request that reads, as a value.
//!
//! Between two pieces it holds memory (its snapshot, its operators, rows they have emitted) and no thread: a
//! client that reads slowly delays only itself. Each piece may be made on another thread.

use std::sync::Arc;

use millrace_engine::Cursor;
use millrace_model::{ElementDetail, Result};
use millrace_plan::Runner;
use millrace_plan::language::Presented;
use millrace_store::Ticket;

use super::emit::{Pace, bytes_of, emit};
use super::transactions::Transactions;
use crate::database::Database;
use crate::graph::Graph;
use crate::request::{RequestLimits, Results};
use crate::statements::{CachedScript, PreparedStatement};

/// How far a request has come.
pub enum Started {
    /// It has run, and its results were taken. Its writes are visible once the ticket resolves.
    Done(Option<Ticket>),
    /// It has begun, wrote nothing, and its results leave piece by piece.
    Streaming(Box<ResultStream>),
}

/// The last query of a request, under way.
pub(super) struct OpenQuery {
    pub(super) graph: Arc<Graph>,
    pub(super) prepared: Arc<PreparedStatement>,
    pub(super) cursor: Cursor,
    pub(super) detail: ElementDetail,
    /// Its limits, within those of the request.
    pub(super) limits: RequestLimits,
}

impl OpenQuery {
    /// Ends it; its operators may run again.
    pub(super) fn end(self, transactions: &mut Transactions) {
        let OpenQuery { graph, prepared, cursor, limits, detail: _ } = self;
        if let Ok(execution) = transactions.on(&graph, &limits) {
            prepared.close(execution, cursor);
        }
    }
}

/// Results that have not left.
pub struct ResultStream {
    transactions: Transactions,
    script: Arc<CachedScript>,
    query: Option<OpenQuery>,
}

impl ResultStream {
    pub(super) fn new(
        transactions: Transactions,
        script: Arc<CachedScript>,
        query: OpenQuery,
    ) -> ResultStream {
        ResultStream { transactions, script, query: Some(query) }
    }

    /// Passes the next piece to the receiver; false at the end, and after an error.
    pub fn next(&mut self, database: &Database, results: &mut dyn Results) -> Result<bool> {
        let Some(query) = &self.query else { return Ok(false) };
        let trace = query.limits.trace.clone();
        if trace.is_on() {
            return self.advance(database, &mut trace.count(results));
        }
        self.advance(database, results)
    }

    /// The same for a receiver that counts already.
    pub(super) fn advance(
        &mut self,
        database: &Database,
        results: &mut dyn Results,
    ) -> Result<bool> {
        let Some(query) = &mut self.query else { return Ok(false) };
        let next = next_piece(&mut self.transactions, &self.script, query, (database, results));
        if !matches!(next, Ok(true)) {
            query.prepared.attempts.note(&next);
            self.end();
        }
        next
    }

    /// Ends the query.
    fn end(&mut self) {
        if let Some(query) = self.query.take() {
            query.end(&mut self.transactions);
        }
    }
}

/// A client that is gone ends the query, too.
impl Drop for ResultStream {
    fn drop(&mut self) {
        // The state left in an operator by a panic is not used again.
        if !std::thread::panicking() {
            self.end();
        }
    }
}

/// Passes the next rows of a query to the receiver.
pub(super) fn next_piece(
    transactions: &mut Transactions,
    script: &CachedScript,
    query: &mut OpenQuery,
    (database, results): (&Database, &mut dyn Results),
) -> Result<bool> {
    let OpenQuery { graph, prepared, cursor, detail, limits } = query;
    let execution = transactions.on(graph, limits)?;
    let Some(rows) = execution.next_batch(cursor)? else { return Ok(false) };
    let rows = Presented::Rows(rows);
    // Charged until the receiver has taken them.
    let bytes = i64::try_from(bytes_of(&rows)).unwrap_or(i64::MAX);
    execution.charge(bytes)?;
    let plans = database.detach_plans();
    let rows = (rows, prepared.head().width());
    let done = emit(&*script.script, rows, (results, Pace::Free), &mut |values| {
        plans.detach(execution, values, *detail)
    });
    execution.charge(-bytes)?;
    done.map(|()| true)
}
