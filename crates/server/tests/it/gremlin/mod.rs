//! Gremlin over real sockets: requests, sessions, and everything that a client can do wrong.

mod bad;
mod fairness;
mod http;
mod ids;
pub(crate) mod inline;
mod profile;
mod sessions;
pub(crate) mod socket;
mod unread;
mod users;

use std::thread;

use millrace_model::{Value, VertexId};
use millrace_server::wire::gremlin::bytecode::{Argument, Bytecode, Instruction};
use millrace_server::wire::gremlin::graphson::Version;
use millrace_server::wire::gremlin::{Datum, Format, Materialize, Operation};
use tungstenite::Message;

use crate::client::{Running, start_with};
use socket::{Socket, eval, eval_with, in_session};

fn start() -> Running {
    start_with(|_| {})
}

fn number(value: i64) -> Datum {
    Datum::Value(Value::I64(value))
}

fn step(name: &str, arguments: Vec<Value>) -> Instruction {
    let arguments = arguments.into_iter().map(Argument::Value).collect();
    Instruction { name: name.into(), arguments, position: None }
}

/// Until something holds, or the test has waited far too long.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !holds() {
        assert!(began.elapsed().as_secs() < 60, "never: {what}");
        thread::yield_now();
    }
}

#[test]
fn results_come_in_frames_of_the_size_that_is_asked_for() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    for format in
        [Format::GraphBinary, Format::GraphSon(Version::V3), Format::GraphSon(Version::V2)]
    {
        socket.format = format;
        socket.options.batch_size = Some(2);
        let id = socket.send(eval("g.inject(1L, 2L, 3L, 4L, 5L)"));
        let codes: Vec<u16> = (0..3).map(|_| socket.answer().code).collect();
        assert_eq!(codes, [206, 206, 200], "{format:?}");
        assert_ne!(id, [0; 16]);
        socket.options.batch_size = None;
        assert_eq!(socket.eval("g.inject(1L, 2L, 3L)").len(), 3);
        let id = socket.send(eval("g.V().hasLabel('nothing')"));
        assert_eq!(socket.answers(id), (204, vec![]), "{format:?}");
    }
    socket.ping();
    assert_eq!(socket.close(), []);
}

/// Gatling counted each of its users as failed: the server answered the goodbye of a WebSocket by ending its
/// TCP connection. Bound: none, it was so whenever the client closed first.
#[test]
fn a_goodbye_is_answered_by_one_whatever_is_under_way() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV().as('a').addE('e').to('a')");
    socket.close();
    let mut socket = Socket::open(server.gremlin);
    socket.send(eval("g.V().repeat(__.out()).times(2000000000).count()"));
    socket.send(in_session("s", eval("g.addV()")));
    socket.close();
    let mut socket = Socket::open(server.gremlin);
    assert_eq!(socket.count("g.V().count()"), 1, "the session was rolled back");
}

