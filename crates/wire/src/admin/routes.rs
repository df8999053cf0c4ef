//! Every route of administration, as data; the first one that fits wins.

use millrace_model::{Error, ErrorKind, Result, Value};

use super::load::StartLoad;
use super::message::{Isolation, Request};
use super::query::{CheckRequest, QueryRequest};
use super::schema;
use crate::http::Method::{self, Delete, Get, Post, Put};
use crate::http::pattern::Pattern;
use crate::http::target::{bad, segments};
use crate::http::{Captured, Refusal, RouteTable, find};
use crate::json;

/// A route.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path; `{name}` stands for a segment.
    pub pattern: &'static str,
    /// What it does.
    pub about: &'static str,
    make: fn(&Captured<'_>) -> Result<Request>,
}

const fn route(
    method: Method,
    pattern: &'static str,
    about: &'static str,
    make: fn(&Captured<'_>) -> Result<Request>,
) -> Route {
    Route { method, pattern, about, make }
}

/// Every route.
#[rustfmt::skip]
pub const ROUTES: &[Route] = &[
    route(Get, "/", "the query page", |_| Ok(Request::Page)),
    route(Get, "/health", "version, uptime, what the store promises, services; status and code as /health/ready", |_| Ok(Request::Health)),
    route(Get, "/health/live", "200 while the process answers, whatever it refuses", |_| Ok(Request::Live)),
    route(Get, "/health/ready",
        "200 while reads and writes are served; 503 with the reason while writes are refused or the server stops", |_| Ok(Request::Ready)),
    route(Get, "/metrics", "counters, for Prometheus", |_| Ok(Request::Metrics)),
    route(Get, "/graphs", "all graphs: vertices, edges, isolation", |_| Ok(Request::ListGraphs)),
    route(Get, "/graphs/{graph}", "a graph: vertices, edges, isolation", |at| {
        Ok(Request::ShowGraph { graph: at.graph() })
    }),
    route(Put, "/graphs/{graph}",
        "makes a graph (201), or finds it (200); `{\"isolation\": \"serializable\"}`, or `\"snapshot\"`, as the body \
         changes its isolation", |at| {
        Ok(Request::MakeGraph { graph: at.graph(), isolation: isolation(at.body)? })
    }),
    route(Delete, "/graphs/{graph}", "drops a graph", |at| Ok(Request::DropGraph { graph: at.graph() })),
    route(Get, "/graphs/{graph}/schema",
        "labels, edge types, property keys with their types, indexes, constraints; each index with `kind`, `method` where it has one, `state` (`building`, `ready`), `percent`, `entries`, `bytes`", |at| {
        Ok(Request::ShowSchema { graph: at.graph() })
    }),
    route(Post, "/graphs/{graph}/schema",
        "changes the schema as one transaction: `{\"changes\": […]}` (below); answers with the new one", |at| {
        Ok(Request::ChangeSchema { graph: at.graph(), changes: schema::changes(at.body)? })
    }),
    route(Post, "/load/{graph}", "loads the body, files, as one commit or in batches", |at| {
        StartLoad::take(at).map(|load| Request::StartLoad(Box::new(load)))
    }),
    route(Get, "/load", "all loads of this process", |_| Ok(Request::ListLoads)),
    route(Get, "/load/{id}", "how far a load is", |at| Ok(Request::ShowLoad { id: at.id("id")? })),
    route(Get, "/export/{graph}", "the graph as one file: `?format=graphson`, `graphml`, `rdf` or `rdf-schema`, with `&unsupported-types=text` for dates, points and others as text", export),
    route(Get, "/backup", "a backup of all graphs: a tar, with a list of checksums at its end", backup),
    route(Post, "/backup", "the same", backup),
    route(Get, "/queries",
        "the requests under way: number, kind, language, graph, text without its values, milliseconds, client, \
         state", |_| Ok(Request::ListQueries)),
    route(Delete, "/queries/{id}", "cancels a request, also one of several of a WebSocket", |at| {
        Ok(Request::CancelQuery { number: at.id("id")? })
    }),
    route(Get, "/query", "the graphs and the languages that can be asked", |_| Ok(Request::ListTargets)),
    route(Post, "/query/{graph}", "runs a query in any language and streams its rows (below)", |at| {
        QueryRequest::take(at).map(|query| Request::Query(Box::new(query)))
    }),
    route(Post, "/transactions/{graph}", "begins a transaction of several queries (below)", |at| {
        Ok(Request::BeginTransaction { graph: at.graph() })
    }),
    route(Post, "/transactions/{graph}/{id}", "commits it", |at| {
        Ok(Request::CommitTransaction { graph: at.graph(), id: at.id("id")? })
    }),
    route(Delete, "/transactions/{graph}/{id}", "rolls it back", |at| {
        Ok(Request::RollBackTransaction { graph: at.graph(), id: at.id("id")? })
    }),
    route(Post, "/check/{graph}",
        "what is wrong with a text, and what may stand at a place in it; nothing is run (below)", |at| {
        CheckRequest::take(at).map(|check| Request::Check(Box::new(check)))
    }),
];

/// Reads a request. The body is that of a message, and no file.
pub fn parse(
    method: &str,
    path: &str,
    query: Option<&str>,
    body: &[u8],
) -> std::result::Result<Request, Refusal> {
    static TABLE: RouteTable = RouteTable::new();
    let table = TABLE.get_or_init(|| {
        ROUTES.iter().map(|route| (route.method, Pattern::of(route.pattern))).collect()
    });
    let segments = segments(path).map_err(Refusal::Bad)?;
    let method = if method == "HEAD" { "GET" } else { method };
    if method == "POST" && segments == ["query"] {
        return Err(Refusal::Bad(without_graph()));
    }
    let (number, values) = find(table, method, &segments)?;
    (ROUTES[number].make)(&Captured { values, query, body }).map_err(Refusal::Bad)
}

/// A query that names its graph in its body, or nowhere.
fn without_graph() -> Error {
    let error = Error::new(ErrorKind::NotFound, "a query is sent to the path of its graph");
    error.with_help(
        "POST /query/{graph}, such as /query/g, with {\"language\", \"text\"} as the body",
    )
}

/// A backup; it has no options.
pub(crate) fn backup(at: &Captured<'_>) -> Result<Request> {
    at.only_queries(&[])?;
    Ok(Request::Backup)
}

fn export(at: &Captured<'_>) -> Result<Request> {
    at.only_queries(&["format", "unsupported-types"])?;
    let format = at.parameter("format")?.ok_or_else(|| {
        bad("the format is missing".to_owned())
            .with_help("?format=graphson, graphml, rdf or rdf-schema")
    })?;
    let unsupported_as_text = at.is_asked("unsupported-types", "text")?;
    Ok(Request::Export { graph: at.graph(), format, unsupported_as_text })
}

fn isolation(body: &[u8]) -> Result<Option<Isolation>> {
    let mut isolation = None;
    for (name, value) in json::parse_object(body)? {
        let (Value::String(name), Value::String(word)) = (&name, &value) else {
            return Err(bad(format!("{name:?} must be a text")));
        };
        if &**name != "isolation" {
            return Err(bad(format!("a graph has no `{name}`")).with_help("it has `isolation`"));
        }
        let known = Isolation::ALL.iter().find(|(_, known)| known == &&**word);
        let (known, _) = known.ok_or_else(|| {
            Error::new(ErrorKind::BadInput, format!("isolation is `{word}`"))
                .with_help("use snapshot or serializable")
        })?;
        isolation = Some(*known);
    }
    Ok(isolation)
}
