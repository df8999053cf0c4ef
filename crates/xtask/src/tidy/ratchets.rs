//! The numbers that may only get better, against the values recorded in `tidy.toml`.
//!
//! Lower is better for every one of them. `--record` never raises a value: that takes a hand, and a
//! commit that says why.

use std::collections::BTreeMap;

use super::measure::{Length, Measures};
use super::settings::{FILE, Settings};
use crate::process;
use crate::workspace::Workspace;

const FILE_LINES: usize = 500;
const LONG_FILE_LINES: usize = 1_000;
const FUNCTION_LINES: usize = 70;
const PLACES_SHOWN: usize = 20;

/// A number as found, and where it comes from.
pub(super) struct Number {
    name: &'static str,
    found: f64,
    places: Vec<String>,
}

/// Every number, in the order of `tidy.toml`.
pub(super) fn numbers(measures: &Measures, locked_packages: usize) -> Vec<Number> {
    let long_files = longer_than(FILE_LINES, &measures.files);
    let long_functions = longer_than(FUNCTION_LINES, &measures.functions);
    let unsafe_places =
        measures.unsafe_sites.iter().map(|(path, line)| format!("{path}:{line}")).collect();
    let locked = vec!["`cargo tree --duplicates` and `git diff Cargo.lock` say whence".to_owned()];
    vec![
        share("files_above_500_lines_percent", long_files, measures.files.len()),
        count("files_above_1000_lines", longer_than(LONG_FILE_LINES, &measures.files)),
        share("functions_above_70_lines_percent", long_functions, measures.functions.len()),
        count("files_without_module_doc", measures.files_without_doc.clone()),
        share(
            "undocumented_pub_items_percent",
            measures.undocumented.clone(),
            measures.pub_item_count,
        ),
        count("unwrap_and_expect_sites", measures.panics.clone()),
        count("unsafe_sites", unsafe_places),
        Number { name: "locked_packages", found: locked_packages as f64, places: locked },
    ]
}

/// How many packages cargo builds the workspace from, its own included.
pub(super) fn locked_packages(workspace: &Workspace) -> Result<usize, String> {
    let mut command = workspace.cargo();
    command.args(["metadata", "--format-version", "1", "--locked"]);
    let metadata: Option<serde_json::Value> = serde_json::from_str(&process::output(command)?).ok();
    let packages = metadata.as_ref().and_then(|metadata| metadata.get("packages")?.as_array());
    packages.map(Vec::len).ok_or_else(|| "cargo metadata has a new shape".to_owned())
}

fn longer_than(lines: usize, lengths: &[Length]) -> Vec<String> {
    let mut long: Vec<&Length> = lengths.iter().filter(|length| lines < length.lines).collect();
    long.sort_by_key(|length| std::cmp::Reverse(length.lines));
    long.iter().map(|length| format!("{} ({} lines)", length.place, length.lines)).collect()
}

fn count(name: &'static str, places: Vec<String>) -> Number {
    Number { name, found: places.len() as f64, places }
}

/// Percent, rounded to one decimal, so that a recorded value equals the same value found later.
fn share(name: &'static str, places: Vec<String>, of: usize) -> Number {
    let percent = 100.0 * places.len() as f64 / of.max(1) as f64;
    Number { name, found: (percent * 10.0).round() / 10.0, places }
}

/// A few lines for each number that got worse, or was never recorded.
pub(super) fn worse(numbers: &[Number], recorded: &BTreeMap<String, f64>) -> Vec<String> {
    let mut breaches = Vec::new();
    for number in numbers {
        let Number { name, found, places } = number;
        match recorded.get(*name) {
            None => breaches.push(format!("{name}: no value in {FILE}; run `cargo xtask tidy --record`")),
            Some(recorded) if recorded < found => breaches.push(format!(
                "{name}: recorded {recorded}, found {found}; mend it, or raise it in {FILE} and say why\n{}",
                shown(places)
            )),
            Some(_) => {}
        }
    }
    let is_known = |name: &String| numbers.iter().any(|number| number.name == name);
    for name in recorded.keys().filter(|name| !is_known(name)) {
        breaches.push(format!("{name}: recorded in {FILE}, but nothing measures it"));
    }
    breaches
}

fn shown(places: &[String]) -> String {
    let mut lines: Vec<String> =
        places.iter().take(PLACES_SHOWN).map(|place| format!("  {place}")).collect();
    if PLACES_SHOWN < places.len() {
        lines.push(format!("  … and {} more", places.len() - PLACES_SHOWN));
    }
    lines.join("\n")
}

/// One line for each number, saying which could be recorded lower.
pub(super) fn lines(numbers: &[Number], recorded: &BTreeMap<String, f64>) -> Vec<String> {
    let line = |number: &Number| {
        let Number { name, found, .. } = number;
        match recorded.get(*name) {
            Some(recorded) if found < recorded => {
                format!("{name}: {found} (recorded {recorded}: run `cargo xtask tidy --record`)")
            }
            Some(recorded) => format!("{name}: {found} (recorded {recorded})"),
            None => format!("{name}: {found}"),
        }
    };
    numbers.iter().map(line).collect()
}

