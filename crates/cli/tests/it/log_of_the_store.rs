//! Log entries about a data folder: how it was opened, its damage, and when it takes no writes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Served, run, serve_logging};

/// Settings under which a few hundred people are a checkpoint.
const SMALL: [&str; 4] =
    ["--set", "data.checkpoint-bytes=65536", "--set", "log.checkpoint-bytes=65536"];

fn any(_: &serde_json::Value) -> bool {
    true
}

/// A served folder with a graph of people.
fn people(data: &Path, further: &[&str]) -> Served {
    let served = serve_logging(data, further);
    served.ask_new("one", "NodeTypeInsert('Person')\n0");
    served.ask("one", "for i = 1, 300 do NodeAdd('Person', 'p' .. i) end\n0");
    served
}

/// The files of a folder with this prefix, ascending.
fn files(data: &Path, prefix: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(data)
        .expect("it is there, and of its kind")
        .map(|entry| entry.expect("it is there, and of its kind").path());
    let has_prefix = |path: &PathBuf| {
        path.file_name()
            .expect("it is there, and of its kind")
            .to_string_lossy()
            .starts_with(prefix)
    };
    let mut files: Vec<_> = files.filter(has_prefix).collect();
    files.sort();
    files
}

/// Flips a bit of a byte.
fn flip(file: &Path, place: usize) {
    let mut bytes = fs::read(file).expect("it is there, and of its kind");
    bytes[place] ^= 1;
    fs::write(file, bytes).expect("it is there, and of its kind");
}

#[test]
fn a_start_after_kill_nine_is_distinguished_from_one_after_an_orderly_end() {
    let folder = tempfile::tempdir().unwrap();
    let served = people(folder.path(), &[]);
    let first = served.event("recovered", any);
    assert_eq!((&first["replayed"], &first["position"]), (&0.into(), &0.into()), "{first}");
    served.kill();
    let served = serve_logging(folder.path(), &[]);
    let unclean = served.event("unclean-end", any);
    assert!(unclean["holder"].as_str().unwrap().starts_with("process "), "{unclean}");
    let recovered = served.event("recovered", any);
    assert!(1 < recovered["replayed"].as_u64().unwrap(), "{recovered}");
    assert_eq!(served.ask("one", "AllNodesCount('Person')"), "300");
    assert_eq!(served.terminate_now(), Some(0));
    let served = serve_logging(folder.path(), &[]);
    served.terminate_now();
    let events = served.events_to_the_end();
    assert!(events.iter().any(|event| event["event"] == "recovered"), "{events:#?}");
    assert!(!events.iter().any(|event| event["event"] == "unclean-end"), "{events:#?}");
}

#[test]
fn a_damaged_newest_manifest_is_logged_with_the_one_that_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(people(folder.path(), &[]).terminate(), Some(0));
    let manifests = files(folder.path(), "MANIFEST-");
    let [older, newest] = &manifests[..] else { panic!("two are kept: {manifests:?}") };
    flip(newest, 48);
    let served = serve_logging(folder.path(), &[]);
    let fallback = served.event("manifest-fallback", any);
    let used = fallback["used"].as_str().unwrap();
    assert!(older.ends_with(used), "{fallback}");
    let error = fallback["error"].as_str().unwrap();
    assert!(error.contains(newest.to_str().unwrap()) && error.contains("byte 48"), "{error}");
    assert_eq!(served.ask("one", "AllNodesCount('Person')"), "300");
}

#[test]
fn writes_that_are_refused_are_logged_when_it_begins_and_when_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (data, away) = (folder.path().join("data"), folder.path().join("away"));
    let served = people(&data, &[]);
    fs::rename(&data, &away).unwrap();
    let refused = served.event("read-only", any);
    let why = refused["why"].as_str().unwrap();
    assert!(why.contains("free space") && why.contains("put the data folder back"), "{why}");
    assert_eq!(refused["level"], "error");
    assert_eq!(served.get("/health/ready").unwrap().0, 503);
    fs::rename(&away, &data).unwrap();
    assert!(served.event("read-write", any)["after_ms"].is_u64());
    assert_eq!(served.get("/health/ready").unwrap().0, 200);
    assert_eq!(served.terminate(), Some(0));
}

#[test]
fn a_damaged_section_that_a_query_needs_is_logged_once_with_its_offset() {
    let folder = tempfile::tempdir().unwrap();
    let served = people(folder.path(), &SMALL);
    served.ask("one", "for i = 1, 3000 do NodeAdd('Person', 'q' .. i) end\n0");
    let checkpoint = served.event("checkpoint", any);
    assert!(0 < checkpoint["written_bytes"].as_u64().unwrap(), "{checkpoint}");
    assert_eq!(served.terminate(), Some(0));
    let data = folder.path().to_str().unwrap();
    for segment in files(folder.path(), "seg-") {
        let name = segment.file_name().unwrap().to_str().unwrap();
        let inspected = run(&["inspect", "--data", data, name, "--json"]);
        let inspected: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
        for section in inspected["sections"].as_array().unwrap() {
            // Values are read when a query wants them, not when the folder is opened.
            if section["section"].as_str().unwrap().starts_with("VertexColumn") {
                flip(&segment, usize::try_from(section["offset"].as_u64().unwrap()).unwrap());
            }
        }
    }
    let served = serve_logging(folder.path(), &[]);
    let ask = || served.script("one", "NodeGet('Person', 'p7')\nAllNodes()");
    let (first, second) = (ask().unwrap(), ask().unwrap());
    assert_ne!((first.0, second.0), (200, 200), "{} {}", first.1, second.1);
    let damage = served.event("damage", any)["error"].as_str().unwrap().to_owned();
    assert!(damage.contains("seg-") && damage.contains("byte"), "{damage}");
    let metrics = served.get_text("/metrics");
    let counted = metrics.lines().find(|line| line.starts_with("millrace_segment_damage_total "));
    let counted = counted.expect("it is counted").rsplit(' ').next().unwrap();
    assert!(1.0 <= counted.parse::<f64>().unwrap(), "{counted}");
    served.terminate_now();
    let events = served.events_to_the_end();
    let same = events.iter().filter(|event| event["error"] == damage.as_str()).count();
    assert_eq!(same, 1, "{events:#?}");
}
