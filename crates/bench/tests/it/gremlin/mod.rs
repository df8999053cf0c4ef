//! The Gremlin load generator against a server with behaviour set by the test.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fake_server;
mod real;

use std::time::Duration;

use fake_server::{FakeServer, Reply};
use millrace_bench::gremlin::{Arguments, ErrorCount, Outcome, Script, Serializer, measure, run};

fn measured(arguments: &Arguments) -> Outcome {
    measure(arguments).unwrap().0
}

#[test]
fn the_closed_model_has_at_most_its_slots_under_way_and_fills_them() {
    // The first eight are held until they are all there, so the slots are full at least once.
    let server = FakeServer::start(|number| match number {
        0..8 => Reply::HoldUntil(8),
        _ => Reply::Done,
    });
    let outcome =
        measured(&Arguments { in_flight: Some(4), seconds: Some(2.0), ..server.arguments() });
    let seen = server.seen();
    assert_eq!((seen.outstanding_max, seen.outstanding), (8, 0));
    assert_eq!(outcome.active_max, 8);
    assert_eq!((outcome.answered, outcome.error_count()), (seen.requests, 0));
    assert!(8 < outcome.answered, "freed slots are used again: {}", outcome.answered);
}

/// Symptom: coordinated omission, where a client that waits for a stalled server measures one long request
/// instead of all that were due. Shape: nothing is answered before everything was sent. Bound: a
/// request waited at least from when it was due until the last one was.
#[test]
fn in_the_open_model_a_stall_counts_for_every_request_that_was_due_in_it() {
    let server = FakeServer::start(|_| Reply::HoldUntil(100));
    let arguments = Arguments { rate: Some(100.0), seconds: Some(1.0), ..server.arguments() };
    let outcome = measured(&arguments);
    assert_eq!((outcome.requests, outcome.answered, outcome.error_count()), (100, 100, 0));
    assert_eq!(outcome.active_max, 100, "what is due is sent, whatever was answered");
    assert!(Duration::from_millis(990) <= outcome.latencies.max());
    for (percent, least) in [(50.0, 490), (75.0, 740), (99.0, 980)] {
        let latency = outcome.latencies.percentile(percent);
        assert!(Duration::from_millis(least) <= latency, "p{percent}: {latency:?}");
    }
    assert_eq!(outcome.seconds[0].requests, 100);
    assert_eq!(outcome.seconds[0].latencies.count(), 100);
}

#[test]
fn errors_are_counted_by_code_with_the_message_of_the_first() {
    let server = FakeServer::start(|number| match number % 4 {
        1 => Reply::Refuse(597),
        3 => Reply::Refuse(429),
        _ => Reply::Done,
    });
    let outcome = measured(&Arguments { rate: Some(400.0), ..server.arguments() });
    let error = |code: u16, count| {
        let first = format!("refused with {code}");
        (code.to_string(), ErrorCount { count, first })
    };
    let errors: Vec<_> = outcome.errors.clone().into_iter().collect();
    assert_eq!(errors, [error(429, 50), error(597, 50)]);
    assert_eq!((outcome.requests, outcome.answered), (200, 100));
    assert_eq!(outcome.latencies.count(), 100, "what fails fast does not make a server fast");
}

#[test]
fn an_answer_in_several_frames_is_one_answer_in_either_format() {
    for format in [Serializer::GraphBinary, Serializer::GraphSon] {
        let server = FakeServer::start(|_| Reply::TwoFrames);
        let outcome = measured(&Arguments { rate: Some(100.0), format, ..server.arguments() });
        assert_eq!((outcome.requests, outcome.answered), (50, 50), "{format:?}");
        assert_eq!(outcome.error_count(), 0, "{format:?}");
    }
}

#[test]
fn a_closed_connection_fails_its_requests_under_way_and_those_due_later() {
    let server = FakeServer::start(|number| match number {
        0..10 => Reply::Done,
        _ => Reply::HangUp,
    });
    let arguments = Arguments { connections: Some(1), rate: Some(100.0), ..server.arguments() };
    let outcome = measured(&arguments);
    assert_eq!((outcome.requests, outcome.answered), (50, 10));
    let codes: Vec<_> = outcome.errors.iter().map(|(code, error)| (&**code, error.count)).collect();
    assert_eq!(codes, [("closed", 40)]);
}

