//! What a connection keeps between requests: its transaction and its open results.

use std::collections::BTreeMap;

use millrace_db::Database;
use millrace_model::{Error, ErrorKind, Result};

use super::result::OpenResult;
use super::transaction::OpenTransaction;
use crate::executor::guarded;

/// The transaction and the results of a connection.
#[derive(Default)]
pub(super) struct Session {
    pub(super) transaction: Option<OpenTransaction>,
    /// By their numbers; outside of a transaction there is one, number 0.
    pub(super) results: BTreeMap<i64, OpenResult>,
}

impl Session {
    /// Whether something waits for the client.
    pub(super) fn is_waiting(&self) -> bool {
        self.transaction.is_some() || !self.results.is_empty()
    }

    /// Lets records of a result come until enough wait.
    pub(super) fn fill(&mut self, query: i64, database: &Database) -> Result<()> {
        let Session { transaction, results } = self;
        let result = results.get_mut(&query).ok_or_else(missing)?;
        let transaction = transaction.as_mut().map(|open| &mut open.inner);
        guarded(|| result.fill(transaction, database, false))
    }

    /// Reads all open results of the transaction to their ends: a query is about to write.
    pub(super) fn hold_results(&mut self, database: &Database) -> Result<()> {
        let Session { transaction, results } = self;
        for result in results.values_mut() {
            result.records.hold();
            result.fill(transaction.as_mut().map(|open| &mut open.inner), database, true)?;
        }
        Ok(())
    }
}

fn missing() -> Error {
    Error::new(ErrorKind::Bug, "a result that is open is missing")
}