#[test]
fn a_text_frame_is_answered_by_one() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.send_text(
        r#"{"requestId": "41d2e28a-20a4-4ab0-b379-d810dede3786", "op": "eval", "processor": "",
            "args": {"gremlin": "g.inject(x).count()", "bindings": {"x": 7}, "language": "gremlin-groovy"}}"#,
    );
    match socket.frame() {
        Some(Message::Text(text)) => {
            let answer: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(answer["requestId"], "41d2e28a-20a4-4ab0-b379-d810dede3786");
            assert_eq!(answer["result"]["data"]["@value"][0]["@value"], 1);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytecode_gives_traversers_with_their_bulk_and_elements_as_they_are_asked_for() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval(
        "g.addV('a').property('n', 1).as('x').addV('b').addE('e').from('x').property('w', 2)",
    );
    let ask = |socket: &mut Socket, steps: Vec<Instruction>| {
        let bytecode = Bytecode { sources: Vec::new(), steps };
        let id = socket.send(Operation::Bytecode { bytecode, session: None });
        socket.answers(id).1
    };
    socket
        .eval("g.V().hasLabel('a').as('x').V().hasLabel('b').as('y').addE('f').from('x').to('y')");
    let bulks =
        ask(&mut socket, vec![step("V", vec![]), step("out", vec![]), step("label", vec![])]);
    let [Datum::Traverser(one)] = bulks.as_slice() else { panic!("{bulks:?}") };
    assert_eq!((one.bulk, &one.value), (2, &Datum::Value(Value::from("b"))));
    socket.eval("g.E().hasLabel('f').drop()");
    for (materialize, expected) in [(Materialize::All, Some(1)), (Materialize::Tokens, None)] {
        socket.options.materialize = materialize;
        let found =
            ask(&mut socket, vec![step("V", vec![]), step("hasLabel", vec![Value::from("a")])]);
        let [Datum::Traverser(one)] = found.as_slice() else { panic!("{found:?}") };
        let Datum::Vertex(vertex) = &one.value else { panic!("{found:?}") };
        assert_eq!(&*vertex.label, "a");
        let count = vertex.properties.as_ref().map(Vec::len).filter(|count| *count != 0);
        assert_eq!(count, expected, "{materialize:?}");
    }
    socket.options.materialize = Materialize::All;
    let edges = socket.eval("g.E()");
    let [Datum::Edge(edge)] = edges.as_slice() else { panic!("{edges:?}") };
    assert_eq!((&*edge.source.1, &*edge.target.1), ("a", "b"));
    assert_eq!(edge.properties.as_deref(), Some(&[("w".into(), Value::I32(2))][..]));
    let properties = socket.eval("g.V().properties('n')");
    let [Datum::VertexProperty(own)] = properties.as_slice() else { panic!("{properties:?}") };
    assert_eq!((&*own.key, &own.value), ("n", &Value::I32(1)));
    let paths = socket.eval("g.V().hasLabel('a').out().path()");
    let [Datum::Path(path)] = paths.as_slice() else { panic!("{paths:?}") };
    assert!(path.objects.iter().all(|object| matches!(object, Datum::Vertex(_))));
}

#[test]
fn a_slow_request_holds_no_other_one_up_and_ends_by_its_deadline() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV().as('a').addE('e').to('a')");
    socket.options.timeout_ms = Some(1_500);
    let slow = socket.send(eval("g.V().repeat(__.out()).times(2000000000).count()"));
    socket.options.timeout_ms = None;
    for _ in 0..20 {
        assert_eq!(socket.count("g.V().count()"), 1);
    }
    let answer = socket.answer();
    assert_eq!((answer.id, answer.code), (Some(slow), 598), "{}", answer.message);
}

#[test]
fn a_traversal_sets_its_deadline_and_the_detail_of_elements() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV('a').property('n', 1).as('a').addE('e').to('a')");
    let slow = "V().repeat(__.out()).times(2000000000).count()";
    let (code, message) = socket.fail(eval(&format!("g.with('evaluationTimeout', 300).{slow}")));
    assert_eq!(code, 598, "{message}");
    let (code, message) = socket.fail(eval("g.with('evaluationTimeout', 'soon').V()"));
    assert_eq!(code, 597);
    assert!(message.contains("milliseconds"), "{message}");
    let found = socket.eval("g.with('materializeProperties', 'tokens').V()");
    let [Datum::Vertex(vertex)] = found.as_slice() else { panic!("{found:?}") };
    assert!(vertex.properties.as_ref().is_none_or(Vec::is_empty), "{vertex:?}");
}

#[test]
fn a_client_that_vanishes_cancels_its_requests() {
    let server = start();
    let under_way = || {
        let page = server.get("/metrics").body;
        let line =
            page.lines().find_map(|line| line.strip_prefix("millrace_http_requests_under_way "));
        line.and_then(|count| count.parse::<f64>().ok()).expect("the page has the gauge")
    };
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV().as('a').addE('e').to('a')");
    socket.send(eval("g.V().repeat(__.out()).times(2000000000).count()"));
    wait_until("it runs", || under_way() == 1.0);
    drop(socket);
    wait_until("it was cancelled", || under_way() == 0.0);
    // One that reads nothing of a long answer, neither.
    let mut socket = Socket::open(server.gremlin);
    socket.options.batch_size = Some(1_000);
    let id = socket.send(eval("g.V().repeat(__.out()).emit().times(100000)"));
    assert_eq!(
        (socket.answer().id, under_way()),
        (Some(id), 1.0),
        "most of it waits for the client"
    );
    drop(socket);
    wait_until("it was cancelled", || under_way() == 0.0);
}

