//! Shared by the steps that keep a part of the objects.

use millrace_model::Result;
use millrace_plan::{Expr, Fold, Function, Op, op};

use crate::translate::{Call, Traversal};

/// Which part.
#[derive(Clone, Copy)]
pub(in crate::steps) enum Part {
    /// From a place to another, exclusive; -1: to the end.
    Range {
        /// The first.
        from: i64,
        /// The end.
        to: i64,
    },
    /// The last ones.
    Tail {
        /// How many.
        count: i64,
    },
}

/// Keeps a part of the objects, or of each object's entries.
pub(in crate::steps) fn part(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    local: bool,
    part: Part,
) -> Result<()> {
    let at = traversal.at(call)?;
    // -1 is no bound, as in TinkerPop.
    if let Part::Range { from, to } = part
        && from != -1
        && to != -1
        && to < from
    {
        return Err(call.wrong(format!("Not a legal range: [{from}, {to}]")));
    }
    let op = op_of(part);
    if !local {
        traversal.plan.push(op);
        return Ok(());
    }
    let list = traversal.for_entries(at, |inner, entry| {
        inner.plan.push(op);
        Ok(Fold::Collect(Expr::Column(entry.column)))
    })?;
    let arguments = vec![Expr::Column(at.column), Expr::Column(list)];
    traversal.moved_to("part", Expr::call(Function::RebuildCollection, arguments), at.kind);
    Ok(())
}

fn op_of(part: Part) -> Op {
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    match part {
        Part::Range { from, to } => {
            let end = (to != -1).then(|| count(to));
            Op::Range(op::Range::of(count(from), end))
        }
        Part::Tail { count: tail } => Op::Tail(op::Tail { count: count(tail).into() }),
    }
}
