//! Commands with right and wrong input: their output and their exit codes.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::program::{Served, program, run, serve, start, text};

#[test]
fn the_command_line_is_checked() {
    for (arguments, code, words) in [
        (vec!["version"], 0, ""),
        (vec!["--help"], 0, ""),
        (vec!["serve"], 64, "--data"),
        (vec!["sevre"], 64, "serve"),
        (vec!["load", "--graph", "one", "x.nq"], 64, "--data"),
        (vec!["generate", "cars", "--out", "x"], 64, "likes"),
        (vec!["bench"], 64, "EXPERIMENT"),
        (vec!["bench", "comit"], 65, "there is no experiment comit"),
        (vec!["bench", "gremlin", "--rate", "1", "--in-flight", "1"], 64, "--in-flight"),
        (vec!["bench", "gremlin", "--url", "wss://x"], 65, "TLS"),
        (vec!["bench", "films", "--url", "http://127.0.0.1:1"], 64, "--ids"),
        (vec!["bench", "films", "--url", "https://x", "--ids", "films"], 65, "TLS"),
        (vec!["bench", "films", "--by", "name"], 64, "_xid_"),
        (vec!["bench", "films", "--connections", "0"], 65, "--connections"),
        (vec!["bench", "scaling-writes", "--confirms"], 64, "--amqp"),
        (vec!["bench", "scaling-writes", "--variants", "evented"], 65, "needs a broker"),
        (vec!["bench", "scaling-writes", "--url", "http://127.0.0.1:1"], 69, "127.0.0.1:1"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_settings_file_of_the_package_is_right() {
    let file = millrace_testkit::workspace().join("packaging/millrace.toml");
    let file = file.to_str().unwrap();
    assert_eq!(run(&["config", "check", "--config", file]).status.code(), Some(0));
    // Each setting that it shows as a comment is one, too.
    let shown = fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("all.toml");
    let is_setting = |line: &&str| line.contains(" = ");
    let line = |line: &str| match line.strip_prefix("# ") {
        Some(setting) if is_setting(&setting) && !setting.starts_with("Only") => setting.to_owned(),
        _ => line.to_owned(),
    };
    // The file of users is for the operator to make.
    let is_made = |line: &String| !line.contains("allow-open") && !line.contains("/etc/");
    let lines: Vec<String> = shown.lines().map(line).filter(is_made).collect();
    fs::write(&all, lines.join("\n")).unwrap();
    let checked = run(&["config", "check", "--config", all.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
}

#[test]
fn settings_are_checked_and_shown_with_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("millrace.toml");
    fs::write(&file, "[scripts]\ndeadline-ms = 1000\n").unwrap();
    let file = file.to_str().unwrap();
    let shown = run(&["config", "print", "--config", file, "--listen", "lua=127.0.0.1:9"]);
    let shown = text(&shown.stdout);
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("scripts.deadline-ms = 1000").ends_with(file), "{shown}");
    assert!(line("listen.lua = 127.0.0.1:9").ends_with("# --listen"), "{shown}");
    assert!(line("listen.allow-open = false").ends_with("# default"), "{shown}");
    assert_eq!(run(&["config", "check", "--config", file]).status.code(), Some(0));
    for (content, words) in [
        ("[scripts]\ndedline-ms = 1\n", "did you mean `scripts.deadline-ms`?"),
        (
            "[scripts]\ndeadline-ms = \"soon\"\n",
            "is no number; it must be a time from 1 ms to 365 d",
        ),
        ("deadline-ms = 1\n", "outside any section"),
        ("[scripts\n", "TOML"),
    ] {
        fs::write(file, content).unwrap();
        let refused = run(&["config", "check", "--config", file]);
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(78), "{content}: {error}");
        assert!(error.contains(words) && error.contains(file), "{content}: {error}");
    }
    fs::write(file, "[data]\nchanges-bytes-max = 1073741824\n").unwrap();
    for command in ["check", "print"] {
        let refused = run(&["config", command, "--config", file]);
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(78), "{error}");
        assert!(error.contains("it must exceed data.checkpoint-bytes, which is"), "{error}");
    }
    // Symptom: the whole text was looked up as the name of a machine.
    for listen in [
        &["lua=127.0.0.1:9,gremlin=127.0.0.1:8"][..],
        &["lua=127.0.0.1:9", "--listen", "lua=[::1]:8"],
    ] {
        let refused = run(&[&["config", "check", "--listen"], listen].concat());
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(78), "{error}");
        assert!(error.contains("give the flag once for each"), "{error}");
        assert!(!error.contains("lookup"), "{error}");
    }
    let usual = text(&run(&["config", "print", "--listen", "gremlin"]).stdout);
    for line in ["listen.gremlin = 127.0.0.1:8182 ", "listen.lua =  "] {
        assert!(usual.lines().any(|shown| shown.starts_with(line)), "{line}: {usual}");
    }
    let refused = run(&["config", "check", "--listen", "luaa=127.0.0.1:9"]);
    assert_eq!((refused.status.code(), text(&refused.stderr).contains("lua")), (Some(78), true));
}

