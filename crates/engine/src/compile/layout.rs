//! Which columns are alive behind each operator, and where they stand.

use std::collections::BTreeSet;

use millrace_plan::columns::ColumnSet;
use millrace_plan::{ColumnId, Op};

use crate::pipeline::Keep;

/// The columns read after each operator of a pipeline, if `live_out` is read of its rows.
pub(crate) fn lives(ops: &[Op], live_out: &ColumnSet) -> Vec<ColumnSet> {
    let mut lives = vec![ColumnSet::new(); ops.len()];
    let mut live = live_out.clone();
    for (op, place) in ops.iter().zip(&mut lives).rev() {
        *place = live.clone();
        live = live_before(op, live);
    }
    lives
}

/// The columns a pipeline's first rows must have.
pub(crate) fn live_in(ops: &[Op], live_out: &ColumnSet) -> ColumnSet {
    ops.iter().rev().fold(live_out.clone(), |live, op| live_before(op, live))
}

fn live_before(op: &Op, live_after: ColumnSet) -> ColumnSet {
    let mut before = if op.drops_other_columns() { BTreeSet::new() } else { live_after };
    for made in op.made_columns() {
        before.remove(&made);
    }
    before.extend(op.read_columns());
    before
}

/// The slots of those columns of a layout that live on, and the layout they make.
pub(crate) fn keep(layout: &[ColumnId], live: &ColumnSet) -> (Keep, Vec<ColumnId>) {
    let kept = layout.iter().enumerate().filter(|(_, column)| live.contains(column));
    let (slots, columns) = kept.map(|(slot, &column)| (slot, column)).unzip();
    (Keep(slots), columns)
}
