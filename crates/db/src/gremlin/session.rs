//! A session: variables and transactions that outlive a request.
//!
//! Its owner runs one request at a time. A transaction in which a request failed can only be rolled
//! back, since the failed request may have done half of its work; until the rollback everything is
//! refused, so that no client commits the half without knowing.

use millrace_gremlin::text::{Expression, TransactionWord};
use millrace_model::{Error, ErrorKind, Result};
use millrace_store::Ticket;

use super::evaluate::{Evaluation, Ready};
use super::transactions::Transactions;
use super::variables::Variables;
use super::{Gremlin, Request, Results, Work};
use crate::database::Database;
use crate::limits::SESSION_VARIABLES_MAX;
use crate::trace::Phase;

/// Variables and transactions.
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

impl Gremlin {
    /// Runs a request of a session.
    pub(crate) fn run_in(
        &self,
        database: &Database,
        session: &mut Session,
        mode: SessionMode,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let done = match mode.is_own_transaction {
            true => self.run_with(database, request, &mut session.variables, results),
            false => session.run(self, database, request, results),
        };
        if done.is_err() && !mode.keeps_variables {
            session.variables = Variables::default();
        }
        done
    }
}

impl Session {
    fn run(
        &mut self,
        gremlin: &Gremlin,
        database: &Database,
        request: &Request,
        results: &mut dyn Results,
    ) -> Result<Option<Ticket>> {
        let read = || Ready::of(gremlin, &request.work);
        let ready = request.limits.trace.time(Phase::Parse, read)?;
        if self.is_doomed {
            return self.bury(&ready, results);
        }
        if let Work::Script { bindings, .. } = &request.work {
            self.variables.extend(bindings, request.limits.bytes_max)?;
        }
        if SESSION_VARIABLES_MAX < self.variables.len() {
            let detail = format!("a session has at most {SESSION_VARIABLES_MAX} variables");
            return Err(Error::new(ErrorKind::LimitReached, detail));
        }
        let mut evaluation = Evaluation {
            gremlin,
            database,
            request,
            transactions: &mut self.transactions,
            variables: &mut self.variables,
            is_open: true,
        };
        let done = evaluation.run(&ready, results);
        if done.is_err() {
            self.is_doomed = !self.transactions.is_empty() && !ready.only_ends();
            self.transactions.roll_back(None);
        }
        done
    }

    /// What becomes of a request after something failed in the transaction.
    fn bury(&mut self, ready: &Ready, results: &mut dyn Results) -> Result<Option<Ticket>> {
        let word = ready.only_word();
        if word == Some(TransactionWord::Rollback) {
            self.is_doomed = false;
            results.begin(true);
            return Ok(None);
        }
        let detail =
            "an earlier request of this transaction failed, and the transaction was rolled back";
        if word == Some(TransactionWord::Commit) {
            self.is_doomed = false;
            let error =
                Error::new(ErrorKind::BadQuery, format!("{detail}: there is no change to commit"));
            return Err(error.with_help("run the transaction again"));
        }
        Err(Error::new(ErrorKind::BadQuery, detail).with_help("send g.tx().rollback() first"))
    }
}

impl Ready {
    /// The word to a transaction, if there is nothing else.
    fn only_word(&self) -> Option<TransactionWord> {
        match self {
            Ready::Transaction(word) => Some(*word),
            Ready::Traversal(_) => None,
            Ready::Script(script) => match script.text.statements.as_slice() {
                [only] => match &only.expression {
                    Expression::Transaction { word, .. } => Some(*word),
                    Expression::Traversal(_) | Expression::Argument(_) => None,
                },
                _ => None,
            },
        }
    }

    /// Whether it only ends a transaction, which is over then whatever came of it.
    fn only_ends(&self) -> bool {
        matches!(self.only_word(), Some(TransactionWord::Commit | TransactionWord::Rollback))
    }
}
