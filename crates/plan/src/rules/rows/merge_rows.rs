//! Puts `Barrier merge(live columns)` before an `Expand` or an effect-free `Apply` if its input rows
//! may be equal on all columns that are read later (docs/design/algebra.md, section 3).
//!
//! Proof: rows equal on all live columns cannot be distinguished by anything later, but by their
//! number and by their places. Their number is kept as a weight, which every operator honours.
//! Their places: merging keeps each distinct row's first one, and the rule asks that no more than
//! first appearance is demanded there. An `Apply` without effect gives equal rows equal results.
//!
//! The same goes before a `Project` that reads what elements hold, where rows are grouped behind it
//! (`analysis/grouped.rs`): `RETURN i.name, count(*)` groups by `i` first, then by what is read of it. Rows with a value
//! that a `Project` made are left alone there: to group by it costs more than what is made of it.
//!
//! Rows with a path are left alone: they do not repeat.
//!
//! A hop of which nothing is read any more becomes a weight where rows are merged behind it: then the rows are those in
//! front of it, and need no merging if those are distinct.
//!
//! In a `Repeat` rows are merged at the end of a round that begins with such an operator.
//!
//! A plan with merging off is left as it is.
//!
//! Rows may repeat once an operator gave several rows for one and the column it made is dead: the
//! rows of a pipeline start out as one, so they stay distinct on the columns that multiplied them.
//! A list may name an element twice, and there are parallel edges; that alone is no reason, it is
//! rare. After a `Union` of several branches anything may repeat. Columns that are dead but follow from live ones by
//! what samples say (`determined.rs`) are no reason either.

use crate::analysis::{
    PipelineOrder, grouped, grouped_in_subplans, path_columns, plan_liveness, plan_order,
};
use crate::base::{ColumnId, ColumnSet};
use crate::expr::Expr;
use crate::op::{
    self, ApplyKind, Carried, Demand, Distinct, Op, Pipeline, PipelineLiveness, Repeat,
};
use crate::plan::Plan;
use crate::rules::{Phase, Rule};

use super::determined::Determined;

pub(in crate::rules) const RULE: Rule = Rule {
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
    let rule = MergeRows { paths: path_columns(plan), determined: Determined::of(plan) };
    let mut changed = rule.visit(&mut plan.root, &liveness.root, &order.root, Rows::one(), false);
    for (index, binding) in plan.lets.iter_mut().enumerate() {
        let (live, order) = (&liveness.lets[index], &order.lets[index]);
        changed |= rule.visit(&mut binding.pipeline, live, order, Rows::one(), false);
    }
    changed
}

/// The facts of the rows at a place.
#[derive(Clone)]
struct Rows {
    distinct: Distinct,
    /// The columns they have. A branch may lack a column that is live at its end: it is null from there.
    columns: ColumnSet,
}

impl Rows {
    fn one() -> Rows {
        Rows { distinct: Some(ColumnSet::new()), columns: ColumnSet::new() }
    }

