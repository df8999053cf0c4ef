//! The transactions of `CALL { … } IN TRANSACTIONS`: one for each batch of rows, beside that of the statement.
//!
//! A batch runs again after a write conflict, as an autocommit statement does. Its commit is visible before the next
//! batch begins.

use std::sync::Arc;

use millrace_engine::BatchTransactions;
use millrace_model::Result;
use millrace_store::{Snapshot, Store, Transaction};

use super::parts::GraphParts;
use super::retry::retrying;
use crate::monitoring::Counters;
use crate::request::RequestLimits;

/// Transactions of batches on a graph, within the limits of a request.
pub(super) struct Batches {
    store: Arc<dyn Store>,
    counters: Arc<Counters>,
    limits: RequestLimits,
}

impl Batches {
    pub(super) fn new(graph: &GraphParts, limits: &RequestLimits) -> Batches {
        let counters = Arc::clone(&graph.counters);
        Batches { store: Arc::clone(&graph.store), counters, limits: limits.clone() }
    }
}

impl BatchTransactions for Batches {
    fn run(&self, body: &mut dyn FnMut(Transaction) -> Result<Transaction>) -> Result<()> {
        retrying(&self.store, &self.counters, &self.limits, |ticket| {
            let begun = Transaction::begin(Arc::clone(&self.store), self.limits.isolation)?;
            let transaction = match ticket {
                Some(ticket) => begun.with_ticket(ticket),
                None => begun,
            };
            let transaction = body(transaction)?;
            if transaction.is_empty() {
                return Ok(());
            }
            transaction.commit()?.wait().map(drop)
        })
    }

    fn snapshot(&self) -> Result<Arc<dyn Snapshot>> {
        self.store.snapshot()
    }
}
