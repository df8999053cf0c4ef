//! Who asks: SASL PLAIN over WebSocket, Basic authentication over HTTP, on every port.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use millrace_server::wire::gremlin::Operation;

use super::number;
use super::socket::{Socket, eval};
use crate::client::{Running, start_with};

fn start() -> Running {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("users");
    fs::write(&file, "ann:secret\n").expect("there is room");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    start_with(|settings| settings.users.file = file.to_str().expect("a plain name").to_owned())
}

fn proof(text: &str) -> Operation {
    Operation::Authenticate {
        mechanism: Some("PLAIN".to_owned()),
        response: text.as_bytes().to_vec(),
    }
}

#[test]
fn the_first_request_is_answered_by_a_challenge_and_runs_when_it_is_met() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let id = socket.send(eval("g.inject(1L)"));
    let challenge = socket.answer();
    assert_eq!((challenge.id, challenge.code), (Some(id), 407));
    let second = socket.send(eval("g.inject(2L)"));
    socket.send_as(id, proof("\0ann\0secret"));
    let mut answers = [socket.answer(), socket.answer()].map(|answer| (answer.id, answer.code));
    answers.sort_unstable();
    assert_eq!(answers, [(Some(id), 200), (Some(second), 200)]);
    assert_eq!(socket.eval("g.inject(3L)"), [number(3)]);
}

#[test]
fn a_wrong_password_is_refused_and_nothing_runs() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    for wrong in ["\0ann\0guess", "\0eve\0secret", "\0ann\0", "nonsense"] {
        let id = socket.send(eval("g.addV()"));
        assert_eq!(socket.answer().code, 407);
        socket.send_as(id, proof(wrong));
        let refused = socket.answer();
        assert_eq!((refused.id, refused.code), (Some(id), 401), "{wrong:?}");
        assert!(!refused.message.contains("guess"), "{}", refused.message);
    }
    let id = socket.send(eval("g.V().count()"));
    socket.answer();
    socket.send_as(id, proof("\0ann\0secret"));
    assert_eq!(socket.answers(id), (200, vec![number(0)]));
}

#[test]
fn http_wants_a_password_on_every_port() {
    let server = start();
    let gremlin = format!("http://{}", server.gremlin);
    let known = [("authorization", "Basic YW5uOnNlY3JldA==")];
    let wrong = [("authorization", "Basic YW5uOmd1ZXNz")];
    for (url, path) in [(gremlin.as_str(), "/gremlin?gremlin=g.V()"), (server.url.as_str(), "/dbs")]
    {
        assert_eq!(server.send_to(url, "GET", path, &[], b"").status, 401, "{url}");
        assert_eq!(server.send_to(url, "GET", path, &wrong, b"").status, 401, "{url}");
        assert_eq!(server.send_to(url, "GET", path, &known, b"").status, 200, "{url}");
    }
}
