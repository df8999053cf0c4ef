//! The query page at `/` of every listener, and `/query`, which it asks.
//!
//! ```text
//!   GET  /        the page: one file, which loads nothing
//!   GET  /query   {"graphs": ["g", "films"], "languages": ["gremlin", "lua"]}
//!   POST /query   {"language": "lua", "graph": "films", "text": "AllNodesCount()"}
//!                 -> {"results": 42, "took_ms": 0.3} or {"error": {"kind": …, "message": …}}
//! ```
//!
//! A query is taken only as `application/json`: a page of another origin can send that type only after the
//! browser has asked the server, which does not agree. The page's policy allows its own script and style by
//! their hashes and nothing else, so that no value of a graph becomes code.

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::http::{
    Extensions, HeaderMap, HeaderName, HeaderValue, Method, Request as HttpRequest,
    Response as HttpResponse, StatusCode, header,
};
use millrace_db::model::{Error, ErrorKind, Result, TextPosition, Value};
use millrace_db::{Client, RequestLimits};
use millrace_wire::gremlin::base64;
use millrace_wire::http::status::{kind_word, of_error};
use millrace_wire::json;
use sha2::{Digest, Sha256};

use super::gremlin::guarded;
use crate::connections::client_of;
use crate::http::whole;
use crate::query::{self, Language, Query};
use crate::state::State;
use crate::users::{self, Refused};

/// The page.
const PAGE: &str = include_str!("page.html");

/// Where queries are taken.
pub(super) const QUERY_PATH: &str = "/query";

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = |tag: &str| format!("'sha256-{}'", base64::encode(&Sha256::digest(inside(tag))));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        hash("script"),
        hash("style")
    );
    // Hashes in base64 fit into a header; were it otherwise, the page could do nothing.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

/// What stands between the tags of the page's only element of that name.
fn inside(tag: &str) -> &'static [u8] {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let rest = PAGE.split_once(&open).map(|(_, rest)| rest);
    let inside = rest.and_then(|rest| rest.split_once(&close));
    inside.map_or("", |(inside, _)| inside).as_bytes()
}

/// Whether the request is one for the page.
pub(super) fn is_page(method: &Method, path: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && path == "/"
}

