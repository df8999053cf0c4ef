//! The experiment `scaling-writes` against a server of its own: counts are exact, times are not looked at.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use clap::{CommandFactory, FromArgMatches, Parser};
use millrace_bench::scaling_writes::{Arguments, run};
use millrace_testkit::require_component;
use serde_json::Value;

use super::this_program;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// A small experiment with these arguments; returns its report.
fn experiment(folder: &Path, line: &str) -> Value {
    let json = folder.join("report.json");
    let line = format!(
        "bench --users 4 --requests 60 --many-users 8 --warm-up 8 --seconds 0 --crashes 2 --data {} --json {} {line}",
        folder.join("data").display(),
        json.display()
    );
    // What a test asks for wins.
    let command = Line::command().args_override_self(true);
    let matches = command.get_matches_from(line.split_whitespace());
    let mut arguments = Line::from_arg_matches(&matches).unwrap().arguments;
    arguments.program = this_program();
    assert!(run(&arguments).unwrap(), "nothing is judged");
    serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap()
}

fn number(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}: {value:#}"))
}

/// Every answered request has its node, once: 4 users with 60 requests, 8 users with 30.
fn every_node_arrives(variant: &Value) {
    let closed = variant["closed"].as_array().unwrap();
    assert_eq!(closed.len(), 2);
    for run in closed {
        assert_eq!(number(run, "/summary/answered"), 240, "{run:#}");
        for counted in ["answered", "nodes", "distinct"] {
            assert_eq!(number(run, &format!("/arrived/{counted}")), 240, "{counted}");
        }
        assert_eq!(number(run, "/arrived/missing"), 0);
        assert!(run["summary"]["latency_ms"]["max"].as_f64().is_some_and(|max| 0.0 < max));
    }
}

fn crashes(variant: &Value) -> &[Value] {
    let crashes = variant["crashes"].as_array().unwrap();
    assert_eq!(crashes.len(), 2);
    for crash in crashes {
        let [answered, found, lost, unanswered, twice] =
            ["answered", "found", "lost", "unanswered", "twice"]
                .map(|name| number(crash, &format!("/{name}")));
        assert!(0 < answered, "{crash:#}");
        assert_eq!(answered - lost, found - unanswered, "{crash:#}");
        assert_eq!(twice, 0, "{crash:#}");
    }
    crashes
}

#[test]
fn what_is_answered_arrives_and_a_crash_loses_what_the_app_had_in_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let report = experiment(folder.path(), "--variants node,nodes-100,nodes-5000");
    let variants = report["variants"].as_array().unwrap();
    let names: Vec<_> = variants.iter().map(|variant| variant["variant"].as_str()).collect();
    assert_eq!(names, ["node", "nodes-100", "nodes-5000"].map(Some));
    variants.iter().for_each(every_node_arrives);
    // A user has at most one request under way: only its own node can be there without an answer.
    for crash in crashes(&variants[0]) {
        assert_eq!(number(crash, "/lost"), 0, "{crash:#}");
        assert!(number(crash, "/unanswered") <= 4, "{crash:#}");
    }
    // Batches arrive whole or not at all; besides the accumulator, a batch of each user may be under way.
    for (variant, batch) in [(&variants[1], 100), (&variants[2], 5_000)] {
        for crash in crashes(variant) {
            assert_eq!(number(crash, "/found") % batch, 0, "{crash:#}");
            assert!(number(crash, "/lost") < 5 * batch, "{crash:#}");
        }
    }
    let left = std::fs::read_dir(folder.path().join("data")).unwrap().count();
    assert_eq!(left, 0, "the server's folder is removed");
}

#[test]
fn nodes_are_written_by_the_interface_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--variants node,nodes-100 --crashes 0 --interface";
    for (name, says) in [("tx", "POST /db/NAME/tx/commit"), ("rest", "POST /db/data/node")] {
        let report = experiment(folder.path(), &format!("{line} {name}"));
        report["variants"].as_array().unwrap().iter().for_each(every_node_arrives);
        assert!(report.to_string().contains(says), "{report:#}");
    }
}

#[test]
fn variants_that_need_a_broker_are_left_out_by_name_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--requests 5 --users 2 --many-users 0 --crashes 0";
    let report = experiment(folder.path(), line);
    assert_eq!(report["variants"].as_array().unwrap().len(), 3);
    let notes = report["notes"].to_string();
    for name in ["evented is left out", "evented-100 is left out", "--amqp"] {
        assert!(notes.contains(name), "{notes}");
    }
}

#[test]
fn a_first_rate_that_breaks_is_halved_a_few_times() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--variants node --many-users 0 --crashes 0 --seconds 0.2 --p99-max-ms 0.001";
    let report = experiment(folder.path(), line);
    let open = &report["variants"][0]["open"];
    assert!(open["rate_max"].is_null(), "{open:#}");
    let steps = open["search"].as_array().unwrap();
    let rates: Vec<f64> = steps.iter().map(|step| step["rate"].as_f64().unwrap()).collect();
    assert_eq!(rates.len(), 5);
    assert!(rates.windows(2).all(|pair| pair[1] == (pair[0] / 2.0).max(1.0)), "{rates:?}");
    for step in steps {
        assert_eq!((&step["met"], &step["errors"]), (&Value::Bool(false), &Value::from(0)));
    }
}

#[test]
fn what_is_published_arrives_and_a_crash_loses_no_message() {
    let amqp = std::env::var("MILLRACE_AMQP").ok();
    if !require_component("scaling-writes over a broker", amqp.is_some()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let amqp = amqp.unwrap_or_default();
    let line = format!("--variants evented,evented-100 --confirms --amqp {amqp}");
    let report = experiment(folder.path(), &line);
    let variants = report["variants"].as_array().unwrap();
    variants.iter().for_each(every_node_arrives);
    for crash in crashes(&variants[0]) {
        assert_eq!(number(crash, "/lost"), 0, "the broker had confirmed: {crash:#}");
    }
    for crash in crashes(&variants[1]) {
        assert_eq!(number(crash, "/found") % 100, 0, "{crash:#}");
        assert!(number(crash, "/lost") < 500, "{crash:#}");
    }
}

#[test]
fn a_server_that_is_no_database_is_refused_with_what_it_said() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _request = stream.read(&mut [0; 4096]).unwrap();
            stream
                .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\nno such")
                .unwrap();
        }
    });
    let line = format!("bench --url {url} --variants node");
    let mut arguments = Line::parse_from(line.split_whitespace()).arguments;
    arguments.program = this_program();
    let refused = run(&arguments).unwrap_err().to_string();
    for said in ["takes no statements", "404", "no such", "--user"] {
        assert!(refused.contains(said), "{refused}");
    }
}
