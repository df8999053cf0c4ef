//! Requests of Neo4j's HTTP interface: any method, path and body, to a request or a refusal.
//!
//! The parameters of a request are written as a row of a result in each form. With types they are read again, and
//! must be the same.

use std::sync::Arc;

use millrace_model::{DetachedElements, Value};
use millrace_wire::neo4j_http::{Contents, Form, Jolt, Request, parse, write_row};

/// Between the parts of a request: method, path, and whether its body is JSON with types.
const PART_END: u8 = b'\n';

const TYPED: &str = r#"{"statement": "RETURN $a", "parameters": {
    "a": {"$type": "Integer", "_value": "7"}, "b": {"$type": "Float", "_value": "0.5"},
    "c": {"$type": "List", "_value": [{"$type": "Null", "_value": null}]},
    "d": {"$type": "Map", "_value": {"k": {"$type": "String", "_value": "v"}}},
    "e": {"$type": "Base64", "_value": "AQI="}, "f": {"$type": "Date", "_value": "2020-02-29"},
    "g": {"$type": "OffsetDateTime", "_value": "2020-02-29T12:30:00.5+01:00"},
    "h": {"$type": "ZonedDateTime", "_value": "2020-02-29T12:30:00+01:00[Europe/Stockholm]"},
    "i": {"$type": "LocalDateTime", "_value": "2020-02-29T12:30:00"},
    "j": {"$type": "Time", "_value": "12:30:00Z"}, "k": {"$type": "LocalTime", "_value": "12:30"},
    "l": {"$type": "Duration", "_value": "P1Y2M3DT4H5M6.7S"},
    "m": {"$type": "Point", "_value": "SRID=7203;POINT (1.5 2.5)"},
    "n": {"$type": "Boolean", "_value": true}}}"#;
const PLAIN: &str = r#"{"statement": "RETURN $n", "parameters": {"n": 7}, "accessMode": "READ",
    "includeCounters": true, "bookmarks": ["a"], "maxExecutionTime": 3}"#;
const STATEMENTS: &str = r#"{"statements": [{"statement": "a"}, {"statement": "b",
    "parameters": {"x": [1, "y", null, {"z": 1.5}]},
    "resultDataContents": ["graph", "ROW"], "includeStats": true}]}"#;

/// A request for every route, with each kind of body.
pub fn seeds() -> Vec<Vec<u8>> {
    let request = |method: &str, path: &str, typed: &str, body: &str| {
        format!("{method}\n{path}\n{typed}\n{body}").into_bytes()
    };
    vec![
        request("GET", "/", "", ""),
        request("POST", "/db/neo4j/query/v2", "", PLAIN),
        request("POST", "/db/neo4j/query/v2", "typed", TYPED),
        request("POST", "/db/a%20b/query/v2/tx", "", PLAIN),
        request("POST", "/db/neo4j/tx", "", STATEMENTS),
        request("POST", "/db/neo4j/tx/commit", "", STATEMENTS),
        request("POST", "/db/neo4j/tx/7", "", ""),
        request("POST", "/db/neo4j/tx/7/commit", "", STATEMENTS),
        request("DELETE", "/db/neo4j/tx/7", "", ""),
    ]
}

/// Reads a request.
pub fn run(bytes: &[u8]) {
    let mut parts = bytes.splitn(4, |byte| *byte == PART_END);
    let mut text = || String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let (method, path, typed) = (text(), text(), text());
    let body = parts.next().unwrap_or_default();
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (&*path, None),
    };
    let is_typed = typed == "typed";
    match parse(&method, (path, query), body, is_typed) {
        Err(refusal) => assert!(400 <= refusal.error().0, "a refusal is an error"),
        Ok(Request::Query(query)) => {
            write_all(&query.parameters);
            if is_typed {
                read_again(&query.parameters);
            }
        }
        Ok(Request::Transaction(transaction)) => {
            transaction.statements.iter().for_each(|statement| write_all(&statement.parameters));
        }
        Ok(Request::Discovery | Request::RollBack { .. } | Request::Legacy(_)) => {}
    }
}

fn write_all(parameters: &[(Arc<str>, Value)]) {
    let row: Vec<Value> = parameters.iter().map(|(_, value)| value.clone()).collect();
    let both = Contents { has_row: true, has_graph: true, has_rest: true };
    let jolt = |is_strict| {
        Form::Jolt(Jolt { is_strict, version: is_strict.then_some(2), is_sequence: is_strict })
    };
    for form in [Form::Plain, Form::Typed, Form::Transaction(both), jolt(false), jolt(true)] {
        written(&row, form);
    }
}

fn written(row: &[Value], form: Form) -> String {
    let mut text = String::new();
    let done = write_row(&mut text, row, &DetachedElements::default(), (form, "http://a/db/data"));
    done.expect("what was read can be written");
    text
}

fn read_again(parameters: &[(Arc<str>, Value)]) {
    for (_, value) in parameters {
        let list = written(std::slice::from_ref(value), Form::Typed);
        let typed = list.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
        let typed = typed.expect("a row is a list");
        let body = format!(r#"{{"statement": "", "parameters": {{"again": {typed}}}}}"#);
        let again = parse("POST", ("/db/neo4j/query/v2", None), body.as_bytes(), true);
        let Ok(Request::Query(again)) = again else { panic!("{body}: {again:?}") };
        assert_eq!(again.parameters, [("again".into(), value.clone())], "{body}");
    }
}
