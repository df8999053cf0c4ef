//! Feature files (Gherkin), as far as foreign suites use them: scenarios with tags, lines, texts
//! and tables, after the lines of a background, and outlines expanded by their examples. There are
//! libraries; the one that is kept brings three dozen packages for its line breaks. What a line means never
//! enters here.

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
    /// The row of examples that an outline was expanded by, counted from 1; none for a plain scenario.
    pub example: Option<usize>,
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
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        reader
            .line(trimmed, indent, &mut lines)
            .ok_or_else(|| format!("line {}: {trimmed}", number + 1))?;
    }
    reader.close();
    Ok(reader.scenarios)
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    scenarios: Vec<Scenario>,
    of_feature: Vec<String>,
    tags: Vec<String>,
    background: Vec<Step>,
    open: Open,
}

/// The part of a file that a line belongs to.
#[derive(Default)]
enum Open {
    /// Before the first part: lines that describe the feature.
    #[default]
    Description,
    Background,
    Scenario(Scenario),
    Outline(Scenario, Examples),
}

/// The examples of an outline.
#[derive(Default)]
struct Examples {
    /// Whether their heading was read.
    begun: bool,
    /// Their tables, the head of each first.
    tables: Vec<Vec<Vec<String>>>,
}

impl Reader {
    fn line<'t>(
        &mut self,
        line: &str,
        indent: usize,
        lines: &mut impl Iterator<Item = (usize, &'t str)>,
    ) -> Option<()> {
        if line.starts_with('@') {
            self.tags.extend(line.split_whitespace().map(str::to_owned));
        } else if line.starts_with("Feature:") {
            self.of_feature = std::mem::take(&mut self.tags);
        } else if line.starts_with("Background:") {
            self.close();
            self.open = Open::Background;
        } else if let Some(name) = line.strip_prefix("Scenario:") {
            self.open = Open::Scenario(self.scenario(name));
        } else if let Some(name) = line.strip_prefix("Scenario Outline:") {
            self.open = Open::Outline(self.scenario(name), Examples::default());
        } else {
            return self.line_of_part(line, indent, lines);
        }
        Some(())
    }

    fn line_of_part<'t>(
        &mut self,
        line: &str,
        indent: usize,
        lines: &mut impl Iterator<Item = (usize, &'t str)>,
    ) -> Option<()> {
        match &mut self.open {
            Open::Description => Some(()),
            Open::Background => below(&mut self.background, line, indent, lines),
            Open::Scenario(scenario) => below(&mut scenario.steps, line, indent, lines),
            Open::Outline(_, examples) if line.starts_with("Examples:") => {
                examples.begun = true;
                examples.tables.push(Vec::new());
                Some(())
            }
            Open::Outline(_, examples) if examples.begun => {
                examples.tables.last_mut()?.push(cells(row(line)?));
                Some(())
            }
            Open::Outline(scenario, _) => below(&mut scenario.steps, line, indent, lines),
        }
    }

    /// A scenario that begins here, behind the one before it.
    fn scenario(&mut self, name: &str) -> Scenario {
        self.close();
        let tags = self.of_feature.iter().cloned().chain(std::mem::take(&mut self.tags)).collect();
        let steps = self.background.clone();
        Scenario { name: name.trim().to_owned(), tags, steps, example: None }
    }

    /// Ends the part that is open.
    fn close(&mut self) {
        match std::mem::take(&mut self.open) {
            Open::Description | Open::Background => {}
            Open::Scenario(scenario) => self.scenarios.push(scenario),
            Open::Outline(outline, examples) => {
                let rows = examples.tables.iter().filter_map(|table| table.split_first());
                let rows = rows.flat_map(|(head, rows)| rows.iter().map(move |row| (head, row)));
                let expanded = rows.enumerate().map(|(index, (head, row))| {
                    let of_row = |text: &str| filled(text, head, row);
                    expanded(&outline, index + 1, &of_row)
                });
                self.scenarios.extend(expanded);
            }
        }
    }
}

