//! Numbers of transactions, and their ends.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::Language;
use millrace_db::languages::dql::language::DQL;
use millrace_db::{Phase, Trace};
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::dql::TxnContext;

use super::open::{Taken, Transaction, aborted};
use super::run::Work;
use super::run::overtaken;
use super::{Answer, Asker, Dql};
use crate::executor::{guarded, visible};

impl Dql {
    /// The number of a new transaction.
    pub(super) async fn number(&self, asker: &Asker) -> Result<u64> {
        match self.numbers.take() {
            Some(number) => Ok(number),
            None => self.numbers(asker, 1).await,
        }
    }

    /// The first of so many numbers that follow one another.
    pub(super) async fn numbers(&self, asker: &Asker, count: u64) -> Result<u64> {
        loop {
            if let Some(first) = self.numbers.take_many(count) {
                return Ok(first);
            }
            let _alone = self.numbers.leasing.lock().await;
            if let Some(first) = self.numbers.take_many(count) {
                return Ok(first);
            }
            self.lease(asker, count).await?;
        }
    }

    /// Leases numbers; the graph that notes it is made, if it can be.
    async fn lease(&self, asker: &Asker, count: u64) -> Result<()> {
        let (state, numbers) = (Arc::clone(&self.state), Arc::clone(&self.numbers));
        let work = move || {
            let database = &state.database;
            let graph = match database.ensure_graph(&database.settings().dql.graph) {
                Ok(graph) => Some(graph),
                // It cannot be made, and there is nothing to read.
                Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::ReadOnly) => {
                    None
                }
                Err(error) => return Err(error),
            };
            numbers.lease(database, graph.as_ref(), count)
        };
        self.state.executor.answer(asker.peer.client, move || guarded(work)).await?
    }

    /// Runs a request in an open transaction; if that ends it, it is forgotten.
    pub(super) async fn run_open(
        &self,
        asker: &Asker,
        work: Work,
        prefix: &'static str,
        (transaction, number): (&Transaction, u64),
    ) -> Result<Answer> {
        let taken = (transaction.take().await?, transaction.socket);
        let (done, taken) = match self.run_in(asker, work, prefix, taken).await {
            Ok(ran) => ran,
            Err(error) => {
                self.open.forget(number);
                return Err(error);
            }
        };
        transaction.touch();
        if taken.is_none() {
            self.open.forget(number);
        }
        done
    }

    /// Commits the transaction of a number. `has_written`: its client says that it wrote.
    pub(crate) async fn commit(
        &self,
        asker: &Asker,
        start_ts: u64,
        has_written: bool,
    ) -> Result<TxnContext> {
        if start_ts == 0 {
            return Err(Error::new(
                ErrorKind::BadInput,
                "startTs parameter is mandatory while trying to commit",
            ));
        }
        match self.open.find(start_ts, &asker.user) {
            Some(transaction) => {
                let taken = transaction.take().await;
                self.open.forget(start_ts);
                self.commit_taken(asker, taken?).await?;
            }
            // One that has only read has nothing to commit, known or not.
            None if has_written => return Err(aborted()),
            None => drop(self.reads.take(start_ts, &asker.user)),
        }
        let commit_ts = self.number(asker).await?;
        Ok(TxnContext { start_ts, commit_ts, ..TxnContext::default() })
    }

    async fn commit_taken(&self, asker: &Asker, mut taken: Taken) -> Result<()> {
        let mut inner = taken.take().ok_or_else(aborted)?;
        // Those of its last request may be over by now.
        inner.limit(&asker.limits)?;
        let state = &self.state;
        let trace = Trace::of_commit(state.database.settings(), DQL.name(), &self.graph_for(asker));
        let own = trace.clone();
        let committing = move || guarded(|| own.time(Phase::Commit, || inner.commit()));
        let done = state.executor.answer(asker.peer.client, committing).await.flatten();
        let committed = Instant::now();
        let done = match done {
            Ok(ticket) => visible(&state.database, ticket).await,
            Err(error) => Err(error),
        };
        trace.add(Phase::Sync, committed.elapsed());
        trace.end(done.as_ref().map(drop).map_err(|error| error.kind));
        done.map_err(overtaken)
    }

    /// Ends the transaction of a number without a commit, whether or not it is known.
    pub(crate) async fn abort(&self, asker: &Asker, start_ts: u64) -> Result<TxnContext> {
        if start_ts == 0 {
            return Err(Error::new(
                ErrorKind::BadInput,
                "startTs parameter is mandatory while trying to abort",
            ));
        }
        if let Some(transaction) = self.open.find(start_ts, &asker.user) {
            self.open.forget(start_ts);
            if let Ok(mut taken) = transaction.take().await {
                drop(taken.take());
            }
        }
        drop(self.reads.take(start_ts, &asker.user));
        Ok(TxnContext { start_ts, aborted: true, ..TxnContext::default() })
    }
}
