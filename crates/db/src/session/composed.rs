//! A transaction of several queries that a component of the server composes: a batch of jobs, the messages of a queue.
//!
//! It is in one graph and runs again as a whole after a write conflict, so its composer has no effect besides. Notes of
//! the graph are written by the same commit as the data: what a component must know of its own commits after a crash.

use std::sync::Arc;

use millrace_model::{CatalogChange, Error, ErrorKind, Result};
use millrace_plan::Runner;
use millrace_store::{ConflictTicketId, Ticket, Transaction};

use super::explicit::ExplicitTransaction;
use super::transactions::Transactions;
use crate::database::Database;
use crate::graph::Graph;
use crate::request::{Phase, Request, RequestLimits, Results};
use crate::transaction::retrying;

/// The transaction, under way.
pub struct ComposedTransaction<'d> {
    database: &'d Database,
    graph: Arc<Graph>,
    limits: &'d RequestLimits,
    inner: ExplicitTransaction,
}

impl ComposedTransaction<'_> {
    /// Runs a query on the graph and passes its results to their receiver. After an error everything is rolled back.
    pub fn run(&mut self, request: &Request, results: &mut dyn Results) -> Result<()> {
        self.inner.run_whole(self.database, request, results)
    }

    /// The text of a note as the transaction began, or as it was set here.
    pub fn note(&mut self, name: &str) -> Result<Option<Arc<str>>> {
        let execution = self.inner.transactions().on(&self.graph, self.limits)?;
        Ok(execution.catalog().notes.get(name).cloned())
    }

    /// Sets notes of the graph, or removes those without a text.
    pub fn set_notes(&mut self, notes: &[(Arc<str>, Option<Arc<str>>)]) -> Result<()> {
        let set = |(name, text): &(Arc<str>, Option<Arc<str>>)| {
            CatalogChange::SetNote(Arc::clone(name), text.clone())
        };
        let changes: Vec<_> = notes.iter().map(set).collect();
        self.transaction()?.change_schema(&changes).map(drop)
    }

    /// Claims a key: of two transactions that claim one and are under way at once, the later to commit meets a write
    /// conflict.
    pub fn claim(&mut self, key: u64) -> Result<()> {
        self.transaction()?.claim([key])
    }

    /// Each graph commits by itself, so what another one took would stay there if this one failed.
    fn refuse_other_graphs(&mut self) -> Result<()> {
        let own = self.graph.name();
        let Some(other) = self.inner.transactions().written_besides(&self.graph) else {
            return Ok(());
        };
        let detail =
            format!("a statement writes to the graph `{other}`, but its transaction is on `{own}`");
        let help = "send what belongs to another graph as a request, a batch or a queue of its own";
        Err(Error::new(ErrorKind::Unsupported, detail).with_help(help))
    }

    fn transaction(&mut self) -> Result<&Transaction> {
        self.inner.transactions().on(&self.graph, self.limits)?.transaction()
    }
}

impl Database {
    /// Runs `compose` in a transaction on a graph and commits it, again after a write conflict. Its writes are visible
    /// once the ticket resolves.
    ///
    /// The requests that it runs name the graph as their default graph, and do not end the transaction. They may read other
    /// graphs; `Unsupported` if one writes to another.
    pub fn compose<T>(
        &self,
        graph: &Arc<Graph>,
        limits: &RequestLimits,
        mut compose: impl FnMut(&mut ComposedTransaction<'_>) -> Result<T>,
    ) -> Result<(T, Option<Ticket>)> {
        let parts = graph.parts();
        retrying(&parts.store, &parts.counters, limits, |ticket: Option<ConflictTicketId>| {
            let inner = ExplicitTransaction::over(Transactions::with_ticket(ticket));
            let graph = Arc::clone(graph);
            let mut transaction = ComposedTransaction { database: self, graph, limits, inner };
            let value = compose(&mut transaction)?;
            transaction.refuse_other_graphs()?;
            let commit = || transaction.inner.commit();
            Ok((value, limits.trace.time(Phase::Commit, commit)?))
        })
    }
}
