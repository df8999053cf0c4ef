//! What the steps that keep a part of the objects share.

use millrace_model::Result;
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::{Expr, Fold, Function, Op};

use crate::translate::{Call, Kind, Traversal};

/// Which part.
#[derive(Clone, Copy)]
pub(super) enum Part {
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
pub(super) fn part(
    traversal: &mut Traversal<'_>,
    call: &Call<'_>,
    local: bool,
    part: Part,
) -> Result<()> {
    let at = traversal.at(call)?;
    let op = op_of(part);
    if !local {
        traversal.plan.push(op);
        return Ok(());
    }
    let list = traversal.for_entries(at, |inner, entry| {
        inner.plan.push(op);
        Ok(Fold::Collect(Expr::Column(entry.column)))
    })?;
    match (at.kind, part) {
        (Kind::Map, _) => {
            let map = Expr::call(Function::MapOfPairs, vec![Expr::Column(list)]);
            traversal.moved_to("part", map, Kind::Map);
        }
        // One entry comes as itself, not as a list of one.
        (_, Part::Tail { count: 1 }) => one(traversal, list),
        (_, Part::Range { from, to }) if to - from == 1 => one(traversal, list),
        _ => traversal.moved(list, Kind::List),
    }
    Ok(())
}

fn one(traversal: &mut Traversal<'_>, list: millrace_plan::ColumnId) {
    let any = Expr::call(Function::Size, vec![Expr::Column(list)]);
    let none = Expr::compare(millrace_plan::Comparison::Equal, any, Expr::literal(0));
    traversal.plan.filter(none.negate());
    let mode = IndexMode { first: 0, from_end: false, outside: Outside::Missing };
    let arguments = vec![Expr::Column(list), Expr::literal(0)];
    traversal.moved_to("part", Expr::call(Function::ElementAt(mode), arguments), Kind::Any);
}

fn op_of(part: Part) -> Op {
    let count = |number: i64| u64::try_from(number).unwrap_or(0);
    match part {
        Part::Range { from, to } => {
            let end = (to != -1).then(|| count(to));
            Op::Range { from: count(from), to: end }
        }
        Part::Tail { count: tail } => Op::Tail { count: count(tail) },
    }
}
