//! A session: variables and transactions that outlive a request.

use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::language::StatementKind;
use millrace_store::Ticket;

use super::autocommit;
use super::evaluate::{Evaluated, Evaluation};
use super::stream::Started;
use super::transactions::Transactions;
use crate::database::Database;
use crate::limits::SESSION_VARIABLES_MAX;
use crate::request::{Phase, Request, Results, Variables};
use crate::statements::CachedScript;

/// Variables and transactions that outlive a request.
#[derive(Default)]
pub struct Session {
    variables: Variables,
    transactions: Transactions,
    is_doomed: bool,
}

/// How a session treats a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionMode {
    /// Whether the request is a transaction of its own.
    pub is_own_transaction: bool,
    /// Whether variables outlive a failure.
    pub keeps_variables: bool,
}

impl SessionMode {
    /// That of a request without a session.
    pub const AUTOCOMMIT: SessionMode =
        SessionMode { is_own_transaction: true, keeps_variables: false };
}

/// Takes all results of a request that has begun.
fn finish(
    started: Started,
    database: &Database,
    results: &mut dyn Results,
) -> Result<Option<Ticket>> {
    match started {
        Started::Done(ticket) => Ok(ticket),
        Started::Streaming(mut stream) => {
            while stream.advance(database, results)? {
                results.wait()?;
            }
            Ok(None)
        }
    }
}

impl Session {
    /// Runs a request of this session.
    pub(crate) fn run(
        &mut self,
        database: &Database,
        mode: SessionMode,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let done = match mode.is_own_transaction {
            true => autocommit::run(database, request, &mut self.variables, results)
                .and_then(|started| finish(started, database, results)),
            false => self.run_in_transaction(database, request, results),
        };
        if done.is_err() && !mode.keeps_variables {
            self.variables = Variables::default();
        }
        done
    }

    fn run_in_transaction(
        &mut self,
        database: &Database,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let read = || database.statements().script(&request.source);
        let script = request.limits.trace.time(Phase::Parse, read)?;
        if self.is_doomed {
            return self.after_failure(&script, results);
        }
        self.variables.extend(&request.bindings, request.limits.bytes_max)?;
        if SESSION_VARIABLES_MAX < self.variables.len() {
            let detail = format!("a session has at most {SESSION_VARIABLES_MAX} variables");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        let mut evaluation = Evaluation {
            database,
            request,
            transactions: &mut self.transactions,
            variables: &mut self.variables,
            is_open: true,
            may_stream: false,
            has_open_results: false,
        };
        let done = evaluation.run(&script, results).and_then(|evaluated| match evaluated {
            Evaluated::Done(ticket) => Ok(ticket),
            Evaluated::Open(_) => Ok(None),
            Evaluated::Blocked => Err(autocommit::blocked()),
        });
        if done.is_err() {
            self.is_doomed = !self.transactions.is_empty() && !only_ends(&script);
            self.transactions.roll_back(None);
        }
        done
    }

    /// The answer to a request after a failure in the transaction.
    fn after_failure(
        &mut self,
        script: &CachedScript,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let kind = only_kind(script);
        if kind == Some(StatementKind::Rollback) {
            self.is_doomed = false;
            results.begin(true);
            return Ok(None);
        }
        let detail = "an earlier request of this transaction failed, and the transaction was \
                      rolled back";
        if kind == Some(StatementKind::Commit) {
            self.is_doomed = false;
            let error =
                Error::new(ErrorKind::BadQuery, format!("{detail}: there is no change to commit"));
            return Err(error.with_help("run the transaction again"));
        }
        Err(Error::new(ErrorKind::BadQuery, detail)
            .with_help("roll the transaction back first, with g.tx().rollback()"))
    }
}

/// The kind of the only statement, if there is only one.
fn only_kind(script: &CachedScript) -> Option<StatementKind> {
    match script.statements() {
        [only] => Some(only.kind),
        _ => None,
    }
}

/// Whether it only ends a transaction, which is over then whatever came of it.
fn only_ends(script: &CachedScript) -> bool {
    matches!(only_kind(script), Some(StatementKind::Commit | StatementKind::Rollback))
}
