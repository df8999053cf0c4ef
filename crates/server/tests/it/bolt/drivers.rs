//! Neo4j's driver for Python against the server: a program asks everything that it can, and ends with 1 at the first
//! answer that is not as it has to be.
//!
//! The program is in `tests/bolt/drivers`; its runtime comes from `cargo xtask runtimes`.

use std::process::{Command, Stdio};

use millrace_db::Database;
use millrace_testkit::{require, runtime, workspace};

use crate::client::{Running, settings, start_speaking, start_with, start_with_ann};

#[test]
fn neo4j_5_28_for_python_gets_the_expected_answers() {
    let name = "neo4j-python-5.28.2";
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let python = folder.expect("required above").join("bin/python");
    let run = |server: &Running, language: &str, user: &[&str]| {
        let mut command = Command::new(&python);
        // No compiled files among the sources.
        command.arg("-B").arg(workspace().join("tests/bolt/drivers/python/main.py"));
        command.args([&server.bolt.to_string(), language]).args(user);
        let output = command.stdin(Stdio::null()).output().expect("python runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}{errors}");
        assert_eq!(shown, "neo4j 5.28.2\n");
    };
    run(&start_with(|_| {}), "gremlin", &[]);
    run(&start_with_ann(|_| {}), "gremlin", &["ann", "secret"]);
    let database = Database::in_memory(settings()).expect("a database in memory opens");
    run(&start_speaking(database, "cypher"), "cypher", &[]);
}
