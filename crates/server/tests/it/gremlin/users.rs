//! Logins: SASL PLAIN over WebSocket, Basic authentication over HTTP, on every port.

use std::time::{Duration, Instant};

use millrace_server::wire::gremlin::Operation;

use super::number;
use super::socket::{Socket, eval};
use crate::client::{Reply, Running, add_ann, start_with_ann};

fn start() -> Running {
    start_with_ann(|_| {})
}

const KNOWN: (&str, &str) = ("authorization", "Basic YW5uOnNlY3JldA==");
const WRONG: (&str, &str) = ("authorization", "Basic YW5uOmd1ZXNz");

fn proof(text: &str) -> Operation {
    Operation::Authenticate {
        mechanism: Some("PLAIN".to_owned()),
        response: text.as_bytes().to_vec(),
    }
}

fn dbs(server: &Running, login: (&str, &str)) -> Reply {
    server.send("GET", "/dbs", &[login], b"")
}

fn failed_logins(server: &Running, reason: &str) -> u64 {
    let page = server.send("GET", "/metrics", &[KNOWN], b"").body;
    let begin = format!("millrace_logins_failed_total{{reason=\"{reason}\"}} ");
    let number = page.lines().find_map(|line| line.strip_prefix(&begin));
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{page}"))
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
    let mut wanted = [(Some(id), 200), (Some(second), 200)];
    wanted.sort_unstable();
    assert_eq!(answers, wanted);
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
    let lua = server.url.as_str();
    for (url, path) in [
        (gremlin.as_str(), "/gremlin?gremlin=g.V()"),
        (server.admin.as_str(), "/query"),
        (server.admin.as_str(), "/"),
        (lua, "/dbs"),
        (lua, "/metrics"),
    ] {
        // The wrong one once: more of them have to wait.
        for (headers, status) in [(&[][..], 401), (&[KNOWN], 200)] {
            let reply = server.send_to(url, "GET", path, headers, b"");
            assert_eq!(reply.status, status, "{url}{path}");
            assert_eq!(reply.challenge.is_some(), status == 401, "{url}{path}");
        }
    }
    for (url, path) in [(gremlin.as_str(), "/gremlin?gremlin=g.V()"), (lua, "/dbs")] {
        let refused = server.send_to(url, "GET", path, &[WRONG], b"");
        assert_eq!(refused.status, 401, "{url}");
        assert!(refused.challenge.is_some() && !refused.body.contains("guess"), "{refused:?}");
    }
}

/// Symptom: a supervisor could not ask whether the server lives. Shape: `/health…` wanted a password, as any
/// other path. Bound: none, every server with users.
#[test]
fn probes_need_no_password() {
    let server = start();
    for path in ["/health", "/health/live", "/health/ready"] {
        assert_eq!(server.get(path).status, 200, "{path}");
        assert_eq!(server.send("GET", path, &[WRONG], b"").status, 200, "{path}");
    }
    assert_eq!(failed_logins(&server, "wrong"), 0, "a probe is no login");
}

/// Symptom: 400 wrong passwords in a row on one connection were answered at once, up to 14,000 a second, and
/// counted nowhere. Shape: a socket's thread compared texts. Bound: none.
#[test]
fn guesses_in_a_row_have_to_wait_and_are_counted() {
    let server = start();
    let mut socket = Socket::open(server.gremlin);
    let mut codes = Vec::new();
    for guess in 0..400 {
        let id = socket.send(proof(&format!("\0ann\0guess {guess}")));
        let refused = socket.answer();
        assert_eq!(refused.id, Some(id));
        codes.push(refused.code);
    }
    assert_eq!(codes[..5], [401; 5]);
    let looked_at = codes.iter().filter(|code| **code == 401).count();
    let delayed = codes.iter().filter(|code| **code == 429).count();
    assert_eq!(looked_at + delayed, 400, "{codes:?}");
    assert_eq!(codes[5], 429, "the sixth waits");
    assert!(looked_at < 20, "{looked_at} guesses were looked at");
    // By HTTP, too, whatever the password; then it is over.
    let reply = dbs(&server, WRONG);
    assert_eq!(reply.status, 429, "{reply:?}");
    assert!(reply.body.contains("try again in"), "{reply:?}");
    let wait: u64 = reply.retry_after.as_deref().unwrap_or("").parse().expect("whole seconds");
    assert!((1..=60).contains(&wait), "{wait}");
    let began = Instant::now();
    while dbs(&server, KNOWN).status == 429 {
        assert!(began.elapsed() < Duration::from_secs(120), "it is never over");
        std::thread::yield_now();
    }
    assert_eq!(dbs(&server, KNOWN).status, 200);
    assert_eq!(failed_logins(&server, "wrong"), looked_at as u64);
    assert!(delayed as u64 <= failed_logins(&server, "delayed"));
}

/// HTTP Basic logs in with each request: only the first pays for a hash, and guesses of others from the same
/// address (a proxy's, say) do not hold the user up.
#[test]
fn a_user_that_logged_in_is_let_in_at_once_and_is_not_locked_out_by_others() {
    let server = start();
    assert_eq!(dbs(&server, KNOWN).status, 200);
    let began = Instant::now();
    for _ in 0..200 {
        assert_eq!(dbs(&server, KNOWN).status, 200);
    }
    let mean = began.elapsed() / 200;
    assert!(mean < Duration::from_millis(10), "{mean:?} a request");
    // "eve:guess"
    let stranger = ("authorization", "Basic ZXZlOmd1ZXNz");
    let statuses: Vec<u16> = (0..7).map(|_| dbs(&server, stranger).status).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert_eq!(dbs(&server, KNOWN).status, 200);
}

#[test]
fn guesses_at_once_are_no_more_than_guesses_in_a_row() {
    let server = start();
    let replies = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..32).map(|_| scope.spawn(|| dbs(&server, WRONG).status)).collect();
        tries.into_iter().map(|all| all.join().expect("it is answered")).collect::<Vec<u16>>()
    });
    let looked_at = replies.iter().filter(|status| **status == 401).count();
    // Five, and as many as are hashed at the same time; one more for each delay that passes meanwhile.
    assert!((5..=12).contains(&looked_at), "{replies:?}");
    assert!(replies.iter().all(|status| [401, 429].contains(status)), "{replies:?}");
}

#[test]
fn a_file_with_clear_text_stops_the_start_and_names_the_command() {
    use millrace_server::db::{Database, Settings};
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("users");
    add_ann(&path);
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text + "bob:geheim\n").expect("it is ours");
    let mut settings = Settings::default();
    settings.listen.set("lua", "127.0.0.1:0");
    settings.listen.set("bolt", "");
    settings.listen.set("gremlin", "");
    settings.listen.set("admin", "127.0.0.1:0");
    settings.users.file = path.to_str().expect("a plain name").to_owned();
    let database = Database::in_memory(settings).expect("a database in memory opens");
    let refused = millrace_server::Server::start(std::sync::Arc::new(database));
    let refused = refused.err().expect("clear text is refused").to_string();
    assert!(refused.contains("line 2") && refused.contains("millrace users convert"), "{refused}");
    assert!(!refused.contains("geheim"), "{refused}");
}
