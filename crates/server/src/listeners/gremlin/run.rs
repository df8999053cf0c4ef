//! A request of the protocol as a request of the database, run on a thread that may wait.

use std::sync::Arc;
use std::time::Instant;

use millrace_db::languages::gremlin::{self, ArgumentBinding, BytecodeScript};
use millrace_db::languages::{Binding, Language};
use millrace_db::session::{
    GraphNames, Request, ResultStream, Session, SessionMode, Source, Started, Statements,
};
use millrace_db::store::Isolation;
use millrace_db::{Phase, QueryText, RequestLimits, Results, Ticket};
use millrace_model::{ElementDetail, ErrorKind, Result};
use millrace_wire::gremlin::{self as wire, AnswerForm, Asked, Materialize, Options, RequestId};

use super::answers::{Frames, ResponseOptions};
use super::sender::Sender;
use crate::connections::{Peer, Reservation};
use crate::executor::guarded;
use crate::monitoring::Answered;
use crate::query::DEFAULT_GRAPH;
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress};

/// A request that may run.
pub(super) struct Job {
    pub(super) request: Request,
    pub(super) response_options: ResponseOptions,
    pub(super) sender: Sender,
    pub(super) admitted: Admitted,
    pub(super) answered: Answered,
    /// The reservation of its message, until it is answered.
    pub(super) held: Option<Reservation>,
}

/// The request and the options of its response.
pub(super) fn translate(
    state: &State,
    asked: Asked,
    options: Options,
    (id, form): (RequestId, AnswerForm),
) -> (Request, ResponseOptions) {
    let settings = state.database.settings();
    let most = settings.query.deadline_max;
    let deadline_ms = match options.timeout_ms {
        // 0 asks for no timeout and gets the largest one allowed.
        Some(0) => most,
        Some(asked) => asked.min(most),
        None => settings.gremlin.deadline_ms,
    };
    let mut limits = RequestLimits::within(deadline_ms, settings);
    if options.serializable {
        limits.isolation = Isolation::Serializable;
    }
    let has_bulk = matches!(asked, Asked::Traversal(_));
    let usual = usize::try_from(settings.gremlin.batch_size).unwrap_or(usize::MAX);
    let batch_size = options.batch_size.unwrap_or(usual);
    let bytes_max = limits.answer_bytes_max;
    let response_options = ResponseOptions { id, form, batch_size, has_bulk, bytes_max };
    let detail = match options.materialize {
        Materialize::All => ElementDetail::All,
        Materialize::Tokens => ElementDetail::Tokens,
    };
    let default = Arc::from(settings.gremlin.graph.as_str());
    let graphs = GraphNames { default, aliases: options.aliases };
    let (source, bindings) = source(asked);
    (Request { source, bindings, graphs, detail, is_read_only: false, limits }, response_options)
}

/// A request as the list of those under way shows it; its graph is the one that `g` stands for.
pub(super) fn described(kind: &'static str, request: &Request, peer: Peer) -> Description {
    let GraphNames { default, aliases } = &request.graphs;
    let alias = aliases.iter().find(|(name, _)| name == DEFAULT_GRAPH);
    let graph = alias.map_or_else(|| Arc::clone(default), |(_, graph)| graph.as_str().into());
    let (text, graph) = (Some(QueryText::of(&request.source)), Some(graph));
    Description { kind, text, graph, peer, socket: None }
}

/// The source of a request for the database, and its variables.
fn source(asked: Asked) -> (Source, Vec<(Arc<str>, Binding)>) {
    match asked {
        Asked::Script { text, language, bindings } => {
            let language: &dyn Language = match language {
                wire::Language::Groovy => &gremlin::GROOVY,
                wire::Language::Lang => &gremlin::LANG,
            };
            let bind = |(name, argument)| (name, ArgumentBinding::of(argument));
            let bindings = bindings.into_iter().map(bind).collect();
            (Source { language, statements: Statements::Text(text) }, bindings)
        }
        Asked::Traversal(bytecode) => {
            let script = Arc::new(BytecodeScript::new(bytecode));
            let statements = Statements::Decoded(script);
            (Source { language: &gremlin::GROOVY, statements }, Vec::new())
        }
    }
}

