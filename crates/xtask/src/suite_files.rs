//! `cargo xtask suite-files`: what tests against foreign suites read, fetched by the suites' own tools.
//!
//! What a reader would get wrong: nothing of it is ours and nothing is committed. It lies in
//! `target/gremlin-suite`, where `millrace_testkit::gremlin_suite` finds it; without it those tests
//! are skipped by their names.

use std::fs;

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

/// TinkerPop's tests, by their name at Maven's central repository; Apache-2.0.
const ARTIFACT: &str = "org.apache.tinkerpop:gremlin-test:3.8.1";

/// The scenarios, and the graphs that they are about.
const WANTED: &str = "org/apache/tinkerpop/gremlin/test/features/**,\
    org/apache/tinkerpop/gremlin/structure/io/graphson/*-v3.json";

/// `cargo xtask suite-files`.
pub(crate) fn run(workspace: &Workspace, arguments: Arguments) -> Result<(), String> {
    arguments.finish()?;
    let folder = workspace.root().join("target/gremlin-suite");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = workspace.command("mvn");
    // Maven leaves its notes where it runs.
    command.current_dir(&folder);
    command.args(["-q", "-B", "-ntp", "dependency:unpack"]);
    command.arg(format!("-Dartifact={ARTIFACT}"));
    command.arg(format!("-DoutputDirectory={}", folder.display()));
    command.arg(format!("-Dmdep.unpack.includes={WANTED}"));
    process::run(command)?;
    eprintln!("{ARTIFACT} is in {}", folder.display());
    Ok(())
}
