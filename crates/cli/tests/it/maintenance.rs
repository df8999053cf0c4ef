//! Check, backup, restore, inspect and repair by the real program, on real folders.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::program::{Served, run, serve, text};

#[track_caller]
fn ran(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said} {}", text(&output.stderr));
    said
}

/// A folder with a graph of a few hundred people, served once and closed.
fn people(data: &Path) {
    let server = serve(data);
    assert_eq!(server.post("/dbs/one", "").unwrap().0, 200);
    add(&server, 0..300);
    assert_eq!(server.terminate(), Some(0));
}

fn add(server: &Served, numbers: std::ops::Range<u64>) {
    let script = format!(
        "for i = {}, {} do NodeAdd('Person', 'p' .. i) end\n0",
        numbers.start,
        numbers.end - 1
    );
    server.ask("one", &script);
}

fn count(data: &Path) -> u64 {
    let server = serve(data);
    let count = server.ask("one", "AllNodesCount('Person')").parse().unwrap();
    assert_eq!(server.terminate(), Some(0));
    count
}

#[test]
fn a_backup_under_write_load_is_a_prefix_with_everything_acknowledged_before() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let name = |name: &str| at(name).to_str().unwrap().to_owned();
    let server = serve(&at("data"));
    assert_eq!(server.post("/dbs/one", "").unwrap().0, 200);
    server.ask("one", "NodeTypeInsert('Person')\n0");
    let (acknowledged, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let before = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                server.ask("one", &format!("NodeAdd('Person', 'p{number}')\n0"));
                acknowledged.store(number + 1, Ordering::Relaxed);
            }
        });
        let enough = |count| {
            while acknowledged.load(Ordering::Relaxed) < count {
                assert!(!writer.is_finished(), "the writer ended");
                thread::yield_now();
            }
        };
        let mut before = Vec::new();
        for to in ["one.tar", "two", "three.tar"] {
            enough(acknowledged.load(Ordering::Relaxed) + 30);
            before.push(acknowledged.load(Ordering::Relaxed));
            let said = ran(&["backup", "--url", &server.admin_url(), "--to", &name(to)]);
            assert!(said.contains("up to commit"), "{said}");
        }
        stop.store(true, Ordering::Relaxed);
        before
    });
    let all = acknowledged.load(Ordering::Relaxed);
    server.kill();
    for (to, before) in ["one.tar", "two", "three.tar"].iter().zip(before) {
        let restored = format!("restored-{to}");
        let said = ran(&["restore", "--from", &name(to), "--data", &name(&restored)]);
        assert!(said.contains("sound: "), "{said}");
        ran(&["check", "--data", &name(&restored), "--deep"]);
        let server = serve(&at(&restored));
        let found: u64 = server.ask("one", "AllNodesCount('Person')").parse().unwrap();
        assert!(before <= found && found <= all + 1, "{before} {found} {all}");
        // A prefix: only the last people are missing.
        let script = format!(
            "local n = 0\nfor i = 0, {} do if NodeGetId('Person', 'p' .. i) ~= 0 then n = n + 1 end \
             end\nn",
            found - 1
        );
        assert_eq!(server.ask("one", &script), found.to_string());
        assert_eq!(server.terminate(), Some(0));
    }
    let refused = run(&["restore", "--from", &name("one.tar"), "--data", &name("data")]);
    assert_eq!(refused.status.code(), Some(65), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("is not empty"), "{}", text(&refused.stderr));
    let refused = run(&["backup", "--data", &name("data"), "--to", &name("one.tar")]);
    assert_eq!(refused.status.code(), Some(73), "{}", text(&refused.stderr));
}

