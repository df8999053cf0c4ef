//! Where rows are grouped: rows that are equal on the columns read later soon become one group, or one row.
//! Before that, rows with weights are no more work than single rows, and equal ones are worth merging; a
//! listing would only be delayed by it.

use crate::expr::Fold;
use crate::op::{self, ApplyKind, DependsOn, Op};

/// Whether rows are grouped before each of these operators, and behind the last, where `at_end` says it.
pub(crate) fn grouped(ops: &[Op], at_end: bool) -> Vec<bool> {
    let mut grouped = vec![at_end; ops.len() + 1];
    for (index, op) in ops.iter().enumerate().rev() {
        grouped[index] = are_grouped_before(op, grouped[index + 1]);
    }
    grouped
}

fn are_grouped_before(op: &Op, behind: bool) -> bool {
    if let Op::Aggregate(_) | Op::Dedup(_) | Op::Barrier(op::Barrier { merge: Some(_) }) = op {
        return true;
    }
    if let Op::Union(union) = op {
        return union.branches.iter().all(|branch| grouped(&branch.ops, behind)[0]);
    }
    behind && !op.has_effect() && matches!(op.depends_on(), DependsOn::Row { .. })
}

/// Whether the rows of an operator's subplans are grouped, where its own are or are not.
pub(crate) fn grouped_in_subplans(op: &Op, own: bool) -> bool {
    let Op::Apply(op::Apply { kind, .. }) = op else { return own && matches!(op, Op::Union(_)) };
    match kind {
        ApplyKind::Flat | ApplyKind::Optional => own,
        // One row is enough for these.
        ApplyKind::Value { fold, .. } => !matches!(fold, Fold::Exists | Fold::First(_)),
        ApplyKind::Exists | ApplyKind::Absent | ApplyKind::Bag { .. } | ApplyKind::Effect => false,
    }
}
