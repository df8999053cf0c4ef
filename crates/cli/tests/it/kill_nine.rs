//! The real server killed by `kill -9` under write load, again and again on one folder.
//!
//! Promise: acknowledged scripts are there after the restart, and no script is half there. Each script
//! adds two nodes and the relationship between them, and raises a counter all writers share.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::thread;

use millrace_testkit::{Rng, number};

use crate::program::{Served, serve};

const WRITERS: u64 = 6;
const ROUNDS_DEFAULT: u64 = 5;

/// Between how many acknowledged scripts of a round the axe falls.
const ACKNOWLEDGED: std::ops::Range<u64> = 1..150;

/// The acknowledged scripts of a round.
#[derive(Default)]
struct Acknowledged {
    keys: Mutex<Vec<String>>,
    counter: AtomicI64,
    count: AtomicU64,
}

#[test]
fn kill_nine_loses_nothing_that_was_acknowledged() {
    let rounds = number("MILLRACE_KILL_ROUNDS", ROUNDS_DEFAULT);
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path());
    begin(&server);
    server.kill();
    let mut rng = Rng::new(0x9e37);
    let (mut counter, mut total) = (0, 0);
    for round in 0..rounds {
        let server = serve(folder.path());
        let after = rng.range(ACKNOWLEDGED);
        let acknowledged = write_until_killed(&server, round, after);
        server.kill();
        counter = counter.max(acknowledged.counter.load(Ordering::Relaxed));
        let keys = acknowledged.keys.into_inner().unwrap();
        total += keys.len();
        // Opened twice: the writes of recovery itself must survive the next crash.
        for restart in 0..2 {
            let server = serve(folder.path());
            check(
                &server,
                &keys,
                counter,
                &format!("round {round}, killed after {after}, restart {restart}"),
            );
            server.kill();
        }
    }
    let server = serve(folder.path());
    let count: usize = server.ask("one", "AllNodesCount('Left')").parse().unwrap();
    assert!(total <= count, "{total} scripts were acknowledged in all, {count} are there");
    assert_eq!(server.terminate(), Some(0));
    eprintln!("kill_nine: {rounds} rounds, {total} scripts acknowledged, {count} there");
}

/// Makes the graph and the counter.
pub(crate) fn begin(server: &Served) {
    assert_eq!(server.post("/dbs/one", "").unwrap().0, 200);
    server.ask(
        "one",
        "NodeTypeInsert('Left')\nNodeTypeInsert('Right')\nNodeTypeInsert('Counter')\n\
                     NodeAdd('Counter', 'c', '{\"n\": 0}')\n1",
    );
}

/// Writes from many clients; kills the server once so many scripts were acknowledged.
fn write_until_killed(server: &Served, round: u64, after: u64) -> Acknowledged {
    let acknowledged = Acknowledged::default();
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let acknowledged = &acknowledged;
                scope
                    .spawn(move || write(server, acknowledged, &format!("{round}-{writer}"), after))
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().expect("a writer does not panic"));
    });
    acknowledged
}

/// Adds pairs until the server is gone; the thread that sees enough acknowledged kills it.
fn write(server: &Served, acknowledged: &Acknowledged, name: &str, after: u64) {
    for number in 0.. {
        let key = format!("{name}-{number}");
        let raises = number % 4 == 0;
        let script = if raises { counting(&key) } else { pair(&key) };
        let Some((status, answer)) = server.script("one", &script) else { return };
        assert_eq!(status, 200, "{answer}");
        acknowledged.keys.lock().expect("no writer panicked").push(key);
        if raises {
            let counter = answer.parse().expect("the counter is a number");
            acknowledged.counter.fetch_max(counter, Ordering::Relaxed);
        }
        if after <= acknowledged.count.fetch_add(1, Ordering::Relaxed) + 1 {
            server.kill_now();
            return;
        }
    }
}

/// The script that adds two nodes and a relationship between them.
pub(crate) fn pair(key: &str) -> String {
    format!(
        "NodeAdd('Left', '{key}')\nNodeAdd('Right', '{key}')\n\
         RelationshipAdd('PAIR', 'Left', '{key}', 'Right', '{key}')\n0"
    )
}

/// The same, which raises the counter too and answers its value.
pub(crate) fn counting(key: &str) -> String {
    format!(
        "local n = NodeGetProperty('Counter', 'c', 'n') + 1\nNodeSetProperty('Counter', 'c', 'n', n)\n\
         {}\nn",
        pair(key).trim_end_matches("\n0")
    )
}

/// Everything acknowledged is there, and no pair is half there.
pub(crate) fn check(server: &Served, keys: &[String], counter: i64, when: &str) {
    let list = keys.iter().map(|key| format!("'{key}'")).collect::<Vec<_>>().join(",");
    let missing = server.ask(
        "one",
        &format!(
            "local missing = {{}}\nfor _, key in ipairs({{{list}}}) do\n\
             if NodeGetDegree('Left', key, Direction.OUT, 'PAIR') ~= 1 or NodeGetId('Right', key) == 0 then\n\
             missing[#missing + 1] = key end\nend\nmissing"
        ),
    );
    assert_eq!(missing, "[]", "{when}: acknowledged and gone");
    let counts = server
        .ask("one", "AllNodesCount('Left'), AllNodesCount('Right'), AllRelationshipsCount('PAIR')");
    let counts: Vec<u64> = serde_json::from_str(&counts).expect("three numbers");
    assert!(counts.iter().all(|count| *count == counts[0]), "{when}: half a script: {counts:?}");
    let lonely = server.ask(
        "one",
        "local lonely = 0\nfor _, id in ipairs(AllNodeIds('Left', 0, 1000000)) do\n\
         if NodeGetDegree(id) ~= 1 then lonely = lonely + 1 end\nend\nlonely",
    );
    assert_eq!(lonely, "0", "{when}: nodes without their pair");
    let found: i64 = server
        .ask("one", "local n = NodeGetProperty('Counter', 'c', 'n')\nn")
        .parse()
        .expect("a number");
    assert!(counter <= found, "{when}: the counter was acknowledged at {counter}, and is {found}");
}
