//! Files by a pattern of their names, as neo4j-admin takes them: `part_[0-9]+.csv` is a regular expression
//! over the names in its folder, unless there is a file of that very name. A shell's `part_*.csv` is
//! understood, too; a pattern that means other files as the one than as the other is refused.

use crate::error::{LoadError, excerpt};
use crate::limits::{PATTERN_BYTES_MAX, PATTERN_FILES_MAX};
use regex_automata::meta::{Config, Regex};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// What makes a name a pattern.
const SIGNS: [char; 10] = ['*', '?', '[', '+', '\\', '(', '|', '{', '^', '$'];

/// What only a regular expression has.
const REGEX_SIGNS: [&str; 8] = [".*", ".+", "\\", "(", "]+", "]*", "|", "{"];

/// The files that an argument means, in the natural order of their names: `part_2` before `part_10`. One file,
/// if there is one of this name, or if the argument is no pattern.
pub fn matching_files(argument: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let whole = || Ok(vec![argument.to_owned()]);
    let Some(pattern) = argument.file_name().and_then(|name| name.to_str()) else { return whole() };
    if argument.exists() || !pattern.contains(SIGNS) {
        return whole();
    }
    let folder = argument.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = names_in(folder.unwrap_or(Path::new(".")))?;
    let refuse = |detail: String| LoadError::Input(format!("{}: {detail}", argument.display()));
    let as_regex = Matching::of(pattern, &names);
    let is_regex = REGEX_SIGNS.iter().any(|sign| pattern.contains(sign));
    let found = match (as_regex, Matching::of(&shell_pattern(pattern), &names)) {
        (as_regex, _) if is_regex => as_regex.map_err(&refuse)?,
        (Ok(Matching(names)), Ok(others)) if names.is_empty() || names == others.0 => others,
        (Ok(names), Ok(others)) if others.0.is_empty() => names,
        (Ok(names), Ok(others)) => {
            return Err(refuse(format!(
                "as a regular expression this means {}, in a shell {}: write .* for any text, or name the files",
                names.shown(),
                others.shown()
            )));
        }
        (Err(_), as_shell) => as_shell.map_err(&refuse)?,
        (Ok(names), Err(_)) => names,
    };
    if found.0.is_empty() {
        let detail = "there is no file of this name, and no name in its folder fits it as a pattern: look for a \
                      misspelling";
        let source = std::io::Error::new(std::io::ErrorKind::NotFound, detail);
        return Err(LoadError::File { file: argument.to_string_lossy().into(), source });
    }
    if PATTERN_FILES_MAX < found.0.len() {
        return Err(refuse(format!(
            "more than {PATTERN_FILES_MAX} files fit: load some at a time"
        )));
    }
    let path =
        |name: String| folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
    Ok(found.0.into_iter().map(path).collect())
}

/// Names of files that a pattern fits, in their order.
struct Matching(Vec<String>);

impl Matching {
    fn of(pattern: &str, names: &[String]) -> Result<Self, String> {
        let config = Config::new().nfa_size_limit(Some(PATTERN_BYTES_MAX));
        let whole = format!(r"\A(?:{pattern})\z");
        let regex = Regex::builder().configure(config).build(&whole).map_err(|error| {
            let why = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
            let why =
                why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("there is no file of this name, and as a regular expression it is wrong: {why}")
        })?;
        let mut found: Vec<String> =
            names.iter().filter(|name| regex.is_match(name.as_str())).cloned().collect();
        found.sort_by(|a, b| natural_order(a, b));
        Ok(Self(found))
    }

    fn shown(&self) -> String {
        let first = self.0.first().map_or("", String::as_str);
        match self.0.len() {
            1 => format!("'{}'", excerpt(first)),
            count => format!("{count} files from '{}' on", excerpt(first)),
        }
    }
}

