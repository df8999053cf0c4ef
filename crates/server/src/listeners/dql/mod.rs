//! Dgraph's HTTP: `/query`, `/mutate`, `/commit`, `/alter`, and what clients ask of the server itself.
//!
//! ```text
//!   request ── route ── login ── parameters, body (unpacked) ──> requests ──dql──> Done ──> answer (packed)
//! ```
//!
//! Errors have the status 200 and are named in the body, as Dgraph's clients expect; requests that did not arrive have a
//! status of their own. It is off without an address, since its port is taken by many programs.

mod answer;
mod body;
mod requests;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Extracted;
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use futures_util::future::BoxFuture;
use millrace_wire::dql::{Endpoint, route};
use tokio::net::TcpListener;

use answer::{Answer, Failed};

use crate::connections::peer_of;
use crate::dql::{Dql, User};
use crate::listeners::listener::{Listener, Serving, serve_http};
use crate::monitoring::Answered;

/// The kind of its requests, as metrics and the list of requests have it.
const KIND: &str = "dql";

/// Dgraph's HTTP.
pub(super) struct DqlHttp;

/// The listener of Dgraph's HTTP.
pub(super) static DQL: DqlHttp = DqlHttp;

impl Listener for DqlHttp {
    fn name(&self) -> &'static str {
        "dql"
    }

    fn default_address(&self) -> &'static str {
        ""
    }

    fn usual_address(&self) -> &'static str {
        "127.0.0.1:8080"
    }

    fn about(&self) -> &'static str {
        "Dgraph's HTTP, with queries in DQL"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening for Dgraph's HTTP on http://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let address = socket.local_addr().map(|address| address.to_string()).unwrap_or_default();
        let shared = Shared { dql: Arc::clone(&serving.dql), address: address.into() };
        let stopped = serving.stopped.clone();
        Box::pin(async move {
            shared.dql.begin_to_sweep(stopped);
            let router = Router::new().fallback(serve).with_state(shared);
            serve_http(socket, router, serving).await;
        })
    }
}

/// State shared by all requests.
#[derive(Clone)]
struct Shared {
    dql: Arc<Dql>,
    /// The address of the listener.
    address: Arc<str>,
}

async fn serve(
    Extracted(shared): Extracted<Shared>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    let answered = Answered::begin(KIND);
    let packs = answer::accepts_gzip(request.headers());
    let answer = respond(&shared, request).await;
    let response = answer.into_http(&shared.dql.state, packs).await;
    answered.end_with(&shared.dql.state.metrics, response.status().as_u16());
    response
}

async fn respond(shared: &Shared, request: HttpRequest<Body>) -> Answer {
    let (head, body) = request.into_parts();
    let endpoint = match route(head.method.as_str(), head.uri.path()) {
        Ok(endpoint) => endpoint,
        Err(refused) => return Answer::refused(refused),
    };
    // Of administration only a login needs none before, which its body tells.
    let is_open = matches!(
        endpoint,
        Endpoint::Health | Endpoint::Home | Endpoint::Keywords | Endpoint::Login | Endpoint::Admin
    );
    let user = match is_open {
        true => User::default(),
        false => match shared.dql.user(&head.headers, peer_of(&head.extensions)).await {
            Ok(user) => user,
            Err(denied) => return Failed::Denied(denied).into_answer(),
        },
    };
    match requests::answer(shared, endpoint, &head, (user, body)).await {
        Ok(answer) => answer,
        Err(failed) => failed.into_answer(),
    }
}
