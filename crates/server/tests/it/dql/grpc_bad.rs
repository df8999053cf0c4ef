//! Bad calls over Dgraph's gRPC. The codes were compared with those of a Dgraph v25.3.

use std::path::Path;

use millrace_server::db::Database;
use millrace_server::wire::dql::{
    Jwt, LoginRequest, Operation, Payload, Request, Response, TxnContext, decoded, framed, unframed,
};

use super::grpc::{
    ABORTED, Failed, INTERNAL, UNAUTHENTICATED, UNIMPLEMENTED, UNKNOWN, call, on, query, send,
    setting, start,
};
use crate::client::{Running, settings, start_over, start_with_ann};

const ANSWERED: &str = "{ q(func: has(name)) { name } }";

fn aborted() -> Failed {
    (ABORTED, "Transaction has been aborted. Please retry".to_owned())
}

/// The context of a transaction that wrote.
fn written(server: &Running, quads: &'static str) -> TxnContext {
    let changed: Response = call!(server, "Query", setting(quads)).expect("a client may write");
    changed.txn.expect("a transaction has a number")
}

fn end(server: &Running, txn: &TxnContext) -> Result<TxnContext, Failed> {
    call!(server, "CommitOrAbort", *txn)
}

fn committed(server: &Running, quads: &'static str) -> TxnContext {
    let txn = written(server, quads);
    end(server, &txn).expect("no other wrote it");
    txn
}

fn asked(server: &Running, start_ts: u64) -> Result<String, Failed> {
    let request = Request { start_ts, ..query(ANSWERED) };
    let found: Response = call!(server, "Query", request)?;
    Ok(String::from_utf8_lossy(&found.json).into_owned())
}

#[test]
fn calls_that_are_none_are_refused_by_name() {
    let server = start();
    let to = |path: &str, body: &[u8]| send(server.dql_grpc, path, body.to_vec(), &[]).unwrap_err();
    for unknown in ["/api.Dgraph/Nothing", "/api.Nothing/Query", "/nothing"] {
        let (code, message) = to(unknown, b"");
        assert!(code == UNIMPLEMENTED && message.contains(unknown), "{message}");
    }
    let (code, message) = to("/api.Dgraph/StreamExtSnapshot", b"");
    assert!(code == UNIMPLEMENTED && message.contains("snapshots"), "{message}");
    let methods = ["Query", "Alter", "CommitOrAbort", "RunDQL", "AllocateIDs", "Login"];
    let broken: [(&[u8], u16); 7] = [
        (b"", UNKNOWN),
        (&[0, 0, 0, 0], UNKNOWN),
        (&[0, 0, 0, 0, 9, 1], UNKNOWN),
        (&[7, 0, 0, 0, 0], INTERNAL),
        // A number without an end, a text that is none, a field longer than its message.
        (&[0, 0, 0, 0, 1, 0xff], INTERNAL),
        (&[0, 0, 0, 0, 3, 0x0a, 1, 0xff], INTERNAL),
        (&[0, 0, 0, 0, 2, 0x0a, 9], INTERNAL),
    ];
    for method in methods {
        for (body, code) in broken {
            let failed = to(&format!("/api.Dgraph/{method}"), body);
            assert_eq!(failed.0, code, "{method} {body:?}: {failed:?}");
        }
    }
    assert_eq!(asked(&server, 0).unwrap(), "{\"q\":[]}", "it goes on");
    let health = send(server.dql_grpc, "/grpc.health.v1.Health/Check", vec![0; 5], &[]).unwrap();
    assert_eq!(&*health, [0, 0, 0, 0, 2, 8, 1]);
}

#[test]
fn headers_that_say_nothing_are_refused() {
    let server = start();
    let with = |flag: u8, headers: &[(&str, &str)]| {
        let mut body = framed(&query(ANSWERED)).unwrap().to_vec();
        body[0] = flag;
        send(server.dql_grpc, "/api.Dgraph/Query", body, headers)
    };
    let code = |flag, headers: &[(&str, &str)]| with(flag, headers).unwrap_err().0;
    assert_eq!(code(1, &[]), INTERNAL, "packed with nothing");
    assert_eq!(code(1, &[("grpc-encoding", "identity")]), INTERNAL);
    assert_eq!(code(1, &[("grpc-encoding", "br")]), UNIMPLEMENTED);
    assert_eq!(code(1, &[("grpc-encoding", "gzip")]), INTERNAL, "it is not gzip");
    for wrong in ["", "abc", "5", "-1S", "123456789S"] {
        let (code, message) = with(0, &[("grpc-timeout", wrong)]).unwrap_err();
        assert!(code == INTERNAL && message.contains("malformed grpc-timeout"), "{message}");
    }
    assert!(with(0, &[("grpc-timeout", "30S")]).is_ok());
}

