//! Limits: deadlines, sizes, clients that go away, stopping, addresses.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use millrace_model::ErrorKind;
use millrace_server::db::{Database, Settings};
use millrace_server::{Server, StartError};

use crate::client::{Running, start, start_with};

const ENDLESS: &str = "while true do end\n1";

/// Waits until `holds`, and fails after ten seconds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(10), "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn under_way(server: &Running) -> f64 {
    let page = server.get("/metrics").body;
    let line = page.lines().find(|line| line.starts_with("millrace_http_requests_under_way "));
    let number = line.and_then(|line| line.rsplit(' ').next()).expect("the gauge is there");
    number.parse().expect("it is a number")
}

#[test]
fn a_header_gives_a_script_a_deadline() {
    let server = start();
    let began = Instant::now();
    let headers = [("Millrace-Deadline-Ms", "100")];
    let late = server.send("POST", "/db/one/lua", &headers, ENDLESS.as_bytes());
    // On a busy machine it may be over before the script begins.
    assert!(matches!(late.status, 400 | 504), "{late:?}");
    assert_eq!(late.error.as_deref(), Some("deadline-exceeded"), "{late:?}");
    assert!(began.elapsed() < Duration::from_secs(5));
    for wrong in ["0", "soon", "-1", "99999999999"] {
        let refused = server.send("POST", "/db/one/lua", &[("Millrace-Deadline-Ms", wrong)], b"1");
        assert_eq!((refused.status, refused.error.as_deref()), (400, Some("bad-input")), "{wrong}");
    }
}

#[test]
fn headers_let_a_script_hold_and_answer_less() {
    let server = start();
    let hungry = "local t = {} for i = 1, 1000000 do t[i] = i end\n#t";
    assert_eq!(server.post("/db/one/lua", hungry).body, "1000000");
    let less =
        server.send("POST", "/db/one/lua", &[("Millrace-Bytes-Max", "1000000")], hungry.as_bytes());
    assert_eq!((less.status, less.error.as_deref()), (400, Some("limit-reached")), "{less:?}");
    let answer = [("Millrace-Answer-Bytes-Max", "100")];
    let long = server.send("POST", "/ro/one/lua", &answer, b"('x'):rep(200)");
    assert_eq!((long.status, long.error.as_deref()), (400, Some("limit-reached")), "{long:?}");
    assert_eq!(server.send("POST", "/ro/one/lua", &answer, b"('x'):rep(20)").status, 200);
    for header in ["Millrace-Bytes-Max", "Millrace-Answer-Bytes-Max"] {
        for wrong in ["0", "much", "99999999999999999"] {
            let refused = server.send("POST", "/db/one/lua", &[(header, wrong)], b"1");
            assert_eq!(
                (refused.status, refused.error.as_deref()),
                (400, Some("bad-input")),
                "{wrong}"
            );
        }
    }
}

#[test]
fn each_route_has_its_own_deadline() {
    let server = start_with(|settings| {
        settings.scripts.deadline_ms = 50;
        settings.scripts.admin_deadline_ms = 60_000;
    });
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let late = server.post("/ro/one/lua", ENDLESS);
    assert_eq!(late.error.as_deref(), Some("deadline-exceeded"));
    let slow = "local t = os.clock() while os.clock() - t < 0.2 do end\n1";
    assert_eq!(server.post("/rw/one/lua", slow).status, 400);
    assert_eq!(server.post("/db/one/lua", slow).status, 200);
}

#[test]
fn a_pcall_does_not_swallow_a_deadline() {
    let server = start();
    let headers = [("Millrace-Deadline-Ms", "100")];
    let stubborn = "while true do pcall(function() while true do end end) end\n1";
    let late = server.send("POST", "/db/one/lua", &headers, stubborn.as_bytes());
    assert_eq!(late.error.as_deref(), Some("deadline-exceeded"), "{late:?}");
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let server = start_with(|settings| settings.http.body_bytes_max = 1_000);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let refused = server.post("/db/one/lua", &"-".repeat(2_000));
    assert_eq!((refused.status, refused.error.as_deref()), (413, Some("limit-reached")));
    assert!(refused.body.contains("http.body-bytes-max"), "{refused:?}");
}

