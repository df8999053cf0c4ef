//! The profile of a plan, as a client of Gremlin sees it: its operators, those of subplans inside them.
//!
//! A plan is not its traversal step by step. An operator has the name of the step that made its columns;
//! an operator that makes none, or that a rule added, is named as in `explain()`.

use std::sync::Arc;

use millrace_model::{Profile, ProfileNode, Value};
use millrace_plan::language::Profiler;
use millrace_plan::{Explanation, OperatorReport};

use crate::translate::StepColumns;

/// Names operators by the steps that made their columns.
pub(super) struct StepProfiler(Vec<StepColumns>);

impl StepProfiler {
    /// That of a traversal with these steps.
    pub(super) fn new(steps: Vec<StepColumns>) -> StepProfiler {
        StepProfiler(steps)
    }
}

impl Profiler for StepProfiler {
    fn profile(&self, explanation: &Explanation) -> Profile {
        let mut operators = all(&explanation.operators, "", &self.0);
        let nanos = nanos_of(&operators);
        for operator in &mut operators {
            add_share(operator, nanos);
        }
        Profile { nanos, operators }
    }
}

/// The operators of one depth, with those below each.
fn all(reports: &[OperatorReport], outer: &str, steps: &[StepColumns]) -> Vec<ProfileNode> {
    let mut all = Vec::new();
    let mut left = reports;
    while let [report, behind @ ..] = left {
        let deeper = behind.iter().take_while(|inner| report.depth < inner.depth).count();
        let (inner, behind) = behind.split_at(deeper);
        let id = format!("{outer}{}", all.len());
        all.push(one(report, inner, id, steps));
        left = behind;
    }
    all
}

fn one(
    report: &OperatorReport,
    inner: &[OperatorReport],
    id: String,
    steps: &[StepColumns],
) -> ProfileNode {
    let nested = all(inner, &format!("{id}."), steps);
    // The plan that a `Let` binds has no time of its own, only that of its operators.
    let nanos = count(report.own_nanos).max(nanos_of(&nested));
    let counts = [("traverserCount", report.rows), ("elementCount", report.weight)];
    let counts = counts.map(|(name, number)| (Arc::from(name), count(number)));
    let mut node = ProfileNode {
        id: id.into(),
        nanos,
        counts: counts.to_vec(),
        nested,
        ..ProfileNode::default()
    };
    match step_of(report, steps) {
        Some(step) => {
            node.name = step.into();
            node.annotations.push(("operator".into(), report.did().into()));
        }
        None => node.name = report.did().into(),
    }
    node
}

/// The innermost step that made all columns of an operator.
fn step_of(report: &OperatorReport, steps: &[StepColumns]) -> Option<&'static str> {
    let made = |step: &&StepColumns| {
        !report.makes.is_empty() && report.makes.iter().all(|column| step.columns.contains(column))
    };
    steps.iter().find(made).map(|step| step.step)
}

fn nanos_of(operators: &[ProfileNode]) -> i64 {
    operators.iter().map(|operator| operator.nanos).fold(0, i64::saturating_add)
}

/// Drivers print how much of the time an operator took by this name.
fn add_share(operator: &mut ProfileNode, nanos: i64) {
    let share = operator.nanos as f64 * 100.0 / nanos.max(1) as f64;
    operator.annotations.push(("percentDur".into(), Value::F64(share)));
    operator.nested.iter_mut().for_each(|inner| add_share(inner, nanos));
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use millrace_plan::ColumnId;

    use super::*;

    fn report(label: &str, depth: usize, own_nanos: u64, makes: &[u32]) -> OperatorReport {
        let (label, makes) = (label.to_owned(), makes.iter().copied().map(ColumnId).collect());
        let (batches, rows, weight, nanos) = (1, 2, 3, own_nanos);
        OperatorReport {
            label,
            used: None,
            depth,
            is_first: false,
            batches,
            rows,
            weight,
            nanos,
            own_nanos,
            makes,
        }
    }

    #[test]
    fn operators_are_named_by_the_innermost_step_that_made_them() {
        let step = |step, columns: std::ops::Range<u32>| StepColumns {
            step,
            columns: ColumnId(columns.start)..ColumnId(columns.end),
        };
        let steps = [step("V", 0..1), step("out", 1..2), step("count", 2..3), step("map", 1..4)];
        let operators = vec![
            report("Scan", 0, 10, &[0]),
            report("Filter", 0, 20, &[]),
            report("Apply", 0, 30, &[3]),
            report("Expand", 1, 12, &[1]),
            report("Aggregate", 1, 8, &[2]),
            report("Both", 0, 40, &[0, 3]),
        ];
        let profile = StepProfiler::new(steps.to_vec()).profile(&Explanation { operators });
        let names: Vec<&str> = profile.operators.iter().map(|step| &*step.name).collect();
        assert_eq!(names, ["V", "Filter", "map", "Both"]);
        let nested: Vec<_> =
            profile.operators[2].nested.iter().map(|step| (&*step.id, &*step.name)).collect();
        assert_eq!(nested, [("2.0", "out"), ("2.1", "count")]);
        assert_eq!(profile.nanos, 100, "what is inside is part of what is outside");
        let share = profile.operators[3].annotations.last().cloned();
        assert_eq!(share, Some(("percentDur".into(), Value::F64(40.0))));
    }

    #[test]
    fn a_let_takes_as_long_as_its_plan() {
        let operators = vec![report("Let x", 0, 0, &[]), report("Scan", 1, 7, &[0])];
        let profile = StepProfiler::new(Vec::new()).profile(&Explanation { operators });
        assert_eq!(profile.nanos, 7);
    }
}
