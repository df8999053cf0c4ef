//! A `Scan` or `Seek` inside a subplan that reads nothing outer runs once, as a `Let`, with the
//! filters right behind it that read only the column it made. One that runs for one row stays: it
//! runs once anyway, an index may narrow it by all its filters, and it ends where enough is found.
//!
//! Proof: without outer columns it lists the same elements for every outer row, in the same order;
//! `LetRef` lists the rows of the `Let` once for each row, as the scan did. Only in plans that write
//! nothing to the graph: a `Let` runs before everything else and would not see the writes. Filters
//! that ask a side effect stay, for it may have grown; filters that can fail stay, for the subplan
//! may never be asked. Bodies of `Let`s stay as they are: a `Let` comes before the references to it.

use crate::analysis::{can_fail, element_columns};
use crate::base::{ColumnId, ColumnSet, LetId, Name};
use crate::expr::{Expr, SetName};
use crate::op::{self, ApplyKind, ElementColumns, Op, Pipeline};
use crate::plan::{LetBinding, Plan};
use crate::rules::{Phase, Rule};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "let_once",
    phase: Phase::Subplans,
    why: "a subplan that reads no outer row runs once, not once for each",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    if plan.root.writes() {
        return false;
    }
    let mut hoisting = Hoisting {
        elements: element_columns(plan),
        columns: plan.columns.clone(),
        first: plan.lets.len(),
        lets: Vec::new(),
    };
    hoisting.visit(&mut plan.root, Within::OneRow);
    let changed = !hoisting.lets.is_empty();
    plan.columns = hoisting.columns;
    plan.lets.append(&mut hoisting.lets);
    changed
}

/// How often what comes next in a pipeline runs.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Once, and there is one row at most.
    OneRow,
    /// Once.
    ManyRows,
    /// Perhaps once for each row of another pipeline.
    Repeated,
}

/// Whether one row does not become several.
fn keeps_one_row(op: &Op) -> bool {
    if let Op::Apply(apply) = op {
        return !matches!(apply.kind, ApplyKind::Flat | ApplyKind::Optional);
    }
    matches!(op, Op::Project(_) | Op::Filter(_))
}

struct Hoisting {
    elements: ElementColumns,
    columns: Vec<Name>,
    first: usize,
    lets: Vec<LetBinding>,
}

impl Hoisting {
    fn visit(&mut self, pipeline: &mut Pipeline, within: Within) {
        let mut within = within;
        for op in &mut pipeline.ops {
            // Run for one row an `Apply` runs once anyway, and stops where enough is found.
            let is_single = within == Within::OneRow && matches!(op, Op::Apply(_));
            let repeats =
                matches!(op, Op::Apply(_) | Op::Repeat(_) | Op::RecursiveExpand(_)) && !is_single;
            let inside = if repeats { Within::Repeated } else { within };
            op.subplans_mut().iter_mut().for_each(|sub| self.visit(sub, inside));
            if within == Within::OneRow && !keeps_one_row(op) {
                within = Within::ManyRows;
            }
        }
        if within == Within::Repeated {
            (0..pipeline.ops.len()).for_each(|index| self.hoist(pipeline, index));
        }
    }

    fn hoist(&mut self, pipeline: &mut Pipeline, index: usize) {
        let Some(column) = pipeline.ops.get(index).and_then(looked_up) else { return };
        let filters = pipeline.ops[index + 1..].iter().take_while(|op| self.goes_along(op, column));
        let end = index + 1 + filters.count();
        // The Let keeps a column of its own, so that each column still has one maker.
        let kept = ColumnId(self.columns.len() as u32);
        let name = self.columns[column.0 as usize].clone();
        self.columns.push(name.clone());
        let id = LetId((self.first + self.lets.len()) as u32);
        let reference = Op::LetRef(op::LetRef { name: id, columns: vec![(kept, column)] });
        let mut ops: Vec<Op> = pipeline.ops.splice(index..end, [reference]).collect();
        ops.iter_mut().for_each(|op| rename(op, column, kept));
        self.lets.push(LetBinding { name, pipeline: Pipeline { ops }, columns: vec![kept] });
    }

    fn goes_along(&self, op: &Op, column: ColumnId) -> bool {
        let Op::Filter(op::Filter { predicate }) = op else { return false };
        let mut asks_collection = false;
        predicate.walk(&mut |expr| {
            asks_collection |= matches!(expr, Expr::InSet { set: SetName::SideEffect(_), .. });
        });
        op.read_columns().is_subset(&ColumnSet::from([column]))
            && !asks_collection
            && !can_fail(predicate, &self.elements, true)
    }
}

/// The column of a scan or seek that reads no column and cannot fail.
fn looked_up(op: &Op) -> Option<ColumnId> {
    let is_constant = |expr: &Expr| matches!(expr, Expr::Literal(_) | Expr::Parameter(_));
    if let Op::Scan(op::Scan { to, .. }) = op {
        Some(*to)
    } else if let Op::Seek(op::Seek { to, .. }) = op
        && op.exprs().into_iter().all(is_constant)
    {
        Some(*to)
    } else {
        None
    }
}

fn rename(op: &mut Op, from: ColumnId, into: ColumnId) {
    if let Op::Scan(op::Scan { to, .. }) | Op::Seek(op::Seek { to, .. }) = op {
        *to = into;
    } else if let Op::Filter(op::Filter { predicate }) = op {
        predicate.replace_column(from, into);
    }
}