#[test]
fn a_closed_folder_is_backed_up_and_a_truncated_backup_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    people(&folder.path().join("data"));
    ran(&["backup", "--data", &name("data"), "--to", &name("b.tar"), "--progress", "json"]);
    ran(&["backup", "--data", &name("data"), "--to", &name("copy")]);
    assert_eq!(count(&folder.path().join("copy")), 300);
    let bytes = fs::read(name("b.tar")).unwrap();
    fs::write(name("cut.tar"), &bytes[..bytes.len() - 4_096]).unwrap();
    let refused = run(&["restore", "--from", &name("cut.tar"), "--data", &name("cut")]);
    assert_eq!(refused.status.code(), Some(72), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("truncated"), "{}", text(&refused.stderr));
    // A file of another kind is no damaged backup.
    fs::write(name("people.csv"), "name,age\nann,29\n").unwrap();
    let refused = run(&["restore", "--from", &name("people.csv"), "--data", &name("other")]);
    assert_eq!(refused.status.code(), Some(65), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("is not a backup"), "{}", text(&refused.stderr));
    assert!(!folder.path().join("other").exists());
    for command in ["check", "inspect", "repair"] {
        let refused = run(&[command, "--data", &name("people.csv")]);
        assert_eq!(refused.status.code(), Some(65), "{}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains("is a file"), "{}", text(&refused.stderr));
    }
    let missing = run(&["restore", "--from", &name("none.tar"), "--data", &name("none")]);
    assert_eq!(missing.status.code(), Some(66), "{}", text(&missing.stderr));
    ran(&["restore", "--from", &name("b.tar"), "--data", &name("restored")]);
    assert_eq!(count(&folder.path().join("restored")), 300);
}

#[test]
fn a_folder_is_checked_inspected_damaged_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let name = data.to_str().unwrap();
    people(&data);
    let report: serde_json::Value =
        serde_json::from_str(&ran(&["check", "--data", name, "--json"])).unwrap();
    assert_eq!((&report["sound"], &report["graphs"][0]["nodes"]), (&true.into(), &300.into()));
    assert!(ran(&["repair", "--data", name]).contains("needs no repair"));
    let shown: serde_json::Value =
        serde_json::from_str(&ran(&["inspect", "--data", name, "--json"])).unwrap();
    let log = shown["log"][0]["file"].as_str().unwrap().to_owned();
    let frames = ran(&["inspect", "--data", name, &log]);
    assert!(frames.contains("graph made") && frames.contains("changes"), "{frames}");
    let server = serve(&data);
    let busy = run(&["check", "--data", name]);
    assert_eq!(busy.status.code(), Some(75), "{}", text(&busy.stderr));
    add(&server, 300..310);
    assert_eq!(server.terminate(), Some(0));
    // An open writes a manifest of the log's content.
    let shown: serde_json::Value =
        serde_json::from_str(&ran(&["inspect", "--data", name, "--json"])).unwrap();
    assert_eq!(shown["graphs"][0]["graph"], "one");
    assert!(ran(&["inspect", "--data", name]).contains("graph one"));
    // The manifest of the close says that the last commit was on disk.
    let log = shown["log"].as_array().unwrap().last().unwrap()["file"].as_str().unwrap();
    let frames: serde_json::Value =
        serde_json::from_str(&ran(&["inspect", "--data", name, log, "--json"])).unwrap();
    let frames = frames["frames"].as_array().unwrap();
    let last = frames.iter().rfind(|frame| frame["kind"] == "changes").unwrap();
    let mut bytes = fs::read(data.join(log)).unwrap();
    bytes[last["offset"].as_u64().unwrap() as usize + 100] ^= 0xff;
    fs::write(data.join(log), bytes).unwrap();
    let refused = run(&["check", "--data", name]);
    assert_eq!(refused.status.code(), Some(72), "{}", text(&refused.stdout));
    let refused = run(&["repair", "--data", name]);
    assert_eq!(refused.status.code(), Some(72), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("was not changed"), "{}", text(&refused.stderr));
    let said = ran(&["repair", "--data", name, "--yes"]);
    assert!(said.contains("damaged files are in") && said.contains("sound: "), "{said}");
    ran(&["check", "--data", name, "--deep"]);
    assert_eq!(count(&data), 300);
    let none = run(&["check", "--data", folder.path().join("none").to_str().unwrap()]);
    assert_eq!(none.status.code(), Some(66), "{}", text(&none.stderr));
}