    /// The rows that a subplan starts from.
    fn of_subplan(&self, op: &Op) -> Rows {
        if let Op::Apply(_) = op {
            return Rows { distinct: Some(ColumnSet::new()), ..self.clone() };
        }
        if let Op::Join(_) = op {
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
        let end = repeat.body.distinct_at_end(Some(start.clone()))?;
        let end = renamed(&end, |carried| carried.next)?;
        end.is_subset(&start).then_some(start)
    }

    fn after(self, op: &Op) -> Rows {
        let mut columns = self.columns;
        if op.drops_other_columns() {
            columns.clear();
        }
        columns.extend(op.made_columns());
        Rows { distinct: op.distinct_after(self.distinct), columns }
    }
}

/// The rule's facts of the whole plan.
struct MergeRows {
    paths: ColumnSet,
    determined: Determined,
}

impl MergeRows {
    fn visit(
        &self,
        pipeline: &mut Pipeline,
        liveness: &PipelineLiveness,
        order: &PipelineOrder,
        mut rows: Rows,
        at_end: bool,
    ) -> bool {
        let grouped = grouped(&pipeline.ops, at_end);
        let mut changed = false;
        let mut ops: Vec<Op> = Vec::with_capacity(pipeline.ops.len());
        let mut demand = order.input;
        let mut made = ColumnSet::new();
        // The rows in front of the last operator.
        let mut before = rows.clone();
        for (index, mut op) in pipeline.ops.drain(..).enumerate() {
            // Live before it: after the operator upstream, or at the start.
            let live =
                index.checked_sub(1).map_or(&liveness.before, |before| &liveness.after[before]);
            let live = live & &rows.columns;
            let is_made = !live.is_disjoint(&made);
            let reads = grouped[index] && !is_made && reads_elements(&op);
            let gains = op.gains_by_weights() || reads;
            let may_merge = gains && demand <= Demand::FirstAppearance;
            if may_merge && let Some(degree) = ops.last().and_then(|op| unread_hop(op, &live)) {
                // What is left of the hop is how often each row is there.
                ops.pop();
                rows = before.clone().after(&degree);
                ops.push(degree);
                changed = true;
            }
            if may_merge && self.may_repeat(&rows.distinct, &live) {
                let barrier = Op::Barrier(op::Barrier { merge: Some(live.into_iter().collect()) });
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
            let ends_grouped = grouped_in_subplans(&op, grouped[index + 1]);
            for (number, sub) in op.subplans_mut().iter_mut().enumerate() {
                let (live, order) = (&liveness.inside[index][number], &order.inside[index][number]);
                changed |= self.visit(sub, live, order, start.clone(), ends_grouped);
            }
            append(&mut op, merge);
            let merge = match grouped[index + 1] {
                true => self.merge_at_end(&op, &liveness.inside[index], &order.inside[index]),
                false => None,
            };
            changed |= merge.is_some();
            append(&mut op, merge);
            before = rows.clone();
            rows = rows.after(&op);
            if let Op::Project(_) = &op {
                made.extend(op.new_columns());
            }
            demand = order.output[index];
            ops.push(op);
        }
        pipeline.ops = ops;
        changed
    }

    /// The merge of a round's rows, where the next one begins with work for each row: at the end of the
    /// body rather than at its start, so that the body's last hop and the merge are one.
    fn round_merge(
        &self,
        op: &Op,
        inside: &[PipelineLiveness],
        order: &[PipelineOrder],
    ) -> Option<Op> {
        let body = &op.repeat()?.body.ops;
        let live = inside.first()?.after.last()?;
        let ends_free = *order.first()?.output.last()? <= Demand::FirstAppearance;
        let is_merged =
            matches!(body.last()?, Op::Barrier(_) | Op::Dedup(_) | Op::Aggregate(_) | Op::Fold(_));
        let merges =
            body.first()?.gains_by_weights() && ends_free && !is_merged && !live.is_empty();
        let merges = merges && live.is_disjoint(&self.paths);
        merges.then(|| Op::Barrier(op::Barrier { merge: Some(live.iter().copied().collect()) }))
    }

    /// The merge of the rows of an `Apply flat`, where these end with a hop and are grouped behind it: there the
    /// outer row's columns would keep the hop and the merge from being one.
    fn merge_at_end(
        &self,
        op: &Op,
        inside: &[PipelineLiveness],
        order: &[PipelineOrder],
    ) -> Option<Op> {
        let Op::Apply(op::Apply { sub, kind: ApplyKind::Flat }) = op else { return None };
        let live = inside.first()?.after.last()?;
        let distinct = sub.distinct_at_end(Some(ColumnSet::new()));
        let is_free = *order.first()?.output.last()? <= Demand::FirstAppearance;
        let merges =
            is_free && matches!(sub.ops.last()?, Op::Expand(_)) && self.may_repeat(&distinct, live);
        merges.then(|| Op::Barrier(op::Barrier { merge: Some(live.iter().copied().collect()) }))
    }

    fn may_repeat(&self, distinct: &Distinct, live: &ColumnSet) -> bool {
        // One column at least: without any there is nothing to group by, and little to gain.
        let rows = !live.is_empty() && live.is_disjoint(&self.paths);
        let is_in = |columns: &ColumnSet| columns.is_subset(&self.determined.closure(live));
        rows && !distinct.as_ref().is_some_and(is_in)
    }
}

/// The weight that is left of a hop of which nothing is read.
fn unread_hop(op: &Op, live: &ColumnSet) -> Option<Op> {
    let Op::Expand(op::Expand { from, types, direction, edge, to, loops }) = op else {
        return None;
    };
    let is_read = [edge, to].into_iter().flatten().any(|made| live.contains(made));
    let degree = op::Degree {
        from: *from,
        types: types.clone(),
        direction: *direction,
        loops: *loops,
        labels: Vec::new(),
        or_once: false,
    };
    (!is_read).then(|| degree.into())
}

/// Whether it makes columns of what elements hold.
fn reads_elements(op: &Op) -> bool {
    let mut reads = false;
    if let Op::Project(op::Project { columns }) = op {
        columns.iter().for_each(|(_, expr)| {
            expr.walk(&mut |expr| {
                reads |= matches!(
                    expr,
                    Expr::Property { .. } | Expr::Properties { .. } | Expr::Labels(_)
                );
            });
        });
    }
    reads
}

fn append(op: &mut Op, to_its_body: Option<Op>) {
    if let Some(body) = op.subplans_mut().first_mut() {
        body.ops.extend(to_its_body);
    }
}
