//! Sessions and transactions: which state outlives a request, and which ends with its connection.

use millrace_model::Value;
use millrace_server::wire::gremlin::bytecode::Bytecode;
use millrace_server::wire::gremlin::{Operation, Session};

use super::socket::{Socket, eval, in_session};
use super::{number, start, step, wait_until};
use crate::client::start_with;

fn said(word: &str) -> Operation {
    let sources = vec![step("tx", vec![Value::from(word)])];
    let bytecode = Bytecode { sources, steps: Vec::new() };
    in_session("s", Operation::Bytecode { bytecode, session: None })
}

fn run(socket: &mut Socket, script: &str) -> u16 {
    let id = socket.send(in_session("s", eval(script)));
    socket.answers(id).0
}

#[test]
fn a_transaction_is_seen_by_others_once_it_is_committed() {
    let server = start();
    let mut own = Socket::open(server.gremlin);
    let mut other = Socket::open(server.gremlin);
    assert_eq!(run(&mut own, "g.addV('a').iterate()"), 204);
    let id = own.send(in_session("s", eval("g.V().count()")));
    assert_eq!(own.answers(id), (200, vec![number(1)]), "it sees what it wrote");
    assert_eq!(other.count("g.V().count()"), 0);
    let id = own.send(said("commit"));
    assert_eq!(own.answers(id), (204, vec![]));
    assert_eq!(other.count("g.V().count()"), 1);
    run(&mut own, "g.addV('b').iterate()");
    let id = own.send(said("rollback"));
    assert_eq!(own.answers(id).0, 204);
    run(&mut own, "g.addV('c').iterate()");
    assert_eq!(run(&mut own, "g.tx().commit()"), 204, "said in text, too");
    assert_eq!(other.count("g.V().count()"), 2);
    assert_eq!(other.count("g.V().hasLabel('b').count()"), 0);
}

#[test]
fn a_session_keeps_variables_and_runs_one_request_after_the_other() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let ids: Vec<[u8; 16]> = [
        "x = g.addV('a').next()",
        "y = g.addV('b').next()",
        "g.V(x).addE('e').to(y).iterate()",
        "g.tx().commit()",
        "g.E().count()",
    ]
    .map(|script| socket.send(in_session("s", eval(script))))
    .to_vec();
    for id in &ids[..4] {
        assert!(matches!(socket.answers(*id).0, 200 | 204));
    }
    assert_eq!(socket.answers(ids[4]), (200, vec![number(1)]));
    let (code, message) = socket.fail(eval("g.V(x)"));
    assert_eq!(code, 597);
    assert!(message.contains("`x`"), "another request does not know it: {message}");
}

#[test]
fn an_open_transaction_ends_with_its_session_and_with_the_connection() {
    let server = start();
    let mut other = Socket::open(server.gremlin);
    let mut own = Socket::open(server.gremlin);
    run(&mut own, "g.addV('closed').iterate()");
    let id = own.send(Operation::Close { session: "s".to_owned(), force: false });
    assert_eq!(own.answers(id), (204, vec![]));
    let id = own.send(said("commit"));
    assert_eq!(own.answers(id).0, 204, "of a new session: there is nothing");
    run(&mut own, "g.addV('vanished').iterate()");
    drop(own);
    let mut third = Socket::open(server.gremlin);
    let id = third.send(said("commit"));
    assert_eq!(third.answers(id).0, 204, "a session belongs to its connection");
    assert_eq!(other.count("g.V().count()"), 0);
}

#[test]
fn a_failure_leaves_nothing_of_its_transaction_and_half_of_it_cannot_be_committed() {
    let server = start();
    let mut own = Socket::open(server.gremlin);
    run(&mut own, "g.addV('a').iterate()");
    let (code, _) = own.fail(in_session("s", eval("g.V().fail('no')")));
    assert_eq!(code, 595);
    let (code, message) = own.fail(in_session("s", eval("g.addV('b')")));
    assert_eq!(code, 597);
    assert!(message.contains("rollback"), "{message}");
    let (code, message) = own.fail(said("commit"));
    assert_eq!(code, 597);
    assert!(message.contains("there is no change to commit"), "{message}");
    assert_eq!(run(&mut own, "g.addV('c').iterate()"), 204, "it is over");
    assert_eq!(run(&mut own, "g.tx().commit()"), 204);
    assert_eq!(own.count("g.V().count()"), 1);
    run(&mut own, "g.addV('d').iterate()");
    own.fail(in_session("s", eval("g.V().fail('no')")));
    let id = own.send(said("rollback"));
    assert_eq!(own.answers(id).0, 204);
    assert_eq!(run(&mut own, "g.V().count()"), 200);
}

