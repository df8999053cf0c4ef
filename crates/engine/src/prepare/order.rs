//! Where the order of rows is demanded: a pass from the end of a pipeline to its start.
//!
//! A plan that demands its result's order is followed to the letter: ties of a sort too stand in
//! the order in which their rows came. In a plan that does not, the order before a sort is free,
//! and that is what lets a hop come out in id order.

use millrace_plan::{Fold, Op, SideFold};

/// Whether the order of each operator's rows is demanded; `end` is the demand on the last's.
pub(super) fn demands(ops: &[Op], end: bool, strict: bool) -> Vec<bool> {
    let mut demands = vec![false; ops.len()];
    let mut demanded = end;
    for (op, place) in ops.iter().zip(&mut demands).rev() {
        *place = demanded;
        demanded = before(op, demanded, strict);
    }
    demands
}

/// Whether an operator demands the order of the rows it is given.
fn before(op: &Op, demanded: bool, strict: bool) -> bool {
    match op {
        Op::Sort { .. } => demanded && strict,
        Op::TopK { .. } => strict,
        Op::Range { .. } => true,
        Op::Dedup { .. } => demanded || strict,
        Op::Aggregate { folds, .. } => {
            let in_order = |fold: &Fold| matches!(fold, Fold::Collect(_) | Fold::First(_));
            demanded || folds.iter().any(|(_, fold)| in_order(fold))
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