fn names_in(folder: &Path) -> Result<Vec<String>, LoadError> {
    let failed = |source| LoadError::File { file: folder.to_string_lossy().into(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let (false, Ok(name)) = (is_folder, entry.file_name().into_string()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// A shell's pattern as a regular expression: `*` and `?`, and classes as they are.
fn shell_pattern(pattern: &str) -> String {
    let mut regex = String::new();
    let mut in_class = false;
    for letter in pattern.chars() {
        in_class = (in_class || letter == '[') && letter != ']';
        match letter {
            '!' if regex.ends_with('[') => regex.push('^'),
            '[' | ']' | '-' => regex.push(letter),
            _ if in_class => regex.push(letter),
            // A shell leaves out hidden files.
            '*' if regex.is_empty() => regex.push_str("[^.].*"),
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            letter if letter.is_ascii_punctuation() => regex.extend(['\\', letter]),
            letter => regex.push(letter),
        }
    }
    regex
}

/// Runs of digits by their number, all else letter by letter.
fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (in_left, in_right) = (digits(left), digits(right));
        if in_left != 0 && in_right != 0 {
            let number = |text: &str| text.trim_start_matches('0').to_owned();
            let (own, other) = (number(&left[..in_left]), number(&right[..in_right]));
            let order = own.len().cmp(&other.len()).then_with(|| own.cmp(&other));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (&left[in_left..], &right[in_right..]);
            continue;
        }
        let (mut rest, mut other_rest) = (left.chars(), right.chars());
        match (rest.next(), other_rest.next()) {
            (None, None) => return a.cmp(b),
            (own, other) if own == other => (left, right) = (rest.as_str(), other_rest.as_str()),
            (own, other) => return own.cmp(&other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with files of these names, and a subfolder.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), "").unwrap());
        std::fs::create_dir(folder.path().join("part_folder.csv")).unwrap();
        folder
    }

    fn found(folder: &tempfile::TempDir, pattern: &str) -> Result<Vec<String>, String> {
        let paths =
            matching_files(&folder.path().join(pattern)).map_err(|error| error.to_string())?;
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(paths.iter().all(|path| path.starts_with(folder.path())));
        Ok(paths.iter().map(name).collect())
    }

    #[test]
    fn a_pattern_means_files_in_the_natural_order_of_their_names() {
        let folder = folder(&[
            "part_10.csv",
            "part_2.csv",
            "part_1.csv",
            "part_header.csv",
            "part_3.csv.gz",
            ".part_4.csv",
            "xpart_5.csv",
        ]);
        for (pattern, names) in [
            ("part_[0-9].csv", &["part_1.csv", "part_2.csv"][..]),
            (r"part_\d+.csv", &["part_1.csv", "part_2.csv", "part_10.csv"]),
            (
                "part_[0-9]+.csv(.gz)?",
                &["part_1.csv", "part_2.csv", "part_3.csv.gz", "part_10.csv"],
            ),
            (
                "part_.*",
                &["part_1.csv", "part_2.csv", "part_3.csv.gz", "part_10.csv", "part_header.csv"],
            ),
            ("part_*.csv", &["part_1.csv", "part_2.csv", "part_10.csv", "part_header.csv"]),
            ("part_?.csv", &["part_1.csv", "part_2.csv"]),
            ("*.gz", &["part_3.csv.gz"]),
            ("part_1.csv", &["part_1.csv"]),
            ("none.csv", &["none.csv"]),
        ] {
            assert_eq!(found(&folder, pattern).unwrap(), names, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_fits_nothing_or_in_two_ways_is_refused() {
        let folder = folder(&["part.csv", "part1.csv", "part2.csv", "a[1].csv", "a1.csv"]);
        let none = found(&folder, "piece_.*").unwrap_err();
        assert!(none.contains("piece_.*: there is no file of this name"), "{none}");
        let two = found(&folder, "part*.csv").unwrap_err();
        assert!(
            two.contains("this means 'part.csv', in a shell 3 files from 'part.csv' on"),
            "{two}"
        );
        let two = found(&folder, "part[!2].csv").unwrap_err();
        assert!(two.contains("this means 'part2.csv', in a shell 'part1.csv'"), "{two}");
        let wrong = found(&folder, "part(.csv").unwrap_err();
        assert!(wrong.contains("as a regular expression it is wrong: unclosed group"), "{wrong}");
        assert_eq!(found(&folder, "a[1].csv").unwrap(), ["a[1].csv"], "a file of this name");
        let huge = found(&folder, "(.{1000}){1000}").unwrap_err();
        assert!(huge.contains("it is wrong"), "{huge}");
        let missing = matching_files(&folder.path().join("none/part_.*")).unwrap_err();
        assert!(missing.to_string().contains("none: "), "{missing}");
    }
}
