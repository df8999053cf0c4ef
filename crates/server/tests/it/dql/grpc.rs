//! Dgraph's gRPC over real sockets, with a client that sends any bytes.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use millrace_server::db::Settings;
use millrace_server::wire::dql::{
    AllocateIDsRequest, AllocateIDsResponse, Check, Jwt, LeaseType, ListNamespacesResponse,
    LoginRequest, Mutation, NQuad, Namespace, Operation, Request, Response, RunDqlRequest,
    TxnContext, Version, decoded, framed, operation, unframed, value,
};

use super::pack;
use crate::client::{Running, start_with, start_with_ann};

pub(super) const ABORTED: u16 = 10;
pub(super) const INTERNAL: u16 = 13;
const RESOURCE_EXHAUSTED: u16 = 8;
pub(super) const UNAUTHENTICATED: u16 = 16;
pub(super) const UNIMPLEMENTED: u16 = 12;
pub(super) const UNKNOWN: u16 = 2;

/// The code and the message of a call that failed.
pub(super) type Failed = (u16, String);

pub(super) fn on(settings: &mut Settings) {
    settings.listen.set("dql-grpc", "127.0.0.1:0");
}

pub(super) fn start() -> Running {
    start_with(on)
}

/// Sends a body to a path, and gives the body of the answer or the status.
pub(super) fn send(
    address: SocketAddr,
    path: &str,
    body: Vec<u8>,
    headers: &[(&str, &str)],
) -> Result<Bytes, Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("there are threads");
    runtime.block_on(async {
        let socket = tokio::net::TcpStream::connect(address).await.expect("it listens");
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(socket))
                .await
                .expect("it speaks HTTP/2");
        tokio::spawn(connection);
        let mut request = hyper::Request::post(format!("http://{address}{path}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::from(body))).expect("it is well formed");
        let response = sender.send_request(request).await.expect("it answers");
        let first = response.headers().clone();
        let whole = response.into_body().collect().await.expect("it ends well");
        let trailers = whole.trailers().cloned().unwrap_or(first);
        let text = |name: &str| {
            trailers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        match text("grpc-status").parse::<u16>().expect("there is a status") {
            0 => Ok(whole.to_bytes()),
            code => Err((code, text("grpc-message"))),
        }
    })
}

/// Calls a method.
macro_rules! call {
    ($server:expr, $method:literal, $message:expr) => {
        call!($server, $method, $message, &[])
    };
    ($server:expr, $method:literal, $message:expr, $headers:expr) => {{
        let body = framed(&$message).expect("it is short").to_vec();
        let path = concat!("/api.Dgraph/", $method);
        send($server.dql_grpc, path, body, $headers).map(|body| {
            decoded(unframed(&body).expect("it is one message").0).expect("it can be read")
        })
    }};
}
pub(super) use call;

pub(super) fn query(text: &str) -> Request {
    Request { query: text.to_owned(), ..Request::default() }
}

pub(super) fn setting(quads: &'static str) -> Request {
    let mutation =
        Mutation { set_nquads: Bytes::from_static(quads.as_bytes()), ..Mutation::default() };
    Request { mutations: vec![mutation], ..Request::default() }
}

#[test]
fn versions_namespaces_and_ids_are_answered() {
    let server = start();
    let version: Version = call!(server, "CheckVersion", Check {}).unwrap();
    assert!(version.tag.starts_with("v25."), "{version:?}");
    let known: ListNamespacesResponse = call!(server, "ListNamespaces", Check {}).unwrap();
    assert_eq!(known.namespaces.keys().collect::<Vec<_>>(), [&0]);
    let wanted = AllocateIDsRequest { how_many: 100, lease_type: LeaseType::Uid.into() };
    let first: AllocateIDsResponse = call!(server, "AllocateIDs", wanted).unwrap();
    assert_eq!((first.start, first.end), (1, 100));
    let wanted = AllocateIDsRequest { how_many: 2, lease_type: LeaseType::Ts.into() };
    let next: AllocateIDsResponse = call!(server, "AllocateIDs", wanted).unwrap();
    assert_eq!(next.end, next.start + 1);
    let wanted = AllocateIDsRequest { how_many: 1, lease_type: LeaseType::Ns.into() };
    let refused: Result<AllocateIDsResponse, Failed> = call!(server, "AllocateIDs", wanted);
    assert_eq!(refused.unwrap_err().0, UNIMPLEMENTED);
    let refused: Result<Namespace, Failed> = call!(server, "CreateNamespace", Check {});
    let (code, message) = refused.unwrap_err();
    assert!(code == UNIMPLEMENTED && message.contains("users.file"), "{message}");
}

#[test]
fn errors_have_dgraph_s_codes_so_that_clients_try_again_what_may_be() {
    let server = start();
    let failed = |request: Request| -> Failed {
        let done: Result<Response, Failed> = call!(server, "Query", request);
        done.unwrap_err()
    };
    let (code, message) = failed(query("{\n  q(func: uid(1)) {\n    )\n  }\n}"));
    assert!(code == UNKNOWN && message.starts_with("line 3 column 5: "), "{code} {message}");
    assert_eq!(failed(query(" ")), (UNKNOWN, "empty request".to_owned()));
    let best = Request { best_effort: true, ..query("{ q(func: uid(1)) { uid } }") };
    assert_eq!(failed(best), (UNKNOWN, "A best effort query must be read-only.".to_owned()));
    let reading = Request { read_only: true, ..setting("_:a <name> \"A\" .") };
    assert_eq!(failed(reading).0, UNKNOWN);
    let aborted = (ABORTED, "Transaction has been aborted. Please retry".to_owned());
    let unknown = Request { start_ts: 5, ..setting("_:a <name> \"A\" .") };
    assert_eq!(failed(unknown), aborted);
    let txn = TxnContext { start_ts: 5, keys: vec!["1z".to_owned()], ..TxnContext::default() };
    let done: Result<TxnContext, Failed> = call!(server, "CommitOrAbort", txn);
    assert_eq!(done.unwrap_err(), aborted);
    let txn = TxnContext { start_ts: 5, ..TxnContext::default() };
    let done: TxnContext = call!(server, "CommitOrAbort", txn).unwrap();
    assert!(5 < done.commit_ts, "{done:?}");
    let txn = TxnContext { start_ts: 5, aborted: true, ..TxnContext::default() };
    let done: TxnContext = call!(server, "CommitOrAbort", txn).unwrap();
    assert!(done.aborted);
    let done: Result<Response, Failed> = call!(
        server,
        "RunDQL",
        RunDqlRequest { dql_query: "{ set { <0x1> <name> . } }".to_owned(), ..Default::default() }
    );
    let (code, message) = done.unwrap_err();
    assert!(code == UNKNOWN && message.starts_with("line 1 column "), "{code} {message}");
}

#[test]
fn an_operation_that_says_nothing_or_too_much_is_refused() {
    let server = start();
    let failed = |operation: Operation| -> Failed {
        let done: Result<millrace_server::wire::dql::Payload, Failed> =
            call!(server, "Alter", operation);
        done.unwrap_err()
    };
    let (code, message) = failed(Operation::default());
    assert_eq!((code, message.as_str()), (UNKNOWN, "Operation must have at least one field set"));
    let both =
        Operation { drop_all: true, drop_op: operation::DropOp::Data.into(), ..Default::default() };
    assert_eq!(failed(both).1, "Only one of DropAll and DropData can be true");
    let named = Operation {
        drop_op: operation::DropOp::All.into(),
        drop_value: "x".to_owned(),
        ..Default::default()
    };
    assert!(failed(named).1.contains("DropValue must be empty"));
    assert!(failed(Operation { drop_op: 77, ..Default::default() }).1.contains("77"));
}

#[test]
fn packed_messages_are_unpacked_within_the_bound() {
    let server = start_with(|settings| {
        on(settings);
        settings.dql.message_bytes_max = 1 << 16;
    });
    let packed = |message: &[u8], coding: &str| {
        let packed = pack(message);
        let length = u32::try_from(packed.len()).unwrap().to_be_bytes();
        let body = [&[1][..], &length, &packed].concat();
        send(server.dql_grpc, "/api.Dgraph/Query", body, &[("grpc-encoding", coding)])
    };
    let plain = framed(&query("{ q")).unwrap();
    let (code, message) = packed(&plain[5..], "gzip").unwrap_err();
    assert!(code == UNKNOWN && message.contains("line 1"), "{code} {message}");
    assert_eq!(packed(&plain[5..], "br").unwrap_err().0, UNIMPLEMENTED);
    let bomb = packed(&vec![0; 1 << 20], "gzip").unwrap_err();
    assert_eq!(bomb.0, RESOURCE_EXHAUSTED, "{bomb:?}");
    let long = framed(&query(&" ".repeat(1 << 17))).unwrap().to_vec();
    let long = send(server.dql_grpc, "/api.Dgraph/Query", long, &[]).unwrap_err();
    assert!(long.0 == RESOURCE_EXHAUSTED && long.1.contains("dql.message-bytes-max"), "{long:?}");
}

#[test]
fn a_client_logs_in_once_and_sends_its_token() {
    let server = start_with_ann(on);
    let asked = |headers: &[(&str, &str)]| -> Failed {
        let done: Result<Response, Failed> = call!(server, "Query", query("{ q"), headers);
        done.unwrap_err()
    };
    assert_eq!(asked(&[]), (UNAUTHENTICATED, "no accessJwt available".to_owned()));
    let login = |login: LoginRequest| -> Result<Jwt, Failed> {
        let done: Result<Response, Failed> = call!(server, "Login", login);
        Ok(decoded(done?.json).expect("a pair of tokens"))
    };
    let named = |password: &str| LoginRequest {
        userid: "ann".to_owned(),
        password: password.to_owned(),
        ..LoginRequest::default()
    };
    let wrong = login(named("guess")).unwrap_err();
    assert_eq!(wrong, (UNKNOWN, "invalid username or password".to_owned()));
    let tokens = login(named("secret")).unwrap();
    assert_eq!(asked(&[("accessjwt", &tokens.access_jwt)]).0, UNKNOWN, "the text is wrong");
    let bearer = format!("Bearer {}", tokens.access_jwt);
    assert_eq!(asked(&[("authorization", &bearer)]).0, UNKNOWN);
    assert_eq!(asked(&[("accessjwt", &tokens.refresh_jwt)]).0, UNAUTHENTICATED);
    let again = LoginRequest { refresh_token: tokens.refresh_jwt, ..LoginRequest::default() };
    assert_eq!(asked(&[("accessjwt", &login(again).unwrap().access_jwt)]).0, UNKNOWN);
    let foreign = LoginRequest { refresh_token: tokens.access_jwt, ..LoginRequest::default() };
    assert_eq!(login(foreign).unwrap_err().0, UNKNOWN);
    let version: Version = call!(server, "CheckVersion", Check {}).unwrap();
    assert!(!version.tag.is_empty());
}

#[test]
fn a_token_whose_time_is_up_says_so_and_without_users_there_is_no_login() {
    let server = start_with_ann(|settings| {
        on(settings);
        settings.dql.access_token_ms = 1;
    });
    let named = || LoginRequest {
        userid: "ann".to_owned(),
        password: "secret".to_owned(),
        ..LoginRequest::default()
    };
    let done: Response = call!(server, "Login", named()).unwrap();
    let tokens: Jwt = decoded(done.json).unwrap();
    let headers = [("accessjwt", tokens.access_jwt.as_str())];
    let late: Result<Response, Failed> = call!(server, "Query", query("{ q"), &headers);
    let (code, message) = late.unwrap_err();
    assert!(code == UNAUTHENTICATED && message.contains("Token is expired"), "{message}");
    let open = start();
    let refused: Result<Response, Failed> = call!(open, "Login", named());
    assert_eq!(refused.unwrap_err().1, "invalid username or password");
}

#[test]
fn a_time_limit_is_that_of_its_call_and_not_of_its_transaction() {
    let server = start();
    let began = Instant::now();
    let limit = [("grpc-timeout", "300m")];
    let changed: Response = call!(server, "Query", setting("<0x1> <age> \"7\" ."), &limit).unwrap();
    // The commit has to come when that time is up.
    while began.elapsed() < Duration::from_millis(350) {
        thread::yield_now();
    }
    let done: TxnContext = call!(server, "CommitOrAbort", changed.txn.unwrap()).unwrap();
    assert!(done.commit_ts != 0);
    let late: Result<Response, Failed> =
        call!(server, "Query", query("{ q(func: uid(1)) { uid } }"), &[("grpc-timeout", "1n")]);
    assert_eq!(late.unwrap_err().0, 4);
}

#[test]
fn quads_as_messages_are_written_in_a_transaction_and_read_back() {
    let server = start();
    let schema =
        Operation { schema: "name: string @lang .\nage: int .".to_owned(), ..Default::default() };
    let _done: millrace_server::wire::dql::Payload = call!(server, "Alter", schema).unwrap();
    let value = |val| Some(millrace_server::wire::dql::Value { val: Some(val) });
    let quad = |predicate: &str, object_value, lang: &str| NQuad {
        subject: "_:a".to_owned(),
        predicate: predicate.to_owned(),
        object_value,
        lang: lang.to_owned(),
        ..NQuad::default()
    };
    let set = vec![
        quad("name", value(value::Val::StrVal("Ann".to_owned())), ""),
        quad("name", value(value::Val::StrVal("Anne".to_owned())), "fr"),
        quad("age", value(value::Val::IntVal(7)), ""),
    ];
    let request =
        Request { mutations: vec![Mutation { set, ..Mutation::default() }], ..Request::default() };
    let changed: Response = call!(server, "Query", request).unwrap();
    let (uid, txn) = (changed.uids["a"].clone(), changed.txn.clone().unwrap());
    assert!(changed.json.is_empty() && !txn.keys.is_empty(), "{changed:?}");
    assert_eq!(txn.preds, ["1-0-age", "1-0-name"]);
    let asked = |start_ts| -> serde_json::Value {
        let text = format!("{{ q(func: uid({uid})) {{ name name@fr age }} }}");
        let found: Response = call!(server, "Query", Request { start_ts, ..query(&text) }).unwrap();
        serde_json::from_slice(&found.json).unwrap()
    };
    let whole = serde_json::json!({ "q": [{ "name": "Ann", "name@fr": "Anne", "age": 7 }] });
    assert_eq!((asked(txn.start_ts), asked(0)), (whole.clone(), serde_json::json!({ "q": [] })));
    let done: TxnContext = call!(server, "CommitOrAbort", txn).unwrap();
    assert!(txn.start_ts < done.commit_ts);
    assert_eq!(asked(0), whole);
    let again: Result<TxnContext, Failed> = call!(server, "CommitOrAbort", txn);
    assert_eq!(again.unwrap_err().0, ABORTED);
    let text =
        "upsert { query { v as var(func: has(age)) } mutation { set { uid(v) <age> \"8\" . } } }";
    let run = RunDqlRequest { dql_query: text.to_owned(), ..Default::default() };
    let changed: Response = call!(server, "RunDQL", run).unwrap();
    assert!(changed.txn.unwrap().commit_ts != 0);
    assert_eq!(asked(0)["q"][0]["age"], 8);
}

#[test]
fn namespaces_are_made_listed_and_dropped() {
    let server = start_with_ann(on);
    let login = |namespace: u64| {
        let (userid, password) = ("ann".to_owned(), "secret".to_owned());
        let login = LoginRequest { userid, password, namespace, ..LoginRequest::default() };
        let answer: Response = call!(server, "Login", login).unwrap();
        decoded::<Jwt>(answer.json).unwrap().access_jwt
    };
    let token = login(0);
    let first = [("accessjwt", token.as_str())];
    let listed = || -> Vec<u64> {
        let known: ListNamespacesResponse =
            call!(server, "ListNamespaces", Check {}, &first).unwrap();
        known.namespaces.into_keys().collect()
    };
    let made: Namespace = call!(server, "CreateNamespace", Check {}, &first).unwrap();
    assert_eq!(listed(), [0, made.id]);
    let token = login(made.id);
    let second = [("accessjwt", token.as_str())];
    let refused: Result<Namespace, Failed> = call!(server, "CreateNamespace", Check {}, &second);
    assert!(refused.unwrap_err().1.contains("namespace 0"));
    let asked = || -> Result<Response, Failed> {
        let query = "{ q(func: has(name)) { name } }".to_owned();
        call!(server, "Query", Request { query, ..Request::default() }, &second)
    };
    assert_eq!(&*asked().unwrap().json, b"{\"q\":[]}");
    let _gone: Check = call!(server, "DropNamespace", made, &first).unwrap();
    assert_eq!(listed(), [0]);
    assert_eq!(asked().unwrap_err().0, UNAUTHENTICATED);
}
