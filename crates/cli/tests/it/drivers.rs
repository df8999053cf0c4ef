//! TinkerPop's drivers for Python and Node against the real server: programs of theirs ask everything that
//! they can, and end with 1 at the first answer that is not exactly as it has to be.
//!
//! The programs are in `tests/gremlin/drivers`; their runtimes come from `cargo xtask runtimes`.

use std::process::{Command, Stdio};

use millrace_testkit::{require, runtime, workspace};

use crate::program::{Served, serve_gremlin, text};
use crate::users::users_file;

const FORMATS: [&str; 2] = ["graphbinary", "graphson"];
const USER: [&str; 2] = ["ann", "secret"];

#[test]
fn gremlinpython_3_8_2_gets_the_expected_answers() {
    check_python("3.8.2");
}

#[test]
fn gremlinpython_3_7_3_gets_the_expected_answers() {
    check_python("3.7.3");
}

#[test]
fn gremlin_3_8_2_for_node_gets_the_expected_answers() {
    let name = "gremlin-javascript-3.8.2";
    let folder = runtime(name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let folder = folder.expect("required above");
    check("gremlin 3.8.2", || {
        let mut command = Command::new("node");
        command.arg(workspace().join("tests/gremlin/drivers/javascript/main.js"));
        command.env("NODE_PATH", folder.join("node_modules"));
        command
    });
}

fn check_python(version: &str) {
    let name = format!("gremlinpython-{version}");
    let folder = runtime(&name);
    if !require(&format!("{name} (cargo xtask runtimes)"), folder.is_some()) {
        return;
    }
    let python = folder.expect("required above").join("bin/python");
    check(&format!("gremlinpython {version}"), || {
        let mut command = Command::new(&python);
        // No compiled files among the sources.
        command.arg("-B").arg(workspace().join("tests/gremlin/drivers/python/main.py"));
        command
    });
}

/// Runs a program in each format, against a server without login and against one with login.
fn check(driver: &str, program: impl Fn() -> Command) {
    let folder = tempfile::tempdir().expect("there is room");
    let users = users_file(folder.path(), &[(USER[0], USER[1])]);
    let open = serve_gremlin(&folder.path().join("open"), &[]);
    let users = format!("users.file={users}");
    let ends_well = |server: Served| {
        assert_eq!(server.terminate(), Some(0), "a server ends well after what {driver} did");
    };
    for format in FORMATS {
        run(driver, program().args([&open.url, format]));
        // A new one each time: logins that fail on purpose would have to wait at last.
        let closed = serve_gremlin(&folder.path().join(format), &["--set", &users]);
        run(driver, program().args([&closed.url, format]).args(USER));
        ends_well(closed);
    }
    ends_well(open);
}

/// Runs it to its end, which has to be a good one, of the driver that is meant.
fn run(driver: &str, command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}");
    });
    let (said, complained) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{said}{complained}", output.status);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with(&format!("checks passed with {driver}")), "{command:?}: {said}");
}
