//! Gremlin as one HTTP request: a query or a body, and one body back.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{
    HeaderValue, Method, Request as HttpRequest, Response as HttpResponse, StatusCode, header,
    request,
};
use millrace_db::Phase;
use millrace_db::languages::gremlin::random_uuid;
use millrace_db::store::Isolation;
use millrace_model::{Error, ErrorKind, MemoryShare};
use millrace_wire::gremlin::http::{self as wire, read_body, read_query};
use millrace_wire::gremlin::{
    AnswerForm, Asked, Format, Operation, Refusal, Request, RequestId, Response, status,
};

use super::answers::Whole;
use super::run::{described, kind_of, translate};
use crate::connections::{self, Held, Peer, Unread, peer_of};
use crate::executor::{guarded, visible};
use crate::http::isolation;
use crate::monitoring::Answered;
use crate::state::State;
use crate::under_way::Progress;

/// The answer to a path that is not this protocol's.
pub(super) fn not_found(path: &str) -> HttpResponse<Body> {
    let detail = format!("there is no {path}");
    let error = Error::new(ErrorKind::NotFound, detail).with_help("Gremlin is at /gremlin");
    let body = wire::refusal_body(&Refusal { id: None, code: status::MALFORMED, error });
    to_http(wire::Body { status: 404, ..body })
}

/// The answer to a request.
pub(super) async fn answer(state: Arc<State>, request: HttpRequest<Body>) -> HttpResponse<Body> {
    let id = random_uuid();
    let (head, body) = request.into_parts();
    let answered = Answered::begin("gremlin-http");
    if let Err(refused) = state.log_in(&head.headers, &head.extensions).await {
        answered.end_with(&state.metrics, refused.code());
        let refusal = Refusal { id: Some(id), code: refused.code(), error: refused.error.clone() };
        let mut response = to_http(wire::refusal_body(&refusal));
        refused.put_headers(response.headers_mut());
        return response;
    }
    let done = take(&state, &head, body, id).await;
    let code = done.as_ref().map_or_else(|refusal| refusal.code, |_| status::SUCCESS);
    answered.end_with(&state.metrics, code);
    match done {
        Ok(body) => to_http(body),
        Err(refusal) => to_http(wire::refusal_body(&refusal)),
    }
}

async fn take(
    state: &Arc<State>,
    head: &request::Parts,
    body: Body,
    id: RequestId,
) -> Result<wire::Body, Refusal> {
    let refuse = |code| move |error| Refusal { id: Some(id), code, error };
    let header = |name| head.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let accepted = wire::choose(header(header::ACCEPT), id)?;
    // Held until the request is answered.
    let mut held = None;
    let request = match head.method {
        Method::GET => read_query(head.uri.query().unwrap_or_default(), id)?,
        Method::POST => {
            let body = whole(state, body).await.map_err(|(code, error)| refuse(code)(error))?;
            let body = held.insert(body);
            read_body(header(header::CONTENT_TYPE), &body.bytes, id)?
        }
        _ => {
            let error = Error::new(ErrorKind::BadInput, "Gremlin takes GET and POST");
            return Err(refuse(status::MALFORMED)(error));
        }
    };
    let mut request = request;
    match isolation(&head.headers).map_err(refuse(status::BAD_ARGUMENTS))? {
        Some(Isolation::Serializable) => request.options.serializable = true,
        Some(Isolation::Snapshot) | None => {}
    }
    let peer = peer_of(&head.extensions);
    let is_read_only = head.method != Method::POST;
    let (response, _held) = run(state, request, accepted.1, peer, is_read_only).await?;
    let mut body = wire::body(&response, accepted);
    if is_read_only && response.code == status::FORBIDDEN {
        body.status = StatusCode::METHOD_NOT_ALLOWED.as_u16();
    }
    Ok(body)
}

/// A whole body, or the code of why it was not read.
async fn whole(state: &State, body: Body) -> Result<Held, (u16, Error)> {
    let bytes_max = state.database.settings().gremlin.message_bytes_max;
    connections::whole(&state.connections.bodies, body, bytes_max).await.map_err(|unread| {
        let code = match &unread {
            Unread::TooLong => status::TOO_LONG,
            Unread::NoRoom(_) => status::TEMPORARY,
            Unread::TooSlow(_) => status::TOO_SLOW,
            Unread::CutOff(_) => status::BAD_ARGUMENTS,
        };
        (code, unread.error(bytes_max, "gremlin.message-bytes-max"))
    })
}

async fn run(
    state: &Arc<State>,
    request: Request,
    format: Format,
    peer: Peer,
    is_read_only: bool,
) -> Result<(Response, Option<MemoryShare>), Refusal> {
    let Request { id, operation, options } = request;
    let refuse = |code, error| Refusal { id: Some(id), code, error };
    let asked = match operation {
        Operation::Eval { script, language, bindings, session: None } => {
            Asked::Script { text: script, language, bindings }
        }
        Operation::Bytecode { bytecode, session: None } => Asked::Traversal(bytecode),
        Operation::Eval { .. }
        | Operation::Bytecode { .. }
        | Operation::Close { .. }
        | Operation::Authenticate { .. } => {
            let error = Error::new(ErrorKind::Unsupported, "HTTP has no sessions");
            let error = error.with_help("connect by WebSocket");
            return Err(refuse(status::MALFORMED, error));
        }
    };
    let form = AnswerForm { format, is_text: false };
    let (mut request, response_options) = translate(state, asked, options, (id, form));
    request.limits.client = peer.client;
    request.is_read_only = is_read_only;
    // Dropped with this future, if the client goes away, it cancels the request.
    let admitted = state
        .admit(&request.limits, described("gremlin-http", &request, peer))
        .map_err(|error| refuse(status::TOO_MANY_REQUESTS, error))?;
    admitted.note(Progress::Running);
    let whole = || Whole::new(id, response_options.bytes_max, state.database.memory());
    let trace = request.limits.trace.clone();
    let mut results = whole();
    let done = state.executor.inline(|| state.database.try_answer(&mut request, &mut results));
    let (done, results) = match done {
        Some(done) => (done, results),
        None => {
            admitted.note(Progress::Waiting);
            let (own, entry, mut results) = (Arc::clone(state), admitted.entry(), whole());
            let work = state.executor.answer(peer.client, move || {
                entry.note(Progress::Running);
                (guarded(|| own.database.run(&request, &mut results)), results)
            });
            work.await.map_err(|error| refuse(status::SERVER_ERROR, error))?
        }
    };
    admitted.note(Progress::Committing);
    let committed = Instant::now();
    let done = match done {
        Ok(ticket) => visible(&state.database, ticket).await,
        Err(error) => Err(error),
    };
    trace.add(Phase::Sync, committed.elapsed());
    trace.end(kind_of(&done));
    admitted.end(kind_of(&done));
    match done {
        Ok(()) => {
            let (response, held) = results.finish();
            Ok((response, Some(held)))
        }
        Err(error) if is_read_only && error.kind == ErrorKind::Forbidden => {
            let detail = format!("GET never writes: {}", error.detail);
            let error = Error::new(ErrorKind::Forbidden, detail).with_help("use POST");
            Ok((Response::error(Some(id), &error), None))
        }
        Err(error) => Ok((Response::error(Some(id), &error), None)),
    }
}

fn to_http(body: wire::Body) -> HttpResponse<Body> {
    let mut response = HttpResponse::new(Body::from(body.bytes));
    *response.status_mut() =
        StatusCode::from_u16(body.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if body.status == StatusCode::METHOD_NOT_ALLOWED.as_u16() {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    let kind = HeaderValue::from_static(body.content_type);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
