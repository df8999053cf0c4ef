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

/// The parts of the check that a program has besides Cypher without a login.
#[derive(Clone, Copy, PartialEq)]
enum Has {
    Nothing,
    Login,
    LoginAndGremlin,
}

/// Runs a program against servers of its own.
fn check(name: &str, says: &str, has: Has, program: impl Fn(&Path) -> Command) {
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    let run = |server: &Running, language: &str, user: &[&str]| {
        let mut command = program(&folder);
        command.arg(server.bolt.to_string());
        command.args((has == Has::LoginAndGremlin).then_some(language)).args(user);
        let output = command.stdin(Stdio::null()).output().expect("the runtime runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}{errors}");
        let says_it = shown.lines().any(|line| line == says);
        assert!(says_it, "{shown}");
    };
    let database = || Database::in_memory(settings()).expect("a database in memory opens");
    run(&start_speaking(database(), "cypher"), "cypher", &[]);
    if has != Has::Nothing {
        run(&start_speaking_with_ann("cypher"), "cypher", &["ann", "secret"]);
    }
    if has == Has::LoginAndGremlin {
        run(&start_over(database()), "gremlin", &[]);
        run(&start_with_ann(|_| {}), "gremlin", &["ann", "secret"]);
    }
}

fn source(file: &str) -> std::path::PathBuf {
    workspace().join("tests/bolt/drivers").join(file)
}

fn check_python(version: &str, program: &str, has: Has) {
    check(&format!("neo4j-python-{version}"), &format!("neo4j {version}"), has, |folder| {
        let mut command = Command::new(folder.join("bin/python"));
        // No compiled files among the sources.
        command.args(["-B", "-W", "ignore"]).arg(source("python").join(program));
        command
    });
}

#[test]
fn neo4j_4_2_for_python_gets_the_expected_answers() {
    check_python("4.2.1", "main_4.py", Has::Login);
}

#[test]
fn neo4j_5_28_for_python_gets_the_expected_answers() {
    check_python("5.28.2", "main.py", Has::LoginAndGremlin);
}

#[test]
fn neo4j_6_for_python_gets_the_expected_answers() {
    check_python("6.4.1", "main.py", Has::LoginAndGremlin);
}

#[test]
fn neo4rs_0_8_gets_the_expected_answers() {
    check("neo4rs-0.8.0", "neo4rs 0.8.0", Has::Login, |folder| {
        Command::new(folder.join("built/debug/neo4rs-client"))
    });
}

#[test]
fn neo4j_6_for_javascript_gets_the_expected_answers() {
    check("neo4j-javascript-6.3.0", "neo4j-driver 6.3.0", Has::Login, |folder| {
        let mut command = Command::new("node");
        command.arg(source("javascript/main.js")).env("NODE_PATH", folder.join("node_modules"));
        command
    });
}

#[test]
fn neo4j_5_for_java_gets_the_expected_answers() {
    check("neo4j-java-5.28.5", "neo4j-java-driver 5.28.5", Has::Login, |folder| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(folder.join("lib/*")).arg(source("java/Main.java"));
        command
    });
}

#[test]
fn neo4j_5_for_go_gets_the_expected_answers() {
    check("neo4j-go-5.28.4", "neo4j-go-driver v5.28.4", Has::Login, |folder| {
        Command::new(folder.join("main"))
    });
}

/// A library that language models find what they tell with.
fn check_retrieval(program: &str, says: &str) {
    check("retrieval-libraries", says, Has::Nothing, |folder| {
        let mut command = Command::new(folder.join("bin/python"));
        command.args(["-B", "-W", "ignore"]);
        command.arg(workspace().join("tests/bolt/retrieval").join(program));
        // A test reports nothing to others.
        command.env("GRAPHITI_TELEMETRY_ENABLED", "false");
        command
    });
}

#[test]
fn langchain_neo4j_finds_what_it_stored() {
    check_retrieval("langchain_stores.py", "langchain-neo4j 0.11.0");
}

#[test]
fn llama_index_finds_what_it_stored() {
    check_retrieval("llama_index_stores.py", "llama-index-graph-stores-neo4j 0.8.0");
}

#[test]
fn graphiti_finds_what_it_stored() {
    check_retrieval("graphiti.py", "graphiti-core 0.31.2");
}

#[test]
fn neo4j_graphrag_finds_what_it_stored() {
    check_retrieval("graphrag.py", "neo4j-graphrag 1.21.0");
}

fn check_python_mapper(name: &str, version: &str) {
    let (runtime, says) = (format!("{name}-{version}"), format!("{name} {version}"));
    check(&runtime, &says, Has::Nothing, |folder| {
        let mut command = Command::new(folder.join("bin/python"));
        command.args(["-B", "-W", "ignore"]);
        command.arg(workspace().join("tests/bolt/mappers").join(name).join("main.py"));
        command
    });
}

#[test]
fn the_mapper_neomodel_finds_what_it_stored() {
    check_python_mapper("neomodel", "7.0.0");
}

#[test]
fn the_mapper_py2neo_finds_what_it_stored() {
    check_python_mapper("py2neo", "2021.2.4");
}

#[test]
fn the_mapper_spring_data_finds_what_it_stored() {
    let source = workspace().join("tests/bolt/mappers/spring-data/Main.java");
    // Spring looks for entities and repositories among compiled files.
    let compiled = tempfile::tempdir().expect("a folder");
    check("spring-data-neo4j-7.5.5", "spring-data-neo4j 7.5.5", Has::Nothing, |folder| {
        let jars = folder.join("lib/*");
        let mut compiler = Command::new("javac");
        compiler.args(["-parameters", "-proc:none", "-cp"]).arg(&jars);
        let done =
            compiler.arg("-d").arg(compiled.path()).arg(&source).output().expect("javac runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let mut command = Command::new("java");
        let mut path = compiled.path().as_os_str().to_owned();
        path.push(":");
        path.push(&jars);
        command.arg("-cp").arg(path).arg("demo.Main");
        command
    });
}

#[test]
fn the_library_neo4j_graphql_gets_the_expected_answers() {
    check("neo4j-graphql-7.6.3", "@neo4j/graphql 7.6.3", Has::Nothing, |folder| {
        let mut command = Command::new("node");
        command.arg(workspace().join("tests/bolt/mappers/neo4j-graphql/main.js"));
        command.env("NODE_PATH", folder.join("node_modules"));
        command
    });
}
