//! Columns that are not read later are not made: `Project`, `Endpoints`, `Fields`, paths, folds, optional
//! columns of `Expand`, `Unwind` and kin, carried columns of `Repeat`, and effect-free `Apply`s that only add one column.
//!
//! Proof: the column is in no operator's reads and not in the output, so the rows that come out
//! are the same; each operator dropped here gives one row for each row and has no effect. An
//! `Aggregate` keeps one fold, so that it stays what it is.

use super::{Phase, Rule, rewrite_plan};
use crate::analysis::{PipelineLiveness, live_in_rounds};
use crate::columns::ColumnSet;
use crate::op::{ApplyKind, Fold, Op};
use crate::plan::{ColumnId, Pipeline, Plan};
use crate::repeat::Repeat;

pub(super) const RULE: Rule = Rule {
    name: "dead_columns",
    phase: Phase::Columns,
    why: "columns without readers need not be read from the store, and rows without them can merge",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    rewrite_plan(plan, drop_dead)
}

fn drop_dead(pipeline: &mut Pipeline, liveness: &PipelineLiveness) -> bool {
    let mut changed = false;
    let mut live = liveness.after.iter();
    pipeline.ops.retain_mut(|op| {
        let live = live.next().expect("liveness has the shape of the plan");
        if let Op::Repeat(repeat) = op {
            changed |= carry_less(repeat, live);
        }
        let is_kept = narrow(op, live, &mut changed);
        changed |= !is_kept;
        is_kept
    });
    changed
}

/// Carries only what is read behind, by tests or by a round.
fn carry_less(repeat: &mut Repeat, after: &ColumnSet) -> bool {
    let read = live_in_rounds(repeat, after);
    let before = repeat.columns.len();
    repeat.columns.retain(|carried| read.contains(&carried.to));
    let forgotten = repeat.rounds.take_if(|rounds| !read.contains(rounds));
    repeat.columns.len() != before || forgotten.is_some()
}

/// Drops what is not live; says whether there was any.
fn keep_live<T>(made: &mut Vec<(ColumnId, T)>, live: &ColumnSet) -> bool {
    let before = made.len();
    made.retain(|(column, _)| live.contains(column));
    made.len() != before
}

/// Drops dead folds, but for those that drop rows, and keeps one at least; says whether it did.
fn fold_less(folds: &mut Vec<(ColumnId, Fold)>, live: &ColumnSet) -> bool {
    let (before, first) = (folds.len(), folds.first().cloned());
    folds.retain(|(column, fold)| live.contains(column) || fold.drops_rows());
    if folds.is_empty() {
        folds.extend(first);
    }
    folds.len() != before
}

/// Drops dead columns of an operator; says whether the operator itself is still needed.
fn narrow(op: &mut Op, live: &ColumnSet, changed: &mut bool) -> bool {
    let is_dead = |column: &ColumnId| !live.contains(column);
    let mut forget = |column: &mut Option<ColumnId>| {
        *changed |= column.take_if(|column| is_dead(column)).is_some();
        true
    };
    match op {
        Op::PathExpand { edges, to, cost, .. } => [edges, to, cost].into_iter().all(forget),
        Op::Expand { edge: one, to: other, .. }
        | Op::TrailEndpoints { from: one, to: other, .. } => [one, other].into_iter().all(forget),
        Op::ExpandInto { edge: column, .. }
        | Op::Unwind { position: column, .. }
        | Op::UnwindValues { ordinal: column, .. }
        | Op::Merge { created: column, .. } => forget(column),
        Op::Project { columns } => {
            *changed |= keep_live(columns, live);
            !columns.is_empty()
        }
        Op::Aggregate { folds, .. } => {
            *changed |= fold_less(folds, live);
            true
        }
        // A path that fails is as dead as one that does not.
        Op::Endpoints { to, .. } | Op::Fields { to, .. } | Op::PathStep { to, .. } => !is_dead(to),
        Op::Lookup(lookup) => !is_dead(&lookup.to),
        Op::RecursiveExpand(recurse) => !is_dead(&recurse.to),
        Op::Apply { kind: ApplyKind::Value { fold, .. }, .. } if fold.drops_rows() => true,
        Op::Apply { sub, kind: ApplyKind::Value { to, .. } | ApplyKind::Bag { to, .. } } => {
            !is_dead(to) || sub.has_effect()
        }
        Op::Apply {
            kind:
                ApplyKind::Flat
                | ApplyKind::Optional
                | ApplyKind::Exists
                | ApplyKind::Absent
                | ApplyKind::Effect,
            ..
        }
        | Op::Scan { .. }
        | Op::Seek { .. }
        | Op::LookupById { .. }
        | Op::Rows { .. }
        | Op::LetRef { .. }
        | Op::Filter { .. }
        | Op::Fold { .. }
        | Op::Random(_)
        | Op::Call(_)
        | Op::Intersect(_)
        | Op::Dedup { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Barrier { .. }
        | Op::Union { .. }
        | Op::Join { .. }
        | Op::Group { .. }
        | Op::Repeat(_)
        | Op::Fail { .. }
        | Op::SideEffect { .. }
        | Op::Create { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => true,
    }
}
