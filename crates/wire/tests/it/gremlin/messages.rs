//! Answers in every format, and requests over text frames and HTTP, as transcripts.
//!
//! `tests/vectors/make.py --answers` reads the answers with TinkerPop's Python driver.

use std::sync::Arc;

use millrace_model::detached::{DetachedEdge, DetachedElements, DetachedProperty, DetachedVertex};
use millrace_model::parts;
use millrace_model::path::Path;
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{
    Decimal, Direction, EdgeId, Error, ErrorKind, Geometry, Property, READ_ONLY_DATABASE, Token,
    Value, VertexId, VertexProperty,
};
use millrace_testkit::golden::{self, Case};
use millrace_wire::gremlin::graphson::Version;
use millrace_wire::gremlin::{
    Answer, AnswerForm, Batches, Datum, Format, Frame, Metrics, Request, Response,
    TraversalMetrics, auth, http, read_answer, read_answer_head, read_frame, status,
};

use super::display;
use super::vectors::{hex, inputs, unhex};

const ID: [u8; 16] = *b"A\xd2\xe2\x8a \xa4J\xb0\xb3y\xd8\x10\xde\xde7\x86";

const FORMATS: [(&str, Format); 4] = [
    ("graphbinary", Format::GraphBinary),
    ("graphson3", Format::GraphSon(Version::V3)),
    ("graphson2", Format::GraphSon(Version::V2)),
    ("untyped", Format::GraphSon(Version::Untyped)),
];

fn text(text: &str) -> Arc<str> {
    Arc::from(text)
}

/// Marko, the creator of lop.
fn elements() -> DetachedElements {
    let property = |id, key: &str, value, properties| DetachedProperty {
        id: Value::I64(id),
        key: text(key),
        value,
        properties,
    };
    let start = Some(vec![(text("start"), Value::I32(1997))]);
    let marko = DetachedVertex {
        id: Value::I64(1),
        label: text("person"),
        properties: Some(vec![
            property(0, "name", Value::from("marko"), None),
            property(6, "location", Value::from("san diego"), start),
            property(7, "location", Value::from("santa cruz"), Some(vec![])),
        ]),
    };
    let lop = DetachedVertex { id: Value::I64(3), label: text("software"), properties: None };
    let created = DetachedEdge {
        id: Value::I64(9),
        label: text("created"),
        source: (Value::I64(1), text("person")),
        target: (Value::I64(3), text("software")),
        properties: Some(vec![(text("weight"), Value::F64(0.4))]),
    };
    let location = property(6, "location", Value::from("san diego"), None);
    DetachedElements {
        vertices: [(VertexId(1), Arc::new(marko)), (VertexId(3), Arc::new(lop))].into(),
        edges: [(EdgeId(9), Arc::new(created))].into(),
        properties: [(location_of_marko(), Arc::new(location))].into(),
        ..DetachedElements::default()
    }
}

fn location_of_marko() -> VertexProperty {
    VertexProperty { owner: VertexId(1), key: text("location"), ordinal: 0 }
}

fn all_values() -> Vec<Value> {
    let timestamp = DateTime { seconds: 1_709_190_015, nanos: 5_000, offset_seconds: 19_800 };
    let duration = |months, days, seconds| {
        Value::Duration(Arc::new(Duration { months, days, seconds, nanos: 0 }))
    };
    let decimal = |unscaled, scale| Value::Decimal(Arc::new(Decimal { unscaled, scale }));
    vec![
        Value::Null,
        Value::Bool(true),
        Value::I8(-7),
        Value::I16(300),
        Value::I32(-1),
        Value::I64(1 << 40),
        Value::F32(0.5),
        Value::F64(0.1),
        decimal(12_345, 2),
        decimal(1 << 62, 0),
        Value::from("grüße"),
        Value::Bytes(Arc::from(&b"\x00\xff"[..])),
        Value::Uuid(ID),
        Value::DateTime(timestamp),
        duration(0, 1, 5),
        Value::list(vec![Value::I32(1), Value::Set(Arc::from(vec![Value::from("a")]))]),
        Value::map(vec![
            (Value::Token(Token::Id), Value::I32(1)),
            (Value::Token(Token::End(Direction::In)), Value::from("x")),
        ]),
    ]
}

