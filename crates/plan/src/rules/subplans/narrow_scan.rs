//! A `Scan` of all with filters on a label, or on one type of edges, becomes a scan of these; that part of
//! the filters is gone.
//!
//! Proof: a scan of a label lists the vertices that have it, in the order in which a scan of all does (by
//! their places); one of a type lists its edges as they come among all (type by type). The part was true
//! of each of these and of no other, so the rest of the `and` decides as before. Nothing before the part may
//! fail, for it was asked of the others too.

use super::look_up::{decided_first, fails};
use crate::analysis::element_columns;
use crate::base::ColumnId;
use crate::expr::{Comparison, Expr};
use crate::op::{self, ElementColumns, Op, Pipeline, ScanSource};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, rewrite_plan};
use millrace_model::Value;

pub(in crate::rules) const RULE: Rule = Rule {
    name: "narrow_scan",
    phase: Phase::Subplans,
    why: "elements of one label are listed without the others, counted by the store, and found by \
          its indexes",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let elements = element_columns(plan);
    rewrite_plan(plan, |pipeline, _| {
        (0..pipeline.ops.len()).any(|index| narrow(pipeline, index, &elements).is_some())
    })
}

fn narrow(pipeline: &mut Pipeline, index: usize, elements: &ElementColumns) -> Option<()> {
    let Op::Scan(op::Scan { source, to }) = &pipeline.ops[index] else { return None };
    let narrowed: fn(&Expr, ColumnId) -> Option<ScanSource> = match source {
        ScanSource::Vertices(None) => label,
        ScanSource::Edges(None) => edge_type,
        ScanSource::Vertices(Some(_)) | ScanSource::Edges(Some(_)) => return None,
    };
    let to = *to;
    let filters = pipeline.ops[index + 1..].iter();
    let filters = filters.take_while(|op| matches!(op, Op::Filter(_))).count();
    for at in index + 1..=index + filters {
        let Op::Filter(op::Filter { predicate }) = &mut pipeline.ops[at] else { continue };
        let Some(source) = taken_out(predicate, to, elements, |part| narrowed(part, to)) else {
            if fails(predicate, to, elements) {
                return None;
            }
            continue;
        };
        if *predicate == Expr::And(Vec::new()) {
            pipeline.ops.remove(at);
        }
        pipeline.ops[index] = Op::Scan(op::Scan { source, to });
        return Some(());
    }
    None
}

/// Finds a value in a part of an `and` and removes that part.
fn taken_out<T>(
    predicate: &mut Expr,
    to: ColumnId,
    elements: &ElementColumns,
    mut found: impl FnMut(&Expr) -> Option<T>,
) -> Option<T> {
    let Expr::And(parts) = predicate else {
        let whole = found(predicate)?;
        *predicate = Expr::And(Vec::new());
        return Some(whole);
    };
    let (place, whole) = decided_first(parts.iter(), to, elements)
        .enumerate()
        .find_map(|(place, part)| Some((place, found(part)?)))?;
    parts.remove(place);
    if parts.len() == 1 {
        *predicate = parts.remove(0);
    }
    Some(whole)
}

fn label(part: &Expr, to: ColumnId) -> Option<ScanSource> {
    let Expr::HasLabel { vertex, label } = part else { return None };
    (**vertex == Expr::Column(to)).then(|| ScanSource::Vertices(Some(label.clone())))
}

fn edge_type(part: &Expr, to: ColumnId) -> Option<ScanSource> {
    let Expr::Compare { comparison: Comparison::Equal, left, right } = part else { return None };
    let own = Expr::EdgeType(Box::new(Expr::Column(to)));
    let Expr::Literal(Value::String(name)) = &**right else { return None };
    (**left == own).then(|| ScanSource::Edges(Some(vec![name.clone()])))
}
