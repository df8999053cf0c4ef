//! Transcripts of RageDB's interface: a request's text in, its message or its refusal out.

use std::fs;
use std::path::Path;

use millrace_model::{Error, ErrorKind, READ_ONLY_DATABASE, Value};
use millrace_testkit::golden::{self, Case};
use millrace_wire::http::Response;
use millrace_wire::ragedb::{ROUTES, SCRIPT_ERROR_PREFIX, empty_script, parse, script_error};
use millrace_wire::reference::reference_page;

fn message(case: &Case) -> String {
    let (head, body) = case.input.split_once("\n\n").unwrap_or((&case.input, ""));
    let mut answers = Vec::new();
    for line in head.lines() {
        let (method, target) = line.split_once(' ').expect("METHOD PATH");
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target, None),
        };
        answers.push(match parse(method, path, query, body.as_bytes()) {
            Ok(request) => format!("{request:?}"),
            Err(refusal) => display(&refusal.response()),
        });
    }
    answers.join("\n")
}

fn display(response: &Response) -> String {
    let mut text = response.status.to_string();
    for (name, value) in [("error", response.error), ("type", response.content_type)] {
        value.inspect(|value| text.push_str(&format!(" {name}={value}")));
    }
    response.allow.as_ref().inspect(|allow| text.push_str(&format!(" allow={allow}")));
    format!("{text} {}", String::from_utf8_lossy(&response.body))
}

#[test]
fn requests_are_read_as_the_goldens_say() {
    golden::check_folder(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ragedb"), message);
}

#[test]
fn every_route_is_reached_by_its_own_pattern_of_path() {
    for route in ROUTES {
        let path: String = route
            .pattern
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| match part {
                "{id}" | "{id2}" => "/7".to_owned(),
                "{data_type}" => "/string".to_owned(),
                "{operation}" => "/EQ".to_owned(),
                "{options…}" => "/out/LIKES".to_owned(),
                name if name.starts_with('{') => format!("/a{}", name.len()),
                word => format!("/{word}"),
            })
            .collect();
        let body: &[u8] = if route.pattern.contains("{operation}") { b"1" } else { b"{\"a\": 1}" };
        let found = parse(route.method.word(), &path, None, body);
        assert!(found.is_ok(), "{} {path}: {found:?}", route.method.word());
    }
}

#[test]
fn the_reference_page_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/http.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&page, reference_page()).expect("the page can be written");
    }
    let found = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        found == reference_page(),
        "docs/reference/http.md: MILLRACE_REWRITE_GOLDENS=1 mends it"
    );
}

#[test]
fn errors_have_the_two_forms() {
    let error = Error::new(ErrorKind::NotFound, "there is no graph named x");
    let request = Response::error(&error);
    assert_eq!(
        display(&request).as_str(),
        "404 error=not-found type=application/json \"there is no graph named x\""
    );
    let late = Error::new(ErrorKind::DeadlineExceeded, "late");
    let script = script_error(&late, "script:1: late");
    assert_eq!(script.status, 400);
    assert_eq!(script.content_type, Some("text/html"));
    assert!(String::from_utf8_lossy(&script.body).starts_with(SCRIPT_ERROR_PREFIX));
    assert_eq!(
        display(&empty_script()),
        "400 error=bad-input type=application/json \"Empty script\""
    );
    let value = Value::map(vec![(Value::from("degree"), Value::I64(3))]);
    assert_eq!(display(&Response::value(200, &value)), "200 type=application/json {\"degree\": 3}");
}

#[test]
fn a_write_to_a_database_that_is_open_to_be_read_only_is_forbidden_and_one_to_a_full_disk_may_come_again()
 {
    let full = Error::new(ErrorKind::ReadOnly, "the disk is nearly full");
    let statuses =
        |error: &Error| [Response::error(error).status, script_error(error, "script:1:").status];
    assert_eq!(statuses(&full), [503, 503]);
    let read_only = full.with_name(READ_ONLY_DATABASE);
    assert_eq!(statuses(&read_only), [403, 403]);
    assert_eq!(Response::error(&read_only).error, Some("read-only"));
}

/// Symptom: a byte string a client sends brings the server down. Shape: any bytes. Bound: none.
#[test]
fn no_request_makes_the_codec_panic() {
    millrace_testkit::run_seeds(200, |_, rng| {
        let pieces =
            ["/db", "/g", "/node", "/7", "/%41", "%", "?", "/relationship", "//", "/é", "&"];
        let path: String = (0..rng.below(10)).map(|_| *rng.pick(&pieces)).collect();
        let body: Vec<u8> = (0..rng.below(20)).map(|_| rng.below(256) as u8).collect();
        let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", ""];
        let method = *rng.pick(&methods);
        let _: Result<_, Response> =
            parse(method, &path, Some("skip=1&limit=%zz"), &body).map_err(|no| no.response());
    });
}