#[test]
fn a_variable_of_the_environment_is_a_setting() {
    let mut command = program(&["config", "print"]);
    let shown = command.env("MILLRACE_SCRIPTS__DEADLINE_MS", "77").output().unwrap();
    let shown = text(&shown.stdout);
    assert!(shown.lines().any(|line| line.starts_with("scripts.deadline-ms = 77")), "{shown}");
    let mut command = program(&["config", "print"]);
    let refused = command.env("MILLRACE_SCRIPTS__DEADLIN_MS", "77").output().unwrap();
    assert_eq!(refused.status.code(), Some(78));
    assert!(text(&refused.stderr).contains("scripts.deadline-ms"), "{}", text(&refused.stderr));
}

#[test]
fn a_folder_in_use_and_a_port_in_use_have_their_own_messages() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let server = serve(folder.path());
    let second = run(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(75), "{}", text(&second.stderr));
    assert!(text(&second.stderr).contains("in use"), "{}", text(&second.stderr));
    assert_eq!(server.terminate(), Some(0));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = format!("lua={}", taken.local_addr().unwrap());
    let refused = run(&["serve", "--data", data, "--listen", &listen]);
    assert_eq!(refused.status.code(), Some(71), "{}", text(&refused.stderr));
    let open = run(&["serve", "--data", data, "--listen", "lua=0.0.0.0:0"]);
    assert_eq!(open.status.code(), Some(78), "{}", text(&open.stderr));
    assert!(text(&open.stderr).contains("allow-open"), "{}", text(&open.stderr));
}

#[test]
fn writes_survive_a_polite_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path());
    assert_eq!(server.post("/dbs/one", "").unwrap().0, 200);
    server.ask("one", "NodeAdd('Person', 'ann')\n1");
    assert_eq!(server.terminate(), Some(0));
    let server = serve(folder.path());
    assert_eq!(server.ask("one", "AllNodesCount('Person')"), "1");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_damaged_folder_is_refused_by_file_and_offset() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(serve(folder.path()).terminate(), Some(0));
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("MANIFEST") {
            let mut bytes = fs::read(&path).unwrap();
            let last = bytes.len() - 1;
            bytes[last] ^= 0xff;
            fs::write(&path, bytes).unwrap();
        }
    }
    let data = folder.path().to_str().unwrap();
    let refused = run(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0"]);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(72), "{error}");
    assert!(error.contains("MANIFEST") && error.contains("damaged at byte"), "{error}");
}

