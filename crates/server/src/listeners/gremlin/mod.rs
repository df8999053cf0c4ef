//! Gremlin over WebSocket and HTTP, on one port, at `/` and `/gremlin`; a plain GET of `/` is the query page.
//!
//! ```text
//!   connection ── frame ──> Request ─┬─ no session ─> a worker ───────────────┐
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

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{Request as HttpRequest, Response as HttpResponse};
use tokio::sync::watch;

use super::page;
use crate::connections::Connected;
use crate::state::State;

pub(crate) use answers::Whole;
pub(crate) use run::{guarded, kind_of, wait};

/// Where the protocol is spoken.
const PATHS: [&str; 2] = ["/", "/gremlin"];

/// What all connections share.
#[derive(Clone)]
pub(super) struct Listener {
    pub(super) state: Arc<State>,
    pub(super) stopped: watch::Receiver<bool>,
}

/// All routes.
pub(crate) fn router(state: Arc<State>, stopped: watch::Receiver<bool>) -> Router {
    Router::new().fallback(serve).with_state(Listener { state, stopped })
}

async fn serve(
    Shared(listener): Shared<Listener>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    if request.uri().path() == page::QUERY_PATH {
        return page::query(&listener.state, request).await;
    }
    if !PATHS.contains(&request.uri().path()) {
        return http::not_found(request.uri().path());
    }
    let is_question = request.uri().query().is_some_and(|query| query.contains("gremlin="));
    let connected = request.extensions().get::<Connected>().cloned();
    match upgrade {
        Err(_) if !is_question && page::is_page(request.method(), request.uri().path()) => {
            page::page(&listener.state, request.headers(), request.extensions()).await
        }
        Ok(upgrade) => match connected {
            Some(Connected { peer, activity }) => {
                connection::accept(listener, upgrade, (peer, activity))
            }
            None => http::not_found("a WebSocket without a connection"),
        },
        Err(_) => http::answer(listener.state, request).await,
    }
}
