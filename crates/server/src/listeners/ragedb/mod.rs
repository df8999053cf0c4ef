//! RageDB's interface: one handler for all of its routes, since `wire` knows them. Those that the listener of
//! administration has, too, are answered by its functions.

mod dispatch;
mod element_json;
mod translate;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Extracted;
use axum::http::{HeaderMap, Request as HttpRequest, Response as HttpResponse};
use futures_util::future::BoxFuture;
use millrace_db::ragedb::{Access, Script, ScriptFailure};
use millrace_db::session::attempt;
use millrace_db::settings::is_off;
use millrace_db::{QueryText, RequestLimits};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::http::Response;
use millrace_wire::ragedb::{Request, ScriptAccess, empty_script, parse, script_error};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::admin::{self, ADMIN};
use crate::connections::{Peer, peer_of};
use crate::executor::visible;
use crate::http::{Answer, limits_of, whole};
use crate::listeners::listener::{Listener, Serving, serve_http};
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress};
use crate::users::Refused;

/// Routes for load balancers and supervisors, without a password.
const PROBES: [&str; 4] = ["/health", "/health/live", "/health/ready", "/health_check"];

/// RageDB's HTTP interface.
pub(super) struct RageDb;

/// The listener of RageDB's interface.
pub(super) static RAGEDB: RageDb = RageDb;

impl Listener for RageDb {
    fn name(&self) -> &'static str {
        "lua"
    }

    fn default_address(&self) -> &'static str {
        "127.0.0.1:7243"
    }

    fn about(&self) -> &'static str {
        "RageDB's HTTP interface, with Lua"
    }

    fn announcement(&self, address: SocketAddr) -> String {
        format!("listening on http://{address}")
    }

    fn serve(&self, socket: TcpListener, serving: Serving) -> BoxFuture<'static, ()> {
        let router = Router::new().fallback(serve).with_state(Arc::clone(&serving.state));
        serve_http(socket, router, serving)
    }
}

async fn serve(
    Extracted(state): Extracted<Arc<State>>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    let began = Instant::now();
    let (route, answer) = answer(&state, request).await;
    let (status, response) = match answer {
        Ok(answer) => answer.into_http(),
        Err(refused) => {
            let status = refused.status();
            let response = Response { status, ..Response::error(&refused.error) };
            let (status, mut response) = Answer::Whole(response).into_http();
            refused.put_headers(response.headers_mut());
            (status, response)
        }
    };
    state.metrics.answered(route, status, began.elapsed());
    response
}

/// The answer, and the word for the kind of route in metrics.
async fn answer(
    state: &Arc<State>,
    request: HttpRequest<Body>,
) -> (&'static str, std::result::Result<Answer, Box<Refused>>) {
    let (head, body) = request.into_parts();
    let (path, query) = (head.uri.path(), head.uri.query());
    // Probes have no password, and no body.
    let is_probe = PROBES.contains(&path);
    if !is_probe && let Err(refused) = state.log_in(&head.headers, &head.extensions).await {
        return ("refused", Err(Box::new(refused)));
    }
    let is_file = path.starts_with("/load");
    let (held, file) = match is_file || is_probe {
        true => (None, body),
        false => match whole(state, body).await {
            Ok(held) => (Some(held), Body::empty()),
            Err((status, error)) => {
                return ("refused", Ok(Response { status, ..Response::error(&error) }.into()));
            }
        },
    };
    let text = held.as_ref().map_or_else(Bytes::new, |held| held.bytes.clone());
    let message = match parse(head.method.as_str(), path, query, &text) {
        Ok(message) => message,
        Err(_) if path == "/" => {
            return ("refused", Ok(Response::error(&no_page(state)).into()));
        }
        Err(refusal) => return ("refused", Ok(refusal.response().into())),
    };
    let route = word(&message);
    let asked = (&head.headers, peer_of(&head.extensions));
    let answer = match message {
        Request::Admin(message) => admin::answer(state, asked, message, file).await,
        message => take(state, asked, message, text).await,
    };
    (route, Ok(answer.unwrap_or_else(|error| Response::error(&error).into())))
}

/// The root of the interface, which a browser asks for.
fn no_page(state: &State) -> Error {
    let listen = &state.database.settings().listen;
    let address = listen.address(ADMIN.name()).unwrap_or(ADMIN.default_address());
    let page = match is_off(address) {
        true => "the query page is off: `listen.admin` is".to_owned(),
        false => format!("the query page is at http://{address}/"),
    };
    let detail = format!("this is the port of RageDB's interface, which has no page; {page}");
    let error = Error::new(ErrorKind::NotFound, detail);
    error.with_help("the routes are listed in docs/reference/http.md")
}

