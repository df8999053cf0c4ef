//! The list of scenarios that are known to fail, a line each: an id and, behind ` : `, the reason.
//!
//! The list may only get shorter. A failure that is not listed fails the run, and so does a listed scenario that
//! passes, until the list is recorded again. Files are read and written by `main`.

use std::collections::{BTreeMap, BTreeSet};

use crate::scenario::Outcome;

const HEAD: &str = "\
# Scenarios of openCypher's suite that fail. `cargo xtask tck --record` removes those that pass; no line is added.
# A line is the file, the scenario's number, the row of its examples, and the reason behind a colon.
";

/// Ids and reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KnownFailures {
    reasons: BTreeMap<String, String>,
}

/// How a run differs from the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// Ids that failed and are not listed.
    pub(crate) new: Vec<String>,
    /// Ids that are listed and passed.
    pub(crate) passed: Vec<String>,
}

impl KnownFailures {
    /// The list of a text.
    pub(crate) fn parse(text: &str) -> KnownFailures {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entry = |line: &str| match line.split_once(" : ") {
            Some((id, reason)) => (id.trim().to_owned(), reason.trim().to_owned()),
            None => (line.to_owned(), String::new()),
        };
        KnownFailures { reasons: lines.map(entry).collect() }
    }

    /// The first list: all scenarios of a run that did not pass. One that was skipped may fail once it can be run.
    pub(crate) fn first<'r>(
        outcomes: impl IntoIterator<Item = (&'r str, &'r Outcome)>,
    ) -> KnownFailures {
        let failed =
            outcomes.into_iter().filter(|(_, outcome)| !matches!(outcome, Outcome::Passed));
        KnownFailures { reasons: failed.map(|(id, _)| (id.to_owned(), String::new())).collect() }
    }

    /// Compares a run with the list.
    pub(crate) fn compare<'r>(
        &self,
        outcomes: impl IntoIterator<Item = (&'r str, &'r Outcome)>,
    ) -> Differences {
        let mut differences = Differences::default();
        for (id, outcome) in outcomes {
            let is_listed = self.reasons.contains_key(id);
            match outcome {
                Outcome::Failed(_) if !is_listed => differences.new.push(id.to_owned()),
                Outcome::Passed if is_listed => differences.passed.push(id.to_owned()),
                Outcome::Passed | Outcome::Failed(_) | Outcome::Skipped(_) => {}
            }
        }
        differences
    }

    /// The list without the scenarios that passed.
    pub(crate) fn without(mut self, passed: &[String]) -> KnownFailures {
        let passed: BTreeSet<&String> = passed.iter().collect();
        self.reasons.retain(|id, _| !passed.contains(id));
        self
    }

    /// The text of the list.
    pub(crate) fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        let mut entries: Vec<_> = self.reasons.iter().collect();
        entries.sort_by_key(|(id, _)| numbers_by_size(id));
        for (id, reason) in entries {
            text.push_str(id);
            if !reason.is_empty() {
                text.push_str(&format!(" : {reason}"));
            }
            text.push('\n');
        }
        text
    }
}

/// A key that sorts `[2]` before `[10]`: each number is preceded by the count of its digits.
fn numbers_by_size(id: &str) -> String {
    let mut key = String::with_capacity(2 * id.len());
    let mut digits = String::new();
    for letter in id.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        if !digits.is_empty() {
            key.push_str(&format!("{:02}{digits}", digits.len()));
            digits.clear();
        }
        key.push(letter);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_written_in_order_and_read_again() {
        let text = format!("{HEAD}m/M1 [2] #9\nm/M1 [2] #10 : no zones\nm/M1 [10]\nm/M10 [1]\n");
        let list = KnownFailures::parse(&text);
        assert_eq!(list.text(), text);
        let reversed = text.lines().rev().collect::<Vec<_>>().join("\n");
        assert_eq!(KnownFailures::parse(&reversed), list);
    }

    #[test]
    fn a_run_differs_by_new_failures_and_by_listed_ones_that_pass() {
        let list = KnownFailures::parse("a\nb : so\nc\nd\n");
        let failed = Outcome::Failed("odd".to_owned());
        let skipped = Outcome::Skipped("odd".to_owned());
        let outcomes = [
            ("a", &failed),
            ("b", &Outcome::Passed),
            ("c", &skipped),
            ("e", &failed),
            ("f", &Outcome::Passed),
        ];
        let differences = list.compare(outcomes);
        assert_eq!(differences.new, ["e"]);
        assert_eq!(differences.passed, ["b"]);
        let shorter = list.without(&differences.passed);
        assert_eq!(shorter, KnownFailures::parse("a\nc\nd"));
        assert_eq!(KnownFailures::first(outcomes), KnownFailures::parse("a\nc\ne"));
    }
}
