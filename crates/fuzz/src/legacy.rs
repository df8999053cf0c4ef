//! Neo4j's interface of versions 1 to 3: any method, path and body, to an operation, a batch or a refusal.
//!
//! What can be run is run over a graph in which each element exists. A batch must have the same statuses in bulk and singly, and
//! all answers must be JSON.

use std::sync::Arc;

use millrace_model::{Result, Value};
use millrace_wire::neo4j_http::legacy::{
    Answers, Jobs, Order, Request as Legacy, StatementRows, Statements, write_answers,
};
use millrace_wire::neo4j_http::{Request, parse};

/// Between the parts of a request: method and path.
const PART_END: u8 = b'\n';

const BASE: &str = "http://a:7474/db/data";

const JOBS: &str = r#"[{"method": "POST", "to": "/node", "id": 0, "body": {"name": "bob", "l": [1, 2]}},
    {"method": "POST", "to": "http://a/db/data/node", "id": 1},
    {"method": "POST", "to": "{0}/relationships", "id": 2,
     "body": {"to": "{1}", "type": "KNOWS", "data": {"by": "{0} and {1}"}}},
    {"method": "PUT", "to": "{2}/properties/x", "body": 1.5},
    {"method": "POST", "to": "{1}/labels", "body": ["A", "B"]},
    {"method": "GET", "to": "/node/7/relationships/all/A&B"},
    {"method": "POST", "to": "cypher", "body": {"query": "RETURN {x}", "params": {"x": {"y": [null]}}}},
    {"method": "DELETE", "to": "/node/7/properties/x"}, {"method": "DELETE", "to": "{2}"},
    {"method": "GET", "to": "/label/A/nodes?k=%22v%22", "id": 9}]"#;

/// A request for every family of routes.
pub fn seeds() -> Vec<Vec<u8>> {
    let requests = [
        ("GET", "", ""),
        ("POST", "/node", r#"{"name": "Ann", "tags": ["a"], "w": 1.5, "ok": true}"#),
        ("GET", "/node/7", ""),
        ("POST", "/node/7/relationships", r#"{"to": "/node/8", "type": "T", "data": {"a": 1}}"#),
        ("GET", "/node/7/degree/in/A&B", ""),
        ("PUT", "/relationship/7/properties", r#"{"a": 1}"#),
        ("PUT", "/node/7/properties/a%20b", "[1, 2]"),
        ("PUT", "/node/7/labels", r#"["A"]"#),
        ("GET", "/label/A/nodes?k=1", ""),
        ("POST", "/schema/index/A", r#"{"property_keys": ["a"]}"#),
        ("DELETE", "/schema/constraint/A/uniqueness/a", ""),
        (
            "POST",
            "/cypher?includeStats=true",
            r#"{"query": "RETURN {x} /* {x} */", "params": {"x": 1}}"#,
        ),
        (
            "POST",
            "/ext/GremlinPlugin/graphdb/execute_script",
            r#"{"script": "g.V(x)", "params": {"x": 1}}"#,
        ),
        (
            "POST",
            "/transaction/commit",
            r#"{"statements": [{"statement": "RETURN {x}", "parameters": {"x": 1}}]}"#,
        ),
        ("GET", "/index/node/a/b/c", ""),
        ("POST", "/batch", JOBS),
    ];
    let bytes = requests
        .iter()
        .map(|(method, path, body)| format!("{method}\n/db/data{path}\n{body}").into_bytes());
    bytes.collect()
}

/// Reads a request, and runs what it is.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == PART_END);
    let mut text = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (method, path) = (text(), text());
    let body = parts.next().unwrap_or_default();
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (&*path, None),
    };
    let Ok(Request::Legacy(request)) = parse(&method, (path, query), body, false) else { return };
    match request {
        Legacy::Operation(operation) => {
            let mut graph = Full::default();
            let Ok(rows) = operation.run(&mut graph) else { return };
            match operation.answer(&rows, BASE, "5") {
                Ok(answer) => is_json(&answer.body.unwrap_or_else(|| "null".to_owned())),
                Err(failure) => is_json(&failure.body()),
            }
        }
        Legacy::Batch(jobs) => batch(&jobs),
        Legacy::Refused(failure, _) => is_json(&failure.body()),
        Legacy::RefusedBatch(failure) => is_json(&failure.body()),
    }
}

fn batch(jobs: &Jobs) {
    let answers = Answers::Full { base: BASE, version: "5" };
    let runs = [Order::Bulk, Order::Single].map(|order| {
        jobs.run(&mut Full::default(), answers, order).map(|answers| {
            is_json(&write_answers(&answers));
            answers.iter().map(|answer| (answer.id, answer.status)).collect::<Vec<_>>()
        })
    });
    let [bulk, single] = runs;
    assert_eq!(bulk.is_ok(), single.is_ok());
    if let (Ok(bulk), Ok(single)) = (bulk, single) {
        assert_eq!(bulk, single);
    }
}

fn is_json(text: &str) {
    let read = millrace_wire::json::parse(text.as_bytes());
    // What was sent may nest as deep as an answer may not.
    assert!(read.is_ok() || text.contains("[["), "{text}");
}

/// A graph in which each element exists and has each property.
#[derive(Default)]
struct Full {
    made: i64,
}

impl Statements for Full {
    fn run(
        &mut self,
        _: &'static str,
        text: &Arc<str>,
        parameters: Vec<(Arc<str>, Value)>,
    ) -> Result<StatementRows> {
        let rows = parameters.iter().find_map(|(name, value)| match value {
            Value::List(rows) if &**name == "rows" => Some(rows),
            _ => None,
        });
        let number = |row: &Value| match row {
            Value::Map(pairs) => pairs.first().and_then(|(_, job)| job.as_int()),
            _ => None,
        };
        let jobs: Vec<i64> = match rows {
            Some(rows) if text.starts_with("UNWIND $rows") => {
                rows.iter().filter_map(number).collect()
            }
            Some(_) | None => vec![0],
        };
        let mut found = StatementRows { columns: vec!["job".into()], ..StatementRows::default() };
        let has_result = !text.ends_with("AS job");
        found.columns.extend(has_result.then(|| Arc::from("found")));
        for job in jobs {
            found.values.push(Value::I64(job));
            if has_result {
                self.made += 1;
                found.values.push(match text.contains("IS NOT NULL AS found") {
                    true => Value::Bool(true),
                    false => Value::I64(self.made),
                });
            }
        }
        Ok(found)
    }
}