fn word(message: &Request) -> &'static str {
    match message {
        Request::Script { .. } => "lua",
        Request::Admin(message) => admin::word(message),
        Request::Hello | Request::GraphHealth { .. } => "health",
        Request::ListGraphs | Request::ShowGraph { .. } | Request::ChangeGraph { .. } => "graphs",
        Request::Schema { .. } | Request::DropSchema { .. } => "schema",
        Request::Degree { .. }
        | Request::Neighbors { .. }
        | Request::Relationships { .. }
        | Request::Connected { .. } => "traversal",
        Request::List { .. }
        | Request::Find { .. }
        | Request::Show { .. }
        | Request::Remove { .. }
        | Request::AddNode { .. }
        | Request::AddRelationship { .. }
        | Request::ShowProperty { .. }
        | Request::ShowProperties { .. }
        | Request::ChangeProperties { .. } => "elements",
        Request::Unsupported { .. } => "unsupported",
    }
}

async fn take(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    message: Request,
    text: Bytes,
) -> Result<Answer> {
    if message == Request::Hello {
        return Ok(Response::value(200, &Value::from("Hello")).into());
    }
    let limits = limits_of(state, headers, usual_ms(state, &message))?;
    let limits = RequestLimits { client: peer.client, ..limits };
    let (graph, script) = (message.graph().map(Arc::from), script_of(&message, &text)?);
    let query = script.clone().map(QueryText::Lua);
    let description = Description { kind: word(&message), text: query, graph, peer, socket: None };
    let admitted = state.admit(&limits, description)?;
    let response = match message {
        Request::Script { graph, access } => {
            admitted.note(Progress::Running);
            let done = run_script(state, &graph, access, script.unwrap_or_default(), limits).await;
            admitted.end(done.as_ref().map(drop).map_err(|failure| failure.error.kind));
            done.unwrap_or_else(|failure| match failure.lua_text {
                Some(text) => script_error(&failure.error, &text),
                None => Response::error(&failure.error),
            })
        }
        other => {
            let done = dispatched(state, &admitted, other, limits).await;
            drop(admitted);
            done?
        }
    };
    Ok(Answer::Whole(response))
}

/// The text of a script.
fn script_of(message: &Request, body: &[u8]) -> Result<Option<Arc<str>>> {
    if !matches!(message, Request::Script { .. }) {
        return Ok(None);
    }
    let text = std::str::from_utf8(body).map_err(|error| {
        Error::new(ErrorKind::BadInput, format!("the script is not UTF-8: {error}"))
    })?;
    Ok(Some(text.into()))
}

/// The answer of the dispatcher: made here if that does not block, else on the pool.
async fn dispatched(
    state: &Arc<State>,
    admitted: &Admitted,
    request: Request,
    limits: RequestLimits,
) -> Result<Response> {
    let database = &state.database;
    let try_answer = || attempt(&limits, |few| dispatch::answer(database, &request, &few));
    let answered = match state.executor.inline(try_answer) {
        Some(answered) => answered,
        None => {
            let (database, entry) = (Arc::clone(database), admitted.entry());
            let client = limits.client;
            let work = move || {
                entry.note(Progress::Running);
                dispatch::answer(&database, &request, &limits)
            };
            state.executor.answer(client, work).await?
        }
    };
    let (response, ticket) = answered?;
    admitted.note(Progress::Committing);
    visible(database, ticket).await?;
    Ok(response)
}

/// The deadline of a route that nothing else is said about.
fn usual_ms(state: &State, message: &Request) -> u64 {
    let scripts = &state.database.settings().scripts;
    match message {
        Request::Script { access: ScriptAccess::Admin, .. } => scripts.admin_deadline_ms,
        _ => scripts.deadline_ms,
    }
}

async fn run_script(
    state: &State,
    graph: &str,
    access: ScriptAccess,
    text: Arc<str>,
    limits: RequestLimits,
) -> std::result::Result<Response, ScriptFailure> {
    if text.trim().is_empty() {
        return Ok(empty_script());
    }
    let access: Access = translate::access(access);
    let script = Script { text, access, parameters: Vec::new(), limits };
    let (sender, receiver) = oneshot::channel();
    state.database.graph(graph)?.start_script(script, move |result| {
        // The client may be gone; its script was cancelled then.
        let _gone = sender.send(result);
    });
    let dead = |_| Error::new(ErrorKind::Bug, "an interpreter ended without an answer");
    receiver.await.map_err(dead)?.map(Response::json)
}
