//! A transaction that its client begins and ends itself, in any language, with several open results.
//!
//! Between two calls it holds memory and no thread; each call may be on another thread. A result that is open sees the
//! transaction as it was when its query began, so nothing is written before the open results were read: a query that
//! would write is [`Ran::Blocked`] then, without an effect, and is run again after the caller has read them. After a
//! failure nothing is left to commit.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::StatementKind;
use millrace_store::Ticket;

use super::autocommit::{blocked, with_script};
use super::evaluate::{Evaluated, Evaluation};
use super::graphs::default_name_of;
use super::stream::{OpenQuery, next_piece};
use super::transactions::Transactions;
use crate::database::Database;
use crate::request::{Request, RequestLimits, Results, Variables};
use crate::statements::CachedScript;

/// The number of an open result, as its caller chose it.
pub type ResultNumber = i64;

/// How far a query has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// Its results were taken.
    Done,
    /// Its results are to be read by [`ExplicitTransaction::next`].
    Open,
    /// It would write while other results are open, and had no effect.
    Blocked,
}

/// The transaction.
pub struct ExplicitTransaction {
    transactions: Transactions,
    open: Vec<(ResultNumber, OpenResult)>,
}

struct OpenResult {
    script: Arc<CachedScript>,
    query: OpenQuery,
}

impl ExplicitTransaction {
    /// Begins; the graphs that its queries name join as they are named.
    pub fn begin(is_read_only: bool) -> ExplicitTransaction {
        ExplicitTransaction::over(match is_read_only {
            true => Transactions::reading(),
            false => Transactions::default(),
        })
    }

    pub(super) fn over(transactions: Transactions) -> ExplicitTransaction {
        ExplicitTransaction { transactions, open: Vec::new() }
    }

    /// The transactions on the graphs that joined.
    pub(super) fn transactions(&mut self) -> &mut Transactions {
        &mut self.transactions
    }

    /// Runs a query. After an error everything is rolled back.
    pub fn run(
        &mut self,
        database: &Database,
        number: ResultNumber,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Ran> {
        let trace = &request.limits.trace;
        let ran = match trace.is_on() {
            true => {
                let graph = || default_name_of(database, request);
                let counted = &mut trace.begin(request, graph, results);
                self.evaluate(database, number, request, counted)
            }
            false => self.evaluate(database, number, request, results),
        };
        if ran.is_err() {
            self.roll_back();
        }
        ran
    }

    fn evaluate(
        &mut self,
        database: &Database,
        number: ResultNumber,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Ran> {
        let ExplicitTransaction { transactions, open } = self;
        let has_open_results = !open.is_empty();
        let mut variables = Variables::default();
        let (script, evaluated) =
            with_script(database, request, &mut variables, |script, variables| {
                refuse_ends(script)?;
                let mut evaluation = Evaluation {
                    database,
                    request,
                    transactions,
                    variables,
                    is_open: true,
                    may_stream: true,
                    has_open_results,
                };
                Ok((Arc::clone(script), evaluation.run(script, results)?))
            })?;
        Ok(match evaluated {
            Evaluated::Done(_) => Ran::Done,
            Evaluated::Blocked => Ran::Blocked,
            Evaluated::Open(query) => {
                open.push((number, OpenResult { script, query: *query }));
                Ran::Open
            }
        })
    }

    /// Runs a query and passes all of its results to their receiver; no other result is open. After an error everything
    /// is rolled back.
    pub fn run_whole(
        &mut self,
        database: &Database,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<()> {
        /// The number of the only open result.
        const RESULT: ResultNumber = 0;
        match self.run(database, RESULT, request, results)? {
            Ran::Done => Ok(()),
            Ran::Open => {
                while self.next(database, RESULT, results)? {}
                Ok(())
            }
            Ran::Blocked => Err(blocked()),
        }
    }

    /// Passes the next piece of a result to its receiver; false at its end. After an error everything is rolled back.
    pub fn next(
        &mut self,
        database: &Database,
        number: ResultNumber,
        results: &mut dyn Results,
    ) -> Result<bool> {
        let ExplicitTransaction { transactions, open } = self;
        let Some(place) = open.iter().position(|(own, _)| *own == number) else { return Ok(false) };
        let OpenResult { script, query } = &mut open[place].1;
        let trace = query.limits.trace.clone();
        let next = match trace.is_on() {
            true => {
                let counted = &mut trace.count(results);
                next_piece(transactions, script, query, (database, counted))
            }
            false => next_piece(transactions, script, query, (database, results)),
        };
        match &next {
            Ok(true) => {}
            Ok(false) => self.close(number),
            Err(_) => self.roll_back(),
        }
        next
    }

    /// Ends a result that is not read any further.
    pub fn close(&mut self, number: ResultNumber) {
        if let Some(place) = self.open.iter().position(|(own, _)| *own == number) {
            let (_, result) = self.open.swap_remove(place);
            result.query.end(&mut self.transactions);
        }
    }

    /// The numbers of the open results.
    pub fn open_results(&self) -> Vec<ResultNumber> {
        self.open.iter().map(|(number, _)| *number).collect()
    }

    /// Applies the limits of another request to what follows: to the commit, too.
    pub fn limit(&mut self, limits: &RequestLimits) -> Result<()> {
        self.transactions.limit(limits)
    }

    /// Commits; open results end. What it wrote is visible once the ticket resolves.
    pub fn commit(mut self) -> Result<Option<Ticket>> {
        self.close_all();
        self.transactions.commit(None)
    }

    /// Rolls back; open results end.
    pub fn roll_back(&mut self) {
        self.close_all();
        self.transactions.roll_back(None);
    }

    fn close_all(&mut self) {
        for (_, result) in std::mem::take(&mut self.open) {
            result.query.end(&mut self.transactions);
        }
    }
}

/// One that is dropped is rolled back.
impl Drop for ExplicitTransaction {
    fn drop(&mut self) {
        // The state left in an operator by a panic is not used again.
        if !std::thread::panicking() {
            self.close_all();
        }
    }
}

/// Only the client ends the transaction.
fn refuse_ends(script: &CachedScript) -> Result<()> {
    for statement in script.statements() {
        match statement.kind {
            StatementKind::Query | StatementKind::Explain | StatementKind::Value => {}
            StatementKind::Begin | StatementKind::Commit | StatementKind::Rollback => {
                let detail = "the transaction was begun by the protocol, and a query cannot end it";
                return Err(Error::new(ErrorKind::BadQuery, detail)
                    .with_help("end it as it was begun, or run the query outside of it"));
            }
        }
    }
    Ok(())
}
