//! Mistakes of clients: each has its code, and harms no other client.

use millrace_server::wire::gremlin::{Operation, Options, Request, write_frame};

use super::socket::{Socket, eval};
use super::start;
use crate::client::start_with;

#[test]
fn each_mistake_has_its_code_and_a_message() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let deep = format!("g.V(){}{}", ".map(__.out()".repeat(400), ")".repeat(400));
    let mistakes: [(&str, u16, &str); 12] = [
        ("g.V().nosuch()", 597, "nosuch"),
        ("g.V().out(1, 2, g)", 597, ""),
        ("g.V().limit('a')", 597, "limit"),
        ("g.V(", 597, ""),
        ("g", 597, "g.V()"),
        ("g.V().next()", 597, "next()"),
        ("[1,2].each { println it }", 597, ""),
        ("g.V().map{it.get()}", 597, ""),
        ("g.V(missing)", 597, "`missing`"),
        ("g.inject(1).fail('stop here')", 595, "stop here"),
        ("g.inject('a').math('_ + 1')", 597, ""),
        (&deep, 597, ""),
    ];
    for (script, code, word) in mistakes {
        let (found, message) = socket.fail(eval(script));
        assert_eq!(found, code, "{script}: {message}");
        assert!(message.contains(word), "{script}: {message}");
    }
    assert_eq!(socket.count("g.inject(1).count()"), 1, "the connection is unharmed");
}

#[test]
fn half_a_frame_a_wrong_mime_type_and_a_wrong_operation_are_refused() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let request = Request { id: [9; 16], operation: eval("g.V()"), options: Options::default() };
    let frame = write_frame(&request, socket.format).expect("a request has a form");
    socket.send_raw(frame[..frame.len() / 2].to_vec());
    let answer = socket.answer();
    assert_eq!((answer.id, answer.code), (Some([9; 16]), 497), "{}", answer.message);
    let mut wrong = vec![10];
    wrong.extend_from_slice(b"text/plain{}");
    socket.send_raw(wrong);
    let answer = socket.answer();
    assert_eq!(answer.code, 497);
    assert!(answer.message.contains("text/plain"), "{}", answer.message);
    socket.send_raw(Vec::new());
    assert_eq!(socket.answer().code, 497);
    socket.send_text(
        r#"{"requestId": "41d2e28a-20a4-4ab0-b379-d810dede3786", "op": "dance", "processor": ""}"#,
    );
    let text = socket.frame().expect("it is answered").into_text().expect("as text");
    assert!(text.contains("498") && text.contains("dance"), "{text}");
    assert_eq!(socket.count("g.inject(1).count()"), 1);
}

#[test]
fn a_message_that_is_too_long_ends_its_connection_and_no_other() {
    let server = start_with(|settings| settings.gremlin.message_bytes_max = 100_000);
    let mut other = Socket::open(server.gremlin);
    let mut socket = Socket::open(server.gremlin);
    let long = format!("g.inject('{}').count()", "x".repeat(90_000));
    assert_eq!(socket.count(&long), 1);
    let longer = format!("g.inject('{}')", "x".repeat(200_000));
    socket.send(eval(&longer));
    let (code, reason) = socket.closed();
    assert_eq!(code, 1009, "{reason}");
    assert!(reason.contains("100000 bytes"), "{reason}");
    assert_eq!(other.count("g.inject(1).count()"), 1);
}

/// As long as a client may send by mistake.
const MANY_BYTES: usize = 100 << 20;

#[test]
fn a_script_of_100_megabytes_is_refused_by_its_length() {
    let server = start();
    let mut other = Socket::open(server.gremlin);
    let script = format!("g.inject('{}')", "x".repeat(MANY_BYTES));
    let mut socket = Socket::open(server.gremlin);
    socket.send_and_be_cut_off(eval(&script));
    let (code, reason) = socket.closed();
    assert_eq!(code, 1009, "{reason}");
    assert!(reason.contains("gremlin.message-bytes-max"), "{reason}");
    assert_eq!(other.count("g.inject(1).count()"), 1);
    let body = format!("{{\"gremlin\": \"{script}\"}}");
    let (status, body) = super::http::ask(&server, "POST", "/gremlin", &[], &body);
    assert_eq!(status, 413, "{body}");
    assert!(body.contains("gremlin.message-bytes-max"), "{body}");
    assert_eq!(other.count("g.inject(1).count()"), 1);
}

#[test]
fn bytes_that_are_no_websocket_frame_are_refused() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    // A frame with bits that were not negotiated.
    socket.send_bytes(&[0xF1, 0x80, 0, 0, 0, 0]);
    let (code, reason) = socket.closed();
    assert_eq!(code, 1002, "{reason}");
    let mut socket = Socket::open(server.gremlin);
    // A text that is none.
    socket.send_bytes(&[0x81, 0x81, 0, 0, 0, 0, 0xFF]);
    let (code, reason) = socket.closed();
    assert_eq!(code, 1007, "{reason}");
}

#[test]
fn a_query_over_its_memory_fails_alone() {
    let server = start_with(|settings| settings.query.bytes_max = 1 << 20);
    let mut socket = Socket::open(server.gremlin);
    socket.eval("g.addV().as('a').addE('e').to('a').addE('e').from('a').to('a')");
    let (code, message) =
        socket.fail(eval("g.V().repeat(__.both().barrier()).emit().times(40).path().fold()"));
    assert_eq!(code, 597, "{message}");
    assert_eq!(socket.count("g.V().count()"), 1);
}

#[test]
fn requests_above_the_limit_are_refused_with_retry_after() {
    let server = start_with(|settings| settings.http.requests_max = 1);
    let mut busy = Socket::open(server.gremlin);
    busy.eval("g.addV().as('a').addE('e').to('a')");
    busy.options.timeout_ms = Some(1_000);
    let mut other = Socket::open(server.gremlin);
    // Either may find the one place taken by the other.
    super::wait_until("the other is refused while the slow one runs", || {
        let slow = busy.send(eval("g.V().repeat(__.out()).times(2000000000).count()"));
        let is_refused = (0..100).any(|_| {
            let id = other.send(eval("g.inject(1)"));
            other.answers(id).0 == 429
        });
        let outcome = busy.answers(slow).0;
        assert!([429, 598].contains(&outcome), "{outcome}");
        is_refused && outcome == 598
    });
}

#[test]
fn a_way_to_log_in_that_there_is_not_is_refused() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let proof = Operation::Authenticate { mechanism: Some("GSSAPI".into()), response: vec![] };
    let (code, message) = socket.fail(proof);
    assert_eq!(code, 401);
    assert!(message.contains("PLAIN"), "{message}");
    assert_eq!(socket.count("g.inject(1).count()"), 1);
}