/// Symptom: a repair that left nothing ended with 0.
#[test]
fn a_repair_that_can_save_nothing_ends_with_a_code_of_its_own_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    people(&data);
    let files = || -> Vec<_> {
        let mut files: Vec<_> =
            fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.file_name().is_some_and(|name| name != "LOCK"));
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect()
    };
    for (bytes, path) in files() {
        fs::write(path, vec![0xa5; bytes.len()]).unwrap();
    }
    let before = files();
    for flag in [&[][..], &["--yes"]] {
        let arguments = [&["repair", "--data", data.to_str().unwrap()], flag].concat();
        let refused = run(&arguments);
        assert_eq!(refused.status.code(), Some(79), "{}", text(&refused.stdout));
        assert!(text(&refused.stderr).contains("was not changed"), "{}", text(&refused.stderr));
        assert_eq!(files(), before);
    }
}

/// Symptom: a backup of damaged data ended with 0, and only its restore said that it is damaged.
#[test]
fn a_backup_of_a_served_folder_with_damage_ends_with_its_place_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("b.tar"));
    people(&data);
    let server = serve(&data);
    add(&server, 300..400);
    let files = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "mlog")).collect();
    logs.sort();
    // The second time nothing was sent yet when the damage is found.
    for log in logs.iter().rev() {
        let bytes = fs::read(log).unwrap();
        let is_batch = |at: &usize| {
            bytes[*at..].starts_with(b"MILLRBAT")
                && 20 < u32::from_le_bytes(bytes[at + 60..at + 64].try_into().unwrap())
        };
        let Some(batch) = (4_096..bytes.len()).step_by(4_096).find(is_batch) else { continue };
        // In its place: the server writes to the file meanwhile.
        let file = fs::OpenOptions::new().write(true).open(log).unwrap();
        file.write_all_at(&[bytes[batch + 100] ^ 1], batch as u64 + 100).unwrap();
        let name = log.file_name().unwrap().to_str().unwrap();
        for to in [&to, &folder.path().join("copy")] {
            let refused =
                run(&["backup", "--url", &server.admin_url(), "--to", to.to_str().unwrap()]);
            let said = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(72), "{said}");
            assert!(
                said.contains(name) && said.contains(&format!("byte {batch}")),
                "{name} at {batch} of {logs:?}: {said}"
            );
            assert!(!to.exists(), "{said}");
        }
    }
    server.kill();
}

/// Symptom: every write was refused, and the probe said that the server was ready.
#[test]
fn a_probe_gets_the_reason_why_writes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, away) = (folder.path().join("data"), folder.path().join("away"));
    people(&data);
    let server = serve(&data);
    assert_eq!(server.get("/health/ready").unwrap().0, 200);
    fs::rename(&data, &away).unwrap();
    let until = |status| {
        let began = std::time::Instant::now();
        loop {
            let answer = server.get("/health/ready").unwrap();
            if answer.0 == status {
                return answer.1;
            }
            assert!(began.elapsed() < std::time::Duration::from_secs(60), "{answer:?}");
        }
    };
    let why = until(503);
    assert!(why.contains("read-only, because cannot ask for free space"), "{why}");
    assert_eq!(server.get("/health/live").unwrap().0, 200);
    // Symptom: `/health` was 200 and "ready" meanwhile.
    let (status, health) = server.get("/health").unwrap();
    let health: serde_json::Value = serde_json::from_str(&health).unwrap();
    assert_eq!((status, &health["status"]), (503, &"read-only".into()), "{health}");
    assert!(why.contains(health["reason"].as_str().unwrap()), "{why}: {health}");
    assert_eq!(server.ask("one", "AllNodesCount('Person')"), "300");
    fs::rename(&away, &data).unwrap();
    until(200);
    assert_eq!(server.get("/health").unwrap().0, 200);
    add(&server, 300..301);
    assert_eq!(server.terminate(), Some(0));
}
