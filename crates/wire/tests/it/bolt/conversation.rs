//! Messages there and back: requests, replies, and bytes that a real driver sent.

use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, Value};
use millrace_wire::bolt::chunks::Dechunker;
use millrace_wire::bolt::client::Half;
use millrace_wire::bolt::packstream::{Datum, Form};
use millrace_wire::bolt::{
    Amount, Auth, Failure, Hello, Reply, Request, Route, Run, TransactionOptions, Version,
    read_request, write_failure, write_ignored, write_record, write_request, write_success,
};

fn version(major: u8, minor: u8) -> Version {
    Version { major, minor }
}

fn options() -> TransactionOptions {
    TransactionOptions {
        bookmarks: vec!["one".into(), "two".into()],
        timeout_ms: Some(5_000),
        metadata: vec![("app".into(), Value::from("test"))],
        is_read_only: true,
        database: Some("neo4j".into()),
        ..TransactionOptions::default()
    }
}

fn requests() -> Vec<Request> {
    let parameters = vec![("x".into(), Value::list(vec![Value::I64(1), Value::from("a")]))];
    let address: Option<Arc<str>> = Some("localhost:7687".into());
    vec![
        Request::Hello(Hello {
            user_agent: "driver/1".into(),
            routing_address: address.clone(),
            ..Hello::default()
        }),
        Request::Logon(Auth::basic("neo4j", "secret")),
        Request::Logoff,
        Request::Telemetry,
        Request::Reset,
        Request::Goodbye,
        Request::Route(Route { address, bookmarks: vec!["one".into()], database: None }),
        Request::Run(Run { query: "RETURN $x".into(), parameters, options: options() }),
        Request::Run(Run { query: "RETURN 1".into(), ..Run::default() }),
        Request::Pull(Amount::ALL),
        Request::Pull(Amount { records: Some(1_000), query: Some(3) }),
        Request::Discard(Amount::ALL),
        Request::Begin(options()),
        Request::Begin(TransactionOptions::default()),
        Request::Commit,
        Request::Rollback,
    ]
}

#[test]
fn requests_are_read_as_they_were_written() {
    for request in requests() {
        let mut bytes = Vec::new();
        write_request(&mut bytes, &request, Form::of(Version::NEWEST)).unwrap();
        assert_eq!(read_request(&bytes, Version::NEWEST), Ok(request.clone()));
        assert_eq!(Request::is_reset(&bytes), request == Request::Reset);
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(read_request(&longer, Version::NEWEST).is_err(), "{}", request.name());
        for length in 0..bytes.len() {
            assert!(read_request(&bytes[..length], Version::NEWEST).is_err());
        }
    }
}

#[test]
fn before_5_1_the_login_is_in_hello() {
    let auth = Auth::basic("neo4j", "secret");
    let hello = Hello { user_agent: "d".into(), auth, wants_utc: true, ..Hello::default() };
    let mut bytes = Vec::new();
    write_request(&mut bytes, &Request::Hello(hello.clone()), Form::of(version(4, 4))).unwrap();
    assert_eq!(read_request(&bytes, version(4, 4)), Ok(Request::Hello(hello)));
    for (request, oldest) in [
        (Request::Logon(Auth::none()), (5, 1)),
        (Request::Logoff, (5, 1)),
        (Request::Telemetry, (5, 4)),
    ] {
        let mut bytes = Vec::new();
        write_request(&mut bytes, &request, Form::of(Version::NEWEST)).unwrap();
        for served in Version::SERVED {
            let is_known = version(oldest.0, oldest.1) <= served;
            assert_eq!(read_request(&bytes, served).is_ok(), is_known, "{served}");
        }
    }
}

#[test]
fn before_4_0_a_result_is_sent_as_a_whole_and_no_database_is_named() {
    let old = version(3, 0);
    for (request, bytes) in [
        (Request::Pull(Amount::ALL), &b"\xb0\x3f"[..]),
        (Request::Discard(Amount::ALL), b"\xb0\x2f"),
    ] {
        let mut written = Vec::new();
        write_request(&mut written, &request, Form::of(old)).unwrap();
        assert_eq!(written, bytes);
        assert_eq!(read_request(bytes, old), Ok(request));
        assert!(read_request(bytes, version(4, 0)).is_err());
    }
    let error = read_request(b"\xb1\x3f\xa1\x81n\xff", old).unwrap_err();
    assert!(error.to_string().contains("PULL_ALL has 0 fields"), "{error}");
    let begin = b"\xb1\x11\xa1\x82db\x81x";
    let error = read_request(begin, old).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.to_string().contains("not supported in Bolt Protocol 3.0. Database name \"x\""));
    assert!(read_request(begin, version(4, 0)).is_ok());
    assert!(read_request(b"\xb1\x11\xa1\x82db\xc0", old).is_ok(), "null names none");
}

#[test]
fn before_4_3_no_message_asks_for_routes() {
    let mut bytes = Vec::new();
    let route = Request::Route(Route::default());
    write_request(&mut bytes, &route, Form::of(Version::NEWEST)).unwrap();
    for served in Version::SERVED {
        assert_eq!(read_request(&bytes, served).is_ok(), version(4, 3) <= served, "{served}");
    }
}

#[test]
fn a_password_is_never_shown() {
    let shown = format!("{:?}", Request::Logon(Auth::basic("ann", "secret")));
    assert!(shown.contains("ann") && !shown.contains("secret"), "{shown}");
}

