//! Feature files (Gherkin), as far as foreign suites use them: scenarios with tags, lines, texts
//! and tables. There are libraries; the one that is kept brings three dozen packages for its line
//! breaks.

use std::path::{Path, PathBuf};

/// A scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// Its tags and those of its feature, with the at sign.
    pub tags: Vec<String>,
    /// Its lines: conditions, actions and expectations.
    pub steps: Vec<Step>,
}

/// A line of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The line, without its first word.
    pub text: String,
    /// The text between triple quotes below it, without its indentation.
    pub docstring: Option<String>,
    /// The table below it: cells of rows, the head first.
    pub table: Vec<Vec<String>>,
}

const FIRST_WORDS: [&str; 5] = ["Given ", "When ", "Then ", "And ", "But "];

/// The feature files below a folder, in order.
///
/// # Errors
/// If a folder cannot be read.
pub fn feature_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(feature_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The scenarios of a feature's text.
///
/// # Errors
/// A line that is none of a feature file's, with its number.
pub fn scenarios(text: &str) -> Result<Vec<Scenario>, String> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut of_feature = Vec::new();
    let mut tags: Vec<String> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if trimmed.starts_with('@') {
            tags.extend(trimmed.split_whitespace().map(str::to_owned));
        } else if trimmed.starts_with("Feature:") {
            of_feature = std::mem::take(&mut tags);
        } else if let Some(name) = trimmed.strip_prefix("Scenario:") {
            let tags = of_feature.iter().cloned().chain(std::mem::take(&mut tags));
            let (name, tags) = (name.trim().to_owned(), tags.collect());
            scenarios.push(Scenario { name, tags, steps: Vec::new() });
        } else if let Some(scenario) = scenarios.last_mut() {
            let indent = line.len() - line.trim_start().len();
            below_a_scenario(scenario, trimmed, indent, &mut lines)
                .ok_or_else(|| format!("line {}: {trimmed}", number + 1))?;
        }
    }
    Ok(scenarios)
}

fn below_a_scenario<'t>(
    scenario: &mut Scenario,
    line: &str,
    indent: usize,
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
) -> Option<()> {
    if let Some(text) = FIRST_WORDS.iter().find_map(|word| line.strip_prefix(word)) {
        scenario.steps.push(Step { text: text.trim().to_owned(), ..Step::default() });
        return Some(());
    }
    let step = scenario.steps.last_mut()?;
    if line == "\"\"\"" {
        let own = lines.map(|(_, line)| line).take_while(|line| line.trim() != "\"\"\"");
        let own = own.map(|line| line.get(indent..).unwrap_or_else(|| line.trim_start()));
        step.docstring = Some(own.collect::<Vec<_>>().join("\n"));
        return Some(());
    }
    let row = line.strip_prefix('|')?.strip_suffix('|')?;
    step.table.push(cells(row));
    Some(())
}

/// Cells between bars; `\|`, `\n` and `\\` stand for a bar, a new line and a backslash.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut letters = row.chars();
    while let Some(letter) = letters.next() {
        match (letter, cells.last_mut()) {
            ('|', _) => cells.push(String::new()),
            ('\\', Some(cell)) => match letters.next() {
                Some('n') => cell.push('\n'),
                Some(letter @ ('|' | '\\')) => cell.push(letter),
                Some(letter) => cell.extend(['\\', letter]),
                None => cell.push('\\'),
            },
            (letter, Some(cell)) => cell.push(letter),
            (_, None) => {}
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_has_its_lines_texts_and_tables() {
        let text = "@A\nFeature: f\n\n  @B @C\n  Scenario: one\n    Given the x graph\n      \"\"\"\n      \
                    g.V()\n        .out()\n      \"\"\"\n    Then it is\n      | a \\| b | c |\n      | 1 |  |\n";
        let read = scenarios(text).expect("a feature");
        let [one] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!((one.name.as_str(), one.tags.join(" ")), ("one", "@A @B @C".to_owned()));
        assert_eq!(one.steps[0].docstring.as_deref(), Some("g.V()\n  .out()"));
        assert_eq!(one.steps[1].table, [["a | b", "c"], ["1", ""]]);
        assert!(scenarios("Feature: f\nScenario: s\nwhat").is_err());
    }
}
