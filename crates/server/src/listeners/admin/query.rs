//! One query in any language: `POST /query`.
//!
//! ```text
//!   {"language": "lua", "graph": "films", "text": "AllNodesCount()"}
//!   -> {"results": 42, "took_ms": 0.3}
//! ```

use std::sync::Arc;
use std::time::Instant;

use millrace_db::{Database, RequestLimits};
use millrace_model::{Error, ErrorKind, Result, Value};
use millrace_wire::http::Response;
use millrace_wire::json;

use crate::connections::Peer;
use crate::executor::guarded;
use crate::query::{self, Language, Query};
use crate::state::State;
use crate::under_way::{Description, Progress};

/// The graphs and the languages that can be asked.
pub(super) fn targets(database: &Database) -> Value {
    let list =
        |names: &mut dyn Iterator<Item = &str>| Value::list(names.map(Value::from).collect());
    let graphs = query::graphs(database);
    Value::map(vec![
        (Value::from("graphs"), list(&mut graphs.iter().map(String::as_str))),
        (Value::from("languages"), list(&mut Language::ALL.into_iter().map(Language::name))),
    ])
}

/// The answer to a query.
pub(super) async fn answer(state: &Arc<State>, peer: Peer, body: &[u8]) -> Result<Response> {
    let began = Instant::now();
    let query = read(body)?;
    let limits = query.language.limits(state.database.settings());
    let limits = RequestLimits { client: peer.client, ..limits };
    let (text, graph) = (Some(query.shown()), Some(query.graph.as_str().into()));
    let description = Description { kind: "query", text, graph, peer, socket: None };
    // Dropped with this future, if the client goes away, it cancels the query.
    let admitted = state.admit(&limits, description)?;
    let (database, entry) = (Arc::clone(&state.database), admitted.entry());
    let work = move || {
        entry.note(Progress::Running);
        guarded(|| query::run(&database, &query, limits))
    };
    let results = state.executor.answer(peer.client, work).await??;
    drop(admitted);
    let millis = began.elapsed().as_secs_f64() * 1_000.0;
    Ok(Response::json(format!("{{\"results\":{results},\"took_ms\":{millis:.3}}}")))
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
            return Err(bad(format!("{key:?} is to be a text")));
        };
        let field = match &**key {
            "language" => &mut language,
            "graph" => &mut graph,
            "text" => &mut text,
            _ => return Err(bad(format!("a query has no `{key}`"))),
        };
        *field = Some(value.to_string());
    }
    let missing = |name: &str| bad(format!("`{name}` is missing"));
    Ok(Query {
        language: Language::of_name(&language.ok_or_else(|| missing("language"))?)?,
        graph: graph.unwrap_or_else(|| query::DEFAULT_GRAPH.to_owned()),
        text: text.ok_or_else(|| missing("text"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
