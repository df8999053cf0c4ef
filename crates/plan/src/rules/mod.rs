//! Rules: each turns a plan into another with the same meaning, and says why it may.
//!
//! One rule a file, in the folder of its phase; one line in [`RULES`]. Rules run once each, in this order; a rule repeats itself
//! until it finds nothing more. A rule may remove the error of a row that is not read (a dead column, a
//! row that is dropped), but never raises one.
//!
//! The order, and why:
//!
//! 1. *Subplans* first, as a test that became `exists` is an operator no longer a filter, and
//!    filters then move past it; a scan that became a `Let` keeps the filters behind it. A scan
//!    with filters that name ids becomes a look-up before that, as the filters of ids can fail.
//! 2. *Filters* next: they decide which columns are read where.
//! 3. *Columns*: columns that are not read after that are dropped.
//! 4. *Rows* last: a merge names the columns that are live, so it must see the final ones.
//!
//! A change of a plan enters that is valid for every front end. What only one language may assume is decided where
//! its plan is built.

mod columns;
mod filters;
mod rows;
mod subplans;

use crate::analysis::{PipelineOrder, grouped, grouped_in_subplans, plan_liveness, plan_order};
use crate::base::{ColumnId, Name};
use crate::expr::Expr;
use crate::op::{self, ApplyKind, Op, Pipeline, PipelineLiveness, count_work};
use crate::plan::Plan;
use std::ops::Range;

/// When a rule runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The kinds of subplans.
    Subplans,
    /// Where rows are dropped.
    Filters,
    /// Which columns there are.
    Columns,
    /// How many rows there are.
    Rows,
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, to switch it off and to show it.
    pub name: &'static str,
    /// When it runs.
    pub phase: Phase,
    /// Its benefit.
    pub why: &'static str,
    /// Changes a plan; says whether it did.
    pub apply: fn(&mut Plan) -> bool,
}

/// All rules, in the order in which they run.
pub const RULES: [Rule; 20] = [
    subplans::one_of::RULE,
    subplans::start_by_hints::RULE,
    subplans::semi_join::RULE,
    subplans::look_up::RULE,
    subplans::narrow_scan::RULE,
    subplans::let_once::RULE,
    subplans::count_pattern::RULE,
    subplans::outer_row::RULE,
    subplans::distinct_count::RULE,
    subplans::reach::RULE,
    subplans::simple_path::RULE,
    filters::filter_down::RULE,
    filters::bound_end::RULE,
    filters::known_label::RULE,
    columns::top_k::RULE,
    columns::edge_count::RULE,
    columns::dead_columns::RULE,
    columns::edge_scan::RULE,
    rows::creates_together::RULE,
    rows::merge_rows::RULE,
];

/// Runs all rules. Limits in force for the thread end them by `query_limits::stop`.
pub fn optimize(plan: &mut Plan) {
    optimize_without(plan, &[]);
}

/// Runs all rules but those named.
pub fn optimize_without(plan: &mut Plan, off: &[&str]) {
    for rule in RULES.iter().filter(|rule| !off.contains(&rule.name)) {
        (rule.apply)(plan);
    }
}

/// The plan as text, and again after each rule that changed it, under the rule's name.
pub fn trace(plan: &Plan) -> String {
    let mut plan = plan.clone();
    let mut text = plan.to_string();
    for rule in &RULES {
        if (rule.apply)(&mut plan) {
            text.push_str(&format!("== {}\n{plan}", rule.name));
        }
    }
    text
}

/// Calls `rewrite` for each pipeline, inner ones first, with its liveness as it was before.
fn rewrite_pipelines(
    pipeline: &mut Pipeline,
    liveness: &PipelineLiveness,
    rewrite: &mut impl FnMut(&mut Pipeline, &PipelineLiveness) -> bool,
) -> bool {
    let mut changed = false;
    count_work(pipeline.ops.len());
    for (op, inside) in pipeline.ops.iter_mut().zip(&liveness.inside) {
        for (sub, live) in op.subplans_mut().iter_mut().zip(inside) {
            changed |= rewrite_pipelines(sub, live, rewrite);
        }
    }
    rewrite(pipeline, liveness) | changed
}

/// The same for all pipelines of a plan, until nothing changes.
fn rewrite_plan(
    plan: &mut Plan,
    mut rewrite: impl FnMut(&mut Pipeline, &PipelineLiveness) -> bool,
) -> bool {
    let mut changed = false;
    loop {
        let liveness = plan_liveness(plan);
        let mut again = rewrite_pipelines(&mut plan.root, &liveness.root, &mut rewrite);
        for (binding, live) in plan.lets.iter_mut().zip(&liveness.lets) {
            again |= rewrite_pipelines(&mut binding.pipeline, live, &mut rewrite);
        }
        if !again {
            return changed;
        }
        changed = true;
    }
}