#[test]
fn first_writes_of_many_connections_to_an_empty_graph_all_succeed() {
    let server = start();
    let address = server.gremlin;
    thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                let mut socket = Socket::open(address);
                let ids: Vec<[u8; 16]> = (0..10)
                    .map(|number| {
                        let script = format!(
                            "g.addV('label{number}').property('key{number}', x).property('own{thread}', 1)"
                        );
                        socket.send(eval_with(&script, &[("x", Value::I64(number))]))
                    })
                    .collect();
                for _ in &ids {
                    let answer = socket.answer();
                    assert_eq!(answer.code, 200, "{}", answer.message);
                }
            });
        }
    });
    let mut socket = Socket::open(address);
    assert_eq!(socket.count("g.V().count()"), 80);
    assert_eq!(socket.count("g.V().hasLabel('label3').has('key3', 3).count()"), 8);
}

#[test]
fn ten_vertices_a_request_with_more_variables_than_others_allow() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let mut script = String::from("g");
    let mut bindings = Vec::new();
    for number in 0..100 {
        script.push_str(&format!(".addV('person').property('name', n{number})"));
        bindings.push((format!("n{number}"), Value::I64(number)));
    }
    script.push_str(".count()");
    let bindings: Vec<(&str, Value)> =
        bindings.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    for _ in 0..2 {
        let id = socket.send(eval_with(&script, &bindings));
        assert_eq!(socket.answers(id), (200, vec![number(1)]));
    }
    assert_eq!(socket.count("g.V().hasLabel('person').count()"), 200);
    assert_eq!(socket.count("g.V().has('name', 99).count()"), 2);
    let page = server.get("/metrics").body;
    assert!(
        page.contains("millrace_statement_cache_hits_total{kind=\"prepared_statement\"} "),
        "{page}"
    );
}

#[test]
fn aliases_name_graphs_and_an_unknown_one_is_named() {
    let server = start();
    assert_eq!(server.post("/dbs/other", "").status, 200);
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV()");
    assert_eq!(socket.count("other.V().count()"), 0);
    socket.options.aliases = vec![("g".to_owned(), "other".to_owned())];
    assert_eq!(socket.count("g.addV('x').V().count()"), 1);
    socket.options.aliases = vec![("g".to_owned(), "nothing".to_owned())];
    let (code, message) = socket.fail(eval("g.V()"));
    assert_eq!(code, 597);
    assert!(message.contains("`nothing`") && message.contains("other"), "{message}");
    assert_eq!(VertexId(1).0, 1);
}

/// A graph that was named `g` took the place of the default graph: all data seemed gone.
#[test]
fn g_is_the_graph_of_the_setting_in_every_interface() {
    let server = start();
    let mut before = Socket::open(server.gremlin);
    before.eval("g.addV('precious')");
    assert_eq!(server.post("/dbs/g", "").status, 409);
    let mut after = Socket::open(server.gremlin);
    let mut aliased = Socket::open(server.gremlin);
    aliased.options.aliases = vec![("g".to_owned(), "g".to_owned())];
    for socket in [&mut before, &mut after, &mut aliased] {
        assert_eq!(socket.count("g.V().hasLabel('precious').count()"), 1);
        assert_eq!(socket.count("graph.V().count()"), 1);
    }
    after.eval("g.addV('more')");
    for language in ["gremlin", "lua"] {
        let text = if language == "lua" { "AllNodesCount()" } else { "g.V().count()" };
        let body = serde_json::json!({ "language": language, "text": text });
        let reply = server.admin("POST", "/query/g", &body.to_string());
        assert!(reply.body.contains("{\"rows\":[[2]]}"), "{language}: {reply:?}");
    }
}

#[test]
fn an_unknown_graph_lists_each_graph_once_and_says_how_one_is_made() {
    let server = start();
    assert_eq!(server.post("/dbs/one", "").status, 200);
    assert_eq!(server.post("/dbs/shop", "").status, 200);
    let (_, message) = Socket::open(server.gremlin).fail(eval("gg.V()"));
    assert!(message.contains("graphs: g, one, shop;"), "{message}");
    assert!(message.contains("PUT /graphs/gg"), "{message}");
}
