//! Queries as requests of the database: each a transaction of its own, or in an open one.

use std::sync::Arc;
use std::time::Instant;

use axum::http::HeaderMap;
use millrace_db::languages::{Binding, Entry, Language};
use millrace_db::session::{ExplicitTransaction, Request, Source, Statements};
use millrace_db::{CancelFlag, Phase, QueryText, RequestLimits, Results};
use millrace_model::{ElementDetail, Error, ErrorKind, LogPosition, Result, Value};
use millrace_wire::neo4j_http::Form;

use super::rows::Rows;
use crate::connections::Peer;
use crate::executor::{guarded, visible};
use crate::http::limits_of;
use crate::neo4j::Target;
use crate::neo4j::bookmark::{self, Bookmark};
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress, SocketNumber};

/// The kind of the requests, as metrics and the list of requests have it.
pub(super) const KIND: &str = "neo4j-http";

/// An open transaction.
pub(super) struct OpenTransaction {
    pub(super) inner: ExplicitTransaction,
    pub(super) target: Arc<Target>,
    pub(super) is_read_only: bool,
    /// Its number among connections that have transactions.
    pub(super) number: SocketNumber,
}

/// A statement as its client sent it.
pub(super) struct Asked {
    pub(super) text: Arc<str>,
    pub(super) parameters: Vec<(Arc<str>, Value)>,
    pub(super) is_read_only: bool,
    pub(super) form: Form,
    /// The address of the interface of older versions.
    pub(super) base: String,
}

/// A query in some language.
pub(super) struct Text {
    /// The name of the language.
    pub(super) language: &'static str,
    pub(super) text: Arc<str>,
    pub(super) parameters: Vec<(Arc<str>, Value)>,
    pub(super) is_read_only: bool,
}

/// A statement that may run, and the receiver of its results.
pub(super) struct Job<R = Rows> {
    pub(super) request: Request,
    rows: R,
    admitted: Admitted,
}

/// Why a statement failed, and the receiver of its results as it was by then.
pub(super) struct Failed<R> {
    pub(super) error: Error,
    /// `None` where the statement never ran, or its thread was lost.
    pub(super) receiver: Option<R>,
}

impl<R> From<Error> for Failed<R> {
    fn from(error: Error) -> Failed<R> {
        Failed { error, receiver: None }
    }
}

impl<R> From<Failed<R>> for Error {
    fn from(failed: Failed<R>) -> Error {
        failed.error
    }
}

/// The compiled language of a name.
pub(super) fn language_of(name: &str) -> Result<&'static dyn Language> {
    match Entry::of_name(name)? {
        Entry::Compiled(language) => Ok(language),
        Entry::Interpreted(language) => {
            let detail = format!("the language {} over Neo4j's HTTP interface", language.name());
            Err(Error::new(ErrorKind::Unsupported, detail))
        }
    }
}

impl Job {
    /// Admits a statement.
    pub(super) fn admit(
        state: &Arc<State>,
        client: (&HeaderMap, Peer),
        target: (&Target, Option<SocketNumber>),
        asked: Asked,
    ) -> Result<Job> {
        let Asked { text, parameters, is_read_only, form, base } = asked;
        let language = state.bolt_language;
        let text = Text { language, text, parameters, is_read_only };
        Job::admit_with(state, client, target, text, |limits| {
            Rows::new((form, base), limits.answer_bytes_max, state.database.memory())
        })
    }
}

