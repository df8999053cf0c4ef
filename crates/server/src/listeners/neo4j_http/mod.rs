//! Neo4j's HTTP interface: discovery, the Query API, and transactions of several requests.
//!
//! ```text
//!   request ── login (discovery aside) ── body ──wire::neo4j_http::parse──> Request ─┬─ query/v2, tx/commit ──> Job::run
//!                                                                                    └─ tx/ID ──> open ──> Job::run_in
//! ```
//!
//! A body is taken only as JSON: a page of another origin can send that type only after the browser has asked the
//! server, which does not agree. It is off without an address, since Neo4j's port may be taken by Neo4j.

mod answer;
mod legacy;
mod query;
mod rows;
mod transaction;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Extracted;
use axum::http::{
    HeaderMap, HeaderName, Request as HttpRequest, Response as HttpResponse, StatusCode, header,
};
use futures_util::future::BoxFuture;
use millrace_db::settings::is_off;
use millrace_model::{Error, ErrorKind, Result};
use millrace_wire::bolt::Failure;
use millrace_wire::bolt::errors::{
    AUTHENTICATION_RATE_LIMIT, REQUEST_INVALID, REQUEST_INVALID_FORMAT, UNAUTHORIZED,
};
use millrace_wire::neo4j_http::legacy::BASE_PATH;
use millrace_wire::neo4j_http::{
    Addresses, Form, JSON, Query, Request, TransactionForm, accepted_types, discovery, error_reply,
    is_typed, parse,
};
use tokio::net::TcpListener;

use answer::Answer;
use query::{Asked, Job, KIND, OpenTransaction, bookmark_of};

use super::open_transactions::{OpenTransactions, user_of};
use crate::connections::{Peer, peer_of};
use crate::http::whole;
use crate::listeners::listener::{Listener, Serving, serve_http};
use crate::monitoring::Answered;
use crate::neo4j::{Target, bookmark, deadline};
use crate::state::State;

/// The header by which a transaction says that it only reads.
const ACCESS_MODE: HeaderName = HeaderName::from_static("access-mode");

/// The port of Bolt where a setting names none.
const BOLT_ADDRESS: &str = "127.0.0.1:7687";

/// Neo4j's HTTP interface.
pub(super) struct Neo4jHttp;

/// The listener of Neo4j's HTTP interface.
pub(super) static NEO4J_HTTP: Neo4jHttp = Neo4jHttp;

impl Listener for Neo4jHttp {
    fn name(&self) -> &'static str {
        "neo4j-http"
    }

    fn default_address(&self) -> &'static str {
        ""
    }

    fn about(&self) -> &'static str {
        "Neo4j's HTTP interface: `/db/NAME/query/v2` and `/db/NAME/tx`; Neo4j's own is 127.0.0.1:7474"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening for Neo4j's HTTP interface on http://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let local = socket.local_addr().ok();
        let open = Arc::new(OpenTransactions::default());
        let shared = Shared { state: Arc::clone(&serving.state), open, local };
        let router = Router::new().fallback(serve).with_state(shared);
        serve_http(socket, router, serving)
    }
}

/// State shared by all requests.
#[derive(Clone)]
struct Shared {
    state: Arc<State>,
    open: Arc<OpenTransactions<OpenTransaction>>,
    /// The address of the listener.
    local: Option<SocketAddr>,
}

/// The client of a request, and what its headers say.
struct Asker<'a> {
    headers: &'a HeaderMap,
    peer: Peer,
    path: &'a str,
    query: Option<&'a str>,
    local: Option<SocketAddr>,
}

impl Asker<'_> {
    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The user that has logged in; empty where there are no users.
    fn user(&self) -> String {
        user_of(self.headers)
    }

    /// Host and port of this listener, as the client has them.
    fn host(&self) -> String {
        let local = || self.local.map(|local| local.to_string()).unwrap_or_default();
        self.header(&header::HOST).map_or_else(local, str::to_owned)
    }

    /// The address of the interface of older versions, as the client has it.
    fn base(&self) -> String {
        format!("http://{}{BASE_PATH}", self.host())
    }

    /// The part of the path before the number of a transaction.
    fn path_of_transactions(&self) -> String {
        let mut segments = self.path.split('/').filter(|segment| !segment.is_empty());
        let database = segments.nth(1).unwrap_or_default();
        // Older paths name no database.
        let transactions = segments.next().filter(|own| *own == "transaction").unwrap_or("tx");
        format!("/db/{database}/{transactions}")
    }

    /// Whether a new transaction may not write.
    fn is_read_only(&self) -> Result<bool> {
        match self.header(&ACCESS_MODE) {
            None => Ok(false),
            Some(mode) if mode.eq_ignore_ascii_case("read") => Ok(true),
            Some(mode) if mode.eq_ignore_ascii_case("write") => Ok(false),
            Some(_) => {
                Err(Error::new(ErrorKind::BadInput, "the header access-mode is READ or WRITE"))
            }
        }
    }
}

async fn serve(
    Extracted(shared): Extracted<Shared>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    let answered = Answered::begin(KIND);
    let response = respond(&shared, request).await;
    answered.end_with(&shared.state.metrics, response.status().as_u16());
    response
}

