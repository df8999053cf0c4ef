//! Scripts: answers, sandboxes, errors, transactions, write conflicts.

use std::thread;

use serde_json::json;

use crate::client::{start, start_with};

#[test]
fn the_last_line_is_the_answer() {
    let server = start();
    assert_eq!(server.run("local a = 1\na + 1"), json!(2));
    assert_eq!(server.run("1, \"x\""), json!([1, "x"]));
    let reply = server.post("/ro/one/lua", "AllNodesCount()");
    assert_eq!((reply.status, reply.body.as_str()), (200, "0"));
    assert_eq!(reply.content_type.as_deref(), Some("application/json"));
}

#[test]
fn a_failed_script_answers_as_ragedb_does() {
    let server = start();
    let failed = server.post("/db/one/lua", "local x = nil\nx.y");
    assert_eq!((failed.status, failed.content_type.as_deref()), (400, Some("text/html")));
    assert!(failed.body.starts_with("An exception has occurred: "), "{failed:?}");
    let empty = server.post("/db/one/lua", "  \n");
    assert_eq!((empty.status, empty.body.as_str()), (400, "\"Empty script\""));
    let binary = server.send("POST", "/db/one/lua", &[], b"\xff\xfe");
    assert_eq!((binary.status, binary.error.as_deref()), (400, Some("bad-input")));
    let nowhere = server.post("/db/nope/lua", "1");
    assert_eq!((nowhere.status, nowhere.error.as_deref()), (404, Some("not-found")));
    assert!(nowhere.body.contains("POST /dbs/nope"), "{nowhere:?}");
}

#[test]
fn each_route_has_its_rights() {
    let server = start();
    for (route, script, status) in [
        ("ro", "NodeAdd('Person', 'a')", 400),
        ("rw", "NodeTypeInsert('Person')", 400),
        ("db", "NodeTypeInsert('Person')", 200),
        ("rw", "NodeAdd('Person', 'a')", 200),
        ("ro", "NodeGetId('Person', 'a')", 200),
    ] {
        let reply = server.post(&format!("/{route}/one/lua"), script);
        assert_eq!(reply.status, status, "{route} {script}: {reply:?}");
    }
}

#[test]
fn a_script_that_fails_leaves_nothing() {
    let server = start();
    let failed = server.post("/db/one/lua", "NodeAdd('Person', 'ann')\nerror('no')\n1");
    assert_eq!(failed.status, 400);
    assert_eq!(server.run("AllNodesCount()"), json!(0));
}

#[test]
fn a_script_for_all_reaches_every_interpreter_and_sandbox() {
    let server = start();
    let sent = server.post("/db/one/lua", "--ALL\nfunction twice(x) return 2 * x end\n1");
    assert_eq!((sent.status, sent.body.as_str()), (200, "\"Sent to All\""));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let reply = server.post("/ro/one/lua", "twice(21)");
                assert_eq!((reply.status, reply.body.as_str()), (200, "42"), "{reply:?}");
            });
        }
    });
}

#[test]
fn a_file_of_functions_reaches_interpreters_that_run_and_those_that_start_later() {
    let server = start();
    assert_eq!(server.run("1"), json!(1));
    let sent = server.post("/db/one/lua", "--ALL\nf = function(a, b)\n return a + b\nend\n");
    assert_eq!((sent.status, sent.body.as_str()), (200, "\"Sent to All\""), "{sent:?}");
    // As many at once need more interpreters than there were.
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let script = "local n = 0\nfor i = 1, 200000 do n = f(n, 1) end\nleft = n\nn";
                for _ in 0..4 {
                    assert_eq!(server.run(script), json!(200_000));
                    assert_eq!(server.run("left"), json!(null));
                }
            });
        }
    });
}

#[test]
fn scripts_that_race_for_one_node_all_count() {
    let server = start();
    server.run("NodeAdd('Counter', 'c', '{\"n\": 0}')\n1");
    let (clients, rounds) = (6, 10);
    thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                for _ in 0..rounds {
                    let script = "local n = NodeGetProperty('Counter', 'c', 'n')\n\
                                  NodeSetProperty('Counter', 'c', 'n', n + 1)\nn";
                    let reply = server.post("/rw/one/lua", script);
                    assert_eq!(reply.status, 200, "{reply:?}");
                }
            });
        }
    });
    let counter = server.shown("/db/one/node/Counter/c/property/n");
    assert_eq!(counter, json!({"n": clients * rounds}));
}

#[test]
fn two_scripts_that_add_one_key_make_one_node() {
    let server = start();
    server.run("NodeTypeInsert('Person')\n1");
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| server.post("/rw/one/lua", "NodeAdd('Person', 'ann')\n1"));
        }
    });
    assert_eq!(server.run("AllNodesCount('Person')"), json!(1));
}

#[test]
fn more_scripts_than_may_wait_are_turned_away() {
    let server = start_with(|settings| {
        settings.scripts.interpreters_max = 1;
        settings.scripts.queue_max = 1;
    });
    assert_eq!(server.post("/dbs/one", "").status, 200);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let slow = "local t = os.clock() while os.clock() - t < 0.3 do end\n1";
        let running: Vec<_> =
            (0..6).map(|_| scope.spawn(|| server.post("/ro/one/lua", slow).status)).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
}
