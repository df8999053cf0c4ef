//! A `Filter` moves down towards the rows' source, ahead of operators that do not make the columns
//! it reads: each part of its `and` by itself.
//!
//! Proof, by the operator it crosses:
//! - Operators that give rows for each row (`Expand`, `Unwind`, sources, `Apply` …): the part reads
//!   only columns the row had before, so it drops all rows made of one row, or none.
//! - `Sort`, barriers: order and weights of the kept rows do not depend on the dropped ones.
//! - `Aggregate`, `Dedup`, a merge: only if it reads nothing but the keys; then it drops whole
//!   groups. Not a keyless `Aggregate`, which has a row even for nothing. A `Group` likewise.
//! - Never `Range`, `Tail`, `TopK` (they count the rows dropped), `Repeat`, `Union` (it would have to enter all
//!   branches) and nothing with an effect (also: the values of a side effect stay the same).
//! - A part that can fail crosses nothing that drops rows: they would have been spared the error.
//!
//! A filter right behind another becomes a part of it where it reads no other properties, only compares them, and cannot fail: then
//! they are read once.

use crate::analysis::{can_fail, element_columns};
use crate::base::ColumnSet;
use crate::expr::Expr;
use crate::functions::Function;
use crate::op::{self, DependsOn, ElementColumns, Op, Pipeline};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, conjunction, rewrite_plan};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "filter_down",
    phase: Phase::Filters,
    why: "a row dropped early is neither expanded, grouped nor sorted",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let elements = element_columns(plan);
    rewrite_plan(plan, |pipeline, _| sink_filters(pipeline, &elements))
}

fn sink_filters(pipeline: &mut Pipeline, elements: &ElementColumns) -> bool {
    let mut changed = false;
    let mut ops: Vec<Op> = Vec::with_capacity(pipeline.ops.len());
    for op in pipeline.ops.drain(..) {
        let Op::Filter(op::Filter { predicate }) = op else {
            ops.push(op);
            continue;
        };
        let mut staying = Vec::new();
        for part in parts(predicate) {
            let part = Part::of(part, elements);
            let place = part.place(&ops);
            if place == ops.len() || part.can_fail && !staying.is_empty() {
                staying.push(part.predicate);
            } else {
                insert(&mut ops, place, part);
                changed = true;
            }
        }
        let Some(predicate) = conjunction(staying) else { continue };
        match ops.last_mut() {
            Some(Op::Filter(before)) if is_read_by(&predicate, &before.predicate, elements) => {
                let mut all = parts(before.predicate.clone());
                all.extend(parts(predicate));
                before.predicate = Expr::And(all);
                changed = true;
            }
            _ => ops.push(Op::Filter(op::Filter { predicate })),
        }
    }
    pipeline.ops = ops;
    changed
}

/// Whether a predicate compares properties that another reads, with what costs nothing, and cannot fail.
fn is_read_by(predicate: &Expr, other: &Expr, elements: &ElementColumns) -> bool {
    let mut properties = Vec::new();
    other.walk(&mut |expr| {
        if let Expr::Property { .. } = expr {
            properties.push(expr.clone());
        }
    });
    let (mut is_read, mut reads_any) = (true, false);
    predicate.walk(&mut |expr| {
        is_read &= match expr {
            Expr::Property { .. } => {
                reads_any = true;
                properties.contains(expr)
            }
            Expr::Call { function, .. } => *function == Function::OrNull,
            Expr::Column(_)
            | Expr::Literal(_)
            | Expr::Parameter(_)
            | Expr::Compare { .. }
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_)
            | Expr::IsNull(_)
            | Expr::IsAbsent(_) => true,
            Expr::Let { .. }
            | Expr::Properties { .. }
            | Expr::Id(_)
            | Expr::Labels(_)
            | Expr::HasLabel { .. }
            | Expr::EdgeType(_)
            | Expr::EdgeEnd { .. }
            | Expr::Living { .. }
            | Expr::InSet { .. }
            | Expr::InList { .. }
            | Expr::Arithmetic { .. }
            | Expr::AnyValue { .. }
            | Expr::SingleValue(_)
            | Expr::List(_)
            | Expr::Map(_)
            | Expr::Case { .. }
            | Expr::Over(_) => false,
        };
    });
    is_read && reads_any && !can_fail(predicate, elements, true)
}

fn parts(predicate: Expr) -> Vec<Expr> {
    if let Expr::And(parts) = predicate { flat(parts) } else { vec![predicate] }
}

fn flat(all: Vec<Expr>) -> Vec<Expr> {
    all.into_iter().flat_map(parts).collect()
}

/// Puts a part before `ops[place]`, into the filter that ends there if there is one. A part that can fail
/// stays a filter of its own: it is not evaluated for a row that the other filter drops because its result
/// is unknown, and an `and` would evaluate it.
fn insert(ops: &mut Vec<Op>, place: usize, part: Part) {
    match place.checked_sub(1).map(|index| &mut ops[index]) {
        Some(Op::Filter(op::Filter { predicate })) if !part.can_fail => {
            let mut all = parts(predicate.clone());
            all.push(part.predicate);
            *predicate = Expr::And(all);
        }
        _ => ops.insert(place, Op::Filter(op::Filter { predicate: part.predicate })),
    }
}

struct Part {
    predicate: Expr,
    reads: ColumnSet,
    can_fail: bool,
}

impl Part {
    fn of(predicate: Expr, elements: &ElementColumns) -> Part {
        let mut reads = ColumnSet::new();
        predicate.read_columns(&mut reads);
        let can_fail = can_fail(&predicate, elements, true);
        Part { predicate, reads, can_fail }
    }

    /// How far up it may go. To cross only filters is no gain.
    fn place(&self, ops: &[Op]) -> usize {
        let mut place = ops.len();
        for (index, op) in ops.iter().enumerate().rev() {
            if !self.may_cross(op) {
                break;
            }
            if !matches!(op, Op::Filter(_)) {
                place = index;
            }
        }
        place
    }

    fn may_cross(&self, op: &Op) -> bool {
        if op.has_effect() {
            return false;
        }
        let reads_only = |columns: &[_]| self.reads.iter().all(|column| columns.contains(column));
        match op.depends_on() {
            DependsOn::Row { drops } => {
                !(self.can_fail && drops)
                    && op.made_columns().iter().all(|made| !self.reads.contains(made))
            }
            DependsOn::Order => true,
            DependsOn::Group { keys, drops } => !(self.can_fail && drops) && reads_only(keys),
            DependsOn::Scope => false,
        }
    }
}
