//! Administration: every route has a message, and a wrong request is refused by name.

use millrace_model::schema::IndexKind;
use millrace_model::{Error, ErrorKind, TextPosition};
use millrace_wire::admin::{ROUTES, Request, SchemaChange, SchemaOwner, error_response, parse};
use millrace_wire::http::Refusal;

#[test]
fn every_route_is_reached_by_a_path_of_its_own_shape() {
    for route in ROUTES {
        let path: String = route
            .pattern
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| match part {
                "{id}" => "/7".to_owned(),
                name if name.starts_with('{') => "/shop".to_owned(),
                word => format!("/{word}"),
            })
            .collect();
        let path = if path.is_empty() { "/".to_owned() } else { path };
        let query = path.starts_with("/export").then_some("format=graphson");
        let body: &[u8] = match route.pattern {
            "/graphs/{graph}/schema" => b"{\"changes\": []}",
            "/query/{graph}" | "/check/{graph}" => b"{\"language\": \"lua\", \"text\": \"1\"}",
            _ => b"",
        };
        let found = parse(route.method.word(), &path, query, body);
        assert!(found.is_ok(), "{} {path}: {found:?}", route.method.word());
    }
    assert_eq!(parse("HEAD", "/", None, b""), Ok(Request::Page));
    assert!(matches!(parse("PATCH", "/query", None, b""), Err(Refusal::Method(_))));
    assert!(matches!(parse("GET", "/dbs", None, b""), Err(Refusal::NoRoute)));
    let Err(Refusal::Bad(old)) = parse("POST", "/query", None, b"{}") else { panic!("no graph") };
    assert!(old.help.is_some_and(|help| help.contains("POST /query/{graph}")));
}

#[test]
fn changes_of_a_schema_are_read_in_their_order() {
    let body = br#"{"changes": [
        {"change": "create_unique", "label": "P", "keys": ["a", "b"]},
        {"change": "drop_index", "edge_type": "E", "keys": ["a"], "kind": "range"}]}"#;
    let changes = vec![
        SchemaChange::CreateIndex(
            SchemaOwner::Label("P".into()),
            vec!["a".into(), "b".into()],
            IndexKind::Unique,
        ),
        SchemaChange::DropIndex(
            SchemaOwner::EdgeType("E".into()),
            vec!["a".into()],
            Some(IndexKind::Range),
        ),
    ];
    let request = parse("POST", "/graphs/one/schema", None, body);
    assert_eq!(request, Ok(Request::ChangeSchema { graph: "one".into(), changes }));
}

#[test]
fn an_error_is_an_object_with_its_place_and_help() {
    let position = Some(TextPosition { line: 2, column: 7 });
    let error = Error::new(ErrorKind::BadQuery, "there is no step `outt`").with_help("out");
    let response = error_response(None, &Error { position, ..error }, Some("a\nbcd"));
    assert_eq!((response.status, response.error), (400, Some("bad-query")));
    assert_eq!(
        String::from_utf8_lossy(&response.body),
        "{\"error\": {\"kind\": \"bad-query\", \"message\": \"there is no step `outt`\", \"help\": \"out\", \
         \"offset\": 5, \"line\": 2, \"column\": 7}}"
    );
}

/// Symptom: a byte string a client sends brings the server down. Shape: any bytes. Bound: none.
#[test]
fn no_body_makes_the_reader_panic() {
    let whole = br#"{"changes": [{"change": "create_property", "label": "P", "key": "k", "required": true}]}"#;
    for length in 0..whole.len() {
        let refused = parse("POST", "/graphs/one/schema", None, &whole[..length]);
        assert!(matches!(refused, Err(Refusal::Bad(_))), "{length}");
        let mut broken = whole.to_vec();
        broken[length] = b'"';
        // Some are right by chance.
        let _read = parse("POST", "/graphs/one/schema", None, &broken);
    }
}
