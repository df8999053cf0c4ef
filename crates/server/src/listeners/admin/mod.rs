//! The listener of administration: health, metrics, graphs, schema, loads, exports, backups, requests under way,
//! queries, and the page. No language owns these routes; RageDB's listener answers those that it shares by the
//! same functions.
//!
//! ```text
//!   request ── login (probes aside) ── body ──wire::admin::parse──> Request ──> answer ──> JSON, tar, stream
//! ```
//!
//! A body is taken only as `application/json`, files to load aside: a page of another origin can send that type
//! only after the browser has asked the server, which does not agree.

mod answer;
mod graphs;
mod health;
mod load;
mod load_body;
mod metrics_page;
mod page;
mod query;
mod transactions;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Extracted;
use axum::http::{
    HeaderMap, HeaderValue, Request as HttpRequest, Response as HttpResponse, header,
};
use futures_util::future::BoxFuture;
use millrace_model::{Error, ErrorKind};
use millrace_wire::admin::{Request, error_response, parse};
use millrace_wire::http::Response;
use tokio::net::TcpListener;

use crate::connections::peer_of;
use crate::http::{Answer, whole};
use crate::listeners::listener::{Listener, Serving, serve_http};
use crate::state::State;

pub(super) use answer::{answer, word};
use transactions::Table;

/// What load balancers and supervisors ask, without a password.
const PROBES: [&str; 3] = ["/health", "/health/live", "/health/ready"];

/// Administration over HTTP.
pub(super) struct Admin;

/// The listener of administration.
pub(super) static ADMIN: Admin = Admin;

impl Listener for Admin {
    fn name(&self) -> &'static str {
        "admin"
    }

    fn default_address(&self) -> &'static str {
        "127.0.0.1:7280"
    }

    fn about(&self) -> &'static str {
        "administration, with the query page and metrics, also where `--listen` names only others"
    }

    fn is_administration(&self) -> bool {
        true
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("page and administration on http://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let shared = (Arc::clone(&serving.state), Table::default());
        let router = Router::new().fallback(serve).with_state(shared);
        serve_http(socket, router, serving)
    }
}

async fn serve(
    Extracted((state, table)): Extracted<(Arc<State>, Table)>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    let began = Instant::now();
    let (route, status, mut response) = respond(&state, &table, request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    state.metrics.answered(route, status, began.elapsed());
    response
}

/// The word of the route for metrics, the status and the response.
async fn respond(
    state: &Arc<State>,
    table: &Table,
    request: HttpRequest<Body>,
) -> (&'static str, u16, HttpResponse<Body>) {
    let (head, body) = request.into_parts();
    let path = head.uri.path();
    let is_probe = PROBES.contains(&path);
    if !is_probe && let Err(refused) = state.log_in(&head.headers, &head.extensions).await {
        let (status, mut response) = refusal(Some(refused.status()), &refused.error);
        refused.put_headers(response.headers_mut());
        return ("refused", status, response);
    }
    let is_file = path.starts_with("/load");
    let (held, file) = match is_file || is_probe {
        true => (None, body),
        false => match whole(state, body).await {
            Ok(held) => (Some(held), Body::empty()),
            Err((status, error)) => return refused(Some(status), &error),
        },
    };
    let text = held.as_ref().map_or_else(Bytes::new, |held| held.bytes.clone());
    let message = parse(head.method.as_str(), path, head.uri.query(), &text);
    // A route that is not there is named first, whatever the type of the body.
    let is_found = message.as_ref().err().is_none_or(|why| why.error().0 != 404);
    if is_found && !text.is_empty() && !is_json(&head.headers) {
        let error = Error::new(ErrorKind::BadInput, "the body must be JSON");
        return refused(Some(415), &error.with_help("send Content-Type: application/json"));
    }
    let message = match message {
        Ok(message) => message,
        Err(why) => {
            let (status, error) = why.error();
            let allow = why.allowed();
            let response = Response { allow, ..error_response(Some(status), &error, None) };
            let (status, response) = Answer::Whole(response).into_http();
            return ("refused", status, response);
        }
    };
    let route = word(&message);
    let peer = peer_of(&head.extensions);
    let done = match message {
        Request::Page => return (route, 200, page::page()),
        Request::Query(asked) => {
            Ok(query::query(state, table, (&head.headers, peer), *asked).await)
        }
        Request::BeginTransaction { graph } => {
            transactions::begin(state, table, &head.headers, &graph).map(Answer::from)
        }
        Request::CommitTransaction { graph, id } => {
            let done = transactions::commit(state, table, (&head.headers, peer), (&graph, id));
            done.await.map(Answer::from)
        }
        Request::RollBackTransaction { graph, id } => {
            transactions::roll_back(table, &head.headers, (&graph, id)).map(Answer::from)
        }
        Request::Check(asked) => query::check(state, (&head.headers, peer), *asked).await,
        message => answer(state, (&head.headers, peer), message, file).await,
    };
    let (status, response) = match done {
        Ok(answer) => answer.into_http(),
        Err(error) => refusal(None, &error),
    };
    (route, status, response)
}

fn refused(status: Option<u16>, error: &Error) -> (&'static str, u16, HttpResponse<Body>) {
    let (status, response) = refusal(status, error);
    ("refused", status, response)
}

fn refusal(status: Option<u16>, error: &Error) -> (u16, HttpResponse<Body>) {
    Answer::Whole(error_response(status, error, None)).into_http()
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let name = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/json")
}
