//! What the documents say is refused, or not there: each such claim names a test that shows it, and that test exists.
//!
//! A claim is a paragraph, an item of a list or a row of a table with one of [`WORDS`], and every row below a heading of
//! [`HEADINGS`]. It ends with `<!-- shown by: crate::test, crate::folder/golden.md -->`: the name of a test function of a
//! crate, or the path of a golden below the crate's `tests`. `<!-- all shown by: … -->` on a line of its own holds for
//! the whole page, and `<!-- not shown: why -->` says why no test can show it. Nothing here runs a test.

use std::collections::BTreeSet;

/// Words by which a text says that something does not work.
const WORDS: [&str; 9] = [
    "refuse",
    "not supported",
    "not built",
    "not there",
    "does not ",
    "there is no ",
    "there are no ",
    "there is none",
    "there are none",
];

/// Beginnings of headings whose tables list nothing else.
const HEADINGS: [&str; 2] = ["Refused features", "What is left out"];

/// Where claims are.
const FOLDERS: [&str; 2] = ["docs/guides/", "docs/reference/"];

/// Pages about other things, or with a check of their own; those that are generated say so in their first lines.
const OTHER_PAGES: [&str; 7] = [
    "docs/reference/README.md",
    "docs/reference/bench-gremlin.md",
    "docs/reference/bench.md",
    "docs/reference/dependencies.md",
    "docs/reference/injected-bugs.md",
    "docs/reference/metrics.md",
    "docs/reference/store-guarantees.md",
];

/// The page of changes, and its section with claims.
const CHANGES: (&str, &str) = ("CHANGELOG.md", "Known limits");

/// One line for each claim that names no test, and for each test that is named and not there.
pub(super) fn check(files: &[(String, String)]) -> Vec<String> {
    let names = names(files);
    let mut breaches = Vec::new();
    for (path, text) in files.iter().filter(|(path, text)| is_page(path, text)) {
        let all = text.lines().find_map(|line| marker(line, "all shown by"));
        for passage in passages(text) {
            if path == CHANGES.0 && passage.heading != CHANGES.1 {
                continue;
            }
            let place = format!("{path}:{}", passage.line);
            let is_claim = passage.is_claim();
            let shown = marker(&passage.text, "shown by").or(all.filter(|_| is_claim));
            if is_claim && shown.is_none() && marker(&passage.text, "not shown").is_none() {
                let words: String = passage.text.chars().take(80).collect();
                breaches.push(format!("{place}: no test is named (<!-- shown by: … -->): {words}"));
            }
            let named = shown.into_iter().flat_map(|shown| shown.split(','));
            let unknown = named.map(str::trim).filter(|name| !names.contains(*name));
            breaches.extend(unknown.map(|name| format!("{place}: there is no test {name}")));
        }
    }
    breaches
}

fn is_page(path: &str, text: &str) -> bool {
    let is_in_folder = FOLDERS.iter().any(|folder| path.starts_with(folder));
    let is_generated = || text.lines().take(4).any(|line| line.starts_with("Generated "));
    path == CHANGES.0
        || is_in_folder && path.ends_with(".md") && !OTHER_PAGES.contains(&path) && !is_generated()
}

/// A paragraph, an item of a list, or a row of a table.
struct Passage<'t> {
    line: usize,
    heading: &'t str,
    text: String,
    is_row: bool,
}

impl Passage<'_> {
    fn is_claim(&self) -> bool {
        let is_listed = HEADINGS.iter().any(|heading| self.heading.starts_with(heading));
        let said = self.text.split("<!--").next().unwrap_or_default();
        let plain = without_code(said).to_lowercase();
        self.is_row && is_listed || WORDS.iter().any(|word| plain.contains(word))
    }
}

fn passages(text: &str) -> Vec<Passage<'_>> {
    let mut passages: Vec<Passage<'_>> = Vec::new();
    let (mut heading, mut is_code, mut is_open) = ("", false, false);
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            is_code = !is_code;
        }
        let title = trimmed.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim());
        if is_code || trimmed.is_empty() || trimmed.starts_with("```") || title.is_some() {
            heading = title.filter(|_| !is_code).unwrap_or(heading);
            is_open = false;
            continue;
        }
        let is_row = trimmed.starts_with('|');
        let is_head = |at: usize| lines.get(at).is_some_and(|line| line.trim().starts_with("|--"));
        if is_row && (is_head(index) || is_head(index + 1)) {
            continue;
        }
        if is_open && !is_row && !is_item(trimmed) {
            if let Some(passage) = passages.last_mut() {
                passage.text.push(' ');
                passage.text.push_str(trimmed);
            }
        } else {
            passages.push(Passage { line: index + 1, heading, text: trimmed.to_owned(), is_row });
        }
        is_open = !is_row;
    }
    passages
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
    line.starts_with("- ") || line != number && number.starts_with(". ")
}

