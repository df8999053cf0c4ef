//! A folder that is only read, by the real program: on a read-only mount, beside other readers, as
//! another user.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use millrace_testkit::{ReadOnlyMount, require};

use crate::program::{Served, program, run, serve, start, text};

/// A user that owns nothing.
const NOBODY: u32 = 65_534;

fn bytes_of(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// A folder with three people in a graph, as a kill leaves it.
fn people(data: &Path) {
    let server = serve(data);
    server.ask_new("one", "for i = 1, 3 do NodeAdd('Person', 'p' .. i) end\n0");
    server.kill();
}

fn serve_reads(data: &Path) -> Served {
    let data = data.to_str().unwrap();
    start(&["serve", "--data", data, "--read-only", "--listen", "lua=127.0.0.1:0"])
}

/// All reads are answered, all writes refused.
fn ask(server: &Served) {
    assert_eq!(server.ask("one", "AllNodesCount('Person')"), "3");
    let cypher = |text: &str| {
        let body = serde_json::json!({ "language": "cypher", "text": text }).to_string();
        let headers = [("content-type", "application/json")];
        server.post_within("/query/one", &headers, body.as_bytes())
    };
    let (status, rows) = cypher("MATCH (n:Person) RETURN count(n) AS n");
    assert!(status == 200 && rows.contains('3'), "{rows}");
    let refused = [
        server.script("one", "NodeAdd('Person', 'p9')").unwrap(),
        server.post("/dbs/two", "").unwrap(),
        server.post("/db/one/schema/nodes/Thing", "").unwrap(),
    ];
    for (status, why) in refused {
        assert_eq!(status, 403, "{why}");
        assert!(why.contains("open to be read only"), "{why}");
    }
    for write in
        ["CREATE (:Person)", "MATCH (n:Person) SET n.x = 1", "CREATE INDEX FOR (n:P) ON (n.x)"]
    {
        let (_, why) = cypher(write);
        assert!(why.contains("open to be read only"), "{write}: {why}");
    }
    let (status, why) = server.script("two", "AllNodesCount('Person')").unwrap();
    assert!(status == 404 && why.contains("there is no graph named two"), "{status} {why}");
    assert!(server.get_text("/health").contains("\"read-only\""));
    let (status, why) = server.get("/health/ready").unwrap();
    assert!(status == 200 && why.contains("read-only, because"), "{status} {why}");
    assert_eq!(server.ask("one", "AllNodesCount('Person')"), "3", "nothing of them is left");
}

#[test]
fn a_server_that_only_reads_answers_beside_others_and_changes_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    people(&data);
    let before = bytes_of(&data);
    let (first, second) = (serve_reads(&data), serve_reads(&data));
    ask(&first);
    ask(&second);
    let name = data.to_str().unwrap();
    let writer = run(&["serve", "--data", name]);
    assert_eq!(writer.status.code(), Some(75), "{}", text(&writer.stderr));
    assert!(text(&writer.stderr).contains("a process that only reads it"));
    let shell = run(&["shell", "--data", name, "-c", "1"]);
    assert_eq!(shell.status.code(), Some(75), "{}", text(&shell.stderr));
    assert!(text(&shell.stderr).contains("--read-only"), "{}", text(&shell.stderr));
    let to = folder.path().join("one.graphson");
    let exported = run(&["export", "--data", name, "--graph", "one", "--to", to.to_str().unwrap()]);
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
    assert_eq!(first.terminate(), Some(0));
    assert_eq!(second.terminate(), Some(0));
    assert!(bytes_of(&data) == before, "a byte changed");
    let server = serve(&data);
    assert_eq!(server.ask("one", "NodeAdd('Person', 'p4')\nAllNodesCount('Person')"), "4");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_folder_on_a_read_only_mount_is_served_asked_and_exported_and_not_loaded_into() {
    let folder = tempfile::tempdir().unwrap();
    let (data, at) = (folder.path().join("data"), folder.path().join("mounted"));
    people(&data);
    let Some(_mounted) = ReadOnlyMount::for_test(&data, &at) else { return };
    let name = at.to_str().unwrap();
    let server = serve_reads(&at);
    ask(&server);
    assert_eq!(server.terminate(), Some(0));
    let count = "MATCH (n:Person) RETURN count(n)";
    let shell = ["shell", "--data", name, "--graph", "one", "--language", "cypher", "-c"];
    let asked = run(&[&shell[..], &[count]].concat());
    assert_eq!(asked.status.code(), Some(0), "{}", text(&asked.stderr));
    assert!(text(&asked.stdout).contains('3'), "{}", text(&asked.stdout));
    assert!(text(&asked.stderr).contains("it is only read"), "{}", text(&asked.stderr));
    let refused = run(&[&shell[..], &["CREATE (:Person)"]].concat());
    assert_eq!(refused.status.code(), Some(74), "{}", text(&refused.stderr));
    let rows = folder.path().join("rows.nq");
    fs::write(&rows, "<http://a> <http://b> \"c\" .\n").unwrap();
    for arguments in [
        &["serve", "--data", name][..],
        &["load", "--data", name, "--graph", "one", rows.to_str().unwrap()],
    ] {
        let refused = run(arguments);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(74), "{said}");
        assert!(said.contains("cannot be written") && said.contains("--read-only"), "{said}");
    }
}

#[test]
fn a_folder_of_another_user_is_refused_with_its_owner_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    people(&data);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
    let as_nobody = |arguments: &[&str]| program(arguments).uid(NOBODY).output();
    let is_root = as_nobody(&["version"]).is_ok_and(|output| output.status.success());
    if !require("a process of another user", is_root) {
        return;
    }
    let name = data.to_str().unwrap();
    for (arguments, words) in [
        (&["serve", "--data", name][..], "cannot be written"),
        (&["serve", "--data", name, "--read-only"], "cannot be read"),
        (&["check", "--data", name], "cannot be read"),
        (&["inspect", "--data", name], "cannot be read"),
    ] {
        let refused = as_nobody(arguments).unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(77), "{arguments:?}: {said}");
        assert!(said.contains(words) && said.contains("of user 0"), "{arguments:?}: {said}");
        assert!(said.contains("run as the user that owns it"), "{arguments:?}: {said}");
    }
}
