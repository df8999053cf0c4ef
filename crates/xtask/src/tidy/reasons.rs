//! Every outside dependency stands in `dependencies.md` with its reason, and nothing else does; what is written by hand in
//! place of one is where the list says, with its reason.

use std::collections::{BTreeMap, BTreeSet};

use super::arrows::{Dependencies, Manifest};

/// Where the list is, from the root of the workspace.
pub(super) const FILE: &str = "docs/reference/dependencies.md";

const COLUMNS: usize = 4;

/// One line for each dependency, of the root's table or of a crate, that is not in the list, and
/// for each line of the list without a dependency or a reason.
pub(super) fn check(list: &str, root: &Dependencies, manifests: &[Manifest]) -> Vec<String> {
    let of_crates =
        manifests.iter().flat_map(|manifest| [&manifest.normal, &manifest.dev]).chain([root]);
    let named: BTreeSet<&str> =
        of_crates.flat_map(|kind| &kind.outside).map(String::as_str).collect();
    let listed = rows(list);
    let mut breaches = Vec::new();
    for name in named.iter().filter(|name| !listed.contains_key(**name)) {
        breaches.push(format!("{FILE}: no line for the dependency `{name}`"));
    }
    for (name, reason) in listed {
        if reason.is_empty() {
            breaches.push(format!("{FILE}: `{name}` has no reason"));
        }
        if !named.contains(name) {
            breaches.push(format!("{FILE}: `{name}` is no dependency any more"));
        }
    }
    breaches
}

/// One line for each row of what stays by hand that names no file that there is, or no reason.
pub(super) fn check_by_hand(list: &str, files: &[(String, String)]) -> Vec<String> {
    let paths: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let section = list.split("\n## What stays by hand").nth(1).unwrap_or_default();
    let mut breaches = Vec::new();
    let mut count = 0;
    for line in section.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [what, places, _, reason] = cells.as_slice() else { continue };
        if *what == "what" || what.starts_with("--") {
            continue;
        }
        count += 1;
        let places: Vec<&str> = places.split('`').skip(1).step_by(2).collect();
        if places.is_empty() || reason.is_empty() {
            breaches.push(format!("{FILE}: {what}: no place or no reason"));
        }
        let is_there = |place: &str| {
            let (path, folder) = (format!("crates/{place}"), format!("crates/{place}/"));
            paths.contains(path.as_str()) || paths.iter().any(|path| path.starts_with(&folder))
        };
        let gone = places.iter().filter(|place| !is_there(place));
        breaches.extend(gone.map(|place| format!("{FILE}: {what}: there is no crates/{place}")));
    }
    if count == 0 {
        breaches.push(format!("{FILE}: nothing is listed under `What stays by hand`"));
    }
    breaches
}

/// Package → reason, from the rows with a name in backticks as their first cell.
fn rows(list: &str) -> BTreeMap<&str, &str> {
    let mut rows = BTreeMap::new();
    for line in list.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].strip_prefix('`').and_then(|name| name.strip_suffix('`'));
        if let (Some(name), COLUMNS) = (name, cells.len()) {
            rows.insert(name, cells[2]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::arrows;

    const LIST: &str = "\
| crate | used by | why | runner-up |
|---|---|---|---|
| `csv` | ingest | quoting rules | own splitter |
";

    fn breaches(list: &str, sections: &str) -> Vec<String> {
        let text = format!("[package]\nname = \"millrace-ingest\"\n{sections}");
        let manifest = Manifest::parse("crates/ingest/Cargo.toml", &text).unwrap();
        check(list, &Dependencies::default(), &[manifest])
    }

    const USED: &str = "[dependencies]\ncsv.workspace = true\n";

    #[test]
    fn a_listed_dependency_passes() {
        assert_eq!(breaches(LIST, USED), Vec::<String>::new());
    }

    #[test]
    fn a_missing_line_is_a_breach_by_name_also_for_tests() {
        let found = breaches("", "[dev-dependencies]\nproptest = \"1\"\n");
        assert_eq!(found, [format!("{FILE}: no line for the dependency `proptest`")]);
    }

    #[test]
    fn a_dependency_of_the_root_alone_needs_a_line_too() {
        let root = arrows::workspace_dependencies("[workspace.dependencies]\nrayon = \"1\"\n");
        assert!(check("", &root.unwrap(), &[])[0].contains("`rayon`"));
    }

    #[test]
    fn what_is_written_by_hand_is_where_the_list_says() {
        let list = "\n## What stays by hand\n\n| what | where | library | why it stays |\n|---|---|---|---|\n\
                    | records | `a/src/r.rs` | `csv` | quotes |\n";
        let files = [("crates/a/src/r.rs".to_owned(), String::new())];
        assert_eq!(check_by_hand(list, &files), Vec::<String>::new());
        assert!(check_by_hand(list, &[])[0].ends_with("there is no crates/a/src/r.rs"));
        assert!(check_by_hand(&list.replace("quotes", ""), &files)[0].contains("no reason"));
        assert_eq!(check_by_hand("", &files).len(), 1);
    }

    #[test]
    fn a_line_without_a_reason_or_a_dependency_is_a_breach() {
        let found = breaches(&LIST.replace("quoting rules", " "), USED);
        assert_eq!(found, [format!("{FILE}: `csv` has no reason")]);
        assert!(breaches(LIST, "")[0].contains("`csv` is no dependency any more"));
    }
}
