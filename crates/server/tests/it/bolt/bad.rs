//! What a client can do wrong: other protocols, half messages, wrong order, limits.

use std::io::{Read, Write};
use std::net::TcpStream;

use millrace_server::wire::bolt::client::ClientError;
use millrace_server::wire::bolt::{Amount, Reply, Request, Run};

use super::{count, failure, open, run, start};
use crate::client::start_with;

/// Bytes that the server answers with until it closes.
fn answer(bytes: &[u8], server: &crate::client::Running) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.bolt).expect("works");
    stream.write_all(bytes).expect("works");
    let mut answer = Vec::new();
    // A reset is an end, too.
    let _end = stream.read_to_end(&mut answer);
    answer
}

#[test]
fn a_handshake_that_fails_closes_the_connection() {
    let server = start();
    assert_eq!(answer(b"hello, is this Bolt?", &server), b"");
    let old = b"\x60\x60\xb0\x17\0\0\0\x02\0\0\0\x01\0\0\0\0\0\0\0\0";
    assert_eq!(answer(old, &server), [0; 4]);
    count(&mut open(&server), "g.inject(1).count()");
}

#[test]
fn a_request_that_is_not_awaited_is_refused_and_the_connection_closed() {
    let server = start();
    for request in [Request::Pull(Amount::ALL), Request::Commit, Request::Rollback] {
        let mut client = open(&server);
        client.send(&request).expect("works");
        client.flush().expect("works");
        let Reply::Failure(failure) = client.receive().expect("works") else { panic!("a failure") };
        assert_eq!(&*failure.code, "Neo.ClientError.Request.Invalid");
        assert!(matches!(client.receive(), Err(ClientError::Broken(_))));
    }
}

#[test]
fn bytes_that_are_no_message_fail_and_a_reset_helps() {
    let server = start();
    let mut client = open(&server);
    client.stream().write_all(b"\0\x02\xb0\x77\0\0").expect("works");
    let Reply::Failure(wrong) = client.receive().expect("works") else { panic!("a failure") };
    assert_eq!(wrong.title(), "InvalidFormat");
    client.reset().expect("works");
    client.stream().write_all(b"\0\x04\xb1\x10\x81x\0\0").expect("works");
    assert!(matches!(client.receive().expect("works"), Reply::Failure(_)));
    client.reset().expect("works");
    assert_eq!(count(&mut client, "g.inject(1).count()"), 1);
}

#[test]
fn a_message_that_is_too_long_is_refused() {
    let server = start_with(|settings| settings.bolt.message_bytes_max = 200_000);
    let mut client = open(&server);
    let query = format!("g.inject('{}').count()", "x".repeat(150_000));
    run(&mut client, &query);
    let query = format!("g.inject('{}').count()", "x".repeat(250_000));
    client.send(&Request::Run(Run { query: query.into(), ..Run::default() })).expect("works");
    client.flush().expect("works");
    let Reply::Failure(wrong) = client.receive().expect("works") else { panic!("a failure") };
    assert!(wrong.message.contains("200000 bytes"), "{wrong:?}");
    assert!(matches!(client.receive(), Err(ClientError::Broken(_))));
}

#[test]
fn a_client_that_is_gone_in_mid_message_harms_no_other() {
    let server = start();
    let client = open(&server);
    client.stream().write_all(b"\0\x20\xb3\x10\x88").expect("works");
    drop(client);
    assert_eq!(count(&mut open(&server), "g.inject(1).count()"), 1);
}

#[test]
fn a_value_without_a_parameter_is_an_error_of_the_query() {
    let server = start();
    let mut client = open(&server);
    let wrong = failure(client.run("g.inject(x)", &[]));
    assert!(wrong.code.starts_with("Neo.ClientError."), "{wrong:?}");
}
