//! Gremlin over WebSocket and HTTP, on one port, at `/` and `/gremlin`.
//!
//! ```text
//!   connection ── frame ──> Request ─┬─ no session ─> at once, or on the pool ┐
//!                                    └─ session ────> its queue, one by one ──┤
//!                                                                             │ run: db
//!   connection <── sender <── frames, as they are full, or once visible <─────┘
//! ```
//!
//! Requests of one connection run concurrently and answer as each is done; only requests of one session
//! wait for each other.

mod answers;
mod connection;
mod http;
mod run;
mod sender;
mod sessions;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Extracted;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::connections::Connected;
use crate::listeners::listener::{Listener, Serving, serve_http};
use crate::state::State;

/// Where the protocol is spoken.
const PATHS: [&str; 2] = ["/", "/gremlin"];

/// Gremlin over WebSocket and HTTP.
pub(super) struct Gremlin;

/// The listener of Gremlin.
pub(super) static GREMLIN: Gremlin = Gremlin;

impl Listener for Gremlin {
    fn name(&self) -> &'static str {
        "gremlin"
    }

    fn default_address(&self) -> &'static str {
        "127.0.0.1:8182"
    }

    fn about(&self) -> &'static str {
        "Gremlin, over WebSocket and HTTP, at `/gremlin`"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening for Gremlin on ws://{address}/gremlin")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let shared = Shared { state: Arc::clone(&serving.state), stopped: serving.stopped.clone() };
        serve_http(socket, Router::new().fallback(serve).with_state(shared), serving)
    }
}

/// State shared by all connections.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) state: Arc<State>,
    pub(super) stopped: watch::Receiver<bool>,
}

async fn serve(
    Extracted(shared): Extracted<Shared>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    if !PATHS.contains(&request.uri().path()) {
        return http::not_found(request.uri().path());
    }
    let connected = request.extensions().get::<Connected>().cloned();
    match upgrade {
        Ok(upgrade) => match connected {
            Some(Connected { peer, activity }) => {
                connection::accept(shared, upgrade, (peer, activity))
            }
            None => http::not_found("a WebSocket without a connection"),
        },
        Err(_) => http::answer(shared.state, request).await,
    }
}
