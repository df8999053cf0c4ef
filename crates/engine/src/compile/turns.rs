//! Whether a subplan reads its own writes, so that its rows must go in turn
//! (docs/design/algebra.md, section 2).
//!
//! Decided by pairs of operators: the reads of one against the writes of another. An operator that
//! reads its own writes does not count where it handles all rows itself: `Merge` groups equal keys.
//! A `Set` goes in rounds, which are not the turns of outer rows, so in a subplan it does count.

use std::collections::BTreeSet;

use millrace_plan::op::access::{Keys, Reads};
use millrace_plan::{ColumnId, Expr, Op, Pipeline, Properties, SideFold, Template, op};

use super::dependencies::{Dependencies, dependencies, is_looked_at};
use crate::operators::MergeTurns;

/// How outer rows go through a subplan that writes.
#[derive(Debug, PartialEq)]
pub(crate) enum Turns {
    /// All at once.
    AtOnce,
    /// In conflict-free batches: rows without a dependency run together.
    Batches(Dependencies),
    /// One by one.
    Single,
}

/// Whether some operator reads or overwrites the writes of another one, subplans included, and which
/// rows see that.
pub(crate) fn turns(sub: &Pipeline) -> Turns {
    if !reads_what_it_writes(sub, |_, _| false) {
        return Turns::AtOnce;
    }
    match reads_what_it_writes(sub, is_looked_at) {
        true => Turns::Single,
        false => dependencies(sub).map_or(Turns::Single, Turns::Batches),
    }
}

/// Whether some operator reads or overwrites the writes of another one. A read that `is_excused`
/// accepts does not count.
fn reads_what_it_writes(sub: &Pipeline, is_excused: impl Fn(&Op, &Op) -> bool) -> bool {
    if !sub.has_effect() {
        return false;
    }
    let mut accesses = Vec::new();
    sub.visit_ops(&mut |op| accesses.push((op.clone(), op.all_reads(), op.all_writes())));
    // A list shows in which order its rows came.
    let mut lists = BTreeSet::new();
    let mut twice = false;
    sub.visit_ops(&mut |op| {
        if let Op::SideEffect(op::SideEffect {
            name, fold: SideFold::List | SideFold::Bag, ..
        }) = op
        {
            twice |= !lists.insert(name.clone());
        }
    });
    if twice {
        return true;
    }
    // The rounds of one outer row would lie between those of the others.
    let mut in_rounds = false;
    sub.visit_ops(&mut |op| in_rounds |= op.repeat().is_some() && op.has_effect());
    if in_rounds {
        return true;
    }
    let depends = |one: usize, other: usize| {
        let ((reader, reads, own), (writer, _, writes)) = (&accesses[one], &accesses[other]);
        let sees = !is_excused(reader, writer) && reads.sees(writes);
        one != other && (sees || reads.conflicts(writes) || own.overlap(writes))
    };
    let all = 0..accesses.len();
    all.clone().any(|one| all.clone().any(|other| depends(one, other))) || reads_own_writes(sub)
}

/// Whether a `Set`'s values read a key it writes; one that replaces writes them all.
pub(crate) fn set_reads_what_it_writes(properties: &Properties, replace: bool) -> bool {
    let mut read = Reads::default();
    properties.exprs().for_each(|expr| read.add_expr(expr));
    let mut written = Keys { all: replace, ..Keys::default() };
    written.add(properties);
    read.keys.overlap(&written)
}

/// How a `Merge` goes. Its options may write a key that it matches on, or that one of its values
/// reads: a row may then find an earlier one's writes, and all go in turn. If only options read the
/// keys they write, and of no element but the merged one, that element's rows go in rounds.
pub(crate) fn merge_turns(
    template: &Template,
    options: [&Properties; 2],
    element: ColumnId,
) -> MergeTurns {
    let (mut matched, mut written) = (Reads::default(), Keys::default());
    let (mut elsewhere, mut own) = (Reads::default(), Reads::default());
    matched.keys.add(template.properties());
    template.exprs().for_each(|expr| matched.add_expr(expr));
    for expr in options.into_iter().flat_map(Properties::exprs) {
        own.add_expr(expr);
        read_of_others(expr, element, &mut elsewhere);
    }
    options.into_iter().for_each(|properties| written.add(properties));
    if matched.keys.overlap(&written) || elsewhere.keys.overlap(&written) {
        MergeTurns::SingleRows
    } else if own.keys.overlap(&written) {
        MergeTurns::Rounds
    } else {
        MergeTurns::AtOnce
    }
}

/// The keys read of anything but the column's element.
fn read_of_others(expr: &Expr, element: ColumnId, reads: &mut Reads) {
    expr.walk(&mut |expr| {
        if let Expr::Property { element: of, key } = expr
            && **of != Expr::Column(element)
        {
            reads.keys.names.insert(key.clone());
        }
    });
}

fn reads_own_writes(sub: &Pipeline) -> bool {
    let mut own = false;
    sub.visit_ops(&mut |op| {
        own |= !op.all_reads().side_effects.is_disjoint(&op.all_writes().side_effects);
        if let Op::Set(op::Set { properties, replace, .. }) = op {
            own |= set_reads_what_it_writes(properties, *replace);
        }
    });
    own
}
