//! The table of steps in `docs/reference` agrees with the headers of the steps' files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use millrace_gremlin::replacements::{Replacement, steps_not_there};
use millrace_gremlin::{STEPS, Step};

/// The steps and the words of a source of TinkerPop 3.8's grammar (`traversalMethod_*`,
/// `traversalSourceSelfMethod_*`) that neither have a file nor modulate a step.
const OF_SOURCES: [&str; 7] = [
    "withBulk",
    "withPath",
    "withSack",
    "withSideEffect",
    "withStrategies",
    "withoutStrategies",
    "with",
];

/// All steps and words of a source of TinkerPop 3.8's grammar.
const OF_TINKERPOP: &str = "\
    E V addE addV aggregate all and any as asBool asDate asNumber asString barrier both bothE bothV branch by \
    call cap choose coalesce coin combine concat conjoin connectedComponent constant count cyclicPath dateAdd \
    dateDiff dedup difference discard disjunct drop element elementMap emit fail filter flatMap fold format \
    from group groupCount has hasId hasKey hasLabel hasNot hasValue id identity in inE inV index inject \
    intersect io is key lTrim label length limit local loops map match math max mean merge mergeE mergeV min \
    none not option optional or order otherV out outE outV pageRank path peerPressure product profile program \
    project properties property propertyMap rTrim range read repeat replace reverse sack sample select \
    shortestPath sideEffect simplePath skip split subgraph substring sum tail timeLimit times to toE toLower \
    toUpper toV tree trim unfold union until value valueMap values where with withBulk withComputer withPath \
    withSack withSideEffect withStrategies withoutStrategies write";

/// A step: its name, the description in its file, the steps that may stand behind it.
pub(super) struct Row {
    pub(super) name: &'static str,
    about: String,
    pub(super) modulators: &'static [&'static str],
}

pub(super) fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/steps");
    let files = fs::read_dir(folder).expect("the steps are there");
    let paths = files.map(|file| file.expect("it is listed").path());
    let texts = paths.filter(|path| path.is_file() && !path.ends_with("mod.rs"));
    let mut abouts: BTreeMap<String, String> = texts
        .map(|path| {
            about(&fs::read_to_string(&path).expect("it is read"))
                .unwrap_or_else(|| panic!("{path:?} is no step"))
        })
        .collect();
    let rows = STEPS.iter().map(|&Step { name, modulators, .. }| {
        let about = abouts.remove(name).unwrap_or_else(|| panic!("{name} has no file"));
        Row { name, about, modulators }
    });
    let rows = rows.collect();
    assert!(abouts.is_empty(), "not in the list: {abouts:?}");
    rows
}

/// The name of a file's step, and its description in the header.
fn about(text: &str) -> Option<(String, String)> {
    let name = text.split("Step::new(\"").nth(1)?.split('"').next()?.to_owned();
    let header = text.lines().take_while(|line| line.starts_with("//! ") || *line == "//!");
    let header: Vec<&str> = header.map(|line| line.trim_start_matches("//!").trim()).collect();
    let first = header.split(|line| line.is_empty()).next()?.join(" ");
    let about = first.split_once(": ").map_or(first.clone(), |(_, about)| about.to_owned());
    let about = about.trim_end_matches('.').replace('|', "\\|");
    Some((name, about))
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
        let modulators = modulators.iter().map(|word| format!("`{word}`"));
        let modulators = modulators.collect::<Vec<_>>().join(", ");
        page.push_str(&format!("| `{name}` | {about} | {modulators} |\n"));
    }
    page.push_str("\n## Not there\n\n| step | why |\n|---|---|\n");
    for Replacement { word, instead, .. } in steps_not_there() {
        assert!(rows.iter().all(|row| row.name != *word), "{word} is there");
        page.push_str(&format!("| `{word}` | {instead} |\n"));
    }
    page.push_str("\nWhat to write for other words of public scripts is in ");
    page.push_str("[gremlin-replacements.md](gremlin-replacements.md).\n");
    page
}

#[test]
fn each_step_of_tinkerpop_is_there_or_is_listed_as_not_there() {
    let rows = rows();
    let is_modulator = |name: &str| rows.iter().any(|row| row.modulators.contains(&name));
    for name in OF_TINKERPOP.split_whitespace() {
        let is_there = rows.iter().any(|row| row.name == name)
            || is_modulator(name)
            || OF_SOURCES.contains(&name);
        let is_listed = steps_not_there().iter().any(|row| row.word == name);
        assert!(is_there != is_listed, "{name}: there {is_there}, listed {is_listed}");
    }
    assert!(steps_not_there().is_sorted_by_key(|row| row.word));
    for row in &rows {
        let is_known = OF_TINKERPOP.split_whitespace().any(|name| name == row.name);
        assert!(is_known, "{} is no step of TinkerPop", row.name);
    }
}

#[test]
fn the_table_of_steps_is_current() {
    let wanted = page();
    assert!(wanted.contains("| `addV` |") && wanted.contains("| `mergeE` |"), "{wanted}");
    check_page("gremlin.md", &wanted);
}

/// Fails unless a page equals the one that is generated.
pub(super) fn check_page(name: &str, wanted: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let file = folder.join(name);
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, wanted).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "docs/reference/{name}: MILLRACE_REWRITE_GOLDENS=1 mends it");
}
