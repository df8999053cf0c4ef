//! Rows that are grouped by what an element holds, where they repeat the element: it is read once for each, and not for each
//! row.
//!
//! `MATCH (a)-[r]->(i) RETURN i.name, avg(r.weight)` projects `i.name` and groups by it. Behind a hop there are many rows for
//! each `i`, so rows are grouped by `i`, and the names of those that are new say which groups are one.

use millrace_model::Result;
use millrace_plan::columns::ColumnSet;
use millrace_plan::op::Op;
use millrace_plan::{ColumnId, Expr, Fold, op};

use super::fuse::Fused;
use crate::compile::Compiler;
use crate::operators::{compile_by_element, reads_any};

/// The operators from `ops[at]` on, if they are projections of an element and an aggregate by them.
pub(super) fn keyed(
    compiler: &Compiler<'_>,
    ops: &[Op],
    at: usize,
    (layout, lives): (&[ColumnId], &[ColumnSet]),
) -> Result<Option<Fused>> {
    let project =
        |op: &Op| if let Op::Project(project) = op { Some(project.clone()) } else { None };
    let projects: Vec<op::Project> = ops[at..].iter().map_while(project).collect();
    let last = at + projects.len();
    let (Some(Op::Aggregate(aggregate)), false) = (ops.get(last), projects.is_empty()) else {
        return Ok(None);
    };
    let made: Vec<ColumnId> =
        projects.iter().flat_map(|project| project.columns.iter().map(|(own, _)| *own)).collect();
    let Some(element) = element_of(&projects, &made) else { return Ok(None) };
    let is_element = compiler.elements.contains_key(&element) && layout.contains(&element);
    let is_first = |fold: &Fold| {
        let reads = fold.expr().is_some_and(|expr| reads_any(expr, &made));
        !reads || matches!(fold, Fold::First(Expr::Column(_)))
    };
    let is_keyed = !aggregate.keys.is_empty()
        && aggregate.keys.iter().all(|key| made.contains(key))
        && aggregate.folds.iter().all(|(_, fold)| is_first(fold));
    let reads = |project: &op::Project| {
        project.columns.iter().any(|(_, expr)| !matches!(expr, Expr::Column(_)))
    };
    let is_work = projects.iter().any(reads);
    if !is_element || !is_keyed || !is_work || !repeats(&ops[..at], element) {
        return Ok(None);
    }
    let projects: Vec<&op::Project> = projects.iter().collect();
    let placed = (layout, &lives[last]);
    let (operator, after) = compile_by_element(aggregate, (element, &projects), compiler, placed)?;
    let stage = compiler.stage(operator, &ops[at..=last]);
    Ok(Some(Fused { ops: last + 1 - at, stages: vec![stage], layout: after }))
}

/// The one column that projections read besides those they made.
fn element_of(projects: &[op::Project], made: &[ColumnId]) -> Option<ColumnId> {
    let mut read = ColumnSet::new();
    let mut is_plain = true;
    for (_, expr) in projects.iter().flat_map(|project| &project.columns) {
        expr.read_columns(&mut read);
        expr.walk(&mut |expr| is_plain &= !matches!(expr, Expr::Let { .. } | Expr::InSet { .. }));
    }
    let mut others = read.iter().filter(|column| !made.contains(column));
    match (others.next(), others.next(), is_plain) {
        (Some(only), None, true) => Some(*only),
        _ => None,
    }
}

/// Whether rows repeat what a column holds: a hop is behind it, or found it.
fn repeats(before: &[Op], column: ColumnId) -> bool {
    let is_hop = |op: &Op| {
        let is_other = matches!(op, Op::Expand(op::Expand { edge, .. }) if *edge != Some(column));
        is_other || matches!(op, Op::ExpandInto(_))
    };
    before.iter().rev().take_while(|op| !is_barrier(op)).any(is_hop)
}

/// Whether rows behind it repeat nothing that those in front of it did.
fn is_barrier(op: &Op) -> bool {
    matches!(op, Op::Barrier(_) | Op::Dedup(_) | Op::Aggregate(_))
}
