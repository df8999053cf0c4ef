//! The report of a run: a line for each folder, and a last line for programs.
//!
//! Numbers of the whole suite say little, as two folders hold two fifths of it: the folders come first.
//! Nothing is printed or judged here.

use std::collections::BTreeMap;

use crate::scenario::{Outcome, Run};
use crate::suite::Case;

/// Reasons that the list of frequent reasons shows.
const REASONS_SHOWN: usize = 40;

/// Characters of a reason in that list.
const REASON_CHARS: usize = 160;

/// A scenario with its run.
pub(crate) type Ran<'r> = (&'r Case, &'r Run);

/// Counts of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Counts {
    /// Counts outcomes.
    pub(crate) fn of<'r>(outcomes: impl IntoIterator<Item = &'r Outcome>) -> Counts {
        let mut counts = Counts::default();
        outcomes.into_iter().for_each(|outcome| counts.add(outcome));
        counts
    }

    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
    }

    /// The line that a program reads.
    pub(crate) fn json(self) -> String {
        let Counts { passed, failed, skipped } = self;
        format!("{{\"passed\":{passed},\"failed\":{failed},\"skipped\":{skipped}}}")
    }
}

/// A line for each folder, by name.
pub(crate) fn folders(runs: &[Ran<'_>]) -> Vec<String> {
    let mut folders: BTreeMap<&str, Counts> = BTreeMap::new();
    for (case, run) in runs {
        folders.entry(&case.folder).or_default().add(&run.outcome);
    }
    let width = folders.keys().map(|folder| folder.len()).max().unwrap_or_default();
    let line = |(folder, counts): (&&str, &Counts)| {
        let Counts { passed, failed, skipped } = *counts;
        let all = passed + failed + skipped;
        format!(
            "{folder:width$}  {passed:4} of {all:4} passed, {failed:4} failed, {skipped:4} skipped"
        )
    };
    folders.iter().map(line).collect()
}

/// How many failures had the expected detail name; none if none was expected.
pub(crate) fn names(runs: &[Ran<'_>]) -> Option<String> {
    let expected = runs.iter().filter_map(|(_, run)| run.is_named);
    let (found, all) =
        expected.fold((0, 0), |(found, all), is_named| (found + usize::from(is_named), all + 1));
    (all != 0).then(|| format!("detail names of errors: {found} of {all} found"))
}

/// Every failure and skip with its reason.
pub(crate) fn details(runs: &[Ran<'_>]) -> Vec<String> {
    let line = |(case, run): &Ran<'_>| {
        let name = &case.scenario.name;
        match &run.outcome {
            Outcome::Passed => None,
            Outcome::Failed(reason) => Some(format!("failed {} ({name}): {reason}", case.id)),
            Outcome::Skipped(reason) => Some(format!("skipped {} ({name}): {reason}", case.id)),
        }
    };
    runs.iter().filter_map(line).collect()
}

/// The most frequent reasons of failures, with their counts.
pub(crate) fn reasons(runs: &[Ran<'_>]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, run) in runs {
        if let Outcome::Failed(reason) = &run.outcome {
            let line = without_positions(reason.lines().next().unwrap_or_default());
            *counts.entry(line.chars().take(REASON_CHARS).collect()).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
        .iter()
        .take(REASONS_SHOWN)
        .map(|(reason, count)| format!("{count:5}  {reason}"))
        .collect()
}

/// A reason without `line 1, column 2: `, so that equal errors at other places count as one.
fn without_positions(reason: &str) -> String {
    let is_position = |part: &&str| part.starts_with("line ") && part.contains(", column ");
    let parts: Vec<&str> = reason.split(": ").filter(|part| !is_position(part)).collect();
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use millrace_testkit::features::Scenario;

    use super::*;

    fn ran(folder: &str, outcome: Outcome, is_named: Option<bool>) -> (Case, Run) {
        let scenario = Scenario { name: "[1] s".to_owned(), ..Scenario::default() };
        let case = Case { folder: folder.to_owned(), id: format!("{folder}/F1 [1]"), scenario };
        (case, Run { outcome, is_named })
    }

    #[test]
    fn outcomes_are_counted_by_folder_and_in_all() {
        let failed = |reason: &str| Outcome::Failed(reason.to_owned());
        let runs = [
            ran("match", Outcome::Passed, None),
            ran("match", failed("line 1, column 2: odd\nmore"), Some(false)),
            ran("call", Outcome::Skipped("no".to_owned()), None),
            ran("call", failed("odd"), Some(true)),
        ];
        let runs: Vec<Ran<'_>> = runs.iter().map(|(case, run)| (case, run)).collect();
        let lines = folders(&runs);
        assert_eq!(lines[0], "call      0 of    2 passed,    1 failed,    1 skipped");
        assert_eq!(lines[1], "match     1 of    2 passed,    1 failed,    0 skipped");
        let counts = Counts::of(runs.iter().map(|(_, run)| &run.outcome));
        assert_eq!(counts.json(), "{\"passed\":1,\"failed\":2,\"skipped\":1}");
        assert_eq!(names(&runs).as_deref(), Some("detail names of errors: 1 of 2 found"));
        assert_eq!(names(&runs[..1]), None);
        assert_eq!(reasons(&runs), ["    2  odd"]);
        assert_eq!(details(&runs).len(), 3);
        assert_eq!(details(&runs)[1], "skipped call/F1 [1] ([1] s): no");
    }
}
