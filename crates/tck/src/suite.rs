//! The suite as it lies in folders: feature files, and the scripts of its named graphs.
//!
//! A scenario's id is its file, its number there and the row of its examples: `match/Match4 [7] #2`. One number
//! occurs twice in a file; the second has a mark. Nothing is run here.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use millrace_testkit::features::{self, Scenario};

/// Scripts by the name of the graph that they make.
pub(crate) type Graphs = BTreeMap<String, Vec<String>>;

/// A scenario with its place in the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// The folder, from the folder of all features.
    pub(crate) folder: String,
    pub(crate) id: String,
    pub(crate) scenario: Scenario,
}

/// All scenarios below a folder, in order.
pub(crate) fn cases(folder: &Path) -> Result<Vec<Case>, String> {
    let files = features::feature_files(folder);
    let files = files.map_err(|error| format!("{}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("{}: there are no feature files", folder.display()));
    }
    let mut cases = Vec::new();
    for file in files {
        let scenarios = features::scenarios(&read(&file)?);
        let scenarios = scenarios.map_err(|wrong| format!("{}: {wrong}", file.display()))?;
        let path = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
        cases.extend(cases_of_file(&path, scenarios));
    }
    Ok(cases)
}

/// The scenarios of a file, by its path without extension.
fn cases_of_file(path: &Path, scenarios: Vec<Scenario>) -> Vec<Case> {
    let folder = path.parent().unwrap_or(Path::new("")).display().to_string();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let case = |scenario: Scenario| {
        let mut id = format!("{} {}", path.display(), number(&scenario.name));
        // The rows of one outline come one after another, and only the first begins it.
        if scenario.example.is_none_or(|example| example == 1) {
            *seen.entry(id.clone()).or_default() += 1;
        }
        if let Some(repeated @ 2..) = seen.get(&id) {
            id.push_str(&format!("({repeated})"));
        }
        if let Some(example) = scenario.example {
            id.push_str(&format!(" #{example}"));
        }
        Case { folder: folder.clone(), id, scenario }
    };
    scenarios.into_iter().map(case).collect()
}

/// `[3]` of `[3] Find a node`, or the whole name of a scenario without a number.
fn number(name: &str) -> &str {
    match name.find(']') {
        Some(end) if name.starts_with('[') => &name[..=end],
        Some(_) | None => name,
    }
}

/// The scripts of all graphs in a folder: each graph has a folder of its own with a description that lists them.
pub(crate) fn graphs(folder: &Path) -> Result<Graphs, String> {
    let entries = fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut graphs = Graphs::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() {
            graphs.insert(name.to_owned(), scripts(&path, name)?);
        }
    }
    Ok(graphs)
}

fn scripts(folder: &Path, name: &str) -> Result<Vec<String>, String> {
    let description = folder.join(format!("{name}.json"));
    let wrong = |reason: String| format!("{}: {reason}", description.display());
    let parsed: serde_json::Value =
        serde_json::from_str(&read(&description)?).map_err(|error| wrong(error.to_string()))?;
    let listed = parsed.get("scripts").and_then(serde_json::Value::as_array);
    let listed = listed.ok_or_else(|| wrong("it lists no scripts".to_owned()))?;
    let names = listed.iter().filter_map(serde_json::Value::as_str);
    names.map(|script| read(&folder.join(format!("{script}.cypher")))).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use millrace_testkit::{require, shared};

    use super::*;
    use crate::step::Step;

    #[test]
    fn an_id_has_file_number_and_row() {
        let text = "Feature: f\nScenario: [1] a\nScenario Outline: [2] b <x>\nExamples:\n| x |\n| 1 |\n| 2 |\n\
                    Scenario Outline: [2] c\nExamples:\n| x |\n| 1 |\nScenario: d\n";
        let scenarios = features::scenarios(text).expect("a feature");
        let cases = cases_of_file(Path::new("clauses/match/Match1"), scenarios);
        let ids: Vec<_> =
            cases.iter().map(|case| case.id.trim_start_matches("clauses/match/")).collect();
        let expected =
            ["Match1 [1]", "Match1 [2] #1", "Match1 [2] #2", "Match1 [2](2) #1", "Match1 d"];
        assert_eq!(ids, expected);
        assert!(cases.iter().all(|case| case.folder == "clauses/match"));
    }

    #[test]
    fn the_whole_suite_is_read() {
        let suite = shared().map(|shared| shared.join("suites/cypher"));
        let suite = suite.filter(|suite| suite.is_dir());
        if !require("openCypher's scenarios", suite.is_some()) {
            return;
        }
        let suite = suite.expect("as required");
        let cases = cases(&suite.join("features")).expect("the suite");
        assert_eq!(cases.len(), 3_091);
        let ids: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids.len(), cases.len());
        let graphs = graphs(&suite.join("graphs")).expect("the graphs");
        for case in &cases {
            for step in &case.scenario.steps {
                check_step(step, &graphs).unwrap_or_else(|wrong| panic!("{}: {wrong}", case.id));
            }
        }
    }

    /// They are for what openCypher's suite lacks, so the manual is where their rules stand.
    #[test]
    fn our_own_scenarios_name_the_section_of_the_manual_that_they_follow() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cypher");
        let cases = cases(&own.join("features")).expect("the scenarios");
        let graphs = graphs(&own.join("graphs")).expect("the graphs");
        for case in &cases {
            let has_section =
                |tag: &String| tag.strip_prefix("@manual:").is_some_and(|at| !at.is_empty());
            assert!(case.scenario.tags.iter().any(has_section), "{}: no @manual:SECTION", case.id);
            for step in &case.scenario.steps {
                check_step(step, &graphs).unwrap_or_else(|wrong| panic!("{}: {wrong}", case.id));
            }
        }
        let ids: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids.len(), cases.len());
        let written = cases.iter().filter(|case| case.scenario.example.is_none_or(|row| row == 1));
        assert!(400 <= written.count());
    }

    /// Every step is known, and every expected value can be read.
    fn check_step(step: &features::Step, graphs: &Graphs) -> Result<(), String> {
        let cells = match Step::of(step)? {
            Step::NamedGraph(name) => {
                let known = graphs.contains_key(name);
                return if known { Ok(()) } else { Err(format!("no graph {name}")) };
            }
            Step::Rows { table, .. } => table.iter().skip(1).flatten().collect(),
            Step::Parameters(table) => table.iter().filter_map(|row| row.get(1)).collect(),
            Step::Error(_)
            | Step::EmptyGraph
            | Step::NoRows
            | Step::Prepare(_)
            | Step::Procedure(_)
            | Step::Query(_)
            | Step::Effects(_) => Vec::new(),
        };
        cells.into_iter().try_for_each(|cell| crate::values::parse(cell).map(|_| ()))
    }
}