/// The bytes are those of the Python driver 5.28.
#[test]
fn messages_of_a_driver_are_read() {
    let run = b"\xb3\x10\x88RETURN 1\xa0\xa1\x84mode\x81r";
    let expected = TransactionOptions { is_read_only: true, ..TransactionOptions::default() };
    let read = read_request(run, Version::NEWEST);
    assert!(matches!(&read, Ok(Request::Run(run)) if run.options == expected), "{read:?}");
    let pull = b"\xb1\x3f\xa1\x81n\xc9\x03\xe8";
    let amount = Amount { records: Some(1_000), query: None };
    assert_eq!(read_request(pull, Version::NEWEST), Ok(Request::Pull(amount)));
    let pull = b"\xb1\x3f\xa2\x81n\xff\x83qid\xff";
    assert_eq!(read_request(pull, Version::NEWEST), Ok(Request::Pull(Amount::ALL)));
    let hello = b"\xb1\x01\xa3\x8auser_agent\x81d\x87routing\xc0\x8abolt_agent\xa1\x87product\x81p";
    let expected = Hello { user_agent: "d".into(), ..Hello::default() };
    assert_eq!(read_request(hello, Version::NEWEST), Ok(Request::Hello(expected)));
    let route = b"\xb3\x66\xa1\x87address\x83h:1\x90\xa1\x82db\xc0";
    let expected = Route { address: Some("h:1".into()), ..Route::default() };
    assert_eq!(read_request(route, Version::NEWEST), Ok(Request::Route(expected)));
}

#[test]
fn options_that_cannot_be_honoured_are_refused() {
    for (bytes, kind) in [
        (&b"\xb1\x11\xa1\x88imp_user\x83bob"[..], ErrorKind::Unsupported),
        (b"\xb1\x11\xa1\x84mode\x81x", ErrorKind::BadInput),
        (b"\xb1\x11\xa1\x8atx_timeout\xff", ErrorKind::BadInput),
        (b"\xb1\x11\xa1\x8atx_timeout\x81x", ErrorKind::BadInput),
        (b"\xb1\x11\xa1\x89bookmarks\x81x", ErrorKind::BadInput),
        (b"\xb1\x11\xa1\x89bookmarks\x91\x01", ErrorKind::BadInput),
        (b"\xb1\x3f\xa0", ErrorKind::BadInput),
        (b"\xb1\x3f\xa1\x81n\x00", ErrorKind::BadInput),
        (b"\xb1\x3f\xa1\x81n\xfe", ErrorKind::BadInput),
        (b"\xb3\x10\x81x\xa1\x81n\xb4\x4e\x01\x90\xa0\x81\x31\xa0", ErrorKind::Unsupported),
        (b"\xb1\x01\xa0", ErrorKind::BadInput),
    ] {
        let error = read_request(bytes, Version::NEWEST).unwrap_err();
        assert_eq!(error.kind, kind, "{error}");
    }
    let passed_over = b"\xb1\x11\xa2\x84what\x91\xa1\x81a\x01\x8atx_timeout\x00";
    let default = Request::Begin(TransactionOptions::default());
    assert_eq!(read_request(passed_over, Version::NEWEST), Ok(default));
}

#[test]
fn replies_are_read_as_they_were_written() {
    let form = Form::of(Version::NEWEST);
    let mut bytes = Vec::new();
    write_success(&mut bytes, &[("n", Value::I64(1))], form).unwrap();
    let fields = vec![("n".into(), Datum::Value(Value::I64(1)))];
    assert_eq!(Reply::read(&bytes), Ok(Reply::Success(fields)));
    bytes.clear();
    write_record(&mut bytes, &[Value::Null], &Default::default(), form).unwrap();
    assert_eq!(Reply::read(&bytes), Ok(Reply::Record(vec![Datum::Value(Value::Null)])));
    bytes.clear();
    write_ignored(&mut bytes, form);
    assert_eq!((Reply::read(&bytes), bytes.len()), (Ok(Reply::Ignored), 2));
    let error = Error::new(ErrorKind::BadQuery, "no").in_phase(Phase::Parse);
    for served in Version::SERVED {
        bytes.clear();
        write_failure(&mut bytes, &Failure::of(&error), Form::of(served)).unwrap();
        let Ok(Reply::Failure(failure)) = Reply::read(&bytes) else { panic!("a failure") };
        assert_eq!(
            (&*failure.code, &*failure.message),
            ("Neo.ClientError.Statement.SyntaxError", "no")
        );
        let has_status = bytes.windows(10).any(|part| part == b"gql_status");
        assert_eq!(has_status, version(5, 7) <= served);
    }
}

#[test]
fn a_client_speaks_to_a_server_without_a_socket() {
    let mut client = Half::new(Some(version(5, 4)));
    assert_eq!(client.take_outgoing().len(), 20);
    client.push(&[0, 0]).unwrap();
    assert_eq!(client.version(), None);
    client.push(&[4, 5]).unwrap();
    assert_eq!(client.version(), Some(version(5, 4)));
    client.request(&Request::Reset).unwrap();
    let mut server = Dechunker::new(100);
    server.push(&client.take_outgoing());
    let message = server.next_message().unwrap().expect("a message");
    assert_eq!(read_request(&message, version(5, 4)), Ok(Request::Reset));
    client.push(&[0, 3, 0xB1, 0x70, 0xA0, 0, 0]).unwrap();
    assert_eq!(client.reply(), Ok(Some(Reply::Success(Vec::new()))));
    assert_eq!(client.reply(), Ok(None));
}