#[test]
fn a_folder_of_other_things_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let data = folder.path().to_str().unwrap();
    let refused = run(&["serve", "--data", data, "--listen", "lua=127.0.0.1:0"]);
    let error = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(65), "{error}");
    assert!(error.contains("letter.txt") && error.contains("not a data folder"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_social_network_is_generated_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, files) = (at("data"), at("files"));
    let made = run(&["generate", "social", "--out", &files, "--scale", "0.001"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made = text(&made.stdout);
    let tables: Vec<&str> = made.lines().collect();
    let rows = |table: &&str| fs::read_to_string(table).unwrap().lines().count() - 1;
    let (edges, nodes): (Vec<&str>, Vec<&str>) = tables
        .iter()
        .partition(|table| Path::new(table).file_stem().unwrap().to_str().unwrap().contains('_'));
    let [nodes, edges]: [usize; 2] = [nodes, edges].map(|tables| tables.iter().map(rows).sum());
    let mut load = vec!["load", "--graph", "social", "--data", &data];
    load.extend(&tables);
    let loaded = run(&load);
    assert_eq!(loaded.status.code(), Some(0), "{}", text(&loaded.stderr));
    let summary = text(&loaded.stdout);
    assert!(summary.contains(&format!("{nodes} nodes")), "{summary}");
    assert!(summary.contains(&format!("{edges} relationships")), "{summary}");
}

#[test]
fn files_are_loaded_offline_and_online() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, files) = (at("data"), at("files"));
    let made = run(&["generate", "likes", "--out", &files, "--scale", "0.001"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made = text(&made.stdout);
    let tables: Vec<&str> = made.lines().collect();
    let load = |more: &[&str]| {
        let mut arguments = vec!["load", "--graph", "likes"];
        arguments.extend(more);
        arguments.extend(&tables);
        run(&arguments)
    };
    let tried = load(&["--dry-run"]);
    assert!(text(&tried.stdout).contains("dry run"), "{}", text(&tried.stderr));
    let loaded = load(&["--data", &data, "--progress", "json"]);
    assert_eq!(loaded.status.code(), Some(0), "{}", text(&loaded.stderr));
    assert!(text(&loaded.stdout).contains("10000 relationships"), "{}", text(&loaded.stdout));
    let last = text(&loaded.stderr);
    let last: serde_json::Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!((&last["state"], &last["edges"]), (&"done".into(), &10_000.into()));
    let server = serve(folder.path().join("data").as_path());
    assert_eq!(server.ask("likes", "AllRelationshipsCount('LIKES')"), "10000");
    let url = server.admin_url();
    let mut online = vec!["load", "--graph", "again", "--url", url.as_str()];
    online.extend(&tables);
    let online = run(&online);
    assert_eq!(online.status.code(), Some(0), "{}", text(&online.stderr));
    assert_eq!(server.ask("again", "AllRelationshipsCount('LIKES')"), "10000");
    assert_eq!(
        server.ask("likes", "NodeGetDegree('Person', 'person17')"),
        server.ask("again", "NodeGetDegree('Person', 'person17')")
    );
}

#[test]
fn bad_files_are_refused_by_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data").to_str().unwrap().to_owned();
    let bad = folder.path().join("bad.nq").to_str().unwrap().to_owned();
    fs::write(&bad, "<a> <b> <c> .\n<a> <b>\n").unwrap();
    let strange = folder.path().join("x.parquet").to_str().unwrap().to_owned();
    fs::write(&strange, "{}").unwrap();
    let load = |file: &str, more: &[&str]| {
        let mut arguments = vec!["load", "--data", &data, "--graph", "one", file];
        arguments.extend(more);
        let output = run(&arguments);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, error) = load(&bad, &[]);
    assert!(code == Some(65) && error.contains("bad.nq:2"), "{code:?} {error}");
    let server = serve(Path::new(&data));
    assert_eq!(server.script("one", "1").unwrap().0, 404, "a failed load leaves no graph it made");
    assert_eq!(server.terminate(), Some(0));
    let (code, said, error) = load(&bad, &["--max-bad", "1"]);
    assert!(
        code == Some(0) && said.contains("1 bad rows") && error.contains("bad.nq:2"),
        "{said} {error}"
    );
    let (code, _, error) = load("missing.nq", &[]);
    assert!(code == Some(66) && error.contains("missing.nq"), "{code:?} {error}");
    let (code, _, error) = load(&strange, &[]);
    assert!(code == Some(65) && error.contains("Parquet"), "{code:?} {error}");
    let refused = run(&["load", "--url", "http://127.0.0.1:1", "--graph", "one", &bad]);
    assert_eq!(refused.status.code(), Some(69), "{}", text(&refused.stderr));
}

#[test]
fn a_load_into_g_fills_the_graph_that_g_stands_for_and_a_failed_one_leaves_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, good, bad) = (path("data"), path("good.csv"), path("bad.csv"));
    fs::write(&good, ":ID,name\n1,a\n2,b\n").unwrap();
    fs::write(&bad, ":ID,name\n3,a\n3,b\n").unwrap();
    let load = |file: &str, graph: &str| run(&["load", "--data", &data, "--graph", graph, file]);
    assert!(text(&load(&good, "g").stdout).starts_with("graph: 2 nodes"));
    assert_eq!(load(&bad, "neo4j").status.code(), Some(65));
    assert_eq!(load(&good, "system").status.code(), Some(65));
    for graph in ["g", "graph", "neo4j"] {
        let counted = run(&["shell", "--data", &data, "--graph", graph, "-c", "g.V().count()"]);
        assert_eq!(text(&counted.stdout), "[2]\n", "{graph}: {counted:?}");
    }
}

