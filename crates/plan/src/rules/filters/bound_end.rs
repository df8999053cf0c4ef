//! An `Expand` becomes an `ExpandInto` where a filter wants its end to equal a vertex that the row has already.
//!
//! ```text
//!   Expand x → y; Filter y = p      becomes      ExpandInto x → p; Project y = p
//! ```
//!
//! Proof. The rows of the `ExpandInto` are those of the `Expand` with an end that is `p`, in the same order,
//! and `y` is `p` in them. Where `p` is null the comparison is unknown, and neither has a row. Between the hop
//! and the filter stand only filters: these are asked for fewer rows, and for rows that are kept the same.

use crate::analysis::element_columns;
use crate::base::{ColumnId, ElementKind};
use crate::expr::{Comparison, Expr};
use crate::op::{self, ElementColumns, Op, Pipeline};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, conjunction, parts, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "bound_end",
    phase: Phase::Filters,
    why: "a hop between two known vertices is looked up at one of them, not listed",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let elements = element_columns(plan);
    rewrite_plan(plan, |pipeline, _| bind_one(pipeline, &elements))
}

fn bind_one(pipeline: &mut Pipeline, elements: &ElementColumns) -> bool {
    for index in 0..pipeline.ops.len() {
        let Op::Expand(expand) = &pipeline.ops[index] else { continue };
        let Some(to) = expand.to else { continue };
        let own = [Some(to), expand.edge];
        let filters = pipeline.ops[index + 1..].iter().map_while(|op| {
            if let Op::Filter(op::Filter { predicate }) = op { Some(predicate) } else { None }
        });
        let found = filters.enumerate().find_map(|(place, predicate)| {
            let wanted = |part: &Expr| {
                equal_to(part, to, elements).filter(|into| !own.contains(&Some(*into)))
            };
            let part = parts(predicate).iter().position(|part| wanted(part).is_some())?;
            Some((index + 1 + place, part, wanted(&parts(predicate)[part])?))
        });
        let Some((filter, part, into)) = found else { continue };
        let op::Expand { from, types, direction, edge, loops, .. } = expand.clone();
        drop_part(pipeline, filter, part);
        let bound = op::ExpandInto { from, into, types, direction, edge, loops };
        let named = op::Project { columns: vec![(to, Expr::Column(into))] };
        pipeline.ops.splice(index..=index, [bound.into(), named.into()]);
        return true;
    }
    false
}

/// The other vertex, if a condition says that `to` is one.
fn equal_to(part: &Expr, to: ColumnId, elements: &ElementColumns) -> Option<ColumnId> {
    let Expr::Compare { comparison: Comparison::Equal, left, right } = part else { return None };
    let (Expr::Column(left), Expr::Column(right)) = (&**left, &**right) else { return None };
    let other = if *left == to { *right } else { *left };
    let is_vertex = |column| elements.get(column) == Some(&ElementKind::Vertex);
    let is_other = (*left == to || *right == to) && other != to;
    (is_other && is_vertex(&other) && is_vertex(&to)).then_some(other)
}

fn drop_part(pipeline: &mut Pipeline, filter: usize, part: usize) {
    let Op::Filter(op::Filter { predicate }) = &mut pipeline.ops[filter] else { return };
    let mut left = parts(predicate).to_vec();
    left.remove(part);
    match conjunction(left) {
        Some(rest) => *predicate = rest,
        None => drop(pipeline.ops.remove(filter)),
    }
}
