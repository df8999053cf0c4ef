//! Small requests are answered on the thread of their connection; one that would block there has no effect.

use std::thread;

use millrace_model::Value;
use millrace_server::wire::gremlin::Datum;

use super::number;
use super::socket::Socket;
use crate::client::{Running, start};

/// Requests that were tried inline, by their outcome.
pub(crate) fn inline(server: &Running, outcome: &str) -> u64 {
    let page = server.get("/metrics").body;
    let name = format!("millrace_requests_inline_total{{outcome=\"{outcome}\"}} ");
    let line = page.lines().find_map(|line| line.strip_prefix(&name));
    line.expect("it is counted").parse().expect("it is a number")
}

/// The outcome of a request.
fn outcome(server: &Running, work: impl FnOnce()) -> &'static str {
    let before = ["answered", "queued"].map(|outcome| inline(server, outcome));
    work();
    let after = ["answered", "queued"].map(|outcome| inline(server, outcome));
    match [after[0] - before[0], after[1] - before[1]] {
        [1, 0] => "answered",
        [0, 1] => "queued",
        other => panic!("one request, and not {other:?}"),
    }
}

#[test]
fn a_statement_runs_inline_once_it_is_compiled_and_only_while_it_is_small() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let mut run = |text: &str| {
        outcome(&server, || {
            socket.eval(text);
        })
    };
    let add = "g.addV('person').property('name', 'ann').id()";
    assert_eq!(run(add), "queued", "neither the text nor the names are known");
    assert_eq!(run(add), "answered");
    assert_eq!(run("g.addV('person').property('name', 'ben').id()"), "answered", "literals differ");
    let read = "g.V(1).values('name')";
    assert_eq!((run(read), run(read)), ("queued", "answered"));
    let scan = "g.V().has('name', 'ann').count()";
    assert_eq!((run(scan), run(scan)), ("queued", "queued"));
    let long = "g.inject(1).repeat(identity()).times(100000).count()";
    assert_eq!((run(long), run(long), run(long)), ("queued", "queued", "queued"));
}

/// A request that meets a write conflict inline is run again on the pool, and its effect happens once.
#[test]
fn increments_of_one_counter_are_all_there_and_none_twice() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV('counter').property('n', 0).id()");
    let id = socket.eval("g.V().hasLabel('counter').id()")[0].clone();
    assert_eq!(id, number(1));
    let text = "g.V(1).property('n', __.union(__.values('n'), __.constant(1)).sum()).iterate()";
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut socket = Socket::open(server.gremlin);
                (0..50).for_each(|_| drop(socket.eval(text)));
            });
        }
    });
    assert_eq!(socket.eval("g.V(1).values('n')"), [Datum::Value(Value::I32(200))]);
    assert!(100 < inline(&server, "answered"), "most of them met no conflict");
}