#[test]
fn a_query_over_its_memory_fails_alone() {
    let server = start_with(|settings| settings.query.bytes_max = 1 << 20);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let hungry = "for i = 1, 100000 do NodeAdd('Person', 'p' .. i) end\n\
                  #AllNodeIds('Person', 0, 1000000) + #AllNodeIds('Person', 0, 1000000)";
    let failed = server.post("/db/one/lua", hungry);
    assert_eq!(
        (failed.status, failed.error.as_deref()),
        (400, Some("limit-reached")),
        "{failed:?}"
    );
    assert_eq!(server.post("/db/one/lua", "AllNodesCount()").body, "0");
}

#[test]
fn a_client_that_goes_away_cancels_its_script() {
    let server = start();
    let mut socket = TcpStream::connect(server.url.trim_start_matches("http://")).unwrap();
    let length = ENDLESS.len();
    write!(
        socket,
        "POST /db/one/lua HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{ENDLESS}"
    )
    .unwrap();
    wait_until("the script runs", || under_way(&server) == 1.0);
    drop(socket);
    wait_until("the script is cancelled", || under_way(&server) == 0.0);
    // The only interpreter there is takes the next script.
    assert_eq!(server.post("/db/one/lua", "1").body, "1");
}

#[test]
fn more_requests_than_may_be_under_way_are_turned_away() {
    let server = start_with(|settings| settings.http.requests_max = 1);
    assert_eq!(server.post("/dbs/one", "").status, 200);
    std::thread::scope(|scope| {
        let headers = [("Millrace-Deadline-Ms", "2000")];
        let server = &server;
        scope.spawn(move || server.send("POST", "/db/one/lua", &headers, ENDLESS.as_bytes()));
        wait_until("the script runs", || under_way(server) == 1.0);
        let refused = server.get("/dbs");
        assert_eq!((refused.status, refused.error.as_deref()), (503, Some("unavailable")));
        assert_eq!(server.get("/health/live").status, 200, "health is always answered");
    });
}

#[test]
fn a_server_that_stops_drains_and_then_cancels() {
    let mut settings = Settings::default();
    settings.listen.set("lua", "127.0.0.1:0");
    settings.listen.set("bolt", "");
    settings.listen.set("gremlin", "");
    settings.listen.set("admin", "127.0.0.1:0");
    settings.http.drain_ms = 1_000;
    let database = Arc::new(Database::in_memory(settings).unwrap());
    database.create_graph("one").unwrap();
    let server = Server::start(database).unwrap();
    let address = server.address("lua").unwrap();
    let ask = |script: &'static str| {
        std::thread::spawn(move || {
            let mut socket = TcpStream::connect(address).unwrap();
            let length = script.len();
            write!(socket, "POST /db/one/lua HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{script}").unwrap();
            let mut answer = String::new();
            socket.read_to_string(&mut answer).unwrap();
            answer
        })
    };
    let short = ask("local t = os.clock() while os.clock() - t < 0.3 do end\n'short'");
    let endless = ask(ENDLESS);
    wait_until("both run", || {
        let mut socket = TcpStream::connect(address).unwrap();
        write!(socket, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut page = String::new();
        socket.read_to_string(&mut page).unwrap();
        page.contains("millrace_http_requests_under_way 2")
    });
    let began = Instant::now();
    server.stop();
    assert!(began.elapsed() < Duration::from_secs(8), "took {:?}", began.elapsed());
    let short = short.join().unwrap();
    assert!(short.starts_with("HTTP/1.1 200") && short.ends_with("\"short\""), "{short}");
    let endless = endless.join().unwrap();
    assert!(endless.starts_with("HTTP/1.1 503"), "{endless}");
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}

#[test]
fn a_taken_port_and_an_open_address_are_refused() {
    let first = start();
    let start_at = |address: &str| {
        let mut settings = Settings::default();
        settings.listen.set("lua", address);
        settings.listen.set("bolt", "");
        settings.listen.set("gremlin", "");
        settings.listen.set("admin", "127.0.0.1:0");
        Server::start(Arc::new(Database::in_memory(settings).unwrap())).map(|_| ())
    };
    let taken = start_at(first.url.trim_start_matches("http://")).unwrap_err();
    assert!(matches!(taken, StartError::PortInUse("lua", _)), "{taken}");
    assert!(taken.to_string().contains("--listen"), "{taken}");
    match start_at("0.0.0.0:0") {
        Err(StartError::Failed(error)) => assert_eq!(error.kind, ErrorKind::Forbidden),
        other => panic!("{other:?}"),
    }
}
