//! The table of steps in `docs/reference` is what the files of the steps say of themselves.

use std::fs;
use std::path::Path;

/// What of TinkerPop 3.8 there is no step for, and why.
const NOT_THERE: [(&str, &str); 8] = [
    ("call", "services are the server's own, and there are none"),
    ("connectedComponent", "there is no graph computer"),
    ("io", "no files are read or written for a client; `millrace load` loads GraphSON 3"),
    ("pageRank", "there is no graph computer"),
    ("peerPressure", "there is no graph computer"),
    ("program", "there is no graph computer"),
    ("shortestPath", "there is no graph computer; `repeat` with `simplePath` finds paths"),
    ("withComputer", "there is no graph computer"),
];

/// A step: its name, what its file says it is, the steps that may stand behind it.
pub(super) struct Row {
    pub(super) name: String,
    about: String,
    modulators: String,
}

pub(super) fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/steps");
    let files = fs::read_dir(folder).expect("the steps are there");
    let texts = files.map(|file| {
        let path = file.expect("it is listed").path();
        fs::read_to_string(path).expect("it is read")
    });
    let mut rows: Vec<Row> = texts.filter_map(|text| row(&text)).collect();
    rows.sort_by(|left, right| left.name.cmp(&right.name));
    rows
}

/// The row of a file, if a step lives there.
fn row(text: &str) -> Option<Row> {
    let step = &text[text.find("STEP: Step =")?..];
    let step: String = step[..step.find(';')?].split_whitespace().collect::<Vec<_>>().join(" ");
    let name = step.split("name: \"").nth(1)?.split('"').next()?.to_owned();
    let modulators = step.split("modulators: &[").nth(1)?.split(']').next()?;
    let modulators = modulators.replace('"', "`").trim().trim_end_matches(',').to_owned();
    let header = text.lines().take_while(|line| line.starts_with("//! ") || *line == "//!");
    let header: Vec<&str> = header.map(|line| line.trim_start_matches("//!").trim()).collect();
    let first = header.split(|line| line.is_empty()).next()?.join(" ");
    let about = first.split_once(": ").map_or(first.clone(), |(_, about)| about.to_owned());
    let about = about.trim_end_matches('.').replace('|', "\\|");
    Some(Row { name, about, modulators })
}

fn page() -> String {
    let rows = rows();
    let mut page = format!(
        "# Gremlin\n\nGenerated from the files of the steps; do not edit. {} steps of TinkerPop 3.8, each with \
         what it does and the steps that may\nstand behind it to say how. `by`, `as` and kin are listed \
         where they belong. What is not here is refused by its name and position.\n\n\
         | step | | may be followed by |\n|---|---|---|\n",
        rows.len()
    );
    for Row { name, about, modulators } in &rows {
        page.push_str(&format!("| `{name}` | {about} | {modulators} |\n"));
    }
    page.push_str("\n## Not there\n\n| step | why |\n|---|---|\n");
    for (name, why) in NOT_THERE {
        assert!(rows.iter().all(|row| row.name != name), "{name} is there");
        page.push_str(&format!("| `{name}` | {why} |\n"));
    }
    page
}

#[test]
fn the_table_of_steps_is_current() {
    let wanted = page();
    assert!(wanted.contains("| `addV` |") && wanted.contains("| `mergeE` |"), "{wanted}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/gremlin.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, &wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "docs/reference/gremlin.md: MILLRACE_REWRITE_GOLDENS=1 mends it");
}
