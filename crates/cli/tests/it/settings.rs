//! `config check` and `serve` refuse the same settings, with everything that is wrong; sizes and times have units.

use std::fs;
use std::path::Path;

use crate::program::{run, text};

/// Runs a command with a settings file; its exit code, and the lines of its errors.
fn refused(command: &[&str], file: &Path, content: &str) -> (Option<i32>, Vec<String>) {
    fs::write(file, content).expect("there is room");
    let file = file.to_str().expect("a plain name");
    let ended = run(&[command, &["--config", file]].concat());
    (ended.status.code(), text(&ended.stderr).lines().map(str::to_owned).collect())
}

/// Listeners that no test uses, so that only what is written here is on.
const OFF: &str = "gremlin = \"off\"\nlua = \"off\"\n";

/// Symptom: each of these passed `config check`, and `serve` ended with 65, 66, 71 or 77.
#[test]
fn what_serve_refuses_of_settings_is_found_by_check_with_the_same_code_and_words() {
    let folder = tempfile::tempdir().unwrap();
    let (file, data) = (folder.path().join("millrace.toml"), folder.path().join("data"));
    let serve = ["serve", "--data", data.to_str().unwrap()];
    let bolt = |bolt: &str| format!("[listen]\n{OFF}bolt = {bolt}\n");
    for (content, words) in [
        (bolt("7687"), "write ADDRESS:PORT, as 127.0.0.1:7687"),
        (bolt("\":22187\""), "there is no address before the port"),
        (bolt("\"127.0.0.1:bolt\""), "no port from 0 to 65535"),
        (bolt("\"0.0.0.0:22187\""), "listen.allow-open"),
        (bolt("\"192.0.2.1:22187\"\nallow-open = true"), "this machine has no such address"),
        (
            "[listen]\ngremlin = \"off\"\nbolt = \"127.0.0.1:22187\"\nlua = \"127.0.0.1:22187\""
                .to_owned(),
            "two listeners cannot share a port",
        ),
        (format!("{}origins = \"example.com\"\n", bolt("\"off\"")), "is not an origin"),
        (format!("{}[users]\nfile = \"/nope\"\n", bolt("\"off\"")), "users.file: "),
        ("[graphs]\n\"a/b\" = \"\"\n".to_owned(), "graphs.a/b: `a/b` is not a valid graph name"),
        (
            "[graphs]\nx = \"no/file.json\"\n".to_owned(),
            "graphs.x: no/file.json: there is no such file",
        ),
        ("[gremlin]\ngraph = \"a/b\"\n".to_owned(), "gremlin.graph: `a/b`"),
        ("[queue.a]\nform = \"statement\"\n".to_owned(), "queue.a.statement is not set"),
        ("[memory]\nmax = \"1MB\"\n".to_owned(), "set memory.max to "),
        ("[log]\nslow-ms = \"2h\"\n".to_owned(), "the longest deadline is"),
    ] {
        let checked = refused(&["config", "check"], &file, &content);
        assert_eq!(checked.0, Some(78), "{content}: {checked:?}");
        assert!(checked.1.len() == 1 && checked.1[0].contains(words), "{content}: {checked:?}");
        assert_eq!(refused(&serve, &file, &content), checked, "{content}");
        assert!(!data.exists(), "{content}: nothing is made for settings that are wrong");
    }
}

#[test]
fn all_faults_are_named_together_a_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("millrace.toml");
    let content = "stray = 1\n[listen]\nbolt = 7687\nlua = \":1\"\norigins = \"a, b\"\n\
                   [memory]\nmax = \"8XB\"\n[query]\nbytes-max = 1.5\n[scripts]\ndedline-ms = 1\n\
                   [graphs]\n\"a/b\" = \"no/file\"\n[queue.a]\nform = \"x\"\nprefech = 1\n";
    let (code, lines) = refused(&["config", "check"], &file, content);
    assert_eq!(code, Some(78));
    for words in [
        "`stray` is outside any section",
        "bytes-max is a float",
        "memory.max is `8XB`, which has the unknown unit `XB`",
        "did you mean `scripts.deadline-ms`?",
        "queue.a.form is `x`",
        "did you mean `prefetch`?",
        "`a/b` is not a valid graph name",
        "graphs.a/b: no/file: ",
        "write ADDRESS:PORT, as 127.0.0.1:7687",
        "there is no address before the port",
        "`a` is not an origin",
        "`b` is not an origin",
    ] {
        let found = lines.iter().filter(|line| line.contains(words)).count();
        assert_eq!(found, 1, "{words}: {lines:#?}");
    }
    assert_eq!(lines.len(), 12, "{lines:#?}");
    assert!(lines.iter().all(|line| line.starts_with("millrace: ")), "{lines:#?}");
}

