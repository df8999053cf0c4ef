//! The log of the program, read as an operator's tools read it: one JSON object a line on standard error.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use millrace_db::log_events::{LOG_EVENTS, LogEvent, Severity};
use millrace_testkit::workspace;

use crate::program::{program, serve_logging, text};
use crate::users::users_file;

fn any(_: &serde_json::Value) -> bool {
    true
}

#[test]
fn a_start_is_logged_with_settings_and_their_origins_and_a_stop_too() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("millrace.toml");
    fs::write(&file, "[scripts]\ndeadline-ms = 12000\n").unwrap();
    let served =
        serve_logging(&data, &["--config", file.to_str().unwrap(), "--set", "http.drain-ms=9000"]);
    let started = served.event("started", any);
    assert_eq!(started["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(started["data"], data.to_str().unwrap());
    let origin = |name: &str| {
        let setting = served.event("setting", |event| event["name"] == name);
        format!(
            "{} from {}",
            setting["value"].as_str().unwrap(),
            setting["origin"].as_str().unwrap()
        )
    };
    assert_eq!(origin("scripts.deadline-ms"), format!("12000 from {}", file.display()));
    assert_eq!(origin("http.drain-ms"), "9000 from --set");
    let address = served.event("listening", |event| event["protocol"] == "lua")["address"].clone();
    assert_eq!(format!("http://{}", address.as_str().unwrap()), served.url);
    served.ask_new("one", "print('hello', 'log')\n1");
    assert_eq!(served.event("print", any)["text"], "hello\tlog");
    assert_eq!(served.terminate_now(), Some(0));
    let events = served.events_to_the_end();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(names.ends_with(&["stopping", "stopped"]), "{names:?}");
    let settings = events.iter().filter(|event| event["event"] == "setting").count();
    assert_eq!(settings, 10, "seven listeners, the format, and two above: {events:#?}");
}

#[test]
fn the_level_hides_less_severe_events() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_logging(&folder.path().join("data"), &["--set", "log.level=warn"]);
    served.ask_new("one", "print('hello')\n1");
    assert_eq!(served.terminate_now(), Some(0));
    assert_eq!(served.events_to_the_end(), Vec::<serde_json::Value>::new());
}

#[test]
fn text_is_a_line_for_each_event() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = format!("lua={}", taken.local_addr().unwrap());
    let data = folder.path().join("da ta");
    let ended = program(&["serve", "--listen", &listen, "--data", data.to_str().unwrap()]);
    let ended = { ended }.output().unwrap();
    let log = text(&ended.stderr);
    let line = |words: &str| log.lines().find(|line| line.contains(words)).map(str::to_owned);
    let started = line(" INFO  started version=").unwrap_or_else(|| panic!("{log}"));
    assert!(started.contains(&format!(" data=\"{}\"", data.display())), "{started}");
    assert!(line("setting name=listen.lua value=127.0.0.1:").is_some(), "{log}");
    let last = log.lines().last().unwrap_or_default();
    assert!(last.starts_with("millrace: ") && last.contains("is in use"), "{log}");
}

#[test]
fn a_failed_start_is_an_event_of_a_log_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    fs::write(&file, "no folder").unwrap();
    let ended = program(&["serve", "--set", "log.format=json", "--data", file.to_str().unwrap()])
        .output()
        .unwrap();
    let log = text(&ended.stderr);
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["level"]), (&"failed".into(), &"error".into()), "{log}");
    assert_eq!(last["exit_code"].as_i64(), ended.status.code().map(i64::from), "{log}");
    assert!(last["error"].as_str().unwrap().contains("a file"), "{log}");
}

#[test]
fn a_refused_login_is_logged_with_the_name_and_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let users = format!("users.file={}", users_file(folder.path(), &[("ann", "correct-horse")]));
    let served = serve_logging(&folder.path().join("data"), &["--set", &users]);
    let url = served.url.replacen("http://", "http://ann:battery-staple@", 1);
    let answer =
        ureq::get(format!("{url}/dbs")).config().http_status_as_error(false).build().call();
    assert_eq!(answer.unwrap().status(), 401);
    let refused = served.event("refused-login", any);
    assert_eq!((&refused["user"], &refused["level"]), (&"ann".into(), &"warn".into()));
    assert_eq!(refused["peer"], "127.0.0.1");
    // The next line may come a second later: until then refusals are counted.
    let unknown = url.replacen("ann:", "mallory:", 1);
    let began = std::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_millis(1_100) {
        assert!(ureq::get(format!("{unknown}/dbs")).call().is_err());
    }
    let next = served.event("refused-login", |event| event["user"] == "unknown");
    assert!(0 < next["others"].as_u64().unwrap(), "{next}");
    served.terminate_now();
    let all = format!("{:?}", served.events_to_the_end());
    let secrets = ["battery", "horse", "mallory"];
    assert!(!secrets.iter().any(|secret| all.contains(secret)), "{all}");
}

#[test]
fn a_connection_too_many_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let served = serve_logging(&folder.path().join("data"), &["--set", "connections.max=1"]);
    let address = served.url.trim_start_matches("http://").to_owned();
    let held = std::net::TcpStream::connect(&address).unwrap();
    let refused = std::net::TcpStream::connect(&address).unwrap();
    assert_eq!(served.event("too-many-connections", any)["connections_max"], 1);
    drop((held, refused));
}

/// Every source file of the product.
fn sources() -> Vec<PathBuf> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("it is there, and of its kind") {
            let path = entry.expect("it is there, and of its kind").path();
            if path.is_dir() {
                add(&path, files);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    for of_crate in fs::read_dir(workspace().join("crates")).expect("it is there, and of its kind")
    {
        add(&of_crate.expect("it is there, and of its kind").path().join("src"), &mut files);
    }
    files
}

/// The text before the bracket that closes the one open before it.
fn up_to_bracket(text: &str) -> &str {
    let mut depth = 1;
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..place];
        }
    }
    text
}

/// The level, name and arguments of every event in a source text: `tracing::info!(name: "started", …)`.
fn emitted(source: &str) -> Vec<(String, String, String)> {
    let mut emitted = Vec::new();
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let source = code.collect::<Vec<_>>().join("\n");
    for piece in source.split("tracing::").skip(1) {
        let Some((level, rest)) = piece.split_once("!(") else { continue };
        if !level.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        let inside = up_to_bracket(rest);
        let name = inside.trim_start().strip_prefix("name: \"");
        let name = name.unwrap_or_else(|| panic!("an event has no name: {inside}"));
        let (name, arguments) = name.split_once('"').expect("the name ends");
        emitted.push((level.to_owned(), name.to_owned(), arguments.to_owned()));
    }
    emitted
}

#[test]
fn every_event_of_the_source_is_listed_and_every_listed_one_is_there() {
    let word = |severity: Severity| severity.word().to_owned();
    // Written by the thread behind all others, which cannot pass it through `tracing`.
    let mut found = BTreeSet::from([("warn".to_owned(), "lines-dropped".to_owned())]);
    for file in sources() {
        for (level, name, arguments) in emitted(&fs::read_to_string(&file).unwrap()) {
            let listed = LOG_EVENTS.iter().find(|event| event.name == name);
            let LogEvent { fields, .. } =
                listed.unwrap_or_else(|| panic!("{}: {name} is not listed", file.display()));
            for (field, _) in *fields {
                assert!(arguments.contains(field), "{name} of {}: no {field}", file.display());
            }
            found.insert((level, name));
        }
    }
    let listed: BTreeSet<_> =
        LOG_EVENTS.iter().map(|event| (word(event.severity), event.name.to_owned())).collect();
    assert_eq!(found, listed);
}