#[test]
fn a_session_whose_requests_are_transactions_commits_each() {
    let server = start();
    let mut own = Socket::open(server.gremlin);
    let session = Session { name: "m".to_owned(), manages_transaction: true, keeps_state: false };
    let ask = |script: &str| match eval(script) {
        Operation::Eval { script, language, bindings, .. } => {
            Operation::Eval { script, language, bindings, session: Some(session.clone()) }
        }
        other => other,
    };
    let id = own.send(ask("x = g.addV('a').next()"));
    assert_eq!(own.answers(id).0, 200);
    assert_eq!(Socket::open(server.gremlin).count("g.V().count()"), 1);
    let (code, _) = own.fail(ask("g.V(x).fail()"));
    assert_eq!(code, 595);
    let (_, message) = own.fail(ask("g.V(x)"));
    assert!(
        message.contains("`x`"),
        "variables do not outlive a failure unless that is asked: {message}"
    );
}

#[test]
fn two_transactions_that_change_the_same_cannot_both_commit() {
    let server = start();
    let mut one = Socket::open(server.gremlin);
    let mut other = Socket::open(server.gremlin);
    one.eval("g.addV('counter').property('n', 0)");
    run(&mut one, "g.V().property('n', 1).iterate()");
    run(&mut other, "g.V().property('n', 2).iterate()");
    assert_eq!(run(&mut one, "g.tx().commit()"), 204);
    let (code, message) = other.fail(said("commit"));
    assert_eq!(code, 596, "{message}");
    assert_eq!(one.count("g.V().values('n')"), 1);
    // Without a session both are run until both are there.
    let ids =
        [one.send(eval("g.V().property('m', 1)")), other.send(eval("g.V().property('m', 2)"))];
    assert_eq!((one.answers(ids[0]).0, other.answers(ids[1]).0), (200, 200));
}

#[test]
fn a_session_that_does_nothing_is_rolled_back_and_its_client_hears_of_it() {
    let server = start_with(|settings| settings.gremlin.session_idle_ms = 1);
    let mut own = Socket::open(server.gremlin);
    assert_eq!(run(&mut own, "g.addV('a').iterate()"), 204);
    wait_until("the session has ended", || {
        server.get("/metrics").body.contains("millrace_gremlin_sessions 0\n")
    });
    let (code, message) = own.fail(said("commit"));
    assert_eq!(code, 597);
    assert!(message.contains("rolled back"), "{message}");
    assert_eq!(own.count("g.V().count()"), 0);
}

#[test]
fn variables_of_a_session_hold_no_more_than_a_query_may() {
    let server = start_with(|settings| settings.query.bytes_max = 1 << 20);
    let mut socket = Socket::open(server.gremlin);
    let long = "x".repeat(100_000);
    let assign = |name: usize| in_session("s", eval(&format!("v{name} = '{long}'; 1")));
    for name in 0..10 {
        let id = socket.send(assign(name));
        assert_eq!(socket.answers(id).0, 200, "v{name}");
    }
    let (code, message) = socket.fail(assign(10));
    assert_eq!(code, 597);
    assert!(message.contains("`v10`") && message.contains("1048576 bytes"), "{message}");
    // Earlier variables are still there, and freed room can be used again.
    assert_eq!(run(&mut socket, "v3 = null; 1"), 200);
    let id = socket.send(assign(10));
    assert_eq!(socket.answers(id).0, 200);
    let (code, _) = socket.fail(in_session("s", eval("v11 = g.inject(v0, v1, v2).toList(); 1")));
    assert_eq!(code, 597, "what a traversal gives counts as well");
}
