//! The page of the store's guarantees: each row names a test that would fail if it were broken, and that
//! test exists. Nothing here runs a test; this finds a name that moved or was retired.

use std::collections::BTreeSet;

/// The page.
pub(super) const FILE: &str = "docs/reference/store-guarantees.md";

/// Where the cases of the conformance suite have their names.
const CASES: &str = "crates/store/src/conformance/";

/// Every row without a test, and every test that is named and not there.
pub(super) fn check(page: &str, files: &[(String, String)]) -> Vec<String> {
    let names = names(files);
    let mut breaches = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        let Some((sentence, tests)) = row(line) else { continue };
        let named: Vec<&str> = between(tests, '`').chain(between(tests, '"')).collect();
        if named.is_empty() {
            breaches.push(format!("{FILE}:{number}: no test for: {sentence}"));
        }
        let unknown = named.into_iter().filter(|name| !names.contains(*name));
        breaches.extend(unknown.map(|name| format!("{FILE}:{number}: there is no test {name}")));
    }
    breaches
}

/// The first and last cell of a row that is no header.
fn row(line: &str) -> Option<(&str, &str)> {
    let cells: Vec<&str> = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
    let (first, last) = (cells.first()?.trim(), cells.last()?.trim());
    let is_head = last == "test" || last.starts_with("---");
    (1 < cells.len() && !is_head).then_some((first, last))
}

/// The texts between pairs of a mark.
fn between(text: &str, mark: char) -> impl Iterator<Item = &str> {
    text.split(mark).skip(1).step_by(2)
}

/// Every test function, and every case of the conformance suite.
fn names(files: &[(String, String)]) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (path, text) in files {
        let is_case_file = path.starts_with(CASES);
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split_once('(')) {
                names.insert(name.0);
            } else if is_case_file && let Some(rest) = line.strip_prefix("(\"") {
                names.extend(rest.split('"').next());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_test_and_a_test_that_is_gone_are_named() {
        let files = [
            ("crates/a/src/a.rs".to_string(), "#[test]\nfn it_holds() {\n".to_string()),
            (format!("{CASES}b.rs"), "    (\"G0: no dirty write\", g0),\n".to_string()),
        ];
        let page = "| what holds | test |\n|---|---|\n| one | `it_holds`, \"G0: no dirty write\" |\n\
                    | two | |\n| three | `it_held` |\n";
        let breaches = check(page, &files);
        assert_eq!(breaches.len(), 2, "{breaches:?}");
        assert!(breaches[0].ends_with("no test for: two"));
        assert!(breaches[1].ends_with("there is no test it_held"));
    }
}
