//! Gatling, as people use it to load a Gremlin server: users open a WebSocket each, insert ten vertices
//! a request, check the answer and go. Nothing fails, and every acknowledged vertex is there.

use std::process::{Command, Stdio};

use millrace_testkit::{require, runtime, workspace};

use crate::program::{serve_gremlin, text};

/// New users in each second, for how many seconds, and the inserts of each user.
const RATE: u64 = 20;
const SECONDS: u64 = 10;
const REQUESTS_A_USER: u64 = 5;
const VERTICES_A_REQUEST: u64 = 10;

#[test]
fn gatling_inserts_vertices_without_a_failure_and_all_are_there() {
    let repository = runtime("gatling");
    if !require("Gatling (cargo xtask runtimes)", repository.is_some()) {
        return;
    }
    let repository = repository.expect("required above");
    let folder = tempfile::tempdir().expect("there is room");
    let server = serve_gremlin(&folder.path().join("data"), &[]);
    let mut maven = Command::new("mvn");
    maven.args(["-o", "-B", "-ntp", "gatling:test", "-Dgatling.noReports=true"]);
    maven.arg("-f").arg(workspace().join("tests/gremlin/gatling/pom.xml"));
    for (name, folder) in [("maven.repo.local", repository), ("built", folder.path().join("built"))]
    {
        maven.arg(format!("-D{name}={}", folder.display()));
    }
    maven.arg(format!("-Durl={}", server.url));
    for (name, number) in [("rate", RATE), ("seconds", SECONDS), ("requests", REQUESTS_A_USER)] {
        maven.arg(format!("-D{name}={number}"));
    }
    let output = maven.stdin(Stdio::null()).output().expect("Maven installed it");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}\n{said}{}", output.status, text(&output.stderr));
    let requests = RATE * SECONDS * REQUESTS_A_USER;
    let count = |script: &str| server.gremlin(script)["@value"][0]["@value"].as_u64();
    assert_eq!(count("g.V().count()"), Some(requests * VERTICES_A_REQUEST), "{said}");
    assert_eq!(
        count("g.V().hasLabel('person').has('name').dedup().by('name').count()"),
        Some(requests * VERTICES_A_REQUEST),
        "each has values of its own"
    );
}
