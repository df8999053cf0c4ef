//! The statements of former sessions, in the user's state folder.
//!
//! Each line of the file is one statement as a JSON string, so that a statement may have lines. A file that
//! cannot be read or written is no reason to end a shell.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Statements that are kept.
const STATEMENTS_MAX: usize = 1_000;

/// The file of a user's environment: `$XDG_STATE_HOME/millrace/history`, or in `~/.local/state`.
pub(crate) fn file(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    // The specification wants absolute paths, and others ignored.
    let absolute = |path: String| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").and_then(absolute);
    let home = || Some(variable("HOME").and_then(absolute)?.join(".local/state"));
    Some(state.or_else(home)?.join("millrace/history"))
}

/// The statements of a file, oldest first.
pub(crate) fn read(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let all: Vec<String> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    all[all.len().saturating_sub(STATEMENTS_MAX)..].to_vec()
}

/// Adds the statements of a session behind those that are there by now, readable by the user only.
pub(crate) fn append(file: &Path, statements: &[String]) -> std::io::Result<()> {
    if statements.is_empty() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut all = read(file);
    all.extend_from_slice(statements);
    let kept = &all[all.len().saturating_sub(STATEMENTS_MAX)..];
    let text: String =
        kept.iter().map(|one| format!("{}\n", serde_json::Value::from(one.as_str()))).collect();
    // A shell that ends at the same time sees the old file or the new one.
    let new = file.with_extension(format!("new-{}", std::process::id()));
    let mut options = fs::OpenOptions::new();
    let mut written = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    written.write_all(text.as_bytes())?;
    fs::rename(&new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_where_the_specification_says() {
        let file_of = |state: Option<&str>, home: Option<&str>| {
            let shown = file(|name| match name {
                "XDG_STATE_HOME" => state.map(str::to_owned),
                "HOME" => home.map(str::to_owned),
                _ => None,
            });
            shown.map(|path| path.display().to_string())
        };
        let of = |path: &str| Some(path.to_owned());
        assert_eq!(file_of(Some("/s"), Some("/h")), of("/s/millrace/history"));
        assert_eq!(file_of(Some("s"), Some("/h")), of("/h/.local/state/millrace/history"));
        assert_eq!(file_of(None, None), None);
    }

    #[test]
    fn statements_come_back_with_their_lines_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b/history");
        append(&file, &["g.V()\n.out()".to_owned()]).unwrap();
        append(&file, &["two".to_owned()]).unwrap();
        assert_eq!(read(&file), ["g.V()\n.out()", "two"]);
        let many: Vec<String> = (0..STATEMENTS_MAX).map(|number| number.to_string()).collect();
        append(&file, &many).unwrap();
        assert_eq!(read(&file), many);
    }
}