/// Values that the Python driver has no types for.
fn more_values() -> Vec<Value> {
    let local = DateTime { seconds: 0, nanos: 500_000_000, offset_seconds: DateTime::LOCAL };
    let zoned = DateTime { seconds: 0, nanos: 0, offset_seconds: 3_600 };
    let point = Point { srid: 4_326, coordinates: vec![1.5, -2.0] };
    vec![
        Value::Date(Date { days: 19_782 }),
        Value::Time(Time { nanos: 45_000_500_000_000, offset_seconds: None }),
        Value::Time(Time { nanos: 45_000_500_000_000, offset_seconds: Some(-3_600) }),
        Value::DateTime(local),
        Value::ZonedDateTime(Arc::new((zoned, text("Europe/Berlin")))),
        Value::Duration(Arc::new(Duration { months: 18, days: 15, seconds: 0, nanos: 0 })),
        Value::Point(Arc::new(point)),
        Value::from(Geometry::Point([1.5, 2.0])),
    ]
}

fn metrics() -> Datum {
    let step = Metrics {
        id: text("7.0.0()"),
        name: text("scan person"),
        nanos: 1_500_000,
        counts: vec![(text("elementCount"), 4)],
        annotations: vec![(Value::from("percentDur"), Value::F64(25.0))],
        nested: Vec::new(),
        variables: Vec::new(),
    };
    let outer = Metrics { nested: vec![step.clone()], ..step };
    Datum::TraversalMetrics(Box::new(TraversalMetrics { nanos: 2_000_000, operators: vec![outer] }))
}

/// The results in a scene, and whether they are sent with bulk.
fn results(scene: &str) -> (Vec<Value>, bool) {
    let (marko, lop) = (Value::Vertex(VertexId(1)), Value::Vertex(VertexId(3)));
    let values = match scene {
        "no results" => vec![],
        "values" => all_values(),
        "more values" => more_values(),
        "elements" => vec![
            marko,
            lop,
            Value::Edge(EdgeId(9)),
            Value::VertexProperty(Arc::new(location_of_marko())),
            Value::Property(Arc::new(Property {
                owner: Value::Edge(EdgeId(9)),
                key: text("weight"),
                value: Value::F64(0.4),
            })),
            Value::Vertex(VertexId(77)),
        ],
        "a path, a tree and elements in collections" => {
            let tags = vec![vec![text("a")], vec![]];
            let path = Path::new(vec![marko.clone(), Value::from("lop")], tags);
            let leaf = |value| (value, parts::Tree::default());
            let below = parts::Tree { branches: vec![leaf(lop.clone())] };
            let tree = parts::Tree { branches: vec![(marko, below)] };
            let counts = Value::map(vec![(lop.clone(), Value::I64(2))]);
            vec![
                Value::Path(Arc::new(path)),
                Value::Tree(Arc::new(tree)),
                counts,
                Value::list(vec![lop]),
            ]
        }
        "traversers" => return (vec![lop, Value::I64(5)], true),
        other => panic!("there is no scene `{other}`"),
    };
    (values, false)
}

fn scene(name: &str) -> Response {
    match name {
        "an error" => {
            let error = Error::new(ErrorKind::Conflict, "another transaction was first");
            return Response::error(Some(ID), &error);
        }
        "an error of a request without an id" => {
            let (_, refusal) = read_frame(Frame::Text("{}"));
            return refusal.expect_err("it has no id").response();
        }
        "a challenge" => return Response::challenge(ID),
        "metrics" => {
            let mut batches = Batches::new(ID, 64, false);
            batches.feed(metrics(), 1);
            return batches.finish();
        }
        _ => {}
    }
    let (values, has_bulk) = results(name);
    let mut batches = Batches::new(ID, 64, has_bulk);
    for value in &values {
        batches.feed(Datum::of(value, &elements()), if has_bulk { 1_000_000_000_000 } else { 1 });
    }
    assert!(batches.next().is_none(), "all fit in one frame");
    batches.finish()
}

