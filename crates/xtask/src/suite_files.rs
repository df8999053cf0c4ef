//! `cargo xtask suite-files`: the files of foreign suites that tests read, fetched by the suites' own tools.
//! `cargo xtask suite-graphs`: the graphs among it, where `millrace load` can be pointed at them.
//!
//! None of these files are ours and none are committed. They lie in `target/gremlin-suite`, where
//! `millrace_testkit::gremlin_suite` finds them; without them those tests are skipped by their names.
//! Runtimes never enter here.

use std::fs;
use std::path::Path;

use crate::arguments::Arguments;
use crate::process;
use crate::workspace::Workspace;

/// TinkerPop's tests, by their name at Maven's central repository; Apache-2.0.
const ARTIFACT: &str = "org.apache.tinkerpop:gremlin-test:3.8.1";

/// The scenarios, and the graphs that they are about.
const WANTED: &str = "org/apache/tinkerpop/gremlin/test/features/**,\
    org/apache/tinkerpop/gremlin/structure/io/graphson/*-v3.json";

/// Where the graphs are among the suite's files.
const GRAPHS: &str = "target/gremlin-suite/org/apache/tinkerpop/gremlin/structure/io/graphson";

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

/// `cargo xtask suite-graphs`.
pub(crate) fn graphs(workspace: &Workspace, arguments: Arguments) -> Result<(), String> {
    let from = workspace.root().join(GRAPHS);
    match from.is_dir() {
        true => arguments.finish()?,
        false => run(workspace, arguments)?,
    }
    let folder = workspace.root().join("target/gremlin-graphs");
    let copied = copy_graphs(&from, &folder)?;
    eprintln!("{copied} graphs are in {}", folder.display());
    Ok(())
}

/// Copies the graphs in GraphSON 3, which have names that end in `-v3.json`.
fn copy_graphs(from: &Path, folder: &Path) -> Result<usize, String> {
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut copied = 0;
    for entry in fs::read_dir(from).map_err(|error| failed(from, error))? {
        let path = entry.map_err(|error| failed(from, error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.ends_with("-v3.json") {
            fs::copy(&path, folder.join(name)).map_err(|error| failed(&path, error))?;
            copied += 1;
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_of_version_3_are_copied_and_no_others() {
        let [from, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for name in ["modern-v3.json", "modern-v2.json", "notes.txt"] {
            fs::write(from.path().join(name), name).unwrap();
        }
        let folder = to.path().join("graphs");
        assert_eq!(copy_graphs(from.path(), &folder), Ok(1));
        assert_eq!(fs::read_to_string(folder.join("modern-v3.json")).unwrap(), "modern-v3.json");
        assert!(copy_graphs(&folder.join("none"), &folder).is_err());
    }
}
