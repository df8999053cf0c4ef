//! Dgraph's gRPC: the service `api.Dgraph`, each method one message each way.
//!
//! ```text
//!   call ── method ── token ── message (unpacked) ──> calls ──dql──> message, grpc-status
//! ```
//!
//! A message is read whole within the memory for bodies, as over HTTP. Streams of snapshots are refused by name.

mod answer;
mod calls;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Extracted;
use axum::http::{HeaderMap, Method as HttpMethod, StatusCode, header};
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use futures_util::future::BoxFuture;
use millrace_wire::dql::{GrpcCode, GrpcStatus, Method, method, unframed};
use tokio::net::TcpListener;

use crate::connections::{self, Held, Unread, peer_of, unpacked};
use crate::dql::{Denied, DeniedKind, Dql, User};
use crate::limits::PACKED_INLINE_BYTES_MAX;
use crate::listeners::listener::{Listener, Serving, serve_http2};
use crate::monitoring::Answered;

/// The kind of its requests, as metrics and the list of requests have it.
const KIND: &str = "dql-grpc";

/// The bytes in front of a message.
const FRAME_BYTES: u64 = 5;

/// Dgraph's gRPC.
pub(super) struct DqlGrpc;

/// The listener of Dgraph's gRPC.
pub(super) static DQL_GRPC: DqlGrpc = DqlGrpc;

impl Listener for DqlGrpc {
    fn name(&self) -> &'static str {
        "dql-grpc"
    }

    fn default_address(&self) -> &'static str {
        ""
    }

    fn usual_address(&self) -> &'static str {
        "127.0.0.1:9080"
    }

    fn about(&self) -> &'static str {
        "Dgraph's gRPC, for its drivers"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening for Dgraph's gRPC on dgraph://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let (dql, stopped) = (Arc::clone(&serving.dql), serving.stopped.clone());
        Box::pin(async move {
            dql.begin_to_sweep(stopped);
            serve_http2(socket, Router::new().fallback(serve).with_state(dql), serving).await;
        })
    }
}

async fn serve(
    Extracted(dql): Extracted<Arc<Dql>>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    let answered = Answered::begin(KIND);
    if !is_call(request.headers()) || request.method() != HttpMethod::POST {
        answered.end_with(&dql.state.metrics, StatusCode::UNSUPPORTED_MEDIA_TYPE.as_u16());
        return answer::no_call();
    }
    let done = call(&dql, request).await;
    // The status of the same failure over HTTP, as all listeners are counted.
    let status = done.as_ref().map_or_else(|failed| answer::http_status(failed.code), |_| 200);
    answered.end_with(&dql.state.metrics, status);
    answer::response(done)
}

/// Browsers' form of gRPC is another one, as over Dgraph.
fn is_call(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes());
    let form = kind.and_then(|kind| kind.strip_prefix(b"application/grpc"));
    matches!(form, Some([] | [b'+' | b';', ..]))
}

async fn call(dql: &Arc<Dql>, request: HttpRequest<Body>) -> Result<Bytes, GrpcStatus> {
    let (head, body) = request.into_parts();
    let method = method(head.uri.path())?;
    let peer = peer_of(&head.extensions);
    let is_open = matches!(method, Method::Login | Method::CheckVersion | Method::HealthCheck);
    let user = match is_open {
        true => User::default(),
        false => dql.user(&head.headers, peer).await.map_err(denied)?,
    };
    let (message, _held) = read(dql, &head.headers, body, peer.client).await?;
    calls::answer(dql, method, message, (&head.headers, peer, user)).await
}

/// The message of a call, and its part of the memory for bodies.
async fn read(
    dql: &Arc<Dql>,
    headers: &HeaderMap,
    body: Body,
    client: millrace_db::Client,
) -> Result<(Bytes, Held), GrpcStatus> {
    let state = &dql.state;
    let bytes_max = state.database.settings().dql.message_bytes_max;
    let failed = |unread: Unread| {
        let code = match &unread {
            Unread::TooLong => GrpcCode::ResourceExhausted,
            Unread::NoRoom(_) => GrpcCode::Unavailable,
            Unread::TooSlow(_) => GrpcCode::DeadlineExceeded,
            Unread::CutOff(_) => GrpcCode::Internal,
        };
        GrpcStatus::new(code, unread.error(bytes_max, "dql.message-bytes-max").to_string())
    };
    let budget = &state.connections.bodies;
    let held = connections::whole(budget, body, bytes_max.saturating_add(FRAME_BYTES)).await;
    let held = held.map_err(failed)?;
    let (message, is_packed) = unframed(&held.bytes)?;
    if !is_packed {
        return Ok((message, held));
    }
    let refused = |code| {
        GrpcStatus::new(code, "messages are packed as grpc-encoding says: with gzip, or not at all")
    };
    match headers.get("grpc-encoding").map(|value| value.as_bytes()) {
        Some(b"gzip") => {}
        None | Some(b"identity") => return Err(refused(GrpcCode::Internal)),
        Some(_) => return Err(refused(GrpcCode::Unimplemented)),
    }
    let done = match message.len() <= PACKED_INLINE_BYTES_MAX {
        true => unpacked(budget, &message, bytes_max),
        false => {
            let own = Arc::clone(state);
            let work = move || {
                let _packed = held;
                unpacked(&own.connections.bodies, &message, bytes_max)
            };
            let done = state.executor.answer(client, work).await;
            done.map_err(|error| GrpcStatus::of(&error))?
        }
    };
    let held = done.map_err(failed)?;
    Ok((held.bytes.clone(), held))
}

/// The status of a login that is refused: no client that tries it again gets further.
fn refused_login(denied: Denied) -> GrpcStatus {
    let code = match denied.kind {
        DeniedKind::LogIn | DeniedKind::Wrong => GrpcCode::Unknown,
        DeniedKind::Busy => GrpcCode::Unavailable,
    };
    GrpcStatus::new(code, denied.message)
}

/// The status of a call without a sound token: clients log in again by the code and the words.
fn denied(denied: Denied) -> GrpcStatus {
    let code = match denied.kind {
        DeniedKind::LogIn | DeniedKind::Wrong => GrpcCode::Unauthenticated,
        DeniedKind::Busy => GrpcCode::Unavailable,
    };
    GrpcStatus::new(code, denied.message)
}