#[test]
fn answers_are_written_as_the_goldens_say_and_read_again() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gremlin/answers");
    golden::check_folder(file, |case: &Case| {
        let response = scene(&case.input);
        let line = |(name, format): (&str, Format)| {
            let written = AnswerForm { format, is_text: false }.write(&response);
            let answer = read_answer(&written, format).expect("what is written can be read");
            assert_eq!((answer.id, answer.code), (response.id, response.code), "{name}");
            let head = read_answer_head(&written, format).expect("it has a head");
            let Answer { id, code, message, .. } = &answer;
            assert_eq!((&head.id, &head.code, &head.message), (id, code, message), "{name}");
            if matches!(format, Format::GraphBinary) && case.input != "elements" {
                assert_eq!(answer.data.type_name(), response.data.type_name());
            }
            let text = match format {
                Format::GraphBinary => hex(&written),
                Format::GraphSon(_) => String::from_utf8(written).expect("JSON is UTF-8"),
            };
            format!("{name} {text}")
        };
        FORMATS.map(line).join("\n")
    });
}

fn outcome(request: Result<Request, millrace_wire::gremlin::Refusal>) -> String {
    match request {
        Ok(request) => display::request(&request),
        Err(refusal) => {
            let id = if refusal.id.is_some() { "its id" } else { "no id" };
            format!("{} with {id}: {}", refusal.code, refusal.error)
        }
    }
}

#[test]
fn text_requests_are_read_or_refused_as_the_goldens_say() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gremlin/requests");
    golden::check_folder(file, |case: &Case| {
        let (form, request) = read_frame(Frame::Text(&case.input));
        assert!(form.is_text);
        outcome(request)
    });
}

#[test]
fn http_is_read_and_answered_as_the_goldens_say() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gremlin/http");
    golden::check_folder(file, |case: &Case| {
        let (head, body) = case.input.split_once("\n\n").unwrap_or((&case.input, ""));
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
        let request = match header("GET ") {
            Some(query) => http::read_query(query, ID),
            None => http::read_body(header("Content-Type: "), body.as_bytes(), ID),
        };
        let chosen = http::choose(header("Accept: "), ID);
        let body = match (&request, &chosen) {
            (Err(refusal), _) | (Ok(_), Err(refusal)) => http::refusal_body(refusal),
            (Ok(_), Ok(chosen)) => http::body(&scene("traversers"), *chosen),
        };
        let text = match body.content_type {
            "application/vnd.graphbinary-v1.0" => hex(&body.bytes),
            _ => String::from_utf8(body.bytes).expect("JSON is UTF-8"),
        };
        format!("{}\n{} {} {text}", outcome(request), body.status, body.content_type)
    });
}

#[test]
fn no_results_are_an_empty_list_by_http_and_204_in_a_frame() {
    let nothing = || Batches::new(ID, 10, false).finish();
    for (name, format) in FORMATS {
        let body = http::body(&nothing(), (format.mime(), format));
        let answer = read_answer(&body.bytes, format).expect("an answer");
        let list = Datum::Value(Value::list(Vec::new()));
        assert_eq!((body.status, answer.code, answer.data), (200, 200, list), "{name}");
        let frame = AnswerForm { format, is_text: true }.write(&nothing());
        let answer = read_answer(&frame, format).expect("an answer");
        assert_eq!((answer.code, answer.data), (204, Datum::NULL), "{name}");
    }
}

/// Symptom: one point or duration in a graph makes a whole answer vanish. Shape: a result without a
/// form. Bound: one answer that says so.
#[test]
fn a_result_without_a_form_becomes_an_error() {
    let property = VertexProperty { owner: VertexId(1), key: text("x"), ordinal: 0 };
    let value = Value::VertexProperty(Arc::new(property));
    for (name, format) in FORMATS {
        let data = Datum::List(vec![Datum::Value(value.clone())]);
        let response = Response { data, ..Response::of_code(Some(ID), status::SUCCESS) };
        let written = AnswerForm { format, is_text: true }.write(&response);
        let answer = read_answer(&written, format).expect("an answer");
        assert_eq!((answer.code, answer.data), (status::UNWRITABLE, Datum::NULL), "{name}");
        assert_eq!(answer.id, Some(ID));
    }
}

