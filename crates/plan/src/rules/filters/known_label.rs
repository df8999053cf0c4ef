//! A test that a vertex has a label goes where the vertex was found by that label, or the same test came before.
//!
//! Proof. A row is there only if the vertex has the label: it came out of a `Scan` or `Seek` of the label, or
//! passed a filter of which the test is a part. A column that a `Project` copies holds the same vertex. Labels do
//! not change between: facts end at an operator with an effect. Inside of a subplan the facts of the outer row hold,
//! but not those of a row that a round makes of another.

use std::collections::BTreeSet;

use crate::base::{ColumnId, Name};
use crate::expr::Expr;
use crate::op::{self, Op, OwnerName, Pipeline, ScanSource};
use crate::plan::Plan;
use crate::rules::{Phase, Rule, conjunction, label_of, parts};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "known_label",
    phase: Phase::Filters,
    why: "a label that a row was found by need not be looked up again",
    apply,
};

type Known = BTreeSet<(ColumnId, Name)>;

fn apply(plan: &mut Plan) -> bool {
    let mut changed = drop_known(&mut plan.root, Known::new());
    for binding in &mut plan.lets {
        changed |= drop_known(&mut binding.pipeline, Known::new());
    }
    changed
}

fn drop_known(pipeline: &mut Pipeline, mut known: Known) -> bool {
    let mut changed = false;
    pipeline.ops.retain_mut(|op| {
        if op.has_effect() {
            known.clear();
        }
        let outer = if op.repeat().is_some() || !op.subplans_see_rows() {
            Known::new()
        } else {
            known.clone()
        };
        for sub in op.subplans_mut() {
            changed |= drop_known(sub, outer.clone());
        }
        let Op::Filter(op::Filter { predicate }) = op else {
            learn(op, &mut known);
            return true;
        };
        let left: Vec<Expr> = parts(predicate)
            .iter()
            .filter(|part| match label_of(part) {
                Some((column, label)) => known.insert((column, label.clone())),
                None => true,
            })
            .cloned()
            .collect();
        changed |= left.len() != parts(predicate).len();
        let Some(left) = conjunction(left) else { return false };
        *predicate = left;
        true
    });
    changed
}

/// Adds what an operator says of the columns that it makes.
fn learn(op: &Op, known: &mut Known) {
    let mut found = Vec::new();
    if let Op::Scan(op::Scan { source: ScanSource::Vertices(Some(label)), to })
    | Op::Seek(op::Seek { owner: OwnerName::Label(label), to, .. }) = op
    {
        found.push((*to, label.clone()));
    }
    if let Op::Project(op::Project { columns }) = op {
        for (to, expr) in columns {
            let copied = known.iter().filter(|(from, _)| *expr == Expr::Column(*from));
            found.extend(copied.map(|(_, label)| (*to, label.clone())));
        }
    }
    let made = op.new_columns();
    known.retain(|(column, _)| !made.contains(column));
    known.extend(found);
}
