//! Clients of that time against the server: a program for each asks what it can, and ends with 1 at the first answer that
//! is not as it has to be.
//!
//! The programs are in `tests/neo4j-rest`; their runtimes come from `cargo xtask runtimes`.

use std::path::Path;
use std::process::{Command, Stdio};

use millrace_testkit::{require, runtime, workspace};

use super::start;

fn check(name: &str, says: &str, program: impl Fn(&Path) -> Command) {
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    let server = start();
    let mut command = program(&folder);
    command.arg(&server.neo4j_http);
    let output = command.stdin(Stdio::null()).output().expect("the runtime runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}{errors}");
    assert!(shown.lines().any(|line| line == says), "{shown}");
}

fn source(file: &str) -> std::path::PathBuf {
    workspace().join("tests/neo4j-rest").join(file)
}

#[test]
fn neo4jrestclient_2_1_for_python_gets_the_expected_answers() {
    check("neo4jrestclient-2.1.1", "neo4jrestclient 2.1.1", |folder| {
        let mut command = Command::new(folder.join("bin/python"));
        command.args(["-B", "-W", "ignore"]).arg(source("python/main.py"));
        command
    });
}

#[test]
fn neo4j_1_1_for_javascript_gets_the_expected_answers() {
    check("neo4j-javascript-1.1.1", "neo4j 1.1.1", |folder| {
        let mut command = Command::new("node");
        command.arg("--no-deprecation").arg(source("javascript/main.js"));
        command.env("NODE_PATH", folder.join("node_modules"));
        command
    });
}
