//! `POST /query/{graph}` and `POST /check/{graph}`, in any language.
//!
//! ```text
//!   body ──> Query ──the pool: first rows──> 200, first chunk ──┐
//!                        │                                      v
//!                     an error: its status          the pool makes each further chunk
//!                                                   once the client has taken those before
//! ```
//!
//! Between two chunks no thread is held. A body that is dropped, because its client went away, cancels the query.

use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use futures_util::stream;
use millrace_db::languages::{Completion, Entry, LANGUAGES};
use millrace_db::{CancelFlag, Client, Database, RequestLimits};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::admin::ndjson::{NDJSON, Proposal, check_answer};
use millrace_wire::admin::{CheckRequest, QueryRequest, error_response};
use millrace_wire::http::Response;
use tokio::sync::mpsc;

use crate::connections::Peer;
use crate::executor::guarded;
use crate::http::{Answer as HttpAnswer, limits_of};
use crate::limits::CHUNKS_QUEUED_MAX;
use crate::query::{Answer, Chunk, Query};
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress};

/// The graphs and the languages that can be asked.
pub(super) fn targets(database: &Database) -> Value {
    let list =
        |names: &mut dyn Iterator<Item = &str>| Value::list(names.map(Value::from).collect());
    let graphs = database.query_graphs();
    Value::map(vec![
        (Value::from("graphs"), list(&mut graphs.iter().map(String::as_str))),
        (Value::from("languages"), list(&mut LANGUAGES.iter().map(Entry::name))),
    ])
}

/// The answer to a query; an error has its position as an offset, too.
pub(super) async fn query(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    request: QueryRequest,
) -> HttpAnswer {
    let text = Arc::clone(&request.text);
    let done = start(state, (headers, peer), request).await;
    done.unwrap_or_else(|error| HttpAnswer::Whole(error_response(None, &error, Some(&text))))
}

async fn start(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    request: QueryRequest,
) -> Result<HttpAnswer> {
    let QueryRequest { graph, language, text, parameters, is_read_only, is_profiled, rows_max } =
        request;
    let language = Entry::of_name(&language)?;
    let limits =
        limits_of(state, headers, state.database.settings().deadline_ms_of(language.name()))?;
    let limits = RequestLimits { client: peer.client, ..limits };
    let description = description("query", language, &text, &graph, peer);
    // Dropped with this future, if the client goes away, it cancels the query.
    let admitted = state.admit(&limits, description)?;
    let cancel = CancelOnDrop(limits.cancel.clone());
    let query = Query { language, graph, text, parameters, is_read_only, is_profiled, limits };
    let (own, entry) = (Arc::clone(state), admitted.entry());
    let work = move || {
        entry.note(Progress::Running);
        query.limits.trace.waited();
        guarded(|| {
            let mut answer = Answer::begin(&own.database, query, rows_max)?;
            let first = answer.next(&own.database);
            Ok((answer, first))
        })
    };
    let begun = state.executor.answer(peer.client, work).await.flatten();
    let (answer, first) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            admitted.end(Err(error.kind));
            return Err(error);
        }
    };
    if let Some(outcome) = first.outcome {
        drop(answer);
        admitted.end(outcome);
        return Ok(HttpAnswer::Stream(NDJSON, Body::from(first.lines)));
    }
    let (sender, receiver) = mpsc::channel(CHUNKS_QUEUED_MAX);
    tokio::spawn(send_all(Arc::clone(state), admitted, (answer, first), sender, peer.client));
    let body = stream::unfold((receiver, cancel), |(mut receiver, cancel)| async move {
        let lines: Bytes = receiver.recv().await?;
        Some((Ok::<_, io::Error>(lines), (receiver, cancel)))
    });
    Ok(HttpAnswer::Stream(NDJSON, Body::from_stream(body)))
}

fn description(
    kind: &'static str,
    language: Entry,
    text: &Arc<str>,
    graph: &str,
    peer: Peer,
) -> Description {
    let (text, graph) = (Some(language.query_text(text)), Some(graph.into()));
    Description { kind, text, graph, peer, socket: None }
}

/// Cancels a query when its client disconnects.
struct CancelOnDrop(CancelFlag);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Sends chunks as the client takes them. A client may ask again once it has the last: the request no longer counts
/// by then.
async fn send_all(
    state: Arc<State>,
    admitted: Admitted,
    (mut answer, mut chunk): (Answer, Chunk),
    sender: mpsc::Sender<Bytes>,
    client: Client,
) {
    loop {
        admitted.note(Progress::Sending);
        let Chunk { lines, outcome } = chunk;
        let Ok(room) = sender.reserve().await else { return };
        if let Some(outcome) = outcome {
            admitted.end(outcome);
            return room.send(lines.into());
        }
        room.send(lines.into());
        admitted.note(Progress::Running);
        let own = Arc::clone(&state);
        let work = move || {
            let next = guarded(|| Ok(answer.next(&own.database)));
            (answer, next)
        };
        // What panicked ends the body without a last line, which clients know as cut off.
        let Ok((back, Ok(next))) = state.executor.answer(client, work).await else { return };
        (answer, chunk) = (back, next);
    }
}

/// The answer to a check.
pub(super) async fn check(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    request: CheckRequest,
) -> Result<HttpAnswer> {
    let CheckRequest { graph, language, text, offset } = request;
    let language = Entry::of_name(&language)?;
    let limits = limits_of(state, headers, state.database.settings().scripts.deadline_ms)?;
    let description = description("check", language, &text, &graph, peer);
    let admitted = state.admit(&limits, description)?;
    admitted.note(Progress::Running);
    let own = Arc::clone(state);
    let work = move || guarded(|| checked(&own.database, language, &graph, (&text, offset)));
    let answer = state.executor.answer(peer.client, work).await??;
    drop(admitted);
    Ok(Response::json(answer).into())
}

fn checked(
    database: &Database,
    language: Entry,
    graph: &str,
    (text, offset): (&str, Option<u64>),
) -> Result<String> {
    let offset = offset.map(|offset| byte_of(text, offset)).transpose()?;
    let graph = database.query_graph(graph, true)?;
    let checked = language.check(database, &graph, text, offset)?;
    let mut proposals = Vec::new();
    for Completion { text, kind, detail } in &checked.completions {
        proposals.push(Proposal { text, kind: kind.word(), detail });
    }
    Ok(check_answer(text, &checked.errors, &proposals))
}

/// The byte at which a character begins, or the end.
fn byte_of(text: &str, offset: u64) -> Result<usize> {
    let index = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut begins = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    begins.nth(index).ok_or_else(|| {
        let length = text.chars().count();
        let detail = format!("`offset` is {offset}, and the text has {length} characters");
        Error::new(ErrorKind::BadInput, detail)
    })
}