/// Symptom: one such value in a graph makes every answer with it fail. Shape: durations and points that no format has a
/// type for. Bound: none fails.
#[test]
fn a_duration_or_a_point_without_a_type_is_a_text() {
    let duration = |months, days, seconds, nanos| {
        Value::Duration(Arc::new(Duration { months, days, seconds, nanos }))
    };
    let point = |srid, coordinates: &[f64]| {
        Value::Point(Arc::new(Point { srid, coordinates: coordinates.to_vec() }))
    };
    for (value, wanted) in [
        (duration(1, 2, 10_800, 0), "P1M2DT3H"),
        (duration(-13, 0, -2, 500_000_000), "P-1Y-1MT-1.5S"),
        (duration(0, i64::MAX, i64::MAX, 0), "P9223372036854775807DT2562047788015215H30M7S"),
        (point(7203, &[1.0, -2.5]), "SRID=7203;POINT (1.0 -2.5)"),
        (point(4326, &[1.0, 2.0]), "SRID=4326;POINT (1.0 2.0)"),
        (point(9157, &[1.0, 2.0, 3.0]), "SRID=9157;POINT Z (1.0 2.0 3.0)"),
        (point(4979, &[1.0, 2.0, 3.0]), "SRID=4979;POINT Z (1.0 2.0 3.0)"),
    ] {
        for (name, format) in FORMATS {
            let data = Datum::List(vec![Datum::Value(value.clone())]);
            let response = Response { data, ..Response::of_code(Some(ID), status::SUCCESS) };
            let written = AnswerForm { format, is_text: true }.write(&response);
            let answer = read_answer(&written, format).expect("an answer");
            let list = Datum::Value(Value::list(vec![Value::from(wanted)]));
            assert_eq!((answer.code, answer.data), (status::SUCCESS, list), "{name} {wanted}");
        }
    }
}

#[test]
fn every_kind_of_error_has_a_code_that_is_an_error() {
    for kind in [
        ErrorKind::BadQuery,
        ErrorKind::Unsupported,
        ErrorKind::Conflict,
        ErrorKind::DeadlineExceeded,
        ErrorKind::Forbidden,
        ErrorKind::OutcomeUnknown,
        ErrorKind::Bug,
    ] {
        let code = status::of_kind(kind);
        assert!((400..600).contains(&code) && 400 <= status::http(code), "{kind:?}");
    }
    assert_eq!(status::of_kind(ErrorKind::Conflict), 596);
    let read_only = Error::new(ErrorKind::ReadOnly, "").with_name(READ_ONLY_DATABASE);
    assert_eq!(status::of_error(&read_only), 403, "a driver would repeat it at 596");
    assert_eq!(status::of_kind(ErrorKind::DeadlineExceeded), 598);
}

#[test]
fn the_proof_of_the_python_driver_is_a_name_and_a_password() {
    let frame = r#"{"requestId":{"@type":"g:UUID","@value":"41d2e28a-20a4-4ab0-b379-d810dede3786"},
        "op":"authentication","processor":"traversal","args":{"sasl":"AHN0ZXBoZW4AcGFzc3dvcmQ="}}"#;
    let (_, request) = read_frame(Frame::Text(frame));
    let millrace_wire::gremlin::Operation::Authenticate { response, .. } =
        request.expect("it is sound").operation
    else {
        panic!("it is an authentication");
    };
    let found = auth::plain(&response).expect("a name and a password");
    assert_eq!((found.user.as_str(), found.password.as_str()), ("stephen", "password"));
}

/// Symptom: a driver's body of GraphBinary is refused for its version. Shape: the length of the mime type
/// in front, 32, is a space. Bound: a message begins with its highest bit set.
#[test]
fn a_body_of_graphbinary_is_read_with_its_mime_type_in_front_and_without() {
    const MIME_BYTES: usize = 33;
    for (name, digits) in inputs("graphbinary-requests") {
        let framed = unhex(&digits);
        let (_, expected) = read_frame(Frame::Binary(&framed));
        assert!(expected.is_ok(), "{name}");
        for body in [&framed[..], &framed[MIME_BYTES..]] {
            let mime = Some("application/vnd.graphbinary-v1.0");
            assert_eq!(http::read_body(mime, body, ID), expected, "{name}");
        }
    }
}
