//! `Apply value(exists) → c` with a column that is only tested by a later `Filter … and c` becomes
//! `Apply exists`; `not c` becomes `Apply absent`. Degree is then enough, and the column is gone.
//!
//! Proof: a row passes `Filter (a and c)` exactly if `a` is true and the subplan has a row for it.
//! Between the two stand only operators that take rows one by one or drop some, read no `c` and
//! have no effect, so dropping the row at the Apply already leaves the same rows, in the same
//! order, each with the same weight. `c` is a boolean, never unknown, so `not c` is its complement.
//! The subplan has no effect: `exists` may stop it early.

use crate::base::{ColumnId, ColumnSet};
use crate::expr::{Expr, Fold};
use crate::op::{self, ApplyKind, Op, Pipeline, PipelineLiveness};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, conjunction, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "semi_join",
    phase: Phase::Subplans,
    why: "a test asks whether there is a row: it may stop at the first, and a degree answers it",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, join_one)
}

fn join_one(pipeline: &mut Pipeline, liveness: &PipelineLiveness) -> bool {
    for index in 0..pipeline.ops.len() {
        let Some(tested) = tested_column(&pipeline.ops[index]) else { continue };
        let Some(filter) = filter_of(pipeline, index, tested) else { continue };
        if liveness.after[filter].contains(&tested) {
            continue;
        }
        let Op::Filter(op::Filter { predicate }) = &pipeline.ops[filter] else { continue };
        let Some((kind, rest)) = split(predicate, tested) else { continue };
        match rest {
            Some(predicate) => pipeline.ops[filter] = Op::Filter(op::Filter { predicate }),
            None => drop(pipeline.ops.remove(filter)),
        }
        if let Op::Apply(op::Apply { kind: old, .. }) = &mut pipeline.ops[index] {
            *old = kind;
        }
        return true;
    }
    false
}

/// The column of an effect-free `value(exists)`.
fn tested_column(op: &Op) -> Option<ColumnId> {
    if let Op::Apply(op::Apply { kind: ApplyKind::Value { fold: Fold::Exists, to }, .. }) = op
        && !op.has_effect()
    {
        Some(*to)
    } else {
        None
    }
}

/// The filter that tests the column, if only row-wise operators that do not read it come before.
fn filter_of(pipeline: &Pipeline, apply: usize, tested: ColumnId) -> Option<usize> {
    let reads = |op: &Op| op.read_columns().contains(&tested);
    for (index, op) in pipeline.ops.iter().enumerate().skip(apply + 1) {
        if matches!(op, Op::Filter(_)) && reads(op) {
            return Some(index);
        }
        if reads(op) || !is_row_wise(op) {
            return None;
        }
    }
    None
}

fn is_row_wise(op: &Op) -> bool {
    let kind = matches!(
        op,
        Op::Project(_) | Op::Endpoints(_) | Op::Fields(_) | Op::Filter(_) | Op::Apply(_)
    );
    kind && !op.has_effect()
}

/// The kind of `Apply` for a predicate with `tested` or `not tested` as one part of an `and`, and the
/// rest of the predicate.
fn split(predicate: &Expr, tested: ColumnId) -> Option<(ApplyKind, Option<Expr>)> {
    let mut parts =
        if let Expr::And(parts) = predicate { parts.clone() } else { vec![predicate.clone()] };
    let plain = Expr::Column(tested);
    let negated = plain.clone().negate();
    let place = parts.iter().position(|part| *part == plain || *part == negated)?;
    let kind = if parts.remove(place) == plain { ApplyKind::Exists } else { ApplyKind::Absent };
    let mut read = ColumnSet::new();
    parts.iter().for_each(|part| part.read_columns(&mut read));
    if read.contains(&tested) {
        return None;
    }
    let rest = conjunction(parts);
    Some((kind, rest))
}
