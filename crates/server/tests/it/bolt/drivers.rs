//! Neo4j's drivers against the server: a program for each language asks everything that its driver can, and ends with 1 at
//! the first answer that is not as it has to be. The cases have the same names in each.
//!
//! The programs are in `tests/bolt/drivers`; their runtimes come from `cargo xtask runtimes`.

use std::path::Path;
use std::process::{Command, Stdio};

use millrace_db::Database;
use millrace_testkit::{require, runtime, workspace};

use crate::client::{
    Running, settings, start_over, start_speaking, start_speaking_with_ann, start_with_ann,
};

/// Over Cypher, with a login and without; in Gremlin, too, where the program has it.
fn check(name: &str, says: &str, has_gremlin: bool, program: impl Fn(&Path) -> Command) {
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    let run = |server: &Running, language: &str, user: &[&str]| {
        let mut command = program(&folder);
        command.arg(server.bolt.to_string());
        command.args(has_gremlin.then_some(language)).args(user);
        let output = command.stdin(Stdio::null()).output().expect("the runtime runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}{errors}");
        assert!(shown.starts_with(says), "{shown}");
    };
    let database = || Database::in_memory(settings()).expect("a database in memory opens");
    run(&start_speaking(database(), "cypher"), "cypher", &[]);
    run(&start_speaking_with_ann("cypher"), "cypher", &["ann", "secret"]);
    if has_gremlin {
        run(&start_over(database()), "gremlin", &[]);
        run(&start_with_ann(|_| {}), "gremlin", &["ann", "secret"]);
    }
}

fn source(file: &str) -> std::path::PathBuf {
    workspace().join("tests/bolt/drivers").join(file)
}

fn check_python(version: &str) {
    check(&format!("neo4j-python-{version}"), &format!("neo4j {version}\n"), true, |folder| {
        let mut command = Command::new(folder.join("bin/python"));
        // No compiled files among the sources.
        command.arg("-B").arg(source("python/main.py"));
        command
    });
}

#[test]
fn neo4j_5_28_for_python_gets_the_expected_answers() {
    check_python("5.28.2");
}

#[test]
fn neo4j_6_for_python_gets_the_expected_answers() {
    check_python("6.4.1");
}

#[test]
fn neo4j_6_for_javascript_gets_the_expected_answers() {
    check("neo4j-javascript-6.3.0", "neo4j-driver 6.3.0\n", false, |folder| {
        let mut command = Command::new("node");
        command.arg(source("javascript/main.js")).env("NODE_PATH", folder.join("node_modules"));
        command
    });
}

#[test]
fn neo4j_5_for_java_gets_the_expected_answers() {
    check("neo4j-java-5.28.5", "neo4j-java-driver 5.28.5", false, |folder| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(folder.join("lib/*")).arg(source("java/Main.java"));
        command
    });
}

#[test]
fn neo4j_5_for_go_gets_the_expected_answers() {
    check("neo4j-go-5.28.4", "neo4j-go-driver v5.28.4\n", false, |folder| {
        Command::new(folder.join("main"))
    });
}
