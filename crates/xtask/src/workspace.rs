//! The place of the workspace, and its files: those that git tracks or would track.
//!
//! What its files say never enters here.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// The workspace this program was built from.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Cargo names the manifest of the program it runs; the root is two folders up.
    pub(crate) fn of_this_program() -> Result<Self, String> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run it as `cargo xtask`")?;
        let root = Path::new(&manifest).join("../..");
        let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Self { root })
    }

    /// The root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        let set = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        set.unwrap_or_else(|| self.root.join("target"))
    }

    /// The text of a file; `path` is relative to the root.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> Result<(), String> {
        fs::write(self.root.join(path), text).map_err(|error| format!("{path}: {error}"))
    }

    /// Every text file that is tracked, or new and not ignored, with its path from the root.
    pub(crate) fn text_files(&self) -> Result<Vec<(String, String)>, String> {
        let mut command = self.command("git");
        command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = process::output(command)?;
        let mut files = Vec::new();
        for path in listed.split('\0').filter(|path| !path.is_empty()) {
            // A file that was deleted, but not yet in the index, is still listed.
            let Ok(bytes) = fs::read(self.root.join(path)) else { continue };
            if let Ok(text) = String::from_utf8(bytes) {
                files.push((path.to_owned(), text));
            }
        }
        files.sort();
        Ok(files)
    }

    /// A program to be run at the root.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// A program by its name, `cargo` being the one that runs this program, or by its path from the root.
    pub(crate) fn program(&self, name: &str) -> Command {
        match name {
            "cargo" => self.cargo(),
            path if path.contains('/') => self.command(&self.root.join(path).to_string_lossy()),
            name => self.command(name),
        }
    }

    /// A program as `cargo test` builds it for the tests of its own crate. Nothing is built where the tests are built.
    pub(crate) fn tested_program(&self, name: &str) -> Result<PathBuf, String> {
        let mut build = self.cargo();
        // Of the whole workspace: crates of their own would be built with other features, all of them again.
        build.args(["test", "--quiet", "--no-run", "--workspace"]);
        process::run(build)?;
        Ok(self.target().join("debug").join(name))
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(&self) -> Command {
        self.command(&env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
    }
}