/// What a comment `<!-- NAME: … -->` says.
fn marker<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let begin = format!("<!-- {name}: ");
    let (_, rest) = text.split_once(begin.as_str())?;
    rest.split_once("-->").map(|(said, _)| said.trim())
}

/// A text without what is between backticks.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

/// `crate::test` of every test function, and `crate::path` of every file below a crate's `tests`.
fn names(files: &[(String, String)]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (path, text) in files {
        let Some((owner, place)) =
            path.strip_prefix("crates/").and_then(|path| path.split_once('/'))
        else {
            continue;
        };
        if let Some(golden) = place.strip_prefix("tests/") {
            names.insert(format!("{owner}::{golden}"));
        }
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if let Some((name, _)) = line.strip_prefix("fn ").and_then(|line| line.split_once('('))
                && is_test
            {
                names.insert(format!("{owner}::{name}"));
            }
            is_test = line == "#[test]" || is_test && line.starts_with('#');
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#[test]\n#[cfg(unix)]\nfn it_holds() {\n}\nfn helper() {\n";

    fn found(path: &str, page: &str) -> Vec<String> {
        let files = [
            ("crates/a/src/a.rs".to_owned(), SOURCE.to_owned()),
            ("crates/a/tests/goldens/no.md".to_owned(), String::new()),
            (path.to_owned(), page.to_owned()),
        ];
        check(&files)
    }

    fn of_guide(page: &str) -> Vec<String> {
        found("docs/guides/x.md", page)
    }

    #[test]
    fn a_claim_names_a_test_or_a_golden_that_is_there() {
        let page =
            "# X\n\nIt is\nrefused. <!-- shown by: a::it_holds, a::goldens/no.md -->\n\nFine.\n";
        assert_eq!(of_guide(page), Vec::<String>::new());
        for (name, wrong) in [("a::it_held", true), ("a::helper", true), ("a::it_holds", false)] {
            let breaches = of_guide(&page.replace("a::it_holds", name));
            assert_eq!(!breaches.is_empty(), wrong, "{breaches:?}");
            assert!(breaches.iter().all(|line| line.contains(":3: there is no test ")));
        }
    }

    #[test]
    fn paragraphs_items_and_rows_are_claims_by_their_words_and_rows_by_their_heading() {
        let page = "# X\n\n- one\n  does not work\n- two\n\n1. There is no such thing\n\n\
                    | a | refused |\n|---|---|\n| b | refused |\n| c | |\n\n## Refused features\n\n\
                    | d | e |\n|---|---|\n| f | g |\n\nIt said `refused`.\n\n```\nrefused\n```\n";
        let places: Vec<String> = of_guide(page)
            .iter()
            .map(|line| line.split(": no test").next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(places, ["3", "7", "11", "18"].map(|line| format!("docs/guides/x.md:{line}")));
    }

    #[test]
    fn a_page_or_a_reason_may_speak_for_a_claim() {
        assert_eq!(of_guide("<!-- all shown by: a::it_holds -->\n\nrefused\n\nrefused\n").len(), 0);
        assert_eq!(of_guide("<!-- all shown by: a::it -->\n\nrefused\n").len(), 1);
        assert_eq!(of_guide("refused <!-- not shown: it needs a second machine -->\n").len(), 0);
    }

    #[test]
    fn of_the_changes_only_known_limits_count_and_generated_pages_do_not() {
        let page = "# X\n\n### Store\n\n- refused\n\n### Known limits\n\n- refused\n";
        assert_eq!(found("CHANGELOG.md", page).len(), 1);
        assert_eq!(found("docs/reference/y.md", "# Y\n\nGenerated by it.\n\nrefused\n").len(), 0);
        assert_eq!(found("docs/reference/bench.md", "refused\n").len(), 0);
        assert_eq!(found("docs/design/y.md", "refused\n").len(), 0);
    }
}
