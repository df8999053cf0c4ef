//! Puts `Barrier merge(live columns)` before an `Expand` or an effect-free `Apply` whose input
//! rows may be equal on what is read later (docs/design/algebra.md, section 3).
//!
//! Proof: rows equal on all live columns cannot be distinguished by anything later, but by their
//! number and by their places. Their number is kept as a weight, which every operator honours.
//! Their places: merging keeps each distinct row's first one, and the rule asks that no more than
//! first appearance is demanded there. An `Apply` without effect gives equal rows equal results.
//!
//! Rows with a path are left alone: they do not repeat.
//!
//! In a `Repeat` rows are merged at the end of a round that begins with such an operator.
//!
//! A plan with merging off is left as it is.
//!
//! Rows may repeat once an operator gave several rows for one and the column it made is dead: the
//! rows of a pipeline start out as one, so they stay distinct on the columns that multiplied them.
//! A list may name an element twice, and there are parallel edges; that alone is no reason, it is
//! rare. After a `Union` of several branches anything may repeat.

use super::{Phase, Rule};
use crate::analysis::{
    Demand, PipelineLiveness, PipelineOrder, path_columns, plan_liveness, plan_order,
};
use crate::columns::ColumnSet;
use crate::op::{ApplyKind, JoinKind, Op, UnionPick};
use crate::plan::{ColumnId, Pipeline, Plan};
use crate::repeat::{Carried, Repeat};

pub(super) const RULE: Rule = Rule {
    name: "merge_rows",
    phase: Phase::Rows,
    why: "equal rows are expanded once, with a weight, instead of once each",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    if !plan.merging {
        return false;
    }
    let liveness = plan_liveness(plan);
    let order = plan_order(plan, &liveness);
    let rule = MergeRows { paths: path_columns(plan) };
    let mut changed = rule.visit(&mut plan.root, &liveness.root, &order.root, Rows::one());
    for (index, binding) in plan.lets.iter_mut().enumerate() {
        let (live, order) = (&liveness.lets[index], &order.lets[index]);
        changed |= rule.visit(&mut binding.pipeline, live, order, Rows::one());
    }
    changed
}

/// Columns on which the rows of a scope are distinct; `None` if there may be no such columns.
type Distinct = Option<ColumnSet>;

/// What is known of the rows at a place.
#[derive(Clone)]
struct Rows {
    distinct: Distinct,
    /// The columns they have. A branch may lack what is live at its end: it is null from there.
    columns: ColumnSet,
}

impl Rows {
    fn one() -> Rows {
        Rows { distinct: Some(ColumnSet::new()), columns: ColumnSet::new() }
    }

    /// What a subplan starts from.
    fn of_subplan(&self, op: &Op) -> Rows {
        if let Op::Apply { .. } = op {
            return Rows { distinct: Some(ColumnSet::new()), ..self.clone() };
        }
        if let Op::Join { .. } = op {
            return Rows::one();
        }
        if let Op::RecursiveExpand(recurse) = op {
            let at = ColumnSet::from([recurse.at]);
            return Rows { distinct: Some(at.clone()), columns: at };
        }
        let Some(repeat) = op.repeat() else { return self.clone() };
        let carried = repeat.carried().into_iter();
        Rows { distinct: self.each_round(repeat), columns: carried.chain(repeat.rounds).collect() }
    }

    /// Carried columns on which rows are distinct before the first round, and still are after one.
    fn each_round(&self, repeat: &Repeat) -> Distinct {
        let renamed = |distinct: &ColumnSet, name: fn(&Carried) -> ColumnId| -> Distinct {
            let carried = |column| repeat.columns.iter().find(|carried| name(carried) == column);
            distinct.iter().map(|&column| Some(carried(column)?.to)).collect()
        };
        let start = renamed(self.distinct.as_ref()?, |carried| carried.from)?;
        let end = distinct_at_end(&repeat.body, Some(start.clone()))?;
        let end = renamed(&end, |carried| carried.next)?;
        end.is_subset(&start).then_some(start)
    }

    fn after(self, op: &Op) -> Rows {
        let mut columns = self.columns;
        if op.drops_other_columns() {
            columns.clear();
        }
        columns.extend(op.made_columns());
        Rows { distinct: distinct_after(op, self.distinct), columns }
    }
}

/// What the rule knows of the whole plan.
struct MergeRows {
    paths: ColumnSet,
}

impl MergeRows {
    fn visit(
        &self,
        pipeline: &mut Pipeline,
        liveness: &PipelineLiveness,
        order: &PipelineOrder,
        mut rows: Rows,
    ) -> bool {
        let mut changed = false;
        let mut ops: Vec<Op> = Vec::with_capacity(pipeline.ops.len());
        let mut demand = order.input;
        for (index, mut op) in pipeline.ops.drain(..).enumerate() {
            // What is live before: after the operator upstream, or at the start.
            let live =
                index.checked_sub(1).map_or(&liveness.before, |before| &liveness.after[before]);
            let live = live & &rows.columns;
            if gains(&op)
                && demand <= Demand::FirstAppearance
                && self.may_repeat(&rows.distinct, &live)
            {
                let barrier = Op::Barrier { merge: Some(live.into_iter().collect()) };
                rows = rows.after(&barrier);
                ops.push(barrier);
                changed = true;
            }
            let merge = self.round_merge(&op, &liveness.inside[index], &order.inside[index]);
            // It is there when the rows of a round are judged; the facts are those without it.
            append(&mut op, merge.clone());
            let start = rows.of_subplan(&op);
            changed |= merge.is_some();
            if merge.is_some() {
                op.subplans_mut()[0].ops.pop();
            }
            for (number, sub) in op.subplans_mut().iter_mut().enumerate() {
                let (live, order) = (&liveness.inside[index][number], &order.inside[index][number]);
                changed |= self.visit(sub, live, order, start.clone());
            }
            append(&mut op, merge);
            rows = rows.after(&op);
            demand = order.output[index];
            ops.push(op);
        }
        pipeline.ops = ops;
        changed
    }

