//! A query of a client as a request of the database, run inline or on the pool.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::{Binding, Entry};
use millrace_db::session::{Ran, Request, ResultNumber, Source, Started, Statements};
use millrace_db::{QueryText, RequestLimits, Ticket};
use millrace_model::{ElementDetail, Error, ErrorKind, Result};
use millrace_wire::bolt::Run;
use millrace_wire::bolt::packstream::Form;

use super::records::Records;
use super::result::{OpenResult, Source as RecordSource, UnderWay};
use super::session::Session;
use super::transaction::OpenTransaction;
use crate::connections::{Peer, Reservation};
use crate::executor::guarded;
use crate::monitoring::Answered;
use crate::neo4j::bookmark::{self, Bookmark};
use crate::neo4j::{Target, deadline};
use crate::state::State;
use crate::under_way::{Description, Progress, SocketNumber};

/// The kind of the requests, as metrics and the list of requests have it.
const KIND: &str = "bolt";

/// A query that may run.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) records: Records,
    target: Arc<Target>,
    under_way: UnderWay,
    /// Commits that it must see.
    bookmarks: Vec<Bookmark>,
    /// The reservation of its message, until it has run.
    reserved: Option<Reservation>,
}

/// Who asks, and how answers are written.
#[derive(Clone, Copy)]
pub(super) struct Asker {
    pub(super) peer: Peer,
    pub(super) number: SocketNumber,
    pub(super) form: Form,
}

impl Job {
    /// Admits a query; in a transaction it has the transaction's graph, access and deadline.
    pub(super) fn admit(
        state: &Arc<State>,
        asker: Asker,
        run: Run,
        transaction: Option<&OpenTransaction>,
        reserved: Option<Reservation>,
    ) -> Result<Job> {
        let database = &state.database;
        let Run { query, parameters, options } = run;
        let language = match Entry::of_name(state.bolt_language)? {
            Entry::Compiled(language) => language,
            Entry::Interpreted(language) => {
                let detail = format!("the language {} over Bolt", language.name());
                return Err(Error::new(ErrorKind::Unsupported, detail));
            }
        };
        let (target, is_read_only) = match transaction {
            Some(open) => (Arc::clone(&open.target), open.is_read_only),
            None => {
                let target = Target::of(database, options.database.as_deref())?;
                (Arc::new(target), options.is_read_only)
            }
        };
        let bookmarks = match transaction {
            Some(_) => Vec::new(),
            None => bookmark::not_visible(database, &options.bookmarks)?,
        };
        let settings = database.settings();
        let timeout_ms = options.timeout_ms.filter(|_| transaction.is_none());
        let usual_ms = settings.deadline_ms_of(language.name());
        let mut limits = RequestLimits::within(usual_ms, settings);
        if let Some(timeout_ms) = timeout_ms {
            limits.deadline = deadline(database, timeout_ms);
        }
        if let Some(whole) = transaction.and_then(|open| open.deadline) {
            limits.deadline = Some(limits.deadline.map_or(whole, |own| own.min(whole)));
        }
        limits.client = asker.peer.client;
        let source = Source { language, statements: Statements::Text(query) };
        let bind = |(name, value)| (name, Binding::Value(value));
        let request = Request {
            source,
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
            peer: asker.peer,
            socket: Some(asker.number),
        };
        let admitted = state.admit(&request.limits, description)?;
        let under_way = UnderWay {
            admitted,
            answered: Answered::begin(KIND),
            trace: request.limits.trace.clone(),
            cancel: request.limits.cancel.clone(),
            began: Instant::now(),
        };
        let records = Records::new(asker.form, request.limits.answer_bytes_max, database.memory());
        Ok(Job { request, records, target, under_way, bookmarks, reserved })
    }

    fn into_result(self, source: RecordSource, ticket: Option<Ticket>) -> OpenResult {
        let Job { records, target, under_way, .. } = self;
        let made = matches!(source, RecordSource::Ended).then(Instant::now);
        OpenResult { records, source, ticket, target, request: under_way, made }
    }

    /// Tries it on this thread, as a transaction of its own, without blocking; `None` where it has had no effect.
    pub(super) fn try_inline(
        mut self,
        state: &State,
    ) -> std::result::Result<Result<OpenResult>, Box<Job>> {
        if !self.bookmarks.is_empty() {
            return Err(Box::new(self));
        }
        self.under_way.admitted.note(Progress::Running);
        let Job { request, records, .. } = &mut self;
        let done = state.executor.inline(|| state.database.try_answer(request, records));
        match done {
            None => {
                self.under_way.admitted.note(Progress::Waiting);
                Err(Box::new(self))
            }
            Some(Ok(ticket)) => Ok(Ok(self.into_result(RecordSource::Ended, ticket))),
            Some(Err(error)) => Ok(Err(self.failed(state, error))),
        }
    }

    /// Runs it as a transaction of its own on a thread that may wait, up to the first records.
    pub(super) fn run(mut self, state: &State) -> Result<OpenResult> {
        self.under_way.admitted.note(Progress::Running);
        let Job { request, records, bookmarks, reserved, .. } = &mut self;
        let started = guarded(|| {
            bookmark::wait(bookmarks, request.limits.deadline)?;
            state.database.start(request, records)
        });
        drop(reserved.take());
        let mut result = match started {
            Ok(Started::Done(ticket)) => return Ok(self.into_result(RecordSource::Ended, ticket)),
            Ok(Started::Streaming(stream)) => self.into_result(RecordSource::Stream(stream), None),
            Err(error) => return Err(self.failed(state, error)),
        };
        match guarded(|| result.fill(None, &state.database, false)) {
            Ok(()) => Ok(result),
            Err(error) => {
                result.request.end(state, &Err(error.clone()));
                Err(error)
            }
        }
    }

    /// Runs it in the open transaction, up to the first records.
    pub(super) fn run_in(
        mut self,
        state: &State,
        session: &mut Session,
        number: ResultNumber,
    ) -> Result<()> {
        self.under_way.admitted.note(Progress::Running);
        let ran = guarded(|| self.run_query(state, session, number));
        drop(self.reserved.take());
        match ran {
            Ok(ran) => {
                let source = match ran {
                    Ran::Done | Ran::Blocked => RecordSource::Ended,
                    Ran::Open => RecordSource::Transaction(number),
                };
                session.results.insert(number, self.into_result(source, None));
                session.fill(number, &state.database)
            }
            Err(error) => Err(self.failed(state, error)),
        }
    }

    fn run_query(
        &mut self,
        state: &State,
        session: &mut Session,
        number: ResultNumber,
    ) -> Result<Ran> {
        let Job { request, records, .. } = self;
        let database = &state.database;
        let ran = transaction_of(session)?.inner.run(database, number, request, records)?;
        if ran != Ran::Blocked {
            return Ok(ran);
        }
        session.hold_results(database)?;
        transaction_of(session)?.inner.run(database, number, request, records)
    }

    /// It is answered by an error.
    fn failed(self, state: &State, error: Error) -> Error {
        self.under_way.end(state, &Err(error.clone()));
        error
    }
}

fn transaction_of(session: &mut Session) -> Result<&mut OpenTransaction> {
    let missing = || Error::new(ErrorKind::Bug, "a transaction that is open is missing");
    session.transaction.as_mut().ok_or_else(missing)
}