impl<R: Results + Send + 'static> Job<R> {
    /// Admits a statement whose results have a receiver of their own.
    pub(super) fn admit_with(
        state: &Arc<State>,
        (headers, peer): (&HeaderMap, Peer),
        (target, transaction): (&Target, Option<SocketNumber>),
        asked: Text,
        receiver: impl FnOnce(&RequestLimits) -> R,
    ) -> Result<Job<R>> {
        let Text { language, text, parameters, is_read_only } = asked;
        let language = language_of(language)?;
        let usual_ms = state.database.settings().deadline_ms_of(language.name());
        let limits = limits_of(state, headers, usual_ms)?;
        let limits = RequestLimits { client: peer.client, ..limits };
        let bind = |(name, value)| (name, Binding::Value(value));
        let request = Request {
            source: Source { language, statements: Statements::Text(text) },
            bindings: parameters.into_iter().map(bind).collect(),
            graphs: target.graph_names(),
            detail: ElementDetail::Labels,
            is_read_only,
            limits,
        };
        let description = Description {
            kind: KIND,
            text: Some(QueryText::of(&request.source)),
            graph: Some(Arc::clone(&target.graph)),
            peer,
            // The flag of a statement is that of its transaction, which goes on behind it.
            socket: transaction,
        };
        // Dropped with its future, if the client goes away, it cancels a request that is a transaction of its own.
        let admitted = state.admit(&request.limits, description)?;
        let rows = receiver(&request.limits);
        Ok(Job { request, rows, admitted })
    }

    /// Runs it as a transaction of its own: a small one on this thread. Gives its rows and its commit.
    pub(super) async fn run(
        self,
        state: &Arc<State>,
        bookmarks: Vec<Bookmark>,
    ) -> std::result::Result<(R, Option<LogPosition>), Failed<R>> {
        let Job { mut request, mut rows, admitted } = self;
        let (trace, client) = (request.limits.trace.clone(), request.limits.client);
        admitted.note(Progress::Running);
        let at_once = match bookmarks.is_empty() {
            true => state.executor.inline(|| state.database.try_answer(&mut request, &mut rows)),
            false => None,
        };
        let (done, rows) = match at_once {
            Some(done) => (done, rows),
            None => {
                admitted.note(Progress::Waiting);
                let (own, entry) = (Arc::clone(state), admitted.entry());
                let work = state.executor.answer(client, move || {
                    entry.note(Progress::Running);
                    let done = guarded(|| {
                        bookmark::wait(&bookmarks, request.limits.deadline)?;
                        own.database.run(&request, &mut rows)
                    });
                    (done, rows)
                });
                work.await?
            }
        };
        admitted.note(Progress::Committing);
        let committed = Instant::now();
        let done = match done {
            Ok(ticket) => {
                let position = ticket.as_ref().map(|ticket| ticket.position);
                visible(&state.database, ticket).await.map(|()| position)
            }
            Err(error) => Err(error),
        };
        trace.add(Phase::Sync, committed.elapsed());
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        trace.end(outcome);
        admitted.end(outcome);
        match done {
            Ok(position) => Ok((rows, position)),
            Err(error) => Err(Failed { error, receiver: Some(rows) }),
        }
    }

    /// Runs it in an open transaction, which comes back unless a thread was lost.
    pub(super) async fn run_in(
        self,
        state: &Arc<State>,
        mut open: Box<OpenTransaction>,
    ) -> Result<(Box<OpenTransaction>, std::result::Result<R, Failed<R>>)> {
        let Job { request, mut rows, admitted } = self;
        let (trace, client) = (request.limits.trace.clone(), request.limits.client);
        let (own, entry) = (Arc::clone(state), admitted.entry());
        let mut gone = CancelOnDrop(Some(request.limits.cancel.clone()));
        let work = state.executor.answer(client, move || {
            entry.note(Progress::Running);
            let done = guarded(|| open.inner.run_whole(&own.database, &request, &mut rows));
            (open, done, rows)
        });
        let (open, done, rows) = work.await?;
        gone.0 = None;
        let outcome = done.as_ref().map(drop).map_err(|error| error.kind);
        trace.end(outcome);
        admitted.end(outcome);
        let done = match done {
            Ok(()) => Ok(rows),
            Err(error) => Err(Failed { error, receiver: Some(rows) }),
        };
        Ok((open, done))
    }
}

/// Cancels a statement when its client goes away while it runs.
struct CancelOnDrop(Option<CancelFlag>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.iter().for_each(CancelFlag::cancel);
    }
}

/// The bookmark of a commit, or of what was visible where nothing was written.
pub(super) fn bookmark_of(
    state: &State,
    target: &Target,
    position: Option<LogPosition>,
) -> Option<String> {
    let position = match position {
        Some(position) => position,
        None => target.find(&state.database).ok()??.visible_position(),
    };
    Some(bookmark::write(&target.graph, position))
}