/// Runs each example that the page shows: a line `['GRAPH', 'LANGUAGE', "TEXT"],` of its script.
fn the_examples_of_the_page_have_answers(server: &Served) {
    let page = server.get_text("/");
    let mut count = 0;
    for line in page.lines().filter(|line| line.starts_with("  ['")) {
        let (words, text) = line.split_once(", \"").expect("a text stands last");
        let words: Vec<&str> = words.split('\'').collect();
        let text = format!("\"{}", text.trim_end_matches("],"));
        let body = format!("{{\"language\": \"{}\", \"text\": {text}}}", words[3]);
        let answer = server.post_json(&format!("/query/{}", words[1]), &body);
        let has_rows = answer.contains("{\"rows\":[[") && !answer.contains("[0]");
        assert!(answer.contains("\n{\"summary\":") && has_rows, "{body}: {answer}");
        count += 1;
    }
    assert_eq!(count, 8, "the page shows examples");
}

/// The values in an answer, in their order; `a: 1` is two.
fn flatten(answer: &serde_json::Value, has_keys: bool, values: &mut Vec<String>) {
    match answer {
        serde_json::Value::Array(entries) => {
            entries.iter().for_each(|entry| flatten(entry, has_keys, values));
        }
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                values.extend(has_keys.then(|| key.clone()));
                flatten(value, has_keys, values);
            }
        }
        serde_json::Value::String(text) => values.extend(text.split(": ").map(str::to_owned)),
        other => values.push(other.to_string()),
    }
}

