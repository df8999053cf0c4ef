//! Loads in batches through a server that is killed, and by a client that is killed, at any moment:
//! gone on with, they end as if nothing had happened.

#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use millrace_testkit::Rng;

use crate::program::{Served, program, run, serve, text};

const PEOPLE: u64 = 20_000;
const KILLS_MAX: u64 = 25;
const REJECTS: [&str; 2] = ["people.rejects.csv", "knows.rejects.csv"];

/// Within which milliseconds of a try the axe falls: a batch takes some milliseconds.
const AXE_MS: std::ops::Range<u64> = 20..400;

/// People, each with relationships to three others, and some rows that are bad.
fn write_tables(folder: &Path) -> [String; 2] {
    let mut people = String::from("id:ID(P),age:int,:LABEL\n");
    let mut knows = String::from(":START_ID(P),:END_ID(P),:TYPE,n:int\n");
    for number in 0..PEOPLE {
        let age = if number % 5_000 == 17 { "old".into() } else { (number % 90).to_string() };
        people.push_str(&format!("p{number},{age},Person\n"));
        for step in 1..=3 {
            let target = (number * step + 1) % PEOPLE;
            knows.push_str(&format!("p{number},p{target},KNOWS,{step}\n"));
        }
    }
    ["people.csv", "knows.csv"].map(|name| {
        let text = if name == "people.csv" { &people } else { &knows };
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    })
}

/// The content of a graph in one line.
fn content(server: &Served, graph: &str) -> String {
    server.ask(
        graph,
        "local degrees, sum = 0, 0\nfor _, id in ipairs(AllNodeIds('Person', 0, 1000000)) do\n\
         local degree = NodeGetDegree(id)\ndegrees = degrees + degree * degree\n\
         sum = sum + NodeGetProperty(id, 'age')\nend\n\
         AllNodesCount(), AllNodesCount('Person'), AllRelationshipsCount('KNOWS'), degrees, sum",
    )
}

/// The content after one uninterrupted load as one commit; its rejects files are set aside as `….whole`.
fn load_whole(folder: &Path, tables: &[String]) -> String {
    let data = folder.join("whole");
    let data_name = data.to_str().unwrap();
    let mut load = vec!["load", "--data", data_name, "--graph", "one", "--max-bad", "99999"];
    load.extend(tables.iter().map(String::as_str));
    let output = run(&load);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for rejects in REJECTS {
        fs::rename(folder.join(rejects), folder.join(format!("{rejects}.whole"))).unwrap();
        fs::remove_file(folder.join(format!("{rejects}.reasons"))).unwrap();
    }
    let server = serve(&data);
    let whole = content(&server, "one");
    assert_eq!(server.terminate(), Some(0));
    whole
}

/// Goes on with the load; lets it run for so long, or to its end. Says whether it is done; if not,
/// the client still runs.
fn go_on(url: &str, tables: &[String], millis: Option<u64>) -> Option<Child> {
    let mut load = vec!["load", "--url", url, "--graph", "one", "--batch-rows", "1500", "--resume"];
    load.extend(["--max-bad", "9999", "--progress", "none"]);
    load.extend(tables.iter().map(String::as_str));
    let mut client = program(&load);
    let mut client = client.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if let Some(millis) = millis {
        thread::sleep(Duration::from_millis(millis));
        if client.try_wait().unwrap().is_none() {
            return Some(client);
        }
    }
    let output = client.wait_with_output().unwrap();
    let said = format!("{} {}", text(&output.stdout), text(&output.stderr));
    // The server may not know yet that the client before is gone.
    let is_busy = output.status.code() == Some(69) && said.contains("try again later");
    if is_busy {
        return go_on(url, tables, millis);
    }
    assert_eq!(output.status.code(), Some(0), "{said}");
    None
}

#[test]
fn a_load_with_killed_server_and_client_goes_on_and_loads_each_row_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let tables = write_tables(folder.path());
    let whole = load_whole(folder.path(), &tables);
    let mut rng = Rng::new(11);
    let (mut kills, mut server) = (0, serve(&data));
    loop {
        let millis = (kills < KILLS_MAX).then(|| rng.range(AXE_MS));
        let Some(mut client) = go_on(&server.admin_url(), &tables, millis) else { break };
        kills += 1;
        match rng.range(0..2) {
            0 => {
                server.kill();
                server = serve(&data);
            }
            _ => client.kill().unwrap(),
        }
        client.wait().unwrap();
    }
    assert!(0 < kills, "nothing was killed before it was done: let the axe fall earlier");
    assert_eq!(content(&server, "one"), whole, "after {kills} kills");
    for rejects in REJECTS {
        let read = |name: String| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read(rejects.to_owned()), read(format!("{rejects}.whole")));
    }
    let again =
        run(&["load", "--url", &server.admin_url(), "--graph", "h", "--max-bad", "1", &tables[0]]);
    assert_eq!(again.status.code(), Some(73), "rejects are not replaced: {}", text(&again.stderr));
    assert_eq!(server.terminate(), Some(0));
    let checked = run(&["check", "--data", data.to_str().unwrap(), "--deep"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
}

/// Half a megabyte is more than a socket takes at once, and little enough that the server was done before
/// the client had sent it: then the socket was closed in the face of the client, now and then.
#[test]
fn a_complete_load_says_so_however_often_it_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    let rows: String = (0..40_000).map(|number| format!("p{number},Person\n")).collect();
    fs::write(&path, format!("id:ID,:LABEL\n{rows}")).unwrap();
    let server = serve(&folder.path().join("data"));
    let url = server.admin_url();
    let mut load = vec!["load", "--url", &url, "--graph", "one", "--batch-rows", "10000"];
    load.push(path.to_str().unwrap());
    let first = run(&load);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    load.push("--resume");
    for time in 0..25 {
        let again = run(&load);
        assert_eq!(again.status.code(), Some(0), "time {time}: {}", text(&again.stderr));
        assert!(text(&again.stdout).contains("\"vertices\":40000"), "{}", text(&again.stdout));
    }
    // A refusal before the first byte of the body reaches the client, too.
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).build().into();
    for (path, status) in [("/load/none?format=csv", 404), ("/load/one?format=wrong", 400)] {
        let body = vec![b'x'; 4 << 20];
        let answer = agent.post(format!("{}{path}", server.admin_url())).send(&body[..]).unwrap();
        assert_eq!(answer.status().as_u16(), status, "{path}");
    }
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_dry_run_of_either_way_counts_rejects_and_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let tables = write_tables(folder.path());
    let server = serve(&folder.path().join("data"));
    let url = server.admin_url();
    for way in [["--url", url.as_str()], ["--data", "nowhere"]] {
        let mut load = vec!["load", "--graph", "one", "--dry-run", "--max-bad", "99999"];
        load.extend(way);
        load.extend(tables.iter().map(String::as_str));
        let output = run(&load);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(said.contains("19996 nodes") && said.contains("bad rows left out"), "{said}");
        assert!(text(&output.stderr).contains("people.csv:19:"), "{}", text(&output.stderr));
    }
    assert_eq!(server.script("one", "1").unwrap().0, 404, "no graph was made");
    assert!(!Path::new("nowhere").exists());
    assert!(!folder.path().join("people.rejects.csv").exists());
    assert_eq!(server.terminate(), Some(0));
}
