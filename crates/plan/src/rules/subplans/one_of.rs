//! `x = a or x = b` in a filter becomes `x in [a, b]`, which ids and indexes answer.
//!
//! Proof: both are true where `x` equals one of the values, else unknown where one of the comparisons is, else
//! false, in each mode. `x` and the first value are computed for each row either way; the other values must not
//! fail, for an `or` asks only until one is true.

use crate::analysis::{can_fail, element_columns};
use crate::expr::{Comparison, Expr};
use crate::op::{self, ElementColumns, Op, Pipeline};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "one_of",
    phase: Phase::Subplans,
    why: "values that are alternatives are looked up as a list",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let elements = element_columns(plan);
    rewrite_plan(plan, |pipeline, _| in_filters(pipeline, &elements))
}

fn in_filters(pipeline: &mut Pipeline, elements: &ElementColumns) -> bool {
    let mut changed = false;
    for op in &mut pipeline.ops {
        if let Op::Filter(op::Filter { predicate }) = op {
            changed |= in_parts(predicate, elements);
        }
    }
    changed
}

fn in_parts(predicate: &mut Expr, elements: &ElementColumns) -> bool {
    if let Expr::And(parts) = predicate {
        return parts.iter_mut().any(|part| in_parts(part, elements));
    }
    let Some(listed) = listed(predicate, elements) else { return false };
    *predicate = listed;
    true
}

/// The list that an `or` of equalities asks.
fn listed(predicate: &Expr, elements: &ElementColumns) -> Option<Expr> {
    let Expr::Or(parts) = predicate else { return None };
    let (left, right) = parts.first().and_then(equality)?;
    let (second, others) = parts.split_first().and_then(|(_, rest)| rest.split_first())?;
    // The side that all have in common.
    let item = [left, right].into_iter().find(|side| value_beside(second, side).is_some())?;
    let mut values = vec![value_beside(&parts[0], item)?.clone()];
    for part in [second].into_iter().chain(others) {
        let value = value_beside(part, item).filter(|value| !can_fail(value, elements, false))?;
        values.push(value.clone());
    }
    Some(Expr::InList { item: Box::new(item.clone()), list: Box::new(Expr::List(values)) })
}

/// The two sides of an equality.
fn equality(part: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::Compare { comparison: Comparison::Equal, left, right } = part else { return None };
    Some((left, right))
}

/// What an expression is equal to.
fn value_beside<'p>(part: &'p Expr, item: &Expr) -> Option<&'p Expr> {
    let (left, right) = equality(part)?;
    if left == item {
        return Some(right);
    }
    (right == item).then_some(left)
}
