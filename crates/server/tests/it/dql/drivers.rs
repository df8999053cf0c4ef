//! Dgraph's drivers against the server: a program asks everything that its driver can, and ends with 1 at the first answer
//! that is not as it has to be.
//!
//! The programs are in `tests/dql/drivers`; their runtimes come from `cargo xtask runtimes`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use millrace_server::db::Settings;
use millrace_testkit::{require, runtime, workspace};

use crate::client::{Running, start_with, start_with_ann};

fn on(settings: &mut Settings) {
    settings.listen.set("dql", "127.0.0.1:0");
    settings.listen.set("dql-grpc", "127.0.0.1:0");
}

/// Runs a program against servers of its own, without users and with one. The program has to renew its login.
fn check(name: &str, says: &str, program: impl Fn(&Path, &Running) -> Command) {
    check_with(name, says, |settings| settings.dql.access_token_ms = 1_000, program);
}

/// The same with other settings where there are users.
fn check_with(
    name: &str,
    says: &str,
    change: impl Fn(&mut Settings),
    program: impl Fn(&Path, &Running) -> Command,
) {
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    let run = |server: &Running, user: &[&str]| {
        let mut command = program(&folder, server);
        command.args(user);
        let output = command.stdin(Stdio::null()).output().expect("the runtime runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}{errors}");
        assert!(shown.lines().any(|line| line == says), "{shown}");
    };
    run(&start_with(on), &[]);
    let with_user = start_with_ann(|settings| {
        on(settings);
        change(settings);
    });
    run(&with_user, &["ann", "secret"]);
}

fn source(file: &str) -> PathBuf {
    workspace().join("tests/dql/drivers").join(file)
}

#[test]
fn dgo_250_gets_the_expected_answers() {
    check("dgo-250.0.0", "dgo v250.0.0", |folder, server| {
        let mut command = Command::new(folder.join("main"));
        command.arg(server.dql_grpc.to_string());
        command
    });
}

#[test]
fn dgraph_js_24_2_gets_the_expected_answers() {
    check("dgraph-js-24.2.0", "dgraph-js 24.2.0", |folder, server| {
        let mut command = Command::new("node");
        command.arg(source("javascript/main.js")).arg(server.dql_grpc.to_string());
        command.env("NODE_PATH", folder.join("node_modules"));
        command
    });
}

#[test]
fn dgraph4j_24_1_gets_the_expected_answers() {
    check("dgraph4j-24.1.1", "dgraph4j 24.1.1", |folder, server| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(folder.join("lib/*")).arg(source("java/Main.java"));
        command.arg(server.dql_grpc.to_string());
        command
    });
}

#[test]
fn pydgraph_25_2_gets_the_expected_answers() {
    check("pydgraph-25.2.0", "pydgraph 25.2.0", |folder, server| {
        let mut command = Command::new(folder.join("bin/python"));
        // No compiled files among the sources.
        command.arg("-B").arg(source("python/main.py"));
        command.arg(server.dql_grpc.to_string());
        command
    });
}

#[test]
fn dgraph_js_http_20_11_gets_the_expected_answers() {
    // It renews its login where its caller asks for it.
    check_with(
        "dgraph-js-http-20.11.0",
        "dgraph-js-http 20.11.0",
        |_| {},
        |folder, server| {
            let mut command = Command::new("node");
            command.arg(source("javascript-http/main.js")).arg(&server.dql);
            command.env("NODE_PATH", folder.join("node_modules"));
            command
        },
    );
}
