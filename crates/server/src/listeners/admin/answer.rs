//! Answers to requests of administration, for every listener that has their routes.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::body::Body;
use axum::http::HeaderMap;
use millrace_db::ingest::export::{ExportFormat, ExportOptions, check_one_file};
use millrace_db::{Database, QueryText, RequestLimits};
use millrace_model::{Result, Value};
use millrace_wire::admin::Request;
use millrace_wire::http::Response;
use millrace_wire::prometheus;

use super::{graphs, health, load, metrics_page, query};
use crate::connections::Peer;
use crate::http::stream_body::{self, Damage};
use crate::http::{Answer, limits_of};
use crate::state::{Admitted, State};
use crate::under_way::{Description, Progress};

/// The word of a request's route in metrics.
pub(in crate::listeners) fn word(request: &Request) -> &'static str {
    match request {
        Request::Page => "page",
        Request::Health | Request::Live | Request::Ready => "health",
        Request::Metrics => "metrics",
        Request::ListGraphs
        | Request::ShowGraph { .. }
        | Request::MakeGraph { .. }
        | Request::DropGraph { .. } => "graphs",
        Request::ShowSchema { .. } | Request::ChangeSchema { .. } => "schema",
        Request::StartLoad(_) | Request::ListLoads | Request::ShowLoad { .. } => "load",
        Request::Export { .. } => "export",
        Request::Backup => "backup",
        Request::ListQueries | Request::CancelQuery { .. } => "queries",
        Request::ListTargets | Request::Query(_) => "query",
        Request::BeginTransaction { .. }
        | Request::CommitTransaction { .. }
        | Request::RollBackTransaction { .. } => "transactions",
        Request::Check(_) => "check",
    }
}

/// The answer to a request other than the page and a query; `file` is the body of a load.
pub(in crate::listeners) async fn answer(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    request: Request,
    file: Body,
) -> Result<Answer> {
    // These are answered whatever else is under way.
    let at_once = match &request {
        Request::Live => Response::text(200, "live"),
        Request::Health => health::health(state),
        Request::Ready => health::readiness(state),
        Request::Metrics => Response::of(200, prometheus::CONTENT_TYPE, metrics_page::page(state)),
        Request::ListLoads => Response::value(200, &state.database.loads().list()),
        Request::ShowLoad { id } => Response::value(200, &state.database.loads().show(*id)?),
        Request::ListTargets => Response::value(200, &query::targets(&state.database)),
        Request::ListQueries => list_queries(state, peer).await?,
        Request::CancelQuery { number } => {
            state.under_way.cancel(*number)?;
            let number = Value::I64(i64::try_from(*number).unwrap_or(i64::MAX));
            Response::value(200, &Value::map(vec![(Value::from("cancelled"), number)]))
        }
        _ => return take(state, (headers, peer), request, file).await,
    };
    Ok(at_once.into())
}

/// The answer to a request that counts as one under way.
async fn take(
    state: &Arc<State>,
    (headers, peer): (&HeaderMap, Peer),
    request: Request,
    file: Body,
) -> Result<Answer> {
    let settings = state.database.settings();
    let usual_ms = match &request {
        Request::StartLoad(_)
        | Request::Backup
        | Request::Export { .. }
        | Request::ChangeSchema { .. } => settings.http.load_deadline_ms,
        _ => settings.scripts.deadline_ms,
    };
    let limits = limits_of(state, headers, usual_ms)?;
    let limits = RequestLimits { client: peer.client, ..limits };
    let graph = graph_of(&request).map(Arc::from);
    let text: Option<QueryText> = None;
    let description = Description { kind: word(&request), text, graph, peer, socket: None };
    let admitted = state.admit(&limits, description)?;
    admitted.note(Progress::Running);
    match request {
        Request::Backup => backup(state, admitted, limits).await,
        Request::Export { graph, format, unsupported_as_text } => {
            let format = ExportFormat::parse(&format)?;
            let options = ExportOptions { unsupported_as_text, ..ExportOptions::of(format) };
            export(state, admitted, limits, (&graph, options)).await
        }
        Request::StartLoad(start) => {
            load::load(state, *start, file, limits).await.map(Answer::from)
        }
        other => {
            let database = Arc::clone(&state.database);
            let work = move || graphs::answer(&database, other, &limits);
            let done = state.executor.answer(peer.client, work).await?;
            drop(admitted);
            done.map(Answer::from)
        }
    }
}

fn graph_of(request: &Request) -> Option<&str> {
    match request {
        Request::ShowGraph { graph }
        | Request::MakeGraph { graph, .. }
        | Request::DropGraph { graph }
        | Request::ShowSchema { graph }
        | Request::ChangeSchema { graph, .. }
        | Request::BeginTransaction { graph }
        | Request::CommitTransaction { graph, .. }
        | Request::RollBackTransaction { graph, .. }
        | Request::Export { graph, .. } => Some(graph),
        Request::StartLoad(start) => Some(&start.graph),
        Request::Query(query) => Some(&query.graph),
        Request::Check(check) => Some(&check.graph),
        Request::Page
        | Request::Health
        | Request::Live
        | Request::Ready
        | Request::Metrics
        | Request::ListGraphs
        | Request::ListLoads
        | Request::ShowLoad { .. }
        | Request::Backup
        | Request::ListQueries
        | Request::CancelQuery { .. }
        | Request::ListTargets => None,
    }
}

/// Stops a stream whose request is over.
fn watched(limits: &RequestLimits) -> ControlFlow<()> {
    match limits.is_over() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

async fn backup(state: &Arc<State>, admitted: Admitted, limits: RequestLimits) -> Result<Answer> {
    let client = limits.client;
    let work = move |database: &Database, out: &mut dyn std::io::Write| {
        database.backup(out, &mut |_, _| watched(&limits)).map(drop)
    };
    let body = stream_body::start(state, (client, admitted), Damage::IsReported, work).await?;
    Ok(Answer::Stream("application/x-tar", body))
}

async fn export(
    state: &Arc<State>,
    admitted: Admitted,
    limits: RequestLimits,
    (graph, options): (&str, ExportOptions<'static>),
) -> Result<Answer> {
    check_one_file(options)?;
    let graph = graphs::find(&state.database, graph)?;
    let content_type = match options.format {
        ExportFormat::GraphMl => "application/xml",
        ExportFormat::GraphSon | ExportFormat::Csv => "application/x-ndjson",
        ExportFormat::Rdf => "application/n-quads",
        ExportFormat::RdfSchema => "text/plain; charset=utf-8",
    };
    let client = limits.client;
    let work = move |_: &Database, out: &mut dyn std::io::Write| {
        graph.export_to(out, options, &mut |_, _, _| watched(&limits)).map(drop)
    };
    let body = stream_body::start(state, (client, admitted), Damage::BreaksOff, work).await?;
    Ok(Answer::Stream(content_type, body))
}

/// Texts may be long, so the pool removes their values.
async fn list_queries(state: &Arc<State>, peer: Peer) -> Result<Response> {
    let own = Arc::clone(state);
    let list =
        state.executor.answer(peer.client, move || own.under_way.show(&own.database)).await?;
    Ok(Response::value(200, &list))
}
