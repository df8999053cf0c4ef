//! A pattern that is only counted is counted by weights: none of its rows is listed.
//!
//! ```text
//!   operators ──pattern──> a graph of nodes and edges, and conditions on two of them
//!        conditions ──terms──> signed graphs without them (inclusion–exclusion)
//!             each term ──order──> Scan, hops, ExpandInto, Intersect, Degree; count
//!                                    └── signed counts are added
//! ```
//!
//! Proof. The rows before the closing count are the choices of a vertex for each node and of an edge for each hop
//! such that each edge joins its vertices as its hop wants and every test holds; each choice is one row. The count
//! depends on neither the order of the rows nor the operators that find them, so any order of nodes will do:
//! `order.rs` makes operators with the same choices as rows, weights counted. Nothing in the pattern fails or has an
//! effect, or the rule leaves it alone.
//!
//! `terms.rs` has the proof for conditions on two nodes or two edges: rows that violate a condition are counted
//! and taken off, where that costs less than to test each row.
//!
//! Sizes come from the hints, and say only which way is taken. Behind `semi_join`, which makes `exists` and `absent` of
//! tests; before `distinct_count`, which knows chains with keys, and no cycles.

mod order;
mod pattern;
mod terms;

use crate::analysis::element_columns;
use crate::base::{ColumnId, Name};
use crate::expr::{Expr, Fold};
use crate::functions::Arithmetic;
use crate::op::{self, Op, Pipeline, UnionPick};
use crate::plan::Plan;
use crate::rules::{Phase, Rule};
use pattern::Pattern;
use terms::Counted;

pub(in crate::rules) const RULE: Rule = Rule {
    name: "count_pattern",
    phase: Phase::Subplans,
    why: "a pattern that is counted is walked in the order that merges the most, and what its conditions \
          forbid is counted and taken off",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    if !plan.merging || plan.hints.vertices.is_none() || plan.root.writes() {
        return false;
    }
    let elements = element_columns(plan);
    let Some(end) = plan.root.ops.iter().position(|op| counted(op).is_some()) else { return false };
    let Some(count) = counted(&plan.root.ops[end]) else { return false };
    let Some(pattern) = Pattern::of(&plan.root.ops[..end], &elements) else { return false };
    if !pattern.gains() {
        return false;
    }
    let Some(terms) = terms::cheapest(&pattern, &plan.hints) else { return false };
    let ops = sum(terms, count, &mut plan.columns);
    plan.root.ops.splice(..=end, ops);
    true
}

/// The column of a keyless count.
fn counted(op: &Op) -> Option<ColumnId> {
    let Op::Aggregate(op::Aggregate { keys, folds }) = op else { return None };
    match folds.as_slice() {
        [(count, Fold::Count)] if keys.is_empty() => Some(*count),
        _ => None,
    }
}

/// The operators that add the counts of terms.
fn sum(terms: Vec<Counted>, count: ColumnId, columns: &mut Vec<Name>) -> Vec<Op> {
    let close = |mut ops: Vec<Op>, count| {
        let folds = vec![(count, Fold::Count)];
        ops.push(op::Aggregate { keys: Vec::new(), folds }.into());
        ops
    };
    let terms = match <[Counted; 1]>::try_from(terms) {
        Ok([Counted { times: 1, ops }]) => return close(ops, count),
        Ok([only]) => vec![only],
        Err(terms) => terms,
    };
    if terms.is_empty() {
        // No row can be there.
        return vec![op::Project { columns: vec![(count, Expr::literal(0))] }.into()];
    }
    let mut column = |name: &str| {
        columns.push(Name::from(name));
        ColumnId(columns.len() as u32 - 1)
    };
    let [part, signed, total] = ["part", "signed", "total"].map(&mut column);
    let branches = terms.into_iter().map(|Counted { times, ops }| {
        let mut ops = close(ops, part);
        let (left, right) = (Expr::Column(part), Expr::literal(times));
        let (left, right) = (Box::new(left), Box::new(right));
        let value = Expr::Arithmetic { operation: Arithmetic::Multiply, left, right };
        ops.push(op::Project { columns: vec![(signed, value)] }.into());
        Pipeline { ops }
    });
    let branches = branches.collect();
    let folds = vec![(total, Fold::Sum(Expr::Column(signed)))];
    // Without any term there is nothing to sum.
    let none = Expr::IsNull(Box::new(Expr::Column(total)));
    let otherwise = Some(Box::new(Expr::Column(total)));
    let value = Expr::Case { branches: vec![(none, Expr::literal(0))], otherwise };
    vec![
        op::Union { branches, pick: UnionPick::All }.into(),
        op::Aggregate { keys: Vec::new(), folds }.into(),
        op::Project { columns: vec![(count, value)] }.into(),
    ]
}
