//! A load killed at any moment left nothing, or all of it; and the next one succeeds.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use millrace_testkit::Rng;

use crate::program::{program, run, serve, text};

const ROUNDS: u64 = 8;
const RELATIONSHIPS: &str = "200000";

/// The load takes some hundred milliseconds on the machines this is run on; wherever the axe falls,
/// before, in or behind it, the promise is the same.
const AXE_MS: std::ops::Range<u64> = 1..200;

#[test]
fn a_load_killed_at_any_moment_left_nothing_or_all() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files").to_str().unwrap().to_owned();
    let made = run(&["generate", "likes", "--out", &files, "--scale", "0.02"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made = text(&made.stdout);
    let tables: Vec<&str> = made.lines().collect();
    let mut rng = Rng::new(7);
    let mut unfinished = 0;
    for round in 0..ROUNDS {
        let data = folder.path().join(format!("data-{round}"));
        let mut arguments = vec!["load", "--data", data.to_str().unwrap(), "--graph", "likes"];
        arguments.extend(&tables);
        let mut load = program(&arguments);
        let mut load = load.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let axe = rng.range(AXE_MS);
        thread::sleep(Duration::from_millis(axe));
        load.kill().unwrap();
        let ended = load.wait().unwrap();
        let server = serve(&data);
        let (status, count) = server.script("likes", "AllRelationshipsCount()").unwrap();
        let nothing = status == 404 || count == "0";
        unfinished += u32::from(nothing);
        assert!(
            (nothing && !ended.success()) || count == RELATIONSHIPS,
            "killed after {axe} ms: {status} {count}"
        );
        assert_eq!(server.terminate(), Some(0));
        if nothing {
            let again = run(&arguments);
            assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
            let server = serve(&data);
            assert_eq!(server.ask("likes", "AllRelationshipsCount()"), RELATIONSHIPS);
        }
    }
    assert!(0 < unfinished, "no load was killed before it was done: let the axe fall earlier");
}
