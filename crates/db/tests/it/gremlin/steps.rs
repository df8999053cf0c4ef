//! The goldens of the steps (`gremlin/tests/goldens/steps`) have traversals and plans; a page here has what these
//! traversals give over TinkerPop's graph `modern`.

use std::fs;
use std::path::{Path, PathBuf};

use millrace_gremlin::translate;

use super::modern::{Graph, shown};
use super::random::read;

/// Each traversal, with the step that its golden is for.
pub(super) fn traversals() -> impl Iterator<Item = (String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../gremlin/tests/goldens/steps");
    let files = fs::read_dir(folder).expect("the goldens are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("it is listed").path()).collect();
    files.sort();
    files.into_iter().flat_map(|file| {
        let text = fs::read_to_string(&file).expect("it is read");
        let inputs = text.split("```input\n").skip(1);
        let inputs = inputs.filter_map(|own| own.split("\n```").next());
        let texts = inputs.flat_map(|own| own.split("\n---\n")).map(str::to_owned);
        let step = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        texts.map(move |text| (step.clone(), text)).collect::<Vec<_>>()
    })
}

#[test]
fn steps_give_what_the_page_says() {
    let mut page = String::from(
        "# What steps give\n\nGenerated from the goldens of the steps, over TinkerPop's graph `modern`; do not edit.\n",
    );
    let mut graph = Graph::modern();
    let mut last = String::new();
    for (step, text) in traversals() {
        if step != last {
            page.push_str(&format!("\n## {step}\n"));
            last = step;
        }
        let results = results(&graph, &text);
        page.push_str(&format!("\n`{text}`\n\n    {}\n", results.join("\n    ")));
        if translate(&read(&text).expect("it is one")).is_ok_and(|own| own.plan.root.has_effect()) {
            graph = Graph::modern();
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/steps.md");
    if std::env::var("MILLRACE_REWRITE_GOLDENS").is_ok_and(|value| value == "1") {
        fs::write(&file, &page).expect("the page can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    let place = page.lines().zip(found.lines()).find(|(own, found)| own != found);
    assert!(found == page, "{place:?}: MILLRACE_REWRITE_GOLDENS=1 mends tests/goldens/steps.md");
}

/// Results in lines; how long something took differs each time.
fn results(graph: &Graph, text: &str) -> Vec<String> {
    if text.contains(".profile(") {
        return vec!["(what it did, or an error)".to_owned()];
    }
    match graph.run(text) {
        Ok(values) if values.is_empty() => vec!["(nothing)".to_owned()],
        Ok(values) => values.iter().map(|value| shown(value).replace('\n', "\\n")).collect(),
        Err(error) => vec![format!("error: {error}")],
    }
}
