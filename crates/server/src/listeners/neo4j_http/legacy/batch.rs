//! Batches: their jobs as one transaction.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::Binding;
use millrace_db::session::{ComposedTransaction, GraphNames, Request, Source, Statements as Texts};
use millrace_db::{Graph, Phase, RequestLimits, Ticket};
use millrace_model::{ElementDetail, Error, Result, Value};
use millrace_wire::neo4j_http::legacy::{
    Answer, Answers, Failure, JobAnswer, JobFailure, Jobs, Operation, Order, StatementRows,
    Statements, in_bulk_or_singly,
};

use super::super::Asker;
use super::super::query::{KIND, language_of};
use super::base_and_version;
use super::collected::Collected;
use crate::executor::{guarded, visible};
use crate::http::limits_of;
use crate::neo4j::Target;
use crate::state::State;
use crate::under_way::{Description, Progress};

/// Runs a batch.
pub(super) async fn run(
    state: &Arc<State>,
    asker: &Asker<'_>,
    jobs: Jobs,
) -> std::result::Result<Vec<JobAnswer>, JobFailure> {
    let of_transaction = |error: Error| JobFailure::of_transaction(&error);
    let (base, version) = base_and_version(state, asker);
    let bytes_max = |limits: &RequestLimits| limits.answer_bytes_max;
    let composed = compose(state, asker, move |own: &Composing| {
        in_bulk_or_singly(|order| {
            let answers = Answers::Full { base: &base, version: &version };
            let (answers, ticket) = own.attempt(&jobs, answers, order)?;
            let bytes: usize =
                answers.iter().filter_map(|own| own.body.as_ref()).map(String::len).sum();
            if bytes_max(&own.limits) < bytes as u64 {
                let error = millrace_model::ErrorKind::LimitReached;
                let detail =
                    format!("the answers take more than {} bytes", own.limits.answer_bytes_max);
                return Err(JobFailure::of_transaction(&Error::new(error, detail)));
            }
            Ok((answers, ticket))
        })
    });
    composed.await.map_err(of_transaction)?
}

/// Runs an operation of several statements.
pub(super) async fn alone(
    state: &Arc<State>,
    asker: &Asker<'_>,
    operation: Operation,
) -> std::result::Result<Answer, Failure> {
    let composed = compose(state, asker, move |own: &Composing| {
        let mut rows = StatementRows::default();
        let done = own.database().compose(&own.graph, &own.limits, |transaction| {
            rows = operation.run(&mut own.statements(transaction))?;
            Ok(())
        });
        let ((), ticket) = done.map_err(|error| JobFailure::of_transaction(&error))?;
        Ok(((operation, rows), ticket))
    });
    let failed = |error: Error| Failure::of(&error);
    let (operation, rows) = composed.await.map_err(failed)?.map_err(|own| own.failure)?;
    let (base, version) = base_and_version(state, asker);
    operation.answer(&rows, &base, &version)
}

/// What a transaction of several statements needs.
struct Composing {
    state: Arc<State>,
    graph: Arc<Graph>,
    names: GraphNames,
    limits: RequestLimits,
    is_read_only: bool,
}

type Composed<T> = std::result::Result<(T, Option<Ticket>), JobFailure>;

/// Does work that composes a transaction on the pool, and waits until its commit is visible.
async fn compose<T: Send + 'static>(
    state: &Arc<State>,
    asker: &Asker<'_>,
    work: impl FnOnce(&Composing) -> Composed<T> + Send + 'static,
) -> Result<std::result::Result<T, JobFailure>> {
    let target = Target::of(&state.database, None)?;
    let usual_ms = state.database.settings().cypher.deadline_ms;
    let limits = limits_of(state, asker.headers, usual_ms)?;
    let limits = RequestLimits { client: asker.peer.client, ..limits };
    let (trace, client) = (limits.trace.clone(), limits.client);
    let description = Description {
        kind: KIND,
        text: None,
        graph: Some(Arc::clone(&target.graph)),
        peer: asker.peer,
        socket: None,
    };
    let admitted = state.admit(&limits, description)?;
    admitted.note(Progress::Waiting);
    let (own, entry) = (Arc::clone(state), admitted.entry());
    let is_read_only = asker.is_read_only()?;
    let work = state.executor.answer(client, move || {
        entry.note(Progress::Running);
        guarded(|| {
            let graph = own.database.ensure_graph(&target.graph)?;
            let names = target.graph_names();
            Ok(work(&Composing { state: own, graph, names, limits, is_read_only }))
        })
    });
    let done = work.await??;
    admitted.note(Progress::Committing);
    let committed = Instant::now();
    let done = match done {
        Ok((value, ticket)) => match visible(&state.database, ticket).await {
            Ok(()) => Ok(value),
            Err(error) => Err(JobFailure::of_transaction(&error)),
        },
        Err(failure) => Err(failure),
    };
    trace.add(Phase::Sync, committed.elapsed());
    let outcome = done.as_ref().map(drop).map_err(|failure| failure.error().kind);
    trace.end(outcome);
    admitted.end(outcome);
    Ok(done)
}

impl Composing {
    fn database(&self) -> &millrace_db::Database {
        &self.state.database
    }

    fn statements<'t, 'd>(
        &'t self,
        transaction: &'t mut ComposedTransaction<'d>,
    ) -> InTransaction<'t, 'd> {
        InTransaction { composing: self, transaction }
    }

    /// Runs jobs in a transaction, again after write conflicts.
    fn attempt(&self, jobs: &Jobs, answers: Answers<'_>, order: Order) -> Composed<Vec<JobAnswer>> {
        let mut failed = None;
        let done = self.database().compose(&self.graph, &self.limits, |transaction| {
            jobs.run(&mut self.statements(transaction), answers, order).map_err(|failure| {
                let error = failure.error().clone();
                failed = Some(failure);
                error
            })
        });
        done.map_err(|error| match failed {
            Some(failure) if *failure.error() == error => failure,
            Some(_) | None => JobFailure::of_transaction(&error),
        })
    }
}

/// Statements in a transaction that is under way.
struct InTransaction<'t, 'd> {
    composing: &'t Composing,
    transaction: &'t mut ComposedTransaction<'d>,
}

impl Statements for InTransaction<'_, '_> {
    fn run(
        &mut self,
        language: &'static str,
        text: &Arc<str>,
        parameters: Vec<(Arc<str>, Value)>,
    ) -> Result<StatementRows> {
        let Composing { state, names, limits, is_read_only, .. } = self.composing;
        let bind = |(name, value)| (name, Binding::Value(value));
        let source =
            Source { language: language_of(language)?, statements: Texts::Text(Arc::clone(text)) };
        let request = Request {
            source,
            bindings: parameters.into_iter().map(bind).collect(),
            graphs: names.clone(),
            detail: ElementDetail::Labels,
            is_read_only: *is_read_only,
            limits: limits.clone(),
        };
        let mut collected = Collected::new(limits.answer_bytes_max, state.database.memory());
        self.transaction.run(&request, &mut collected)?;
        Ok(collected.into_rows())
    }
}
