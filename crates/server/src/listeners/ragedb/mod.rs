//! RageDB's interface, and Millrace's own routes beside it: one handler for all, since `wire` knows them.

mod dispatch;
mod element_json;
mod translate;

use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State as Shared;
use axum::http::{
    HeaderMap, HeaderValue, Request as HttpRequest, Response as HttpResponse, header,
};
use futures_util::future::BoxFuture;
use millrace_db::ingest::load::{BatchOptions, LoadOptions, LoadPath};
use millrace_db::ingest::reading::input_of;
use millrace_db::loads::{LoadWay, with_rejects};
use millrace_db::model::{Error, ErrorKind, Result, Value};
use millrace_db::ragedb::{Access, Script};
use millrace_db::{Client, RequestLimits};
use millrace_wire::http::Response;
use millrace_wire::prometheus;
use millrace_wire::ragedb::{
    LoadBatches, Request, ScriptAccess, empty_script, parse, script_error,
};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::page;
use crate::connections::client_of;
use crate::http::{ANSWER_HEADER, BYTES_HEADER, DEADLINE_HEADER, asked, isolation, to_http, whole};
use crate::listener::{Listener, Serving, serve_http};
use crate::state::State;
use crate::users::{self, Refused};
use crate::{backup_body, load_body, metrics};

/// What load balancers and supervisors ask, without a password.
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
    Shared(state): Shared<Arc<State>>,
    request: HttpRequest<Body>,
) -> HttpResponse<Body> {
    if page::is_page(request.method(), request.uri().path()) {
        return page::page(&state, request.headers(), request.extensions()).await;
    }
    if request.uri().path() == page::QUERY_PATH {
        return page::query(&state, request).await;
    }
    let began = Instant::now();
    let (route, answer) = answer(&state, request).await;
    let (status, response) = match answer {
        Answer::Whole(response) => (response.status, to_http(response)),
        Answer::Archive(body) => (200, archive(body)),
        Answer::Refused(refused) => {
            let (status, error) = (refused.status(), &refused.error);
            let mut response = to_http(Response { status, ..Response::error(error) });
            refused.put_headers(response.headers_mut());
            (status, response)
        }
    };
    state.metrics.answered(route, status, began.elapsed());
    response
}

/// What goes back.
enum Answer {
    /// All of it.
    Whole(Response),
    /// An archive, as it is made.
    Archive(Body),
    /// The client did not log in.
    Refused(Box<Refused>),
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        Answer::Whole(response)
    }
}

fn archive(body: Body) -> HttpResponse<Body> {
    let mut response = HttpResponse::new(body);
    let kind = HeaderValue::from_static("application/x-tar");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The answer, and the word for the kind of route in metrics.
async fn answer(state: &Arc<State>, request: HttpRequest<Body>) -> (&'static str, Answer) {
    let (head, body) = request.into_parts();
    let (path, query) = (head.uri.path(), head.uri.query());
    // Probes have no password, and no body.
    let is_probe = PROBES.contains(&path);
    if !is_probe && let Err(refused) = users::log_in(state, &head.headers, &head.extensions).await {
        return ("refused", Answer::Refused(Box::new(refused)));
    }
    let is_file = path.starts_with("/load");
    let (held, file) = match is_file || is_probe {
        true => (None, Some(body)),
        false => match whole(state, body).await {
            Ok(held) => (Some(held), None),
            Err((status, error)) => {
                return ("refused", Response { status, ..Response::error(&error) }.into());
            }
        },
    };
    let text = held.as_ref().map_or_else(Bytes::new, |held| held.bytes.clone());
    let message = match parse(head.method.as_str(), path, query, &text) {
        Ok(message) => message,
        Err(refusal) => return ("refused", refusal.response().into()),
    };
    let route = word(&message);
    let client = client_of(&head.extensions);
    let answer = take(state, (&head.headers, client), message, text, file).await;
    (route, answer.unwrap_or_else(|error| Response::error(&error).into()))
}

fn word(message: &Request) -> &'static str {
    match message {
        Request::Script { .. } => "lua",
        Request::Backup => "backup",
        Request::StartLoad { .. } | Request::ShowLoad { .. } | Request::ListLoads => "load",
        Request::Hello
        | Request::Health
        | Request::Live
        | Request::Ready
        | Request::GraphHealth { .. } => "health",
        Request::Metrics => "metrics",
        Request::Page | Request::Query => "query",
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
    (headers, client): (&HeaderMap, Client),
    message: Request,
    text: Bytes,
    file: Option<Body>,
) -> Result<Answer> {
    match message {
        Request::Hello => return Ok(Response::value(200, &Value::from("Hello")).into()),
        Request::Live => return Ok(Response::text(200, "live").into()),
        Request::Health => return Ok(health(state).into()),
        Request::Ready => return Ok(readiness(state).into()),
        Request::Metrics => {
            return Ok(Response::of(200, prometheus::CONTENT_TYPE, metrics::page(state)).into());
        }
        _ => {}
    }
    let limits = RequestLimits { client, ..limits_of(state, headers, &message)? };
    let admitted = state.admit(&limits)?;
    let response = match message {
        Request::Backup => {
            return backup_body::start(state, admitted, limits).await.map(Answer::Archive);
        }
        Request::Script { graph, access } => run_script(state, &graph, access, &text, limits).await,
        Request::StartLoad { .. } => {
            let file = file.expect("bodies of /load are not read before");
            load(state, message, file, limits).await
        }
        other => match try_answer(state, &other, &limits)? {
            Some(response) => Ok(response),
            None => {
                let database = Arc::clone(&state.database);
                let answer = move || dispatch::answer(&database, other, &limits);
                state.workers.answer(client, answer).await
            }
        },
    };
    drop(admitted);
    response.map(Answer::Whole)
}

/// The answer of what shows little, made here; `None` if it would have to wait.
fn try_answer(
    state: &State,
    message: &Request,
    limits: &RequestLimits,
) -> Result<Option<Response>> {
    let answer = || dispatch::try_answer(&state.database, message, limits);
    // What panics here would take the connection with it.
    let response = catch_unwind(AssertUnwindSafe(answer))
        .map_err(|_| Error::new(ErrorKind::Bug, "a request ended without answer: it panicked"))?;
    if dispatch::may_run_inline(message) {
        state.metrics.ran_inline(response.is_some());
    }
    Ok(response)
}

/// Runs on a thread that may block.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let bug =
        |error| Error::new(ErrorKind::Bug, format!("a request ended without answer: {error}"));
    spawn_blocking(work).await.map_err(bug)?
}

