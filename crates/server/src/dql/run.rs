//! A request of the database, run by itself or in an open transaction.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::Binding;
use millrace_db::languages::dql;
use millrace_db::languages::{Language, Script};
use millrace_db::session::{GraphNames, Request, Source, Statements};
use millrace_db::store::{ConflictUnit, GRAPH_DROPPED};
use millrace_db::{CancelFlag, GRAPH_REPLACED, Phase, Pinned, QueryText};
use millrace_model::{ElementDetail, Error, ErrorKind, Result};

use super::answer::Answer;
use super::open::{Taken, aborted};
use super::{Asker, Dql};
use crate::executor::{guarded, visible};
use crate::state::Admitted;
use crate::under_way::{Description, Progress, SocketNumber};

/// What is run.
pub(super) struct Work {
    pub(super) language: &'static dyn Language,
    pub(super) statements: Statements,
    pub(super) bindings: Vec<(Arc<str>, Binding)>,
    pub(super) is_read_only: bool,
    /// The snapshot that it runs on; else the newest.
    pub(super) pinned: Option<Pinned>,
    /// Whether it is small enough for the thread of its connection.
    pub(super) may_try: bool,
}

impl Work {
    /// A script that may write.
    pub(super) fn writing(script: Arc<dyn Script>) -> Work {
        Work::of(Statements::Decoded(script))
    }

    /// Statements that may write.
    pub(super) fn of(statements: Statements) -> Work {
        Work {
            language: &dql::language::DQL,
            statements,
            bindings: Vec::new(),
            is_read_only: false,
            pinned: None,
            may_try: false,
        }
    }
}

impl Dql {
    pub(super) fn admit(
        &self,
        asker: &Asker,
        work: Work,
        socket: Option<SocketNumber>,
    ) -> Result<(Request, Admitted)> {
        let Work { language, statements, bindings, is_read_only, pinned, may_try: _ } = work;
        let mut limits = asker.limits.clone();
        limits.pinned = pinned;
        // As in Dgraph: two that set different predicates of a node do not conflict.
        limits.conflicts_on = ConflictUnit::Key;
        limits.merges_created = socket.is_some();
        let graph = self.graph_for(asker);
        let request = Request {
            source: Source { language, statements },
            bindings,
            graphs: GraphNames { default: Arc::clone(&graph), aliases: Vec::new() },
            detail: ElementDetail::Labels,
            is_read_only,
            limits,
        };
        let text = Some(QueryText::of(&request.source));
        let description =
            Description { kind: asker.kind, text, graph: Some(graph), peer: asker.peer, socket };
        // Dropped with its future, if the client goes away, it cancels a request that is a transaction of its own.
        let admitted = self.state.admit(&request.limits, description)?;
        Ok((request, admitted))
    }

    /// Runs it as a transaction of its own: a small one on this thread. It returns when what it wrote is visible.
    pub(super) async fn run_alone(
        &self,
        asker: &Asker,
        work: Work,
        prefix: &'static str,
    ) -> Result<Answer> {
        let state = &self.state;
        let may_try = work.may_try;
        let (mut request, admitted) = self.admit(asker, work, None)?;
        let mut answer = Answer::new(prefix, &request.limits, state.database.memory());
        let (trace, client) = (request.limits.trace.clone(), request.limits.client);
        admitted.note(Progress::Running);
        let tried = match may_try {
            true => state.executor.inline(|| state.database.try_answer(&mut request, &mut answer)),
            false => None,
        };
        let (done, answer) = match tried {
            Some(done) => (done, answer),
            None => {
                admitted.note(Progress::Waiting);
                let (own, entry) = (Arc::clone(state), admitted.entry());
                let work = state.executor.answer(client, move || {
                    entry.note(Progress::Running);
                    (guarded(|| own.database.run(&request, &mut answer)), answer)
                });
                work.await?
            }
        };
        admitted.note(Progress::Committing);
        let committed = Instant::now();
        let done = match done {
            Ok(ticket) => visible(&state.database, ticket).await,
            Err(error) => Err(error),
        };
        trace.add(Phase::Sync, committed.elapsed());
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        trace.end(outcome);
        admitted.end(outcome);
        done.map(|()| answer).map_err(overtaken)
    }

    /// Runs it in an open transaction. An error ends the transaction, and nothing of it comes back; but for one of a text
    /// that was never run.
    pub(super) async fn run_in(
        &self,
        asker: &Asker,
        work: Work,
        prefix: &'static str,
        (mut taken, socket): (Taken, SocketNumber),
    ) -> Result<(Result<Answer>, Taken)> {
        let state = &self.state;
        let (request, admitted) = match self.admit(asker, work, Some(socket)) {
            Ok(admitted) => admitted,
            Err(error) => return Ok((Err(error), taken)),
        };
        let mut answer = Answer::new(prefix, &request.limits, state.database.memory());
        let (trace, client) = (request.limits.trace.clone(), request.limits.client);
        let (own, entry) = (Arc::clone(state), admitted.entry());
        let mut gone = CancelOnDrop(Some(request.limits.cancel.clone()));
        let work = state.executor.answer(client, move || {
            entry.note(Progress::Running);
            let done = guarded(|| {
                if let Statements::Text(text) = &request.source.statements {
                    dql::parse(text)?;
                }
                let mut inner = taken.take().ok_or_else(aborted)?;
                inner.run_whole(&own.database, &request, &mut answer)?;
                *taken = Some(inner);
                Ok(())
            });
            (done, answer, taken)
        });
        let (done, answer, taken) = work.await?;
        gone.0 = None;
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        trace.end(outcome);
        admitted.end(outcome);
        Ok((done.map(|()| answer).map_err(overtaken), taken))
    }
}

/// A graph that is gone, emptied perhaps, is another one when the client tries again, and a snapshot of it is not known; a node that was made although it is not in the snapshot was
/// made by another transaction meanwhile.
pub(super) fn overtaken(error: Error) -> Error {
    let is_gone = matches!(error.name, Some(GRAPH_REPLACED | GRAPH_DROPPED));
    match is_gone || error.kind == ErrorKind::AlreadyExists {
        true => aborted(),
        false => error,
    }
}

/// Cancels a request when its client goes away while it runs.
struct CancelOnDrop(Option<CancelFlag>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.iter().for_each(CancelFlag::cancel);
    }
}