    /// The merge of what a round gives, where the next one begins with work for each row: at the end
    /// of the body rather than at its start, so that the body's last hop and the merge are one.
    fn round_merge(
        &self,
        op: &Op,
        inside: &[PipelineLiveness],
        order: &[PipelineOrder],
    ) -> Option<Op> {
        let body = &op.repeat()?.body.ops;
        let live = inside.first()?.after.last()?;
        let ends_free = *order.first()?.output.last()? <= Demand::FirstAppearance;
        let is_merged = matches!(
            body.last()?,
            Op::Barrier { .. } | Op::Dedup { .. } | Op::Aggregate { .. } | Op::Fold { .. }
        );
        let merges = gains(body.first()?) && ends_free && !is_merged && !live.is_empty();
        let merges = merges && live.is_disjoint(&self.paths);
        merges.then(|| Op::Barrier { merge: Some(live.iter().copied().collect()) })
    }

    fn may_repeat(&self, distinct: &Distinct, live: &ColumnSet) -> bool {
        // One column at least: without any there is nothing to group by, and little to gain.
        let rows = !live.is_empty() && live.is_disjoint(&self.paths);
        rows && distinct.as_ref().is_none_or(|columns| !columns.is_subset(live))
    }
}

fn append(op: &mut Op, to_its_body: Option<Op>) {
    if let Some(body) = op.subplans_mut().first_mut() {
        body.ops.extend(to_its_body);
    }
}

/// Whether it works for each row, so that fewer rows are less work.
fn gains(op: &Op) -> bool {
    let expands = matches!(
        op,
        Op::Expand { .. } | Op::ExpandInto { .. } | Op::PathExpand { .. } | Op::Intersect(_)
    );
    expands || matches!(op, Op::Apply { .. }) && !op.has_effect()
}

fn distinct_at_end(pipeline: &Pipeline, mut distinct: Distinct) -> Distinct {
    for op in &pipeline.ops {
        distinct = distinct_after(op, distinct);
    }
    distinct
}

fn and_made(before: Distinct, made: &[ColumnId]) -> Distinct {
    before.map(|mut columns| {
        columns.extend(made);
        columns
    })
}

fn distinct_after(op: &Op, before: Distinct) -> Distinct {
    match op {
        Op::Scan { to, .. }
        | Op::Seek { to, .. }
        | Op::LookupById { to, .. }
        | Op::LetRef { to, .. }
        | Op::Create { to, .. }
        | Op::Merge { to, .. } => and_made(before, &[*to]),
        Op::Rows { to, .. } => and_made(before, to),
        Op::Expand { edge, to, .. } => {
            // Without a column for what it found, it leaves as many equal rows.
            edge.or(*to).and_then(|made| and_made(before, &[made]))
        }
        Op::Intersect(intersect) => and_made(before, &[intersect.to]),
        // Two ways to walk a list differ in where they start.
        Op::ExpandInto { edge: made, .. }
        | Op::PathExpand { edges: made, .. }
        | Op::TrailEndpoints { from: made, .. } => made.and_then(|made| and_made(before, &[made])),
        // Rounds may give the same row again; joined rows and those of a group may repeat.
        Op::Repeat(_) | Op::Group { .. } | Op::Call(_) => None,
        Op::Join { kind: JoinKind::Inner | JoinKind::Left, .. } => None,
        Op::Join { kind: JoinKind::Semi | JoinKind::Anti, .. } => before,
        Op::Unwind { to, position, .. } | Op::UnwindValues { to, ordinal: position, .. } => {
            and_made(before, &[position.unwrap_or(*to)])
        }
        Op::Aggregate { keys, .. } => Some(keys.iter().copied().collect()),
        Op::Fold { .. } => Some(ColumnSet::new()),
        Op::Dedup { columns } | Op::Barrier { merge: Some(columns) } => {
            Some(columns.iter().copied().collect())
        }
        Op::Apply { sub, kind: ApplyKind::Flat | ApplyKind::Optional } => {
            let inside: Vec<_> =
                distinct_at_end(sub, Some(ColumnSet::new()))?.into_iter().collect();
            and_made(before, &inside)
        }
        Op::Union { branches, pick } => match branches.as_slice() {
            [branch] if *pick == UnionPick::All => distinct_at_end(branch, before),
            _ => None,
        },
        Op::Apply {
            kind:
                ApplyKind::Value { .. }
                | ApplyKind::Exists
                | ApplyKind::Absent
                | ApplyKind::Bag { .. }
                | ApplyKind::Effect,
            ..
        }
        | Op::Endpoints { .. }
        | Op::PathStep { .. }
        | Op::Fields { .. }
        | Op::Lookup(_)
        | Op::RecursiveExpand(_)
        | Op::Filter { .. }
        | Op::Project { .. }
        | Op::Sort { .. }
        | Op::TopK { .. }
        | Op::Range { .. }
        | Op::Tail { .. }
        | Op::Random(_)
        | Op::Barrier { merge: None }
        | Op::Fail { .. }
        | Op::SideEffect { .. }
        | Op::Set { .. }
        | Op::Remove { .. }
        | Op::Delete { .. }
        | Op::Define { .. } => before,
    }
}