/// The page, for a client that may have it.
pub(super) async fn page(
    state: &State,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> HttpResponse<Body> {
    if let Err(refused) = users::log_in(state, headers, extensions).await {
        return not_logged_in(&refused);
    }
    let mut response = HttpResponse::new(Body::from(PAGE));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The answer to a request for [`QUERY_PATH`].
pub(super) async fn query(state: &Arc<State>, request: HttpRequest<Body>) -> HttpResponse<Body> {
    let began = Instant::now();
    let (head, body) = request.into_parts();
    if let Err(refused) = users::log_in(state, &head.headers, &head.extensions).await {
        return not_logged_in(&refused);
    }
    let done = match head.method {
        Method::GET => return json_response(200, targets(state)),
        Method::POST if !is_json(&head.headers) => {
            let error = Error::new(ErrorKind::BadInput, "a query is a body of JSON");
            return refused(415, &error.with_help("send Content-Type: application/json"));
        }
        Method::POST => match whole(state, body).await {
            Ok(held) => run(state, client_of(&head.extensions), &held.bytes).await,
            Err((status, error)) => return refused(status, &error),
        },
        _ => {
            let mut response =
                refused(405, &Error::new(ErrorKind::BadInput, "/query takes GET and POST"));
            let allow = HeaderValue::from_static("GET, POST");
            response.headers_mut().insert(header::ALLOW, allow);
            return response;
        }
    };
    let (code, response) = match done {
        Ok(results) => {
            let millis = began.elapsed().as_secs_f64() * 1_000.0;
            (200, json_response(200, format!("{{\"results\":{results},\"took_ms\":{millis:.3}}}")))
        }
        Err(error) => {
            let code = of_error(error.kind);
            (code, refused(code, &error))
        }
    };
    state.metrics.answered("query", code, began.elapsed());
    response
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let name = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/json")
}

fn targets(state: &State) -> String {
    let list =
        |names: &mut dyn Iterator<Item = &str>| Value::list(names.map(Value::from).collect());
    let graphs = query::graphs(&state.database);
    json::to_json(&Value::map(vec![
        (Value::from("graphs"), list(&mut graphs.iter().map(String::as_str))),
        (Value::from("languages"), list(&mut Language::ALL.into_iter().map(Language::name))),
    ]))
}

async fn run(state: &Arc<State>, client: Client, body: &Bytes) -> Result<String> {
    let query = read(body)?;
    let limits = query.language.limits(state.database.settings());
    let limits = RequestLimits { client, ..limits };
    // Dropped with this future, if the client goes away, it cancels the query.
    let admitted = state.admit(&limits)?;
    let database = Arc::clone(&state.database);
    let work = move || guarded(|| query::run(&database, &query, limits));
    let done = state.workers.answer(client, work).await?;
    drop(admitted);
    done
}

fn read(body: &[u8]) -> Result<Query> {
    let bad = |detail: String| {
        let help =
            "send {\"language\": \"gremlin\" or \"lua\", \"graph\": \"NAME\", \"text\": \"…\"}";
        Error::new(ErrorKind::BadInput, detail).with_help(help)
    };
    let (mut language, mut graph, mut text) = (None, None, None);
    for (key, value) in json::parse_object(body)? {
        let (Value::String(key), Value::String(value)) = (&key, &value) else {
            return Err(bad(format!("{key:?} must be a text")));
        };
        let place = match &**key {
            "language" => &mut language,
            "graph" => &mut graph,
            "text" => &mut text,
            _ => return Err(bad(format!("a query has no `{key}`"))),
        };
        *place = Some(value.to_string());
    }
    let missing = |name: &str| bad(format!("`{name}` is missing"));
    Ok(Query {
        language: Language::of_name(&language.ok_or_else(|| missing("language"))?)?,
        graph: graph.unwrap_or_else(|| query::DEFAULT_GRAPH.to_owned()),
        text: text.ok_or_else(|| missing("text"))?,
    })
}

fn refused(code: u16, error: &Error) -> HttpResponse<Body> {
    let mut pairs = vec![
        (Value::from("kind"), Value::from(kind_word(error.kind))),
        (Value::from("message"), Value::from(error.to_string().as_str())),
    ];
    if let Some(TextPosition { line, column }) = error.position {
        pairs.push((Value::from("line"), Value::I64(line.into())));
        pairs.push((Value::from("column"), Value::I64(column.into())));
    }
    let body = Value::map(vec![(Value::from("error"), Value::map(pairs))]);
    json_response(code, json::to_json(&body))
}

fn not_logged_in(why: &Refused) -> HttpResponse<Body> {
    let mut response = refused(why.status(), &why.error);
    why.put_headers(response.headers_mut());
    response
}

fn json_response(code: u16, body: String) -> HttpResponse<Body> {
    let mut response = HttpResponse::new(Body::from(body));
    *response.status_mut() =
        StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_has_the_hash_of_the_script_and_of_the_style() {
        let policy = POLICY.to_str().unwrap();
        assert_eq!(policy.matches("'sha256-").count(), 2, "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(PAGE.matches("<script").count(), 1, "one script has a hash");
        assert_eq!(PAGE.matches("<style").count(), 1, "one style has a hash");
        for refused in
            ["innerHTML", "outerHTML", "document.write", " style=", " onclick=", "http://"]
        {
            assert!(!PAGE.contains(refused), "{refused}");
        }
    }

    #[test]
    fn a_query_that_says_something_else_is_refused() {
        for body in [
            "",
            "[]",
            "{}",
            "{\"language\":\"lua\"}",
            "{\"language\":1,\"text\":\"1\"}",
            "{\"language\":\"sql\",\"text\":\"1\"}",
            "{\"language\":\"lua\",\"text\":\"1\",\"limit\":3}",
        ] {
            assert_eq!(read(body.as_bytes()).unwrap_err().kind, ErrorKind::BadInput, "{body}");
        }
        let read = read(b"{\"language\":\"lua\",\"text\":\"1\"}").unwrap();
        assert_eq!((read.graph.as_str(), read.text.as_str()), ("g", "1"));
    }
}
