//! Requirements of tests beyond the toolchain: a test without them is skipped by name, or fails.
//!
//! On a new user's machine a missing runtime skips the test and says so. Where
//! `MILLRACE_REQUIRE_ALL=1` is set (CI), the same skip is a failure, so no test is lost unseen.
//! `cargo xtask test` names a file in `MILLRACE_SKIP_LIST`, to which each skip is added, and
//! repeats them in its summary. Nothing is fetched or started here.

use std::env;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::variables;

/// Says whether the test `name` may go on; if it may not, prints `skipped: NAME: …`.
///
/// ```no_run
/// # use millrace_testkit::{require, shared};
/// let shared = shared();
/// if !require("films load", shared.is_some()) {
///     return;
/// }
/// ```
///
/// # Panics
/// If `available` is false and `MILLRACE_REQUIRE_ALL=1`.
#[must_use = "a test that is skipped has to return"]
pub fn require(name: &str, available: bool) -> bool {
    go_on(skip_line(name, available, variables::flag("MILLRACE_REQUIRE_ALL")).as_deref())
}

/// The same for a component that CI does not start either, such as a broker: its tests are skipped there, too.
#[must_use = "a test that is skipped has to return"]
pub fn require_component(name: &str, available: bool) -> bool {
    go_on(skip_line(name, available, false).as_deref())
}

/// Shows a skip, where there is one.
fn go_on(skip: Option<&str>) -> bool {
    if let Some(line) = skip {
        // Not `eprintln!`: the test harness captures that, and a skip must be seen.
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
        if let Some(list) = env::var_os("MILLRACE_SKIP_LIST") {
            append(Path::new(&list), line);
        }
    }
    skip.is_none()
}

fn append(list: &Path, line: &str) {
    let appended = File::options()
        .append(true)
        .create(true)
        .open(list)
        .and_then(|mut file| file.write_all(line.as_bytes()));
    appended.unwrap_or_else(|error| panic!("MILLRACE_SKIP_LIST: {}: {error}", list.display()));
}

fn skip_line(name: &str, available: bool, require_all: bool) -> Option<String> {
    if available {
        return None;
    }
    assert!(!require_all, "{name}: its requirements are missing, and MILLRACE_REQUIRE_ALL=1");
    Some(format!("skipped: {name}: its requirements are not on this machine\n"))
}

/// The folder of suites and data that lies beside the workspace, if it is there.
///
/// `MILLRACE_SHARED` names it; unset, it is `../shared` as seen from the workspace.
///
/// # Panics
/// If `MILLRACE_SHARED` names something that is not a folder.
pub fn shared() -> Option<PathBuf> {
    if let Some(named) = env::var_os("MILLRACE_SHARED") {
        let folder = PathBuf::from(named);
        assert!(folder.is_dir(), "MILLRACE_SHARED: {} is not a folder", folder.display());
        return Some(folder);
    }
    let folder = workspace().join("../shared").canonicalize().ok()?;
    folder.is_dir().then_some(folder)
}

/// The folder of TinkerPop's own tests, if `cargo xtask suite-files` fetched them: scenarios in
/// `test/features`, graphs in `structure/io/graphson`.
pub fn gremlin_suite() -> Option<PathBuf> {
    let folder = workspace().join("target/gremlin-suite/org/apache/tinkerpop/gremlin");
    folder.canonicalize().ok().filter(|folder| folder.join("test/features").is_dir())
}

/// A complete folder of `cargo xtask runtimes`, by its name: the runtime of a foreign driver.
pub fn runtime(name: &str) -> Option<PathBuf> {
    whole(&workspace().join("target/runtimes").join(name))
}

/// The folder, if it is complete: the file `installed` is written last.
fn whole(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.join("installed").is_file().then_some(folder)
}

/// The graphs of TinkerPop's suite, if `cargo xtask suite-graphs` put them where
/// `tests/gremlin/suite.toml` looks for them.
pub fn gremlin_graphs() -> Option<PathBuf> {
    let folder = workspace().join("target/gremlin-graphs").canonicalize().ok()?;
    folder.join("tinkerpop-modern-v3.json").is_file().then_some(folder)
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_folder_that_is_half_made_is_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(whole(&folder.path().join("none")), None);
        assert_eq!(whole(folder.path()), None);
        std::fs::write(folder.path().join("installed"), "").unwrap();
        assert_eq!(whole(folder.path()), Some(folder.path().canonicalize().unwrap()));
    }

    #[test]
    fn a_test_with_its_requirement_runs_in_both_modes() {
        assert!(require("a test of require itself", true));
        assert_eq!(skip_line("films", true, true), None);
    }

    #[test]
    fn a_missing_requirement_is_skipped_by_name_or_fails() {
        let line = skip_line("films", false, false).unwrap();
        assert!(line.starts_with("skipped: films: "), "{line}");
        assert!(catch_unwind(|| skip_line("films", false, true)).is_err());
    }

    #[test]
    fn skips_are_added_to_the_list_one_after_another() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("skips");
        append(&list, "skipped: a: …\n");
        append(&list, "skipped: b: …\n");
        assert_eq!(std::fs::read_to_string(&list).unwrap(), "skipped: a: …\nskipped: b: …\n");
    }
}