/// The text of `tidy.toml` with every better or new number in it, all else as it was.
pub(super) fn record(text: &str, numbers: &[Number]) -> Result<String, String> {
    let recorded = Settings::parse(text)?.recorded;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Backwards, because each new line goes right under the header.
    for Number { name, found, .. } in numbers.iter().rev() {
        let new_line = format!("{name} = {found}");
        match recorded.get(*name) {
            Some(recorded) if recorded <= found => {}
            Some(_) => {
                let starts = |line: &String| line.split('=').next().map(str::trim) == Some(name);
                let position = lines.iter().position(starts);
                let position =
                    position.ok_or_else(|| format!("{FILE}: write {name} on its own line"))?;
                lines[position] = new_line;
            }
            None => {
                let header = lines.iter().position(|line| line.trim() == "[ratchets]");
                let header = header.ok_or_else(|| format!("{FILE}: no [ratchets]"))?;
                lines.insert(header + 1, new_line);
            }
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// Unsafe code outside the modules that may hold it, and modules named for nothing.
pub(super) fn unnamed_unsafe(measures: &Measures, modules: &[String]) -> Vec<String> {
    let mut breaches = Vec::new();
    for (path, line) in &measures.unsafe_sites {
        if !modules.contains(path) {
            breaches
                .push(format!("{path}:{line}: unsafe code, but {FILE} does not name this module"));
        }
    }
    for module in modules {
        if !measures.unsafe_sites.iter().any(|(path, _)| path == module) {
            breaches.push(format!("{FILE}: {module} holds no unsafe code; take it off the list"));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(file_lines: &[usize]) -> Measures {
        let place = "a.rs".to_owned();
        let files = file_lines.iter().map(|&lines| Length { lines, place: place.clone() });
        Measures { files: files.collect(), ..Measures::default() }
    }

    fn recorded(text: &str) -> BTreeMap<String, f64> {
        Settings::parse(&format!("[ratchets]\n{text}")).unwrap().recorded
    }

    fn one(name: &'static str, found: f64) -> Vec<Number> {
        vec![Number { name, found, places: vec!["a.rs:1".to_owned()] }]
    }

    #[test]
    fn shares_are_of_all_files_and_to_one_decimal() {
        let numbers = numbers(&measures(&[10, 500, 501, 1_001, 20, 20, 20]), 7);
        assert_eq!((numbers[0].found, numbers[1].found), (28.6, 1.0));
        assert_eq!(numbers[0].places, ["a.rs (1001 lines)", "a.rs (501 lines)"]);
        assert_eq!(numbers[7].found, 7.0);
    }

    #[test]
    fn a_worse_number_fails_with_both_values_and_the_places() {
        let breaches = worse(&one("sites", 3.0), &recorded("sites = 2"));
        assert!(breaches[0].starts_with("sites: recorded 2, found 3; "), "{breaches:?}");
        assert!(breaches[0].ends_with("\n  a.rs:1"), "{breaches:?}");
    }

    #[test]
    fn a_better_number_passes_and_asks_to_be_recorded() {
        assert!(worse(&one("sites", 1.0), &recorded("sites = 2")).is_empty());
        let line = &lines(&one("sites", 1.0), &recorded("sites = 2"))[0];
        assert!(line.contains("--record"), "{line}");
    }

    #[test]
    fn numbers_and_records_must_meet() {
        assert!(worse(&one("sites", 1.0), &recorded(""))[0].contains("no value"));
        assert!(worse(&[], &recorded("sites = 1"))[0].contains("nothing measures it"));
    }

    #[test]
    fn recording_lowers_adds_and_never_raises() {
        let text = "# kept\n[ratchets]\nlower = 5 \nhigher = 1\n";
        let mut numbers = one("lower", 4.5);
        numbers.extend(one("higher", 2.0));
        numbers.extend(one("new", 3.0));
        let expected = "# kept\n[ratchets]\nnew = 3\nlower = 4.5\nhigher = 1\n";
        assert_eq!(record(text, &numbers).unwrap(), expected);
    }

    #[test]
    fn unsafe_code_lives_in_named_modules_only() {
        let unsafe_sites = vec![("a.rs".to_owned(), 3)];
        let measures = Measures { unsafe_sites, ..Measures::default() };
        assert!(unnamed_unsafe(&measures, &[])[0].starts_with("a.rs:3: unsafe code"));
        assert!(unnamed_unsafe(&measures, &["a.rs".to_owned()]).is_empty());
        let stale = unnamed_unsafe(&Measures::default(), &["b.rs".to_owned()]);
        assert!(stale[0].contains("b.rs holds no unsafe code"));
    }
}
