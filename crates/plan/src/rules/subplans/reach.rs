//! `PathExpand … -> t`, then `Dedup t` with nothing else read: a `Repeat` of hops over vertices not
//! met before. Walks are as many as there are paths, vertices are few.
//!
//! Proof. Behind the `Dedup` is the set of ends of all ways from all rows of a scope, in an order
//! that no operator demands. A breadth-first search finds each vertex t with a walk of 1..=max edges
//! from a start, at the length of the shortest one. It remains to show that the ends of the ways
//! asked for are the same set:
//!
//! - *Walks* of 1..=max edges: by definition. With min 0 the starts come before all rounds.
//! - *Trails*, t not the start: the shortest walk to t visits no vertex twice, so it is a trail. t
//!   the start: with min 0 it is an end in any case. With min 1 and directed edges the shortest walk
//!   back visits only the start twice, so it is a trail. With undirected edges it may go there and
//!   back by one edge, which no trail does: the rule leaves that alone.
//! - *Acyclic* ways never come back, so with min 1 a start would be an end of other starts only:
//!   the rule wants min 0, where it is one in any case.
//! - *Shortest* ways, and the cheapest at equal prices, have the ends of the ways they are among.
//!
//! A *radius* is one more greatest length: a shortest walk, to a vertex or back to the start, has no
//! way round a part of it, so its k-th edge leaves a vertex k - 1 edges from the start, and walks of
//! more edges than the radius end where none of these does.
//!
//! With min 2 and more a way's length matters, which the search forgets. A weight, a way's edges or
//! its cost are no matter of sets. An edge that must differ from the way's is read from its edges.

use crate::base::{ColumnId, ColumnSet, Name};
use crate::expr::Expr;
use crate::op::{
    self, Carried, Demand, Op, PathAlternative, PathMode, PathPattern, Pipeline, Repeat,
    RoundPlace, RoundTest,
};
use crate::plan::Plan;
use crate::rules::{OrderedPipeline, Phase, Rule, rewrite_ordered};
use millrace_model::Direction;

pub(in crate::rules) const RULE: Rule = Rule {
    name: "reach",
    phase: Phase::Subplans,
    why: "each reachable vertex is found once, not once for each path",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_ordered(plan, rewrite_one)
}

fn rewrite_one(found: OrderedPipeline<'_>, columns: &mut Vec<Name>) -> bool {
    let OrderedPipeline { pipeline, liveness, order, .. } = found;
    for index in 0..pipeline.ops.len() {
        let Op::PathExpand(op::PathExpand { path, to: Some(to), .. }) = &pipeline.ops[index] else {
            continue;
        };
        let Some(dedup) = distinct_ends(pipeline, index, *to) else { continue };
        let only_ends = liveness.after[dedup].iter().all(|column| column == to);
        if only_ends
            && order.output[dedup] == Demand::Free
            && let Some(step) = path.plain_step()
            && is_search(path, step)
        {
            let ops = search(path, step, *to, columns);
            pipeline.ops.splice(index..=index, ops);
            return true;
        }
    }
    false
}

/// The `Dedup` of the ends alone, with only filters on them before it.
fn distinct_ends(pipeline: &Pipeline, path: usize, to: ColumnId) -> Option<usize> {
    let ends = ColumnSet::from([to]);
    let behind = pipeline.ops.iter().enumerate().skip(path + 1);
    let mut behind = behind
        .skip_while(|(_, op)| matches!(op, Op::Filter(_)) && op.read_columns().is_subset(&ends));
    let (index, op) = behind.next()?;
    matches!(op, Op::Dedup(op::Dedup { columns }) if columns.as_slice() == [to]).then_some(index)
}

/// Whether the ends of its ways are what a breadth-first search finds.
fn is_search(path: &PathPattern, step: &PathAlternative) -> bool {
    let comes_home = match path.ways {
        PathMode::Walk | PathMode::AnyShortest | PathMode::AllShortest => path.min <= 1,
        PathMode::Trail | PathMode::CheapestTrails(1..) | PathMode::CheapestGroups(1..) => {
            path.min == 0 || path.min == 1 && step.direction != Direction::Both
        }
        PathMode::Acyclic | PathMode::CheapestAcyclic(1..) => path.min == 0,
        PathMode::CheapestTrails(0)
        | PathMode::CheapestAcyclic(0)
        | PathMode::CheapestGroups(0) => false,
    };
    // A plan that is refused stays one.
    let is_good = match path.max {
        Some(max) => path.min <= max,
        None => path.ways != PathMode::Walk,
    };
    let is_good = is_good && path.radius != Some(0);
    let is_free = step.weight.is_none() && path.least.is_none() && path.most.is_none();
    // A bound on the frontier may forget ends.
    comes_home && is_good && path.into.is_none() && path.frontier.is_none() && is_free
}

fn search(
    path: &PathPattern,
    step: &PathAlternative,
    to: ColumnId,
    columns: &mut Vec<Name>,
) -> Vec<Op> {
    columns.push(Name::from("next"));
    let next = ColumnId(columns.len() as u32 - 1);
    let PathPattern { from, min, max, radius, .. } = *path;
    let PathAlternative { types, direction, loops, .. } = step.clone();
    let hop =
        Op::Expand(op::Expand { from: to, types, direction, edge: None, to: Some(next), loops });
    let body = Pipeline { ops: vec![hop, Op::Dedup(op::Dedup { columns: vec![next] })] };
    let place = if min == 0 { RoundPlace::Before } else { RoundPlace::After };
    let repeat = Op::Repeat(Repeat {
        columns: vec![Carried { from, to, next }],
        body,
        until: None,
        emit: Some(RoundTest { holds: Expr::literal(true), place }),
        times: [max, radius].into_iter().flatten().min(),
        rounds: None,
    });
    // Null has no ways, not even the one of no edges.
    let there = Expr::IsNull(Box::new(Expr::Column(from))).negate();
    let filter = (min == 0).then_some(Op::Filter(op::Filter { predicate: there }));
    filter.into_iter().chain([repeat]).collect()
}
