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
use tokio::time::sleep;

use super::transactions::{Open, Table, Taken, idle, owner};
use crate::connections::Peer;
use crate::executor::guarded;
use crate::http::{Answer as HttpAnswer, limits_of};
use crate::limits::{CHUNKS_QUEUED_MAX, SENDING_TICK};
use crate::query::{Answer, AnswerForm, Chunk, Query};
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress, SocketNumber};

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
    table: &Table,
    (headers, peer): (&HeaderMap, Peer),
    request: QueryRequest,
) -> HttpAnswer {
    let text = Arc::clone(&request.text);
    let done = start(state, table, (headers, peer), request).await;
    done.unwrap_or_else(|error| HttpAnswer::Whole(error_response(None, &error, Some(&text))))
}

async fn start(
    state: &Arc<State>,
    table: &Table,
    (headers, peer): (&HeaderMap, Peer),
    request: QueryRequest,
) -> Result<HttpAnswer> {
    let QueryRequest { graph, language, text, parameters, is_read_only, is_profiled, .. } = request;
    let form = AnswerForm { rows_max: request.rows_max, has_types: request.has_types };
    let language = Entry::of_name(&language)?;
    let limits =
        limits_of(state, headers, state.database.settings().deadline_ms_of(language.name()))?;
    let limits = RequestLimits { client: peer.client, ..limits };
    let taken = request.transaction.map(|id| table.take(id, &owner(headers, &graph)));
    let mut transaction = InTransaction { state: Arc::clone(state), taken: taken.transpose()? };
    // The flag of a query in a transaction is that of the transaction, which goes on behind it.
    let socket = transaction.number();
    let description = Description { socket, ..description("query", language, &text, &graph, peer) };
    // Dropped with this future, if the client goes away, it cancels the query.
    let admitted = state.admit(&limits, description)?;
    let mut cancel = CancelOnDrop(Some(limits.cancel.clone()));
    let query = Query { language, graph, text, parameters, is_read_only, is_profiled, limits };
    let (own, entry) = (Arc::clone(state), admitted.entry());
    let mut open = transaction.take();
    let work = move || {
        entry.note(Progress::Running);
        query.limits.trace.waited();
        let begun = guarded(|| {
            let mut answer = match &mut open {
                Some(open) => Answer::within(&own.database, &mut open.inner, query, form)?,
                None => Answer::begin(&own.database, query, form)?,
            };
            let first = answer.next(&own.database);
            Ok((answer, first))
        });
        (open, begun)
    };
    let (open, begun) = match state.executor.answer(peer.client, work).await {
        Ok(done) => done,
        Err(error) => (None, Err(error)),
    };
    let (answer, first) = match begun {
        Ok(begun) => begun,
        Err(error) => {
            // Rolled back by now.
            transaction.taken = None;
            admitted.end(Err(error.kind));
            return Err(error);
        }
    };
    if open.is_some() {
        // What is left is to send rows that are there.
        cancel.0 = None;
        transaction.go_on(open);
    }
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
struct CancelOnDrop(Option<CancelFlag>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.iter().for_each(CancelFlag::cancel);
    }
}

/// The transaction that a query is a part of, if it is one. Dropped before a thread has it, it goes on.
struct InTransaction {
    state: Arc<State>,
    taken: Option<Taken>,
}

impl InTransaction {
    fn number(&self) -> Option<SocketNumber> {
        Some(self.taken.as_ref()?.transaction.as_ref()?.number)
    }

    fn take(&mut self) -> Option<Box<Open>> {
        self.taken.as_mut()?.transaction.take()
    }

    /// It waits for its next request.
    fn go_on(&mut self, open: Option<Box<Open>>) {
        if let Some(taken) = &mut self.taken {
            taken.transaction = open;
        }
    }
}

impl Drop for InTransaction {
    fn drop(&mut self) {
        // Without its inner half, a thread has it, or it failed: it is rolled back.
        if let Some(taken) = self.taken.take() {
            taken.put_back(idle(&self.state));
        }
    }
}

/// Sends chunks as the client takes them. A client may ask again once it has the last: the request no longer counts
/// by then. A query that is over ends whether its client reads or not.
async fn send_all(
    state: Arc<State>,
    admitted: Admitted,
    (mut answer, mut chunk): (Answer, Chunk),
    sender: mpsc::Sender<Bytes>,
    client: Client,
) {
    loop {
        admitted.note(Progress::Sending);
        let Chunk { mut lines, outcome } = chunk;
        let room = loop {
            tokio::select! {
                room = sender.reserve() => break room,
                () = sleep(SENDING_TICK) => {}
            }
            if answer.is_over() {
                let give_up = move || (answer.give_up(), answer);
                let Ok((end, back)) = state.executor.answer(client, give_up).await else { return };
                answer = back;
                if let Some(Chunk { lines: end, outcome: Some(outcome) }) = end {
                    drop(answer);
                    admitted.end(outcome);
                    lines.push_str(&end);
                    return sender.send(lines.into()).await.unwrap_or_default();
                }
            }
        };
        let Ok(room) = room else { return };
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
