//! Makes a case smaller while it still fails: fewer operators, columns, vertices, edges.
//!
//! A candidate must still be a plan in which every column that is read is there.

use millrace_plan::columns::ColumnSet;
use millrace_plan::{
    ApplyKind, ColumnId, Expr, Op, Parameter, Pipeline, Plan, Repeat, UnionPick, op,
};

use super::graph::Graph;
use super::settle::settle;

/// A graph, a plan, its parameters.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) graph: Graph,
    pub(super) plan: Plan,
    pub(super) parameters: Vec<Parameter>,
}

/// The smallest case found for which `fails` holds, going greedily.
pub(super) fn shrink(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    while let Some(smaller) = candidates(&case).into_iter().find(|smaller| fails(smaller)) {
        case = smaller;
    }
    case
}

fn candidates(case: &Case) -> Vec<Case> {
    let with_plan = |plan| Case { plan, ..case.clone() };
    let with_graph = |graph| Case { graph, ..case.clone() };
    let mut cases: Vec<Case> = smaller_plans(&case.plan).into_iter().map(with_plan).collect();
    for case in &mut cases {
        settle(&mut case.plan, &mut case.parameters);
    }
    cases.retain(|case| is_valid(&case.plan));
    let graph = &case.graph;
    // Vertex 1 stays: parameters name it.
    cases.extend((1..graph.vertices.len()).map(|gone| with_graph(graph.without_vertex(gone))));
    for gone in 0..graph.edges.len() {
        let mut smaller = graph.clone();
        smaller.edges.remove(gone);
        cases.push(with_graph(smaller));
    }
    for gone in 0..graph.indexes.len() {
        let mut smaller = graph.clone();
        smaller.indexes.remove(gone);
        cases.push(with_graph(smaller));
    }
    for bare in 0..graph.edges.len() {
        let mut smaller = graph.clone();
        if smaller.edges[bare].properties.pop().is_some() {
            cases.push(with_graph(smaller));
        }
    }
    for bare in 0..graph.vertices.len() {
        let mut smaller = graph.clone();
        let vertex = &mut smaller.vertices[bare];
        if vertex.properties.pop().is_some() || vertex.labels.pop().is_some() {
            cases.push(with_graph(smaller));
        }
    }
    cases
}

fn smaller_plans(plan: &Plan) -> Vec<Plan> {
    let mut plans = Vec::new();
    for root in smaller_pipelines(&plan.root) {
        plans.push(Plan { root, ..plan.clone() });
    }
    for (index, binding) in plan.lets.iter().enumerate() {
        for pipeline in smaller_pipelines(&binding.pipeline) {
            let mut smaller = plan.clone();
            smaller.lets[index].pipeline = pipeline;
            plans.push(smaller);
        }
    }
    for gone in 0..plan.output.len() {
        let mut smaller = plan.clone();
        smaller.output.remove(gone);
        plans.push(smaller);
    }
    plans
}

fn smaller_pipelines(pipeline: &Pipeline) -> Vec<Pipeline> {
    let mut pipelines = Vec::new();
    for index in 0..pipeline.ops.len() {
        let mut smaller = pipeline.clone();
        let gone = smaller.ops.remove(index);
        pipelines.push(smaller);
        for sub in gone.subplans() {
            let mut unwrapped = pipeline.clone();
            unwrapped.ops.splice(index..=index, sub.ops.iter().cloned());
            pipelines.push(unwrapped);
        }
        for op in smaller_ops(&gone) {
            let mut smaller = pipeline.clone();
            smaller.ops[index] = op;
            pipelines.push(smaller);
        }
    }
    pipelines
}

fn smaller_ops(op: &Op) -> Vec<Op> {
    let mut ops = Vec::new();
    for (index, sub) in op.subplans().iter().enumerate() {
        for smaller in smaller_pipelines(sub) {
            let mut op = op.clone();
            op.subplans_mut()[index] = smaller;
            ops.push(op);
        }
    }
    if let Op::Filter(op::Filter { predicate }) = op {
        ops.extend(
            smaller_predicates(predicate).map(|predicate| Op::Filter(op::Filter { predicate })),
        );
    }
    if let Op::Project(op::Project { columns }) = op
        && 1 < columns.len()
    {
        ops.extend((0..columns.len()).map(|gone| {
            let mut columns = columns.clone();
            columns.remove(gone);
            Op::Project(op::Project { columns })
        }));
    }
    if let Op::Aggregate(op::Aggregate { keys, folds }) = op {
        ops.extend((0..keys.len()).map(|gone| {
            let (mut keys, folds) = (keys.clone(), folds.clone());
            keys.remove(gone);
            Op::Aggregate(op::Aggregate { keys, folds })
        }));
        ops.extend((0..folds.len()).filter(|_| 1 < folds.len()).map(|gone| {
            let (keys, mut folds) = (keys.clone(), folds.clone());
            folds.remove(gone);
            Op::Aggregate(op::Aggregate { keys, folds })
        }));
    }
    if let Some(repeat) = op.repeat() {
        ops.extend(smaller_repeats(repeat).into_iter().map(Op::Repeat));
    }
    if let Op::Union(op::Union { branches, pick }) = op {
        ops.extend((0..branches.len()).map(|gone| {
            let (mut branches, mut pick) = (branches.clone(), pick.clone());
            branches.remove(gone);
            if let UnionPick::First(conditions) = &mut pick {
                conditions.remove(gone);
            }
            Op::Union(op::Union { branches, pick })
        }));
    }
    ops
}

