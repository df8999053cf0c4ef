//! `cargo xtask fuzz`: each target of `crates/fuzz` under libFuzzer, for a while.
//!
//! The instrumentation is LLVM's own pass, so a stable compiler is enough. Useful inputs stay in
//! `target/fuzz/corpus`, where the next run begins; a finding is a file in `target/fuzz/findings`, and
//! the command that reads it alone is printed. The targets are in the crate `fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

const PACKAGE: &str = "millrace-fuzz";

/// The folder of the files that name the targets.
const TARGETS: &str = "crates/fuzz/targets";

/// Where a target writes its seeds when it starts.
const SEEDS_VARIABLE: &str = "MILLRACE_FUZZ_SEEDS";

/// Counters at every edge, and the operands of comparisons.
const FLAGS: &str = "--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// One input may take this long and this much memory; more is a finding.
const INPUT_SECONDS_MAX: u64 = 10;
const MEMORY_MB_MAX: u64 = 2_048;

/// Larger inputs than this find nothing that smaller ones do not.
const INPUT_BYTES_MAX: u64 = 128 << 10;

/// `cargo xtask fuzz`.
pub(crate) fn run(workspace: &Workspace, mut arguments: Arguments) -> Result<(), String> {
    let seconds = arguments.take_number("--seconds")?.ok_or("say how long: --seconds N")?;
    let wanted = arguments.take_value("--target")?;
    arguments.finish()?;
    let mut names = target_names(workspace)?;
    if let Some(wanted) = wanted {
        let known = names.join(", ");
        names.retain(|name| *name == wanted);
        if names.is_empty() {
            return Err(format!("no target is called `{wanted}`; there are: {known}"));
        }
    }
    let built = Built::new(workspace, &names)?;
    let found: Vec<&String> =
        names.iter().filter(|name| built.fuzz(name, seconds).is_err()).collect();
    match found.as_slice() {
        [] => Ok(()),
        found => Err(format!("findings in {found:?}, kept in {}", built.findings().display())),
    }
}

fn target_names(workspace: &Workspace) -> Result<Vec<String>, String> {
    let folder = workspace.root().join(TARGETS);
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let stems = paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = stems.collect();
    names.sort();
    Ok(names)
}

/// The programs, built with instrumentation apart from all others.
struct Built {
    folder: PathBuf,
    programs: PathBuf,
}

impl Built {
    fn new(workspace: &Workspace, names: &[String]) -> Result<Built, String> {
        let folder = workspace.root().join("target/fuzz");
        let host = host_triple()?;
        let mut command = workspace.cargo();
        command.args(["build", "--release", "--features", "libfuzzer"]);
        // Each program has all of the database in it, and takes as long to link.
        names.iter().for_each(|name| {
            command.arg("--bin").arg(program_of(name));
        });
        // With a target named, the flags are not used for build scripts.
        command.args(["--package", PACKAGE, "--target", &host]);
        command.arg("--target-dir").arg(&folder).env("RUSTFLAGS", FLAGS);
        process::run(command)?;
        let programs = folder.join(host).join("release");
        Ok(Built { folder, programs })
    }

    fn findings(&self) -> PathBuf {
        self.folder.join("findings")
    }

    fn fuzz(&self, name: &str, seconds: u64) -> Result<(), String> {
        let (findings, corpus) = (self.findings(), self.folder.join("corpus").join(name));
        for folder in [&findings, &corpus] {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        eprintln!("\n== fuzz {name}: {seconds} s");
        let program = self.programs.join(program_of(name));
        let mut command = Command::new(&program);
        command.arg(&corpus).env(SEEDS_VARIABLE, &corpus);
        command.args([
            format!("-max_total_time={seconds}"),
            format!("-max_len={INPUT_BYTES_MAX}"),
            format!("-timeout={INPUT_SECONDS_MAX}"),
            format!("-rss_limit_mb={MEMORY_MB_MAX}"),
            format!("-artifact_prefix={}/{name}-", findings.display()),
            "-print_final_stats=1".to_string(),
            "-verbosity=1".to_string(),
        ]);
        let outcome = process::run(command);
        if outcome.is_err() {
            eprintln!("alone: {} {}/{name}-…", shown(&program), shown(&findings));
        }
        outcome
    }
}

/// The name of a target's program.
fn program_of(target: &str) -> String {
    format!("fuzz-{target}")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn host_triple() -> Result<String, String> {
    let mut command = Command::new("rustc");
    command.arg("-vV");
    let text = process::output(command)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_are_found_by_their_files() {
        let names = target_names(&Workspace::of_this_program().unwrap()).unwrap();
        assert!(names.iter().any(|name| name == "log"));
    }
}