/// Shape: a file that filled its graph once may be gone; only a start that would read it refuses.
#[test]
fn the_file_of_a_graph_is_wanted_only_while_the_graph_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, data) = (folder.path().join("millrace.toml"), folder.path().join("data"));
    let file = folder.path().join("one.json");
    let content = format!("[graphs]\none = \"{}\"\n", file.display());
    let line = "{\"id\":{\"@type\":\"g:Int64\",\"@value\":1},\"label\":\"Person\"}\n";
    fs::write(&file, line).unwrap();
    fs::write(&settings, &content).unwrap();
    let served = crate::program::serve_by(&data, &settings);
    assert_eq!(served.ask("one", "AllNodesCount('Person')"), "1");
    assert_eq!(served.terminate(), Some(0));
    fs::remove_file(&file).unwrap();
    let served = crate::program::serve_by(&data, &settings);
    assert_eq!(served.terminate(), Some(0));
    let other = content.replacen("one =", "two =", 1);
    let serve = ["serve", "--data", data.to_str().unwrap(), "--listen", "lua=127.0.0.1:0"];
    let (code, lines) = refused(&serve, &settings, &other);
    assert_eq!(code, Some(78), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("graphs.two: ")), "{lines:?}");
}

#[test]
fn sizes_and_times_have_suffixes_in_files_variables_and_flags_and_are_shown_as_understood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("millrace.toml");
    fs::write(&file, "[memory]\nmax = \"8GB\"\n[query]\nbytes-max = \"1.5 GiB\"\n").unwrap();
    let arguments = |command: &str| {
        let file = file.to_str().unwrap();
        let flags =
            ["--config", file, "--set", "scripts.deadline-ms=90s", "--set", "http.drain-ms=5m"];
        let mut program = crate::program::program(&[&["config", command][..], &flags].concat());
        program.env("MILLRACE_LOG__SLOW_MS", "100ms");
        text(&program.output().unwrap().stdout)
    };
    for command in ["print", "show"] {
        let shown = arguments(command);
        for (set, comment) in [
            ("memory.max = 8589934592 ", format!("# 8 GiB, {}", file.display())),
            ("query.bytes-max = 1610612736 ", format!("# 1.5 GiB, {}", file.display())),
            ("log.slow-ms = 100 ", "# 100 ms, environment".to_owned()),
            ("scripts.deadline-ms = 90000 ", "# 1.5 min, --set".to_owned()),
            ("http.drain-ms = 300000 ", "# 5 min, --set".to_owned()),
            ("gremlin.batch-size = 64 ", "# default".to_owned()),
        ] {
            let line = shown.lines().find(|line| line.starts_with(set)).expect(set);
            assert!(line.ends_with(&comment), "{line}");
        }
    }
    let checked = arguments("check");
    let expected = "http.drain-ms is 300000 milliseconds (5 min)\nlog.slow-ms is 100 milliseconds (100 ms)\n\
                    memory.max is 8589934592 bytes (8 GiB)\nquery.bytes-max is 1610612736 bytes (1.5 GiB)\n\
                    scripts.deadline-ms is 90000 milliseconds (1.5 min)\n";
    assert!(checked.ends_with(expected), "{checked}");
    for (flag, words) in [
        ("memory.max=-5MB", "is negative; it must be a size from 0 B to 1024 TiB"),
        ("memory.max=5XB", "has the unknown unit `XB`"),
        ("memory.max=5XB", "B, kB, MB, GB, TB (1 kB is 1,024 bytes, as 1 KiB is)"),
        ("memory.max=99999999999999TB", "is too large"),
        ("memory.max=1.5", "has a fraction and no unit"),
        ("log.slow-ms=100us", "is no whole number of milliseconds"),
        ("log.slow-ms=5 weeks", "in milliseconds or with a unit: us, ms, s, min, h, d"),
    ] {
        let refused = run(&["config", "check", "--set", flag]);
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(78), "{flag}: {error}");
        assert!(error.contains(words), "{flag}: {error}");
    }
    let refused = run(&["bench", "gremlin", "--seconds", "soon"]);
    assert_eq!(refused.status.code(), Some(64));
    assert!(text(&refused.stderr).contains("units are us, ms, s"), "{refused:?}");
}