#[test]
fn a_transaction_ends_once() {
    let server = start();
    let done = committed(&server, "<0x1> <name> \"A\" .");
    assert_eq!(end(&server, &done).unwrap_err(), aborted(), "committed twice");
    let late = TxnContext { aborted: true, ..done.clone() };
    assert!(end(&server, &late).unwrap().aborted, "an abort always succeeds");
    let whole = "{\"q\":[{\"name\":\"A\"}]}";
    assert_eq!(asked(&server, 0).unwrap(), whole, "and changes nothing behind a commit");
    let more = Request { start_ts: done.start_ts, ..setting("<0x2> <name> \"B\" .") };
    let more: Result<Response, Failed> = call!(server, "Query", more);
    assert_eq!(more.unwrap_err(), aborted(), "a write behind the commit");
    let given_up = written(&server, "<0x1> <name> \"C\" .");
    let abort = TxnContext { aborted: true, ..given_up.clone() };
    assert!(end(&server, &abort).unwrap().aborted);
    assert!(end(&server, &abort).unwrap().aborted, "aborted twice");
    assert_eq!(end(&server, &given_up).unwrap_err(), aborted(), "committed behind an abort");
    assert_eq!(asked(&server, given_up.start_ts).unwrap_err(), aborted());
    assert_eq!(asked(&server, 0).unwrap(), whole);
    let none = end(&server, &TxnContext { keys: vec!["1z".to_owned()], ..TxnContext::default() });
    assert_eq!(none.unwrap_err().0, UNKNOWN, "of no transaction");
}

#[test]
fn a_transaction_of_before_a_restart_is_aborted() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| {
        let mut settings = settings();
        on(&mut settings);
        start_over(Database::open(path, settings).expect("it opens"))
    };
    let server = open(folder.path());
    committed(&server, "<0x1> <name> \"A\" .");
    let txn = written(&server, "<0x1> <name> \"B\" .");
    drop(server);
    let server = open(folder.path());
    assert_eq!(end(&server, &txn).unwrap_err(), aborted());
    assert_eq!(asked(&server, txn.start_ts).unwrap_err(), aborted());
    let more = Request { start_ts: txn.start_ts, ..setting("<0x1> <name> \"C\" .") };
    let more: Result<Response, Failed> = call!(server, "Query", more);
    assert_eq!(more.unwrap_err(), aborted());
    assert!(end(&server, &TxnContext { aborted: true, ..txn.clone() }).unwrap().aborted);
    assert_eq!(asked(&server, 0).unwrap(), "{\"q\":[{\"name\":\"A\"}]}");
    assert!(txn.start_ts < written(&server, "<0x1> <name> \"D\" .").start_ts);
}

#[test]
fn a_token_of_another_server_lets_no_client_in() {
    let (server, other) = (start_with_ann(on), start_with_ann(on));
    let login = LoginRequest {
        userid: "ann".to_owned(),
        password: "secret".to_owned(),
        ..LoginRequest::default()
    };
    let done: Response = call!(other, "Login", login).unwrap();
    let tokens: Jwt = decoded(done.json).unwrap();
    // A signature of another key, none at all, and no token.
    let unsigned =
        tokens.access_jwt.rsplit_once('.').expect("it has three parts").0.to_owned() + ".";
    for foreign in [tokens.access_jwt.as_str(), &unsigned, "a.b.c", "x"] {
        let headers = [("accessjwt", foreign)];
        let asked: Result<Response, Failed> = call!(server, "Query", query(ANSWERED), &headers);
        let (code, message) = asked.unwrap_err();
        assert!(code == UNAUTHENTICATED && !message.contains("is expired"), "{code} {message}");
        let altered: Result<Payload, Failed> =
            call!(server, "Alter", Operation { drop_all: true, ..Default::default() }, &headers);
        assert_eq!(altered.unwrap_err().0, UNAUTHENTICATED);
    }
    let again = LoginRequest { refresh_token: tokens.refresh_jwt, ..LoginRequest::default() };
    let again: Result<Response, Failed> = call!(server, "Login", again);
    assert_eq!(again.unwrap_err(), (UNKNOWN, "invalid username or password".to_owned()));
}