async fn respond(shared: &Shared, request: HttpRequest<Body>) -> HttpResponse<Body> {
    let state = &shared.state;
    let (head, body) = request.into_parts();
    let path = head.uri.path();
    if path != "/"
        && let Err(refused) = state.log_in(&head.headers, &head.extensions).await
    {
        let code = match refused.status() {
            401 => UNAUTHORIZED,
            429 => AUTHENTICATION_RATE_LIMIT,
            _ => REQUEST_INVALID,
        };
        let failure = Failure::new(code, refused.error.to_string());
        let mut response = Answer::refused(refused.status(), &failure).into_http();
        refused.put_headers(response.headers_mut());
        return response;
    }
    let held = match whole(state, body).await {
        Ok(held) => held,
        Err((status, error)) => return refusal(status, &error).into_http(),
    };
    let asker = Asker {
        headers: &head.headers,
        peer: peer_of(&head.extensions),
        path,
        query: head.uri.query(),
        local: shared.local,
    };
    let answer = match read(&asker, head.method.as_str(), &held.bytes) {
        Ok(request) => answer(shared, &asker, request).await,
        Err(refused) => *refused,
    };
    answer.into_http()
}

/// Reads a request; one that cannot be read is answered.
fn read(
    asker: &Asker<'_>,
    method: &str,
    body: &Bytes,
) -> std::result::Result<Request, Box<Answer>> {
    let content_type = asker.header(&header::CONTENT_TYPE).unwrap_or_default();
    let request = parse(method, (asker.path, asker.query), body, is_typed(content_type));
    // A route that is not there is named first, whatever the type of the body.
    let is_found = request.as_ref().err().is_none_or(|why| !matches!(why.error().0, 404 | 405));
    let name = content_type.split(';').next().unwrap_or_default().trim();
    // Older clients send a body without a type where none is read.
    let has_body = !body.is_empty() && !matches!(method, "GET" | "DELETE");
    if is_found && has_body && !name.eq_ignore_ascii_case(JSON) && !is_typed(content_type) {
        let error = Error::new(ErrorKind::BadInput, "the body must be JSON");
        let error = error.with_help("send Content-Type: application/json");
        return Err(Box::new(refusal(415, &error)));
    }
    request.map_err(|why| {
        let (status, error) = why.error();
        Box::new(Answer { allow: why.allowed(), ..refusal(status, &error) })
    })
}

/// The answer to a request that is not one.
fn refusal(status: u16, error: &Error) -> Answer {
    let code = match error.kind {
        ErrorKind::BadInput => REQUEST_INVALID_FORMAT,
        _ => REQUEST_INVALID,
    };
    Answer::refused(status, &Failure::new(code, error.to_string()))
}

async fn answer(shared: &Shared, asker: &Asker<'_>, request: Request) -> Answer {
    match request {
        Request::Discovery => discover(shared, asker),
        Request::Query(query) => {
            let Some(is_typed) = accepted_types(asker.header(&header::ACCEPT)) else {
                let detail =
                    "Not Acceptable: answers are application/json or application/vnd.neo4j.query";
                let failure = Failure::new(REQUEST_INVALID, detail);
                return Answer::new(StatusCode::NOT_ACCEPTABLE, error_reply(&failure));
            };
            match ask(&shared.state, asker, *query, is_typed).await {
                Ok(text) => Answer::new(StatusCode::ACCEPTED, text).typed(is_typed),
                Err(error) => Answer::failed_query(&Failure::of(&error)),
            }
        }
        Request::Transaction(_) | Request::RollBack { .. } => {
            let accepted = TransactionForm::accepted(asker.header(&header::ACCEPT));
            let Some(form) = accepted else { return Answer::not_acceptable() };
            transaction::answer(shared, (asker, form), request).await
        }
        Request::Legacy(request) => legacy::answer(&shared.state, asker, request).await,
    }
}

/// The answer to a query of the Query API.
async fn ask(
    state: &Arc<State>,
    asker: &Asker<'_>,
    query: Query,
    is_typed: bool,
) -> Result<String> {
    let target = Target::of(&state.database, Some(&query.database))?;
    let bookmarks = bookmark::not_visible(&state.database, &query.bookmarks)?;
    let asked = Asked {
        text: query.statement,
        parameters: query.parameters,
        is_read_only: query.is_read_only,
        form: if is_typed { Form::Typed } else { Form::Plain },
        base: String::new(),
    };
    let mut job = Job::admit(state, (asker.headers, asker.peer), (&target, None), asked)?;
    if let Some(seconds) = query.seconds_max {
        job.request.limits.deadline = deadline(&state.database, seconds.saturating_mul(1_000));
    }
    let (rows, position) = job.run(state, bookmarks).await?;
    let bookmark = bookmark_of(state, &target, position);
    Ok(rows.query_reply(query.includes_counters, bookmark.as_deref()))
}

/// Where everything is. Bolt has the host that the client used, unless a setting names its address.
fn discover(shared: &Shared, asker: &Asker<'_>) -> Answer {
    let settings = shared.state.database.settings();
    let http = asker.host();
    let address = settings.listen.address("bolt").unwrap_or(BOLT_ADDRESS);
    let bolt = match (&*settings.bolt.advertised_address, address.rsplit_once(':')) {
        _ if is_off(address) => None,
        ("", Some((_, port))) => {
            let host = http.rsplit_once(':').map_or(&*http, |(host, _)| host);
            Some(format!("{host}:{port}"))
        }
        ("", None) => None,
        (advertised, _) => Some(advertised.to_owned()),
    };
    let agent = &settings.bolt.server_agent;
    let version = agent.split_once('/').map_or(&**agent, |(_, version)| version);
    let addresses = Addresses { http: &http, bolt: bolt.as_deref(), version };
    Answer::new(StatusCode::OK, discovery(&addresses))
}