fn smaller_repeats(repeat: &Repeat) -> Vec<Repeat> {
    let mut repeats: Vec<Repeat> = (0..repeat.columns.len())
        .map(|gone| {
            let mut smaller = repeat.clone();
            smaller.columns.remove(gone);
            smaller
        })
        .collect();
    repeats.extend(repeat.until.is_some().then(|| Repeat { until: None, ..repeat.clone() }));
    repeats.extend(repeat.emit.is_some().then(|| Repeat { emit: None, ..repeat.clone() }));
    repeats.extend(repeat.rounds.is_some().then(|| Repeat { rounds: None, ..repeat.clone() }));
    if let Some(times @ 1..) = repeat.times {
        repeats.push(Repeat { times: Some(times - 1), ..repeat.clone() });
    }
    repeats
}

fn smaller_predicates(predicate: &Expr) -> impl Iterator<Item = Expr> {
    let parts = match predicate {
        Expr::And(parts) | Expr::Or(parts) => parts.clone(),
        Expr::Not(inner) => vec![(**inner).clone()],
        _ => Vec::new(),
    };
    parts.into_iter()
}

/// Whether every column that is read is there.
pub(super) fn is_valid(plan: &Plan) -> bool {
    let ends = |pipeline: &Pipeline| visible_after(pipeline, ColumnSet::new());
    let lets_hold = plan.lets.iter().all(|binding| {
        ends(&binding.pipeline)
            .is_some_and(|visible| binding.columns.iter().all(|column| visible.contains(column)))
    });
    let root = ends(&plan.root);
    lets_hold && root.is_some_and(|end| plan.output.iter().all(|column| end.contains(column)))
}

/// The columns in sight at the end; `None` if one is read that is not.
fn visible_after(pipeline: &Pipeline, start: ColumnSet) -> Option<ColumnSet> {
    pipeline.ops.iter().try_fold(start, |visible, op| {
        // A fold or a bag reads inside; its columns of the subplan are checked there.
        if !op.read_columns().is_subset(&visible) {
            return None;
        }
        let ends: Vec<ColumnSet> = op
            .subplans()
            .iter()
            .map(|sub| visible_after(sub, seen_inside(op, &visible)))
            .collect::<Option<_>>()?;
        next_visible(op, visible, ends)
    })
}

/// The columns that a subplan starts with.
fn seen_inside(op: &Op, visible: &ColumnSet) -> ColumnSet {
    if matches!(op, Op::Join(_)) {
        return ColumnSet::new();
    }
    if let Op::RecursiveExpand(recurse) = op {
        return ColumnSet::from([recurse.at]);
    }
    match op.repeat() {
        Some(repeat) => repeat.carried().into_iter().chain(repeat.rounds).collect(),
        None => visible.clone(),
    }
}

fn next_visible(op: &Op, mut visible: ColumnSet, ends: Vec<ColumnSet>) -> Option<ColumnSet> {
    match op {
        Op::Union(_) => {
            let common = ends.into_iter().reduce(|left, right| &left & &right);
            return Some(common.unwrap_or_default());
        }
        Op::Apply(op::Apply { kind: ApplyKind::Flat | ApplyKind::Optional, .. }) => {
            visible.extend(ends.into_iter().flatten());
            return Some(visible);
        }
        Op::Apply(op::Apply { kind: ApplyKind::Bag { columns, .. }, .. }) => {
            let inside = ends.first()?;
            let is_there = |column: &ColumnId| inside.contains(column) || visible.contains(column);
            if !columns.iter().all(is_there) {
                return None;
            }
        }
        Op::Apply(op::Apply { kind: ApplyKind::Value { fold, .. }, .. }) => {
            let mut read = ColumnSet::new();
            fold.expr().into_iter().for_each(|expr| expr.read_columns(&mut read));
            if !read.is_subset(ends.first()?) {
                return None;
            }
        }
        Op::Join(op::Join { on, .. }) if !on.iter().all(|(_, right)| ends[0].contains(right)) => {
            return None;
        }
        Op::RecursiveExpand(recurse) => {
            let mut next = recurse.next.iter().zip(&ends);
            let mut edges = recurse.edges.iter().zip(&ends);
            let is_there = |(edge, end): (&Option<ColumnId>, &ColumnSet)| {
                edge.is_none_or(|edge| end.contains(&edge))
            };
            if !next.all(|(next, end)| end.contains(next)) || !edges.all(is_there) {
                return None;
            }
        }
        Op::Repeat(repeat) => {
            let inside = seen_inside(op, &visible);
            let next = repeat.columns.iter().all(|carried| ends[0].contains(&carried.next));
            if !next || !repeat.read_by_tests().is_subset(&inside) {
                return None;
            }
        }
        _ => {}
    }
    if op.drops_other_columns() {
        visible.clear();
    }
    visible.extend(op.made_columns());
    Some(visible)
}
