//! A scan of all vertices and a hop along their edges, of which no column is read, becomes a scan of the edges.
//!
//! Proof: each edge leaves exactly one vertex, and reaches exactly one, so a hop in one direction from all vertices
//! lists each edge of its types once, a loop too. Its rows differ only in columns that nothing reads, so their order
//! shows in nothing. A hop in both directions would list each edge twice.

use millrace_model::Direction;

use crate::op::{self, Op, Pipeline, PipelineLiveness, ScanSource};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "edge_scan",
    phase: Phase::Columns,
    why: "the store has counted its edges, and need not be asked vertex by vertex",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, |pipeline, liveness| {
        (0..pipeline.ops.len().saturating_sub(1)).any(|index| rewrite(pipeline, index, liveness))
    })
}

fn rewrite(pipeline: &mut Pipeline, index: usize, liveness: &PipelineLiveness) -> bool {
    let [Op::Scan(op::Scan { source: ScanSource::Vertices(None), to }), Op::Expand(expand)] =
        &pipeline.ops[index..=index + 1]
    else {
        return false;
    };
    let to = *to;
    let op::Expand { from, types, direction, edge: None, to: None, loops: _ } = expand else {
        return false;
    };
    if *from != to || *direction == Direction::Both || liveness.after[index + 1].contains(&to) {
        return false;
    }
    // A type that is named twice is walked twice.
    if types.as_ref().is_some_and(|types| {
        types.iter().enumerate().any(|(number, own)| types[..number].contains(own))
    }) {
        return false;
    }
    let source = ScanSource::Edges(types.clone());
    pipeline.ops[index] = Op::Scan(op::Scan { source, to });
    pipeline.ops.remove(index + 1);
    true
}