/// An outline, with its texts as `filled` leaves them.
fn expanded(outline: &Scenario, example: usize, filled: &impl Fn(&str) -> String) -> Scenario {
    let step = |step: &Step| Step {
        text: filled(&step.text),
        docstring: step.docstring.as_deref().map(filled),
        table: step.table.iter().map(|row| row.iter().map(|cell| filled(cell)).collect()).collect(),
    };
    Scenario {
        name: filled(&outline.name),
        tags: outline.tags.clone(),
        steps: outline.steps.iter().map(step).collect(),
        example: Some(example),
    }
}

/// A text with each `<name>` replaced by the cell below that name. A cell is not searched for further names.
fn filled(text: &str, head: &[String], row: &[String]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let cell = head.iter().zip(row).find_map(|(name, cell)| {
            let behind = from.strip_prefix('<')?.strip_prefix(name.as_str())?.strip_prefix('>')?;
            Some((cell, behind))
        });
        match cell {
            Some((cell, behind)) => {
                filled.push_str(cell);
                rest = behind;
            }
            None => {
                filled.push('<');
                rest = &from[1..];
            }
        }
    }
    filled.push_str(rest);
    filled
}

fn below<'t>(
    steps: &mut Vec<Step>,
    line: &str,
    indent: usize,
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
) -> Option<()> {
    if let Some(text) = FIRST_WORDS.iter().find_map(|word| line.strip_prefix(word)) {
        steps.push(Step { text: text.trim().to_owned(), ..Step::default() });
        return Some(());
    }
    let step = steps.last_mut()?;
    if line == "\"\"\"" {
        let own = lines.map(|(_, line)| line).take_while(|line| line.trim() != "\"\"\"");
        let own = own.map(|line| line.get(indent..).unwrap_or_else(|| line.trim_start()));
        step.docstring = Some(own.collect::<Vec<_>>().join("\n"));
        return Some(());
    }
    step.table.push(cells(row(line)?));
    Some(())
}

/// The inside of a row; a single bar is a row with one empty cell.
fn row(line: &str) -> Option<&str> {
    let row = line.strip_prefix('|')?;
    if row.is_empty() { Some(row) } else { row.strip_suffix('|') }
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

    #[test]
    fn an_outline_is_a_scenario_for_each_row_of_its_examples() {
        let text = "Feature: f\n  Scenario Outline: of <a>\n    When asked:\n      \"\"\"\n      \
                    x < <a> AND <c>\n      \"\"\"\n    Then it is <b>:\n      | <b> |\n\n    Examples:\n      \
                    | a   | b |\n      #| 0 | 0 |\n      | <b> | 2 |\n      | 3   | 4 |\n    Examples: more\n      \
                    | a | b |\n      | 5 | 6 |\n  Scenario: plain\n    When asked:\n";
        let read = scenarios(text).expect("a feature");
        let names: Vec<_> =
            read.iter().map(|scenario| (scenario.name.as_str(), scenario.example)).collect();
        let expected = [("of <b>", Some(1)), ("of 3", Some(2)), ("of 5", Some(3)), ("plain", None)];
        assert_eq!(names, expected);
        assert_eq!(read[0].steps[0].docstring.as_deref(), Some("x < <b> AND <c>"));
        assert_eq!(read[1].steps[1].text, "it is 4:");
        assert_eq!(read[1].steps[1].table, [["4"]]);
    }

    #[test]
    fn the_lines_of_a_background_stand_before_those_of_each_scenario() {
        let text = "Feature: f\n  as described\n  Background:\n    Given a graph\n    And executed:\n      \
                    \"\"\"\n      q\n      \"\"\"\n  Scenario: one\n    When x\n  Scenario: two\n    When y\n";
        let read = scenarios(text).expect("a feature");
        let lines = |scenario: &Scenario| {
            scenario.steps.iter().map(|step| step.text.clone()).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(lines(&read[0]), "a graph, executed:, x");
        assert_eq!(lines(&read[1]), "a graph, executed:, y");
        assert_eq!(read[1].steps[1].docstring.as_deref(), Some("q"));
    }
}
