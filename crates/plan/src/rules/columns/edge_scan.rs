//! A scan of all vertices and a hop along their edges, of which no column but the edge is read, becomes a scan of the
//! edges.
//!
//! Proof: each edge leaves exactly one vertex, and reaches exactly one, so a hop in one direction from all vertices
//! lists each edge of its types once, a loop too. Where no column is read, rows differ in nothing, so their order shows in
//! nothing; where the edge is read, no order may be demanded. A hop in both directions would list each edge twice.

use millrace_model::Direction;

use crate::analysis::PipelineOrder;
use crate::op::{self, Demand, Op, Pipeline, PipelineLiveness, ScanSource};
use crate::plan::Plan;
use crate::rules::{OrderedPipeline, Phase, Rule, rewrite_ordered};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "edge_scan",
    phase: Phase::Columns,
    why: "the store has counted its edges, and need not be asked vertex by vertex",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_ordered(plan, |OrderedPipeline { pipeline, liveness, order, .. }, _| {
        let hops = 0..pipeline.ops.len().saturating_sub(1);
        hops.into_iter().any(|index| rewrite(pipeline, index, (liveness, order)))
    })
}

fn rewrite(
    pipeline: &mut Pipeline,
    index: usize,
    (liveness, order): (&PipelineLiveness, &PipelineOrder),
) -> bool {
    let [Op::Scan(op::Scan { source: ScanSource::Vertices(None), to }), Op::Expand(expand)] =
        &pipeline.ops[index..=index + 1]
    else {
        return false;
    };
    let vertex = *to;
    let op::Expand { from, types, direction, edge, to: None, loops: _ } = expand else {
        return false;
    };
    let is_read = liveness.after[index + 1].contains(&vertex);
    if *from != vertex || *direction == Direction::Both || is_read {
        return false;
    }
    if edge.is_some() && order.output[index + 1] != Demand::Free {
        return false;
    }
    // A type that is named twice is walked twice.
    if types.as_ref().is_some_and(|types| {
        types.iter().enumerate().any(|(number, own)| types[..number].contains(own))
    }) {
        return false;
    }
    let source = ScanSource::Edges(types.clone());
    pipeline.ops[index] = Op::Scan(op::Scan { source, to: edge.unwrap_or(vertex) });
    pipeline.ops.remove(index + 1);
    true
}