#[test]
fn the_demo_asks_its_questions_and_a_second_one_uses_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("demo").to_str().unwrap().to_owned();
    let demo = ["demo", "--data", &data, "--listen", "lua=127.0.0.1:0"];
    let once: Vec<&str> = demo.iter().copied().chain(["--once"]).collect();
    let first = run(&once);
    let said = text(&first.stdout);
    assert_eq!(first.status.code(), Some(0), "{said} {}", text(&first.stderr));
    for number in 1..=5 {
        assert!(said.contains(&format!("\n{number}. ")), "{said}");
    }
    let second = text(&run(&once).stdout);
    assert_eq!(second.matches("loaded already").count(), 2, "{second}");
    let answers = |said: &str| -> Vec<String> {
        let lines = said.lines().filter_map(|line| line.rsplit_once("   in "));
        lines.map(|(answer, _)| answer.trim().to_owned()).collect()
    };
    assert_eq!(answers(&said), answers(&second));
    assert!(answers(&said).iter().all(|answer| answer.len() > 1), "{said}");
    let all = answers(&said);
    assert_eq!(all.len(), 15, "five questions in three languages: {said}");
    for alike in all.chunks(3) {
        // Columns of Cypher have names; keys of Gremlin's maps are values.
        let [cypher, gremlin, lua] = [false, true, true];
        let bare = [(0, cypher), (1, gremlin), (2, lua)].map(|(at, has_keys)| {
            let mut values = Vec::new();
            let answer = serde_json::from_str(&alike[at]).expect("an answer is JSON");
            flatten(&answer, has_keys, &mut values);
            values
        });
        assert!(bare[0] == bare[1] && bare[1] == bare[2], "they answer alike: {alike:?}");
    }
    let server = start(&demo);
    let asked = "{\"language\": \"gremlin\", \"text\": \"g.V().hasLabel('Film').count()\"}";
    assert!(server.post_json("/query/g", asked).contains("[[1000]]"), "g is the graph of films");
    assert_eq!(server.ask("likes", "AllNodesCount('Item')"), "1000");
    the_examples_of_the_page_have_answers(&server);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn output_without_a_reader_stops_no_server_and_lost_output_is_a_failure() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    if let Ok(full) = full {
        let mut command = program(&["exit-codes"]);
        let ended = command.stdout(full).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(74), "{ended:?}");
        assert!(text(&ended.stderr).contains("standard output"), "{ended:?}");
    }
    let folder = tempfile::tempdir().expect("there is room");
    let data = folder.path().to_str().expect("temporary folders have plain names");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let address = port.expect("a port is free").to_string();
    let mut command = program(&["serve", "--data", data, "--listen", &format!("lua={address}")]);
    let mut server = command.stdout(Stdio::piped()).spawn().expect("it starts");
    drop(server.stdout.take());
    let is_ready = || {
        let request = format!("GET /health/ready HTTP/1.0\r\nHost: {address}\r\n\r\n");
        let mut answer = String::new();
        let asked = TcpStream::connect(&address).and_then(|mut stream| {
            stream.write_all(request.as_bytes())?;
            stream.read_to_string(&mut answer)
        });
        asked.is_ok() && answer.contains(" 200 ")
    };
    while !is_ready() {
        assert_eq!(server.try_wait().expect("it can be asked"), None, "it ended by itself");
    }
    let asked = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
    assert!(asked.expect("kill is there").success());
    assert_eq!(server.wait().expect("it is there").code(), Some(0));
}

/// Another program at the address is named as that: a listener that speaks no HTTP, and other ports of a server.
#[test]
fn an_address_of_another_kind_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    fs::write(&file, "id:ID,:LABEL\n1,Person\n").unwrap();
    let file = file.to_str().unwrap();
    let load = |url: &str| {
        let output = run(&["load", "--url", url, "--graph", "one", "--progress", "none", file]);
        (output.status.code(), text(&output.stderr))
    };
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    thread::spawn(move || {
        for mut socket in other.incoming().map_while(Result::ok) {
            // The client may be gone.
            let _gone = socket.write_all(b"SSH-2.0-Other\r\n");
        }
    });
    let (code, said) = load(&format!("http://{address}"));
    assert!(code == Some(65) && said.contains("this is no HTTP port"), "{code:?} {said}");
    let (code, said) = load(&format!("bolt://{address}"));
    assert!(code == Some(65) && said.contains("http://HOST:PORT"), "{code:?} {said}");
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let listen = ["--listen", "bolt=127.0.0.1:0", "--listen", "lua=127.0.0.1:0"];
    let server = start(&[&["serve", "--data", data], &listen[..]].concat());
    let bolt = server.bolt_url().replace("bolt://", "http://");
    for url in [&bolt, &server.url] {
        let (code, said) = load(url);
        assert!(
            code == Some(65) && said.contains("--url takes the admin address"),
            "{code:?} {said}"
        );
    }
    let (_, root) = server.get("/").unwrap();
    assert!(root.contains("the query page is"), "{root}");
}
