//! `profile()`: the measurements of a traversal, by text, by bytecode and in a session, in each format.

use millrace_model::{Profile, ProfileNode, Value};
use millrace_server::wire::gremlin::bytecode::Bytecode;
use millrace_server::wire::gremlin::graphson::Version;
use millrace_server::wire::gremlin::{Datum, Format, Operation};

use super::socket::{Socket, eval, in_session};
use super::{number, start, step};

/// Two edges from one vertex to another.
const GRAPH: &str =
    "g.addV('a').as('x').addV('b').as('y').addE('e').from('x').to('y').addE('e').from('x').to('y')";

fn only(mut data: Vec<Datum>) -> Box<Profile> {
    assert_eq!(data.len(), 1, "{data:?}");
    match data.remove(0) {
        Datum::TraversalMetrics(metrics) => metrics,
        Datum::Traverser(traverser) => only(vec![traverser.value]),
        other => panic!("{other:?}"),
    }
}

fn count(metrics: &ProfileNode, name: &str) -> Option<i64> {
    metrics.counts.iter().find(|(own, _)| &**own == name).map(|(_, count)| *count)
}

/// Checks the measurements of `V().out()` over the graph.
fn check(metrics: &Profile) {
    let names: Vec<&str> = metrics.operators.iter().map(|step| &*step.name).collect();
    assert_eq!(names, ["V", "out"], "{metrics:?}");
    let elements: Vec<Option<i64>> =
        metrics.operators.iter().map(|step| count(step, "elementCount")).collect();
    assert_eq!(elements, [Some(2), Some(2)]);
    let nanos: i64 = metrics.operators.iter().map(|step| step.nanos).sum();
    assert_eq!(metrics.nanos, nanos);
    let shares = metrics.operators.iter().flat_map(|step| &step.annotations);
    let shares = shares.filter(|(key, _)| *key == Value::from("percentDur"));
    let all: f64 = shares.filter_map(|(_, share)| share.as_double()).sum();
    assert!((all - 100.0).abs() < 1e-6, "{all}");
}

#[test]
fn the_measurements_of_a_traversal_come_in_place_of_its_results() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval(GRAPH);
    for format in
        [Format::GraphBinary, Format::GraphSon(Version::V3), Format::GraphSon(Version::V2)]
    {
        socket.format = format;
        for text in [
            "g.V().out('e').profile()",
            "g.V().out('e').profile().next()",
            "g.V().out('e').profile().toList()",
            "g.V().out('e').profile('m').cap('m')",
        ] {
            check(&only(socket.eval(text)));
        }
        assert_eq!(socket.eval("g.V().out('e').profile('m')").len(), 2);
        assert_eq!(socket.eval("g.V().out('e').profile('m').next(1)").len(), 1);
        assert!(socket.eval("g.V().out('e').profile().iterate()").is_empty());
        let steps =
            vec![step("V", vec![]), step("out", vec![Value::from("e")]), step("profile", vec![])];
        let bytecode = Bytecode { sources: Vec::new(), steps };
        let id = socket.send(Operation::Bytecode { bytecode, session: None });
        check(&only(socket.answers(id).1));
    }
}

#[test]
fn a_profiled_traversal_in_a_session_sees_and_makes_its_writes() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let mut ask = |text: &str| {
        let id = socket.send(in_session("s", eval(text)));
        socket.answers(id).1
    };
    ask(&format!("{GRAPH}.iterate()"));
    check(&only(ask("g.V().out('e').profile()")));
    only(ask("g.V().hasLabel('a').addE('f').to(__.V().hasLabel('b')).profile()"));
    assert_eq!(ask("g.E().hasLabel('f').count()"), [number(1)]);
}

#[test]
fn steps_inside_a_step_are_reported_inside_it() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval(GRAPH);
    let metrics = only(socket.eval("g.V().local(__.out('e').limit(1)).profile()"));
    let names = |operators: &[ProfileNode]| -> Vec<String> {
        operators.iter().map(|step| step.name.to_string()).collect()
    };
    let nested: Vec<String> =
        metrics.operators.iter().flat_map(|step| names(&step.nested)).collect();
    assert!(nested.contains(&"out".to_owned()), "{metrics:?}");
}

#[test]
fn it_is_the_end_of_a_traversal_or_is_refused() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    for text in [
        "g.V().profile().count()",
        "g.V().profile('m').cap('n')",
        "g.V().profile('m', 'n')",
        "g.V().map(__.out().profile())",
        "g.profile()",
        "m = g.V().profile().next(); m",
    ] {
        let (code, message) = socket.fail(eval(text));
        assert_eq!(code, 597, "{text}: {message}");
    }
}

#[test]
fn only_the_step_that_fails_has_a_code_of_its_own() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let (code, message) = socket.fail(eval("g.inject(1).fail('so it is')"));
    assert_eq!((code, message.contains("so it is")), (595, true), "{message}");
    let made = "g.inject([(T.label): 'P', name: 'a']).as('m').mergeV(__.select('m'))\
                .option(Merge.onCreate, __.constant('b').project('name'))";
    let (code, message) = socket.fail(eval(made));
    assert_eq!((code, message.contains("cannot override")), (597, true), "{message}");
}
