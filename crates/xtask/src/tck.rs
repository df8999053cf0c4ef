//! `cargo xtask tck`: openCypher's scenarios, run by the crate `tck`, which reads the options itself.
//!
//! Scenarios never enter here.

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

/// Builds the runner and runs it with all other options.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let mut command = workspace.cargo();
    command.args(["run", "--quiet", "--package", "millrace-tck"]);
    if arguments.take_flag("--release") {
        command.arg("--release");
    }
    command.arg("--").args(arguments.into_words());
    process::run(command)
}

/// Runs the runner that `cargo test` built for its own test.
pub(crate) fn run_tested(workspace: &Workspace, words: &[&str]) -> Result<(), String> {
    let mut command =
        workspace.command(&workspace.tested_program("millrace-tck")?.to_string_lossy());
    command.args(words);
    process::run(command)
}
