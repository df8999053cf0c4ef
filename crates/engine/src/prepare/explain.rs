//! What the counters of pipelines tell: the explanation of a prepared plan, and the time of each operator.

use millrace_plan::{Explanation, OperatorReport};

use crate::pipeline::{Counters, Pipeline};

pub(crate) fn explain<'a>(
    lets: impl Iterator<Item = (&'a str, &'a Pipeline)>,
    root: &Pipeline,
) -> Explanation {
    let mut explanation = Explanation::default();
    for (name, pipeline) in lets {
        explanation.operators.push(OperatorReport {
            label: format!("Let {name}"),
            used: None,
            depth: 0,
            is_first: true,
            batches: 0,
            rows: 0,
            weight: 0,
            nanos: 0,
            own_nanos: 0,
            makes: Vec::new(),
        });
        add(&mut explanation, pipeline, 1);
    }
    add(&mut explanation, root, 0);
    explanation
}

fn add(explanation: &mut Explanation, pipeline: &Pipeline, depth: usize) {
    let mut nanos_before = 0;
    for (number, stage) in pipeline.stages.iter().enumerate() {
        let Counters { batches, rows, weight, nanos } = stage.counters.get();
        explanation.operators.push(OperatorReport {
            label: stage.label.clone(),
            used: stage.operator.used(&stage.label),
            depth,
            is_first: number == 0,
            batches,
            rows,
            weight,
            nanos,
            own_nanos: nanos.saturating_sub(nanos_before),
            makes: stage.makes.clone(),
        });
        nanos_before = nanos;
        for inner in stage.operator.inner() {
            add(explanation, inner, depth + 1);
        }
    }
}

/// Visits the operators of a pipeline and of the subplans in it; how long all of it took.
pub(super) fn each_operator(pipeline: &Pipeline, visit: &mut dyn FnMut(&str, u64, u64)) -> u64 {
    let mut before = 0;
    for stage in &pipeline.stages {
        let Counters { nanos, rows, .. } = stage.counters.get();
        let inner: u64 = stage.operator.inner().iter().map(|sub| each_operator(sub, visit)).sum();
        let own = nanos.saturating_sub(before).saturating_sub(inner);
        visit(&stage.label, own, rows);
        before = nanos;
    }
    before
}
