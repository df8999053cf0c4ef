//! The one golden runner: text in, text out, in Markdown files that read as documentation.
//!
//! A file holds any prose and fenced blocks; the word after the fence is the kind of a block:
//!
//! ````text
//! # Counting               the last heading names the cases below it
//!
//! ```graph                 any other word: a part, kept for all later cases of the file
//! (a)-LIKES->(b)           until a block of the same word replaces it
//! ```
//!
//! ```input
//! AllNodesCount()
//! ```
//! ```output
//! 2
//! ```
//! ````
//!
//! `MILLRACE_REWRITE_GOLDENS=1` replaces the expected outputs by those found, and adds missing `output`
//! blocks; read the difference before committing it. Trailing newlines do not count.

mod difference;
mod document;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::variables;
use document::Document;

/// One `input` block, its heading and its parts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it is in.
    pub file: PathBuf,
    /// The line of its `input` fence, from 1.
    pub line: usize,
    /// The heading above it; empty if there is none.
    pub name: String,
    /// The text of the block, without the last newline.
    pub input: String,
    parts: BTreeMap<String, String>,
}

impl Case {
    /// The text of the latest block of this word above the case.
    pub fn part(&self, word: &str) -> Option<&str> {
        self.parts.get(word).map(String::as_str)
    }
}

/// Runs every case of every `.md` file under `folder`, in the order of their paths.
///
/// # Panics
/// If an output differs (all differences are shown), a file is malformed, or there is no case.
pub fn check_folder(folder: impl AsRef<Path>, run: impl FnMut(&Case) -> String) {
    let rewrite = variables::flag("MILLRACE_REWRITE_GOLDENS");
    if let Err(message) = check_or_rewrite(folder.as_ref(), rewrite, run) {
        panic!("{message}");
    }
}

fn check_or_rewrite(
    folder: &Path,
    rewrite: bool,
    mut run: impl FnMut(&Case) -> String,
) -> Result<(), String> {
    let mut files = Vec::new();
    list_files(folder, &mut files)?;
    let mut case_count = 0;
    let mut differences = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| at(&file, &error))?;
        let mut document = Document::parse(&text).map_err(|error| at(&file, &error))?;
        for case in document.cases(&file) {
            let found = run_named(&case, &mut run);
            case_count += 1;
            if rewrite {
                document.set_output(case.line, &found);
            } else if let Some(difference) = document.compare(case.line, &found) {
                differences.push(format!(
                    "{}:{} {}\n{difference}",
                    file.display(),
                    case.line,
                    case.name
                ));
            }
        }
        let rewritten = document.render();
        if rewrite && rewritten != text {
            fs::write(&file, rewritten).map_err(|error| at(&file, &error))?;
        }
    }
    if case_count == 0 {
        return Err(format!("{}: no golden case; it would prove nothing", folder.display()));
    }
    if differences.is_empty() {
        return Ok(());
    }
    let hint = "(`-` expected, `+` found; MILLRACE_REWRITE_GOLDENS=1 accepts the new text)";
    Err(format!(
        "{} of {case_count} goldens differ {hint}\n\n{}",
        differences.len(),
        differences.join("\n")
    ))
}

fn at(path: &Path, error: &impl ToString) -> String {
    format!("{}: {}", path.display(), error.to_string())
}

fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| at(folder, &error))?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|error: std::io::Error| at(folder, &error))?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    Ok(())
}

fn run_named(case: &Case, run: &mut impl FnMut(&Case) -> String) -> String {
    struct NamedOnPanic<'a>(&'a Case);
    impl Drop for NamedOnPanic<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                eprintln!("in golden {}:{} {}", self.0.file.display(), self.0.line, self.0.name);
            }
        }
    }
    let _named_on_panic = NamedOnPanic(case);
    run(case)
}

#[cfg(test)]
mod tests;