#[test]
fn the_warm_up_is_sent_and_not_measured() {
    let server = FakeServer::start(|_| Reply::Done);
    let arguments = Arguments {
        rate: Some(100.0),
        warm_up: Some(0.3),
        seconds: Some(0.2),
        source: Some("ggraph".to_owned()),
        ..server.arguments()
    };
    let outcome = measured(&arguments);
    assert_eq!((outcome.warm_up_requests, outcome.requests, outcome.answered), (30, 20, 20));
    let seen = server.seen();
    assert_eq!(seen.requests, 50);
    assert!(seen.aliases.iter().eq(["g=ggraph"]), "{:?}", seen.aliases);
}

#[test]
fn literal_texts_all_differ_and_parameterized_ones_are_one() {
    for (script, texts, bindings) in [(Script::Literal, 50, 0), (Script::Parameterized, 1, 6)] {
        let server = FakeServer::start(|_| Reply::Done);
        let (rate, batch) = (Some(100.0), Some(3));
        measured(&Arguments { rate, batch, script: Some(script), ..server.arguments() });
        let seen = server.seen();
        assert_eq!((seen.requests, seen.scripts.len()), (50, texts), "{script:?}");
        assert!(seen.binding_counts.iter().eq(&[bindings]), "{:?}", seen.binding_counts);
    }
}

#[test]
fn thresholds_decide_and_reports_are_written_either_way() {
    let server = FakeServer::start(|number| match number {
        5 => Reply::Refuse(500),
        _ => Reply::Done,
    });
    let folder = tempfile::tempdir().unwrap();
    let [html, json] = ["report.html", "report.json"].map(|name| folder.path().join(name));
    let arguments = Arguments {
        rate: Some(100.0),
        errors_max: Some(0),
        p99_max_ms: Some(60_000.0),
        // The server is in this process.
        server_pid: Some(std::process::id()),
        html: Some(html.clone()),
        json: Some(json.clone()),
        ..server.arguments()
    };
    assert!(!run(&arguments).unwrap(), "one error is too many");
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(report["met"], false);
    assert_eq!(report["errors"]["500"]["count"], 1);
    assert_eq!(report["summary"]["answered"], 49);
    assert_eq!(report["thresholds"][0]["option"], "--p99-max-ms");
    assert_eq!(report["thresholds"][0]["met"], true);
    assert!(report["seconds"][0]["latency_ms"]["p99"].is_number());
    let server = &report["summary"]["server_cpu_us_per_request"];
    assert!(server["whole"].is_number() && server["threads"].is_object(), "{server}");
    assert!(std::fs::read_to_string(&html).unwrap().contains("Active requests"));
    assert!(run(&arguments).unwrap(), "the second run has no error");
    let too_many = Arguments { rate_min: Some(1e6), ..arguments };
    assert!(!run(&too_many).unwrap());
}

#[test]
fn arguments_that_make_no_run_and_servers_that_are_not_there_are_refused_by_name() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let arguments = || Arguments { url: format!("ws://{free}/gremlin"), ..Arguments::default() };
    let said = |arguments: Arguments| measure(&arguments).unwrap_err().to_string();
    // Above what a system gives.
    let nobody =
        Arguments { server_pid: Some(u32::MAX), ..FakeServer::start(|_| Reply::Done).arguments() };
    assert!(said(nobody).contains("--server-pid 4294967295"));
    assert!(said(arguments()).starts_with(&format!("ws://{free}/gremlin: ")));
    assert!(said(Arguments { connections: Some(0), ..arguments() }).contains("--connections"));
    assert!(said(Arguments { rate: Some(-1.0), ..arguments() }).contains("--rate"));
    assert!(said(Arguments { seconds: Some(0.0), ..arguments() }).contains("--seconds"));
    assert!(said(Arguments { batch: Some(0), ..arguments() }).contains("--batch"));
    let steps = Arguments { rate: Some(1.0), ramp_to: Some(2.0), steps: Some(1), ..arguments() };
    assert!(said(steps).contains("--steps"));
}
