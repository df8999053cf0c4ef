//! Files loaded over HTTP: whole or not at all, with numbers.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::start;

const QUADS: &str = "<ann> <name> \"Ann\" .\n<ann> <knows> <ben> .\n";

#[test]
fn quads_are_loaded_and_the_load_is_remembered() {
    let server = start();
    let loaded = server.post("/load/one?format=nquads", QUADS);
    assert_eq!(loaded.status, 200, "{loaded:?}");
    let loaded = loaded.json();
    assert_eq!((&loaded["state"], &loaded["rows"]), (&json!("done"), &json!(2)));
    assert_eq!((&loaded["vertices"], &loaded["edges"]), (&json!(2), &json!(1)));
    assert_eq!(server.shown(&format!("/load/{}", loaded["id"])), loaded);
    assert_eq!(server.shown("/load"), json!([loaded]));
    let known = server.shown("/db/one/node/Resource/ann/neighbors/out/knows");
    assert_eq!(known[0]["key"], "ben");
    assert_eq!(server.get("/load/99").status, 404);
}

#[test]
fn tables_go_together_by_their_sizes() {
    let server = start();
    let people = "username:ID(Person),:LABEL\nann,Person\nben,Person\n";
    let knows = ":START_ID(Person),:END_ID(Person),:TYPE\nann,ben,KNOWS\n";
    let path = format!("/load/one?files=people.csv:{},knows.csv:{}", people.len(), knows.len());
    let loaded = server.post(&path, &format!("{people}{knows}"));
    assert_eq!(loaded.status, 200, "{loaded:?}");
    assert_eq!(server.shown("/db/one/node/Person/ann/degree/out/KNOWS"), json!({"degree": 1}));
    let short = server.post("/load/one?files=a.csv:1000,b.csv:1", people);
    assert_eq!((short.status, short.error.as_deref()), (400, Some("bad-input")), "{short:?}");
}

#[test]
fn bad_rows_are_named_and_leave_nothing() {
    let server = start();
    let bad = format!("{QUADS}<ann> <knows>\n");
    let refused = server.post("/load/one?files=people.nq", &bad);
    assert_eq!((refused.status, refused.error.as_deref()), (400, Some("bad-input")));
    assert!(refused.body.contains("people.nq:3"), "{refused:?}");
    assert_eq!(server.shown("/dbs/one")["nodes"], 0);
    let loaded = server.post("/load/one?files=people.nq&max-bad=1", &bad);
    assert_eq!((loaded.status, &loaded.json()["bad_rows"]), (200, &json!(1)), "{loaded:?}");
    assert!(loaded.body.contains("people.nq:3"), "{loaded:?}");
}

#[test]
fn batches_are_committed_as_they_go_and_list_their_rejects() {
    let server = start();
    let bad = format!("{QUADS}<ann> <knows>\n<ben> <name> \"Ben\" .\n");
    let path = "/load/one?files=people.nq&max-bad=5&batch-rows=1&journal=j&rejects=all";
    let loaded = server.post(path, &bad);
    assert_eq!(loaded.status, 200, "{loaded:?}");
    let loaded = loaded.json();
    assert_eq!((&loaded["rows"], &loaded["bad_rows"]), (&json!(3), &json!(1)));
    let rejected = &loaded["rejected"];
    assert_eq!((&rejected[0]["file"], &rejected[0]["line"]), (&json!("people.nq"), &json!(3)));
    let stopped = server.post("/load/one?files=people.nq&batch-rows=2&journal=j", &bad);
    assert_eq!(stopped.status, 400, "{stopped:?}");
    let again = server.post("/load/one?files=people.nq&batch-rows=2&journal=j", &bad);
    assert!(again.body.contains("--resume"), "{again:?}");
    let resumed = server.post(&format!("{path}&resume=true"), &bad);
    assert_eq!(resumed.status, 200, "{resumed:?}");
    assert_eq!(server.shown("/dbs/one")["relationships"], 1);
}

#[test]
fn a_database_in_memory_has_no_backup() {
    let server = start();
    let refused = server.get("/backup");
    assert_eq!(refused.error.as_deref(), Some("unsupported"), "{refused:?}");
}

#[test]
fn a_malformed_load_is_refused() {
    let server = start();
    assert_eq!(server.post("/load/nope?format=nquads", QUADS).status, 404);
    assert_eq!(server.post("/load/one", QUADS).status, 400);
    assert_eq!(server.post("/load/one?format=xml", QUADS).status, 400);
    assert_eq!(server.post("/load/one?fromat=csv", QUADS).status, 400);
}

/// Symptom: half a file loaded because its client died. Shape: a body cut off. Bound: nothing of it.
#[test]
fn a_body_that_is_cut_off_leaves_nothing() {
    let server = start();
    let mut socket = TcpStream::connect(server.url.trim_start_matches("http://")).unwrap();
    write!(
        socket,
        "POST /load/one?format=nquads HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{QUADS}"
    )
    .unwrap();
    let state = || server.shown("/load")[0]["state"].as_str().map(str::to_owned);
    let wait_for = |word: &dyn Fn(&str) -> bool| {
        let began = Instant::now();
        while !state().is_some_and(|state| word(&state)) {
            assert!(began.elapsed() < Duration::from_secs(10), "the load is {:?}", state());
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait_for(&|_| true);
    drop(socket);
    wait_for(&|state| state == "failed");
    assert_eq!(server.shown("/dbs/one")["nodes"], 0);
}
