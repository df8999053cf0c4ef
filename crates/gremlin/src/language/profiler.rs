//! The profile of a plan, as a client of Gremlin sees it: its operators, those of subplans inside them.
//!
//! A plan is not its traversal step by step. An operator has the name of the step that made its columns;
//! an operator that makes none, or that a rule added, is named as in `explain()`.

use millrace_model::Profile;
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
        explanation.profile(&|report| step_of(report, &self.0))
    }
}

/// The innermost step that made all columns of an operator.
fn step_of(report: &OperatorReport, steps: &[StepColumns]) -> Option<&'static str> {
    let made = |step: &&StepColumns| {
        !report.makes.is_empty() && report.makes.iter().all(|column| step.columns.contains(column))
    };
    steps.iter().find(made).map(|step| step.step)
}

#[cfg(test)]
mod tests {
    use millrace_model::Value;
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
