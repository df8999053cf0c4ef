//! Hostile queries and loads, each in a server of its own with `memory.max` at 512 MB: it is done or
//! refused, the server lives, and what it held is near the bound. And what was freed goes back.

mod cases;

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use cases::{Case, Step, cases};
use serde_json::json;

use crate::program::{Served, serve_bounded};

/// `memory.max` of each server.
const BOUND: u64 = 512 << 20;

/// The most that a server may hold at once.
const RESIDENT_MAX: u64 = BOUND / 4 * 5;

/// Cases that hold more for a moment, and what they may hold: a collected list becomes one that is shared; an interpreter
/// of Lua has texts that it collects only when it has no room, beside those that are made; a table of Lua, a list
/// of batches and a set of distinct rows grow by doubling, and are there twice meanwhile; what an index found for many
/// rows is there beside the paths that are collected.
const COLLECTING: [&str; 10] = [
    "all shortest paths",
    "gremlin: aggregated values",
    "gremlin: repeated paths",
    "gremlin: distinct pairs",
    "gremlin: a tree",
    "gremlin: paths",
    "gremlin: a doubled traverser",
    "lua: a table of tables",
    "lua: a text of repeated lists",
    "lua: joined texts",
];
const COLLECTING_MAX: u64 = BOUND / 4 * 7;

/// Servers at once: each needs its bound.
const SERVERS: usize = 2;

/// How long a step may run: one that is slow is ended by it, and must not hold too much either.
const DEADLINE_MS: u64 = 8_000;

/// How long freed memory may take to go back.
const RETURNED_WITHIN: Duration = Duration::from_secs(15);

/// A line of the status of a process, in bytes.
fn resident(process: u32, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let found = status.lines().find_map(|own| own.strip_prefix(line)).expect("the line is there");
    let kib: u64 = found.trim_matches([':', '\t', ' ', 'k', 'B']).parse().expect("it is a number");
    kib << 10
}

/// The answer to a step: its status and the end of its body.
fn answer(served: &Served, step: &Step) -> (u16, String) {
    let deadline = DEADLINE_MS.to_string();
    let headers =
        [("content-type", "application/json"), ("millrace-deadline-ms", deadline.as_str())];
    let (path, body) = match step {
        Step::Query { language, text, parameters } => {
            let parameters = parameters.map_or_else(|| json!({}), |make| make());
            let body = json!({ "language": language, "text": text, "parameters": parameters });
            ("/query/one".to_owned(), body.to_string())
        }
        Step::Load { words, make } => (format!("/load/one?{words}"), make()),
    };
    served.post_within(&path, &headers, body.as_bytes())
}

/// Whether an answer is a result, or an error that says which limit was reached.
fn is_clean(status: u16, end: &str) -> bool {
    let is_refused =
        ["limit-reached", "memory limit", "deadline-exceeded", "bad-input", "bad-query"]
            .iter()
            .any(|kind| end.contains(&format!("\"kind\": \"{kind}\"")) || end.contains(kind));
    match status {
        200 => !end.contains("\"error\"") || is_refused,
        status => (400..500).contains(&status) && is_refused || status == 504,
    }
}

fn run(case: &Case, folder: &Path) -> Result<String, String> {
    let served = serve_bounded(folder, BOUND);
    served.put_graph("one");
    for step in case.before {
        let (status, end) = answer(&served, step);
        if status != 200 || end.contains("\"error\"") {
            return Err(format!("{}: not prepared: {status} {end}", case.name));
        }
    }
    let began = Instant::now();
    let (status, end) = answer(&served, &case.step);
    let (took, most) = (began.elapsed(), resident(served.process_id(), "VmHWM"));
    let said = format!(
        "{}: {} MiB after {:.1} s, {status} {}",
        case.name,
        most >> 20,
        took.as_secs_f64(),
        end.trim()
    );
    let one = Step::Query { language: "cypher", text: "RETURN 1", parameters: None };
    let lives = answer(&served, &one).0 == 200;
    let is_collecting = COLLECTING.contains(&case.name);
    let bytes_max = if is_collecting { COLLECTING_MAX } else { RESIDENT_MAX };
    match lives && is_clean(status, &end) && most <= bytes_max {
        true => Ok(said),
        false => Err(format!("{said} (lives: {lives})")),
    }
}

#[test]
fn hostile_queries_and_loads_hold_no_more_than_their_bound() {
    let (cases, faults) = (Mutex::new(cases()), Mutex::new(Vec::new()));
    assert!(40 <= cases.lock().unwrap().len());
    thread::scope(|scope| {
        for _ in 0..SERVERS {
            scope.spawn(|| {
                loop {
                    let Some(case) = cases.lock().unwrap().pop() else { return };
                    let folder = tempfile::tempdir().unwrap();
                    match run(&case, folder.path()) {
                        Ok(said) => println!("{said}"),
                        Err(fault) => faults.lock().unwrap().push(fault),
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn freed_memory_goes_back_to_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_bounded(folder.path(), BOUND);
    served.put_graph("one");
    let before = resident(served.process_id(), "VmRSS");
    let text = "UNWIND range(1, 1000000) AS i \
                WITH collect('a text that is long enough ' + i) AS all RETURN size(all) AS n";
    let step = Step::Query { language: "cypher", text, parameters: None };
    let (status, end) = answer(&served, &step);
    let most = resident(served.process_id(), "VmHWM");
    assert!(status == 200 && before + (48 << 20) < most, "{status} {end} {most}");
    let began = Instant::now();
    loop {
        let now = resident(served.process_id(), "VmRSS");
        if now < before + (32 << 20) {
            return;
        }
        assert!(began.elapsed() < RETURNED_WITHIN, "{before} {most} {now}");
        thread::sleep(Duration::from_millis(200));
    }
}