/// The deadline of the route and the bounds of the settings, or what headers ask for.
fn limits_of(state: &State, headers: &HeaderMap, message: &Request) -> Result<RequestLimits> {
    let settings = state.database.settings();
    let (scripts, most) = (&settings.scripts, settings.query.deadline_max);
    let usual = match message {
        Request::Script { access: ScriptAccess::Admin, .. } => scripts.admin_deadline_ms,
        Request::StartLoad { .. } | Request::Backup => settings.http.load_deadline_ms,
        _ => scripts.deadline_ms,
    };
    // What the operator gave a route is never beyond what its clients may ask for.
    let deadline_ms = match asked(headers, &DEADLINE_HEADER, most.max(usual))? {
        Some(deadline_ms) => deadline_ms,
        None => usual,
    };
    let mut limits = RequestLimits::within(deadline_ms, settings);
    if let Some(bytes) = asked(headers, &BYTES_HEADER, limits.bytes_max)? {
        limits.bytes_max = bytes;
    }
    if let Some(bytes) = asked(headers, &ANSWER_HEADER, limits.answer_bytes_max)? {
        limits.answer_bytes_max = bytes;
    }
    limits.isolation = isolation(headers)?.unwrap_or(limits.isolation);
    Ok(limits)
}

/// Not ready while writes are refused, with the reason: reads go on.
fn readiness(state: &State) -> Response {
    if !state.is_ready() {
        return Response::text(503, "stopping");
    }
    match state.database.read_only_reason() {
        None => Response::text(200, "ready"),
        Some(why) => Response::text(503, &format!("read-only, because {why}")),
    }
}

fn health(state: &State) -> Response {
    let uptime = state.started.elapsed().as_secs_f64();
    let word = if state.is_ready() { "ready" } else { "stopping" };
    let pairs = vec![
        (Value::from("status"), Value::from(word)),
        (Value::from("version"), Value::from(env!("CARGO_PKG_VERSION"))),
        (Value::from("uptime_seconds"), Value::F64(uptime)),
    ];
    Response::value(if state.is_ready() { 200 } else { 503 }, &Value::map(pairs))
}

async fn run_script(
    state: &State,
    graph: &str,
    access: ScriptAccess,
    text: &[u8],
    limits: RequestLimits,
) -> Result<Response> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::new(ErrorKind::BadInput, format!("the script is no UTF-8: {error}"))
    })?;
    if text.trim().is_empty() {
        return Ok(empty_script());
    }
    let access: Access = translate::access(access);
    let script = Script { text: text.into(), access, limits };
    let (sender, receiver) = oneshot::channel();
    state.database.graph(graph)?.start_script(script, move |result| {
        // The client may be gone; its script was cancelled then.
        let _gone = sender.send(result);
    });
    let dead = |_| Error::new(ErrorKind::Bug, "an interpreter ended without an answer");
    Ok(match receiver.await.map_err(dead)? {
        Ok(answer) => Response::json(answer),
        Err(failure) => match failure.lua_text {
            Some(text) => script_error(failure.error.kind, &text),
            None => Response::error(&failure.error),
        },
    })
}

async fn load(
    state: &Arc<State>,
    message: Request,
    body: Body,
    limits: RequestLimits,
) -> Result<Response> {
    let Request::StartLoad {
        graph,
        format,
        files,
        csv,
        bad_rows_max,
        batches,
        unknown_types_as_text,
        lists_rejects,
    } = message
    else {
        return Err(Error::new(ErrorKind::Bug, "only a file is loaded"));
    };
    let (writer, reader) = load_body::pipe();
    let bytes_max = state.database.settings().http.load_bytes_max;
    let reading = translate::reading(format.as_deref(), &csv).map_err(Error::from);
    let prepared = state.database.graph(&graph).and_then(|graph| Ok((graph, reading?)));
    let (graph, reading) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            drop(reader);
            writer.send(body, bytes_max).await;
            return Err(error);
        }
    };
    let database = Arc::clone(&state.database);
    let loading = run_blocking(move || {
        let mut watch = |_: &_| match limits.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let input = input_of(load_body::sources(reader, &files)?, &reading)?;
        let way = match batches {
            None => LoadWay::from(LoadOptions {
                bad_rows_max,
                path: LoadPath::Transaction,
                unknown_types_as_text,
            }),
            Some(LoadBatches { rows, journal, resume }) => LoadWay::Batches(BatchOptions {
                rows,
                bad_rows_max,
                journal,
                resume,
                unknown_types_as_text,
            }),
        };
        database.loads().run(&graph, input, way, &mut watch)
    });
    let (loaded, ()) = tokio::join!(loading, writer.send(body, bytes_max));
    let (id, summary) = loaded?;
    let shown = state.database.loads().show(id)?;
    Ok(Response::value(200, &if lists_rejects { with_rejects(shown, &summary) } else { shown }))
}