/// A pipeline, the columns read later in it, the order demanded, and whether its rows are grouped behind it.
struct OrderedPipeline<'p> {
    pipeline: &'p mut Pipeline,
    liveness: &'p PipelineLiveness,
    order: &'p PipelineOrder,
    grouped: bool,
}

/// Calls `rewrite` for pipelines, with the plan's columns to add to, until none of them changes; the
/// facts are found anew after each change.
fn rewrite_ordered(
    plan: &mut Plan,
    mut rewrite: impl FnMut(OrderedPipeline<'_>, &mut Vec<Name>) -> bool,
) -> bool {
    let mut changed = false;
    loop {
        let liveness = plan_liveness(plan);
        let order = plan_order(plan, &liveness);
        let facts = liveness.lets.iter().zip(&order.lets).chain([(&liveness.root, &order.root)]);
        let pipelines = plan.lets.iter_mut().map(|binding| &mut binding.pipeline);
        let mut pipelines = pipelines.chain([&mut plan.root]).zip(facts);
        let columns = &mut plan.columns;
        let again = pipelines.any(|(pipeline, (liveness, order))| {
            let found = OrderedPipeline { pipeline, liveness, order, grouped: false };
            rewrite_first(found, columns, &mut rewrite)
        });
        if !again {
            return changed;
        }
        changed = true;
    }
}

/// Changes the first pipeline that can be, inner ones first.
fn rewrite_first(
    found: OrderedPipeline<'_>,
    columns: &mut Vec<Name>,
    rewrite: &mut impl FnMut(OrderedPipeline<'_>, &mut Vec<Name>) -> bool,
) -> bool {
    let OrderedPipeline { pipeline, liveness, order, grouped: at_end } = found;
    // A rule looks from each operator at those before it.
    count_work(pipeline.ops.len() * pipeline.ops.len());
    let behind = grouped(&pipeline.ops, at_end);
    for (index, op) in pipeline.ops.iter_mut().enumerate() {
        let grouped = grouped_in_subplans(op, behind[index + 1]);
        let facts = liveness.inside[index].iter().zip(&order.inside[index]);
        for (pipeline, (liveness, order)) in op.subplans_mut().iter_mut().zip(facts) {
            let found = OrderedPipeline { pipeline, liveness, order, grouped };
            if rewrite_first(found, columns, rewrite) {
                return true;
            }
        }
    }
    rewrite(OrderedPipeline { pipeline, liveness, order, grouped: at_end }, columns)
}

/// The parts of a predicate that all must hold.
fn parts(predicate: &Expr) -> &[Expr] {
    if let Expr::And(parts) = predicate { parts } else { std::slice::from_ref(predicate) }
}

/// The column and the label of a test of a label.
fn label_of(predicate: &Expr) -> Option<(ColumnId, &Name)> {
    let Expr::HasLabel { vertex, label } = predicate else { return None };
    let Expr::Column(column) = &**vertex else { return None };
    Some((*column, label))
}

/// The predicate that holds where all parts do; `None` without any.
fn conjunction(mut parts: Vec<Expr>) -> Option<Expr> {
    match parts.len() {
        0 | 1 => parts.pop(),
        _ => Some(Expr::And(parts)),
    }
}

/// Where hops and tests of their rows stand together. A subplan that tests their ends only comes behind them:
/// there rows can have merged.
fn runs_of_hops(ops: &[Op]) -> Vec<Range<usize>> {
    let (mut runs, mut start) = (Vec::new(), 0);
    for run in ops.chunk_by(|left, right| is_hop_or_test(left) == is_hop_or_test(right)) {
        let end = start + run.len();
        if is_hop_or_test(&run[0]) {
            let behind = run.iter().rev().take_while(|op| matches!(op, Op::Apply(_))).count();
            if behind < run.len() {
                runs.push(start..end - behind);
            }
        }
        start = end;
    }
    runs
}

fn is_hop_or_test(op: &Op) -> bool {
    let is_hop = matches!(op, Op::Expand(_) | Op::ExpandInto(_) | Op::Filter(_));
    let is_test = |kind: &ApplyKind| matches!(kind, ApplyKind::Exists | ApplyKind::Absent);
    is_hop || matches!(op, Op::Apply(op::Apply { kind, .. }) if is_test(kind)) && !op.has_effect()
}

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn rules_stand_in_the_order_of_their_phases_and_have_names_of_their_own() {
        assert!(RULES.is_sorted_by_key(|rule| rule.phase));
        let mut names: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}
