//! Where the order of rows is demanded: a pass from the end of a pipeline to its start.
//!
//! A plan that demands its result's order is followed to the letter: ties of a sort too stand in
//! the order in which their rows came. In a plan that does not, the order before a sort is free,
//! and that is what lets a hop come out in id order.

use millrace_plan::{Expr, Fold, Op, SideFold};

/// Whether the order of each operator's rows is demanded; `end` is the demand on the last's.
pub(super) fn demands(ops: &[Op], end: bool, strict: bool) -> Vec<bool> {
    let mut demands = vec![false; ops.len()];
    let mut demanded = end;
    for (at, op) in ops.iter().enumerate().rev() {
        demands[at] = demanded;
        demanded = before(op, demanded, strict) && !sorts_without_ties(op, &ops[..at]);
    }
    demands
}

/// Whether a sort's keys hold elements that all rows differ in.
fn sorts_without_ties(op: &Op, before: &[Op]) -> bool {
    let (Op::Sort { keys } | Op::TopK { keys, .. }) = op else { return false };
    let mut before = before.iter().rev();
    let grouped = before.find(|op| !matches!(op, Op::Filter { .. } | Op::Project { .. }));
    let Some(Op::Aggregate { keys: columns, .. } | Op::Dedup { columns }) = grouped else {
        return false;
    };
    let sorted = |column| keys.iter().any(|key| key.by == Expr::Column(column));
    // The element is made by an expansion further up; other columns may be equal and differ.
    let expanded = |column| {
        before.clone().any(|op| matches!(op, Op::Expand { to: Some(to), .. } if *to == column))
    };
    columns.iter().all(|&column| sorted(column) && expanded(column))
}

/// Whether an operator demands the order of the rows it is given.
fn before(op: &Op, demanded: bool, strict: bool) -> bool {
    match op {
        Op::Sort { .. } => demanded && strict,
        Op::TopK { .. } => strict,
        Op::Range { .. } => true,
        Op::Dedup { .. } => demanded || strict,
        Op::Aggregate { keys, folds } => {
            let in_order = |fold: &Fold| matches!(fold, Fold::Collect(_) | Fold::First(_));
            // One row has no order.
            demanded && !keys.is_empty() || folds.iter().any(|(_, fold)| in_order(fold))
        }
        Op::Union { branches, .. } => branches.iter().any(|branch| {
            branch.ops.iter().rev().fold(demanded, |demanded, op| before(op, demanded, strict))
        }),
        Op::SideEffect { fold, .. } => demanded || *fold == SideFold::List,
        Op::Apply { sub, .. } => demanded || sub.has_effect(),
        Op::Create { .. }
        | Op::Merge { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => true,
        Op::Scan { .. }
        | Op::Seek { .. }
        | Op::Ids { .. }
        | Op::Rows { .. }
        | Op::Ref { .. }
        | Op::Expand { .. }
        | Op::Ends { .. }
        | Op::Fields { .. }
        | Op::Filter { .. }
        | Op::Project { .. }
        | Op::Unwind { .. }
        | Op::Barrier { .. } => demanded,
    }
}