impl Job {
    /// Begins it outside of a session: a small one is answered at once, another is run on the pool.
    pub(super) fn begin(mut self, state: &Arc<State>) {
        let mut frames =
            Frames::whole(self.response_options, self.sender.clone(), state.database.memory());
        self.admitted.note(Progress::Running);
        let done =
            state.executor.inline(|| state.database.try_answer(&mut self.request, &mut frames));
        let Some(done) = done else {
            self.admitted.note(Progress::Waiting);
            let own = Arc::clone(state);
            return state.executor.run(self.request.limits.client, move || self.run(&own));
        };
        let Job { request, admitted, answered, .. } = self;
        let answer = Answer { frames, admitted, answered, limits: request.limits };
        match done {
            Ok(Some(ticket)) => answer.once_visible(state, ticket),
            Ok(None) => answer.end(state, Ok(())),
            Err(error) => answer.end(state, Err(error)),
        }
    }

    /// Runs it outside of a session. Its answer leaves once its commit is visible, without this thread;
    /// where it wrote nothing, as it is made and as fast as the client takes it.
    fn run(self, state: &Arc<State>) {
        let Job { request, response_options, sender, admitted, answered, held: _held } = self;
        let mut frames = Frames::new(response_options, sender, state.database.memory());
        admitted.note(Progress::Running);
        let started = guarded(|| state.database.start(&request, &mut frames));
        let answer = Answer { frames, admitted, answered, limits: request.limits };
        match started {
            Ok(Started::Done(Some(ticket))) => answer.once_visible(state, ticket),
            Ok(Started::Done(None)) => answer.end(state, Ok(())),
            Ok(Started::Streaming(stream)) => answer.stream(state, stream),
            Err(error) => answer.end(state, Err(error)),
        }
    }

    /// Runs it in a session; it returns when its commit is visible, so that the next request sees it.
    pub(super) fn run_in(self, state: &Arc<State>, session: &mut Session, mode: SessionMode) {
        let Job { request, response_options, sender, admitted, answered, held: _held } = self;
        let mut frames = Frames::new(response_options, sender, state.database.memory());
        admitted.note(Progress::Running);
        let done = guarded(|| {
            let results: &mut dyn Results = &mut frames;
            let ticket = state.database.run_in(session, mode, &request, results)?;
            admitted.note(Progress::Committing);
            let visible = || ticket.map_or(Ok(()), |ticket| ticket.wait().map(drop));
            request.limits.trace.time(Phase::Sync, visible)
        });
        Answer { frames, admitted, answered, limits: request.limits }.end(state, done);
    }
}

/// The answer to a request, on its way.
struct Answer {
    frames: Frames,
    admitted: Admitted,
    answered: Answered,
    limits: RequestLimits,
}

impl Answer {
    /// Gives results until the client has enough for now or there are no more. Between two pieces no thread is
    /// held.
    fn stream(mut self, state: &Arc<State>, mut stream: Box<ResultStream>) {
        loop {
            if self.frames.sender().is_full() {
                self.admitted.note(Progress::Sending);
                let (sender, own) = (self.frames.sender().clone(), Arc::clone(state));
                return sender.once_there_is_room(move || {
                    let (client, inner) = (self.limits.client, Arc::clone(&own));
                    own.executor.run(client, move || self.stream(&inner, stream));
                });
            }
            self.admitted.note(Progress::Running);
            match guarded(|| stream.next(&state.database, &mut self.frames)) {
                Ok(true) => {}
                Ok(false) => return self.end(state, Ok(())),
                Err(error) => return self.end(state, Err(error)),
            }
        }
    }

    /// Answers once a commit is visible.
    fn once_visible(self, state: &Arc<State>, ticket: Ticket) {
        let Answer { frames, admitted, answered, limits } = self;
        answered.end(&state.metrics, &Ok(()));
        admitted.note(Progress::Committing);
        let (held, committed, trace) = (frames.finish(), Instant::now(), limits.trace);
        state.database.when_visible(ticket, move |visible| {
            trace.add(Phase::Sync, committed.elapsed());
            let outcome = kind_of(&visible);
            admitted.end(outcome);
            trace.time(Phase::Send, || held.send(visible));
            trace.end(outcome);
        });
    }

    /// Answers now. A client may ask again once it has the answer: the request no longer counts by then.
    fn end(self, state: &State, done: Result<()>) {
        let Answer { frames, admitted, answered, limits } = self;
        answered.end(&state.metrics, &done);
        let (trace, outcome) = (limits.trace, kind_of(&done));
        admitted.end(outcome);
        trace.time(Phase::Send, || match done {
            Ok(()) => frames.finish().send(Ok(())),
            Err(error) => frames.fail(&error),
        });
        trace.end(outcome);
    }
}

/// The outcome of a request, for its trace.
pub(crate) fn kind_of<T>(done: &Result<T>) -> std::result::Result<(), ErrorKind> {
    done.as_ref().map(drop).map_err(|error| error.kind)
}
