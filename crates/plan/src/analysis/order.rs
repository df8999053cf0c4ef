//! Which order is demanded of each operator's output: a backward pass
//! (docs/design/algebra.md, section 1).
//!
//! Where nothing is demanded a frontier may leave in id order; where first appearance is
//! demanded equal rows may still be merged at the first one's place. A `Sort` frees its input only when
//! its keys distinguish *all* rows; otherwise ties keep the order of the input.
//!
//! In a plan where only a `Sort` makes an order, a forward pass finds where rows have one: behind a `Sort`, as
//! far as operators keep it. Elsewhere nothing is demanded, and a `Sort` frees its input in any case. In such a plan
//! that writes, rows also have the order of the lists and calls that they come from: clients join what they wrote with
//! what they sent by its place.

use std::collections::BTreeSet;

use super::elements::element_columns;
use super::liveness::PlanLiveness;
use crate::base::{ColumnId, LetId, Name};
use crate::expr::{Expr, SideFold};
use crate::op::{self, Demand, ElementColumns, Op, Pipeline, PipelineLiveness};
use crate::plan::Plan;

/// The demands along one pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineOrder {
    /// Of the rows it starts from.
    pub input: Demand,
    /// Of the output of each operator.
    pub output: Vec<Demand>,
    /// The same for the subplans of each operator.
    pub inside: Vec<Vec<PipelineOrder>>,
}

/// The demands of each pipeline of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanOrder {
    /// For each `Let`.
    pub lets: Vec<PipelineOrder>,
    /// For the root.
    pub root: PipelineOrder,
}

/// The order demanded everywhere in a plan.
pub fn plan_order(plan: &Plan, liveness: &PlanLiveness) -> PlanOrder {
    let orders = Orders {
        elements: element_columns(plan),
        looked_up: plan.side_effects_looked_up(),
        sorted: plan.sorted_only.then(|| SortedLets::of(plan)),
    };
    let listed = listed(plan);
    let demand_of_let = |number: usize| {
        // A set test does not see the order of a `Let`; a listing does.
        if listed.contains(&LetId(number as u32)) { Demand::Full } else { Demand::Free }
    };
    let lets = plan.lets.iter().zip(&liveness.lets).enumerate();
    let lets = lets.map(|(number, (binding, live))| {
        orders.pipeline(&binding.pipeline, live, demand_of_let(number), false)
    });
    let at_end = if plan.ordered { Demand::Full } else { Demand::Free };
    PlanOrder {
        lets: lets.collect(),
        root: orders.pipeline(&plan.root, &liveness.root, at_end, false),
    }
}

/// The `Let`s that are listed, found in one pass: a pass for each takes time with the square of their number.
fn listed(plan: &Plan) -> BTreeSet<LetId> {
    let mut listed = BTreeSet::new();
    let pipelines = plan.lets.iter().map(|binding| &binding.pipeline).chain([&plan.root]);
    pipelines.for_each(|pipeline| {
        pipeline.visit_ops(&mut |op| {
            if let Op::LetRef(op::LetRef { name, .. }) = op {
                listed.insert(*name);
            }
            for expr in op.exprs() {
                expr.walk(&mut |expr| {
                    if let Expr::Let { name, .. } = expr {
                        listed.insert(*name);
                    }
                });
            }
        });
    });
    listed
}

struct Orders {
    elements: ElementColumns,
    /// The side effects with a visible order.
    looked_up: BTreeSet<Name>,
    /// Where only a `Sort` makes an order.
    sorted: Option<SortedLets>,
}

/// Where rows have an order that a `Sort` made, or in a plan that writes a list.
struct SortedLets {
    /// The `Let`s that end with one.
    lets: Vec<bool>,
    /// Whether the plan writes.
    writes: bool,
}

impl SortedLets {
    fn of(plan: &Plan) -> SortedLets {
        let mut lets = SortedLets { lets: Vec::new(), writes: plan.root.has_effect() };
        for binding in &plan.lets {
            // It reads only earlier ones.
            let ends = lets.after(&binding.pipeline, false);
            lets.lets.push(ends);
        }
        lets
    }

    /// Whether rows have an order at a pipeline's end.
    fn after(&self, pipeline: &Pipeline, start: bool) -> bool {
        pipeline.ops.iter().fold(start, |sorted, op| self.after_op(op, sorted))
    }

    fn after_op(&self, op: &Op, before: bool) -> bool {
        if let Op::LetRef(op::LetRef { name, .. }) = op {
            return before || self.lets.get(name.0 as usize).copied().unwrap_or(true);
        }
        let kept = before && op.keeps_order();
        let start = self.start_of_subplans(op, before);
        let listed = self.writes && matches!(op, Op::Unwind(_) | Op::Rows(_) | Op::Call(_));
        op.sort_keys().is_some()
            || listed
            || kept
            || op.subplans().iter().any(|sub| self.after(sub, start))
    }

    /// Whether the rows that an operator's subplans start from have one. Those of an `Apply` start from one
    /// row each, but the order of all of them is that of the outer rows.
    fn start_of_subplans(&self, op: &Op, before: bool) -> bool {
        // A round starts from what the one before gave.
        before || op.repeat().is_some_and(|repeat| self.after(&repeat.body, false))
    }
}

impl Orders {
    fn pipeline(
        &self,
        pipeline: &Pipeline,
        liveness: &PipelineLiveness,
        at_end: Demand,
        is_sorted: bool,
    ) -> PipelineOrder {
        let sorted = self.sorted_at(pipeline, is_sorted);
        let mut demand = where_sorted(at_end, sorted[pipeline.ops.len()]);
        let (mut output, mut inside) = (Vec::new(), Vec::new());
        for (index, op) in pipeline.ops.iter().enumerate().rev() {
            let inside_live = &liveness.inside[index];
            let subplans: Vec<_> = match op.repeat() {
                Some(repeat) => {
                    let start = self
                        .sorted
                        .as_ref()
                        .is_none_or(|lets| lets.start_of_subplans(op, sorted[index]));
                    vec![self.body(&repeat.body, &inside_live[0], demand, start)]
                }
                None => op
                    .subplans()
                    .iter()
                    .zip(inside_live)
                    .map(|(sub, live)| {
                        self.pipeline(sub, live, op.order_of_subplans(demand), sorted[index])
                    })
                    .collect(),
            };
            let frees = self.sorted.is_some() && op.sort_keys().is_some();
            let before = if frees || self.is_sorted_totally(op, &pipeline.ops[..index]) {
                Demand::Free
            } else if let Some(fold) = self.adds_in_order(op) {
                // Equal values stand together in a bag, at the place of the first.
                if fold == SideFold::Bag {
                    demand.max(Demand::FirstAppearance)
                } else {
                    Demand::Full
                }
            } else {
                let inputs: Vec<Demand> = subplans.iter().map(|sub| sub.input).collect();
                op.order_needed(demand, &liveness.after[index], &inputs)
            };
            let before = where_sorted(before, sorted[index]);
            output.push(std::mem::replace(&mut demand, before));
            inside.push(subplans);
        }
        output.reverse();
        inside.reverse();
        PipelineOrder { input: demand, output, inside }
    }

    /// What a round gives is what the next one starts from: a fixpoint.
    fn body(
        &self,
        body: &Pipeline,
        liveness: &PipelineLiveness,
        after: Demand,
        is_sorted: bool,
    ) -> PipelineOrder {
        let order = self.pipeline(body, liveness, after, is_sorted);
        if order.input <= after {
            return order;
        }
        self.body(body, liveness, order.input, is_sorted)
    }

    /// Whether rows have an order before each operator, and at the end; they always do where a `Sort` is not
    /// needed for one.
    fn sorted_at(&self, pipeline: &Pipeline, start: bool) -> Vec<bool> {
        let Some(lets) = &self.sorted else { return vec![true; pipeline.ops.len() + 1] };
        let mut sorted = vec![start];
        for op in &pipeline.ops {
            let before = sorted[sorted.len() - 1];
            sorted.push(lets.after_op(op, before));
        }
        sorted
    }

    /// The target, if its order is seen.
    fn adds_in_order(&self, op: &Op) -> Option<SideFold> {
        if let Op::SideEffect(op::SideEffect { name, fold, .. }) = op {
            return self.looked_up.contains(name).then_some(*fold);
        }
        None
    }

    /// Whether it sorts by keys that distinguish all rows: the rows are distinct on columns that
    /// are all keys, and hold elements, which compare as equal only when they are the same.
    fn is_sorted_totally(&self, op: &Op, upstream: &[Op]) -> bool {
        let Some(keys) = op.sort_keys() else { return false };
        let is_key = |column: &ColumnId| {
            self.elements.contains_key(column)
                && keys.iter().any(|key| key.by == Expr::Column(*column))
        };
        let decides = |op: &&Op| !matches!(op, Op::Filter(_) | Op::Project(_));
        let distinct_columns =
            upstream.iter().rev().find(decides).and_then(|op| op.distinct_columns());
        distinct_columns.is_some_and(|columns| columns.iter().all(is_key))
    }
}

/// What is demanded of rows that have an order, or have none.
fn where_sorted(demand: Demand, is_sorted: bool) -> Demand {
    if is_sorted { demand } else { Demand::Free }
}

#[cfg(test)]
mod tests {
    use millrace_model::Direction;
    use millrace_model::compare::CompareMode;

    use super::*;
    use crate::analysis::plan_liveness;
    use crate::builder::PlanBuilder;
    use crate::expr::Fold;
    use crate::op::{self, ApplyKind, Nulls, SortKey};

    fn by(column: ColumnId) -> SortKey {
        SortKey { by: Expr::Column(column), descending: false, nulls: Nulls::Last }
    }

    fn demands(plan: &Plan) -> Vec<Demand> {
        let order = plan_order(plan, &plan_liveness(plan)).root;
        [order.input].into_iter().chain(order.output).collect()
    }

    #[test]
    fn a_top_k_over_distinct_vertices_frees_what_is_before_it() {
        use Demand::{Free, Full};
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let x = builder.expand(v, Direction::Out, None, "x");
        let n = builder.aggregate(&[x], "n", Fold::Count);
        builder.push(op::TopK { count: 3.into(), keys: vec![by(n), by(x)] });
        let plan = builder.finish(vec![x, n]);
        assert_eq!(demands(&plan), [Free, Free, Free, Free, Full]);
    }

    #[test]
    fn where_only_a_sort_makes_an_order_nothing_before_it_has_one() {
        use Demand::{Free, Full};
        let plan = |sorted_only: bool| {
            let mut builder = PlanBuilder::new(CompareMode::Plain);
            builder = if sorted_only { builder.sorted_only() } else { builder };
            let v = builder.scan(None, "v");
            builder.push(op::Range::of(0, Some(9)));
            let k = builder.project("k", Expr::property(v, "k"));
            builder.push(op::Sort { keys: vec![by(k)] });
            builder.filter(Expr::property(v, "c"));
            builder.push(op::Range::of(0, Some(3)));
            let list = builder.aggregate(&[k], "list", Fold::Collect(Expr::Column(v)));
            builder.push(op::Tail { count: 1.into() });
            builder.finish(vec![list])
        };
        assert_eq!(demands(&plan(false)), [Full; 9]);
        // Scan, Range, Project have none; Sort, Filter and Range keep theirs for the list; groups have none.
        let expected = [Free, Free, Free, Free, Full, Full, Full, Free, Free];
        assert_eq!(demands(&plan(true)), expected);
    }

    #[test]
    fn a_list_makes_an_order_in_a_plan_that_writes() {
        use Demand::{Free, Full};
        let plan = |writes: bool| {
            let mut builder = PlanBuilder::new(CompareMode::Plain).sorted_only();
            let x = builder.column("x");
            let list = Expr::List(vec![Expr::literal(2), Expr::literal(1)]);
            builder.push(op::Unwind { list, to: x, position: None });
            let v = builder.seek("L", "k", Expr::Column(x), "v");
            if writes {
                builder.push(op::Delete { element: Expr::Column(v), detach: true });
            }
            builder.push(op::Range::of(0, Some(1)));
            builder.finish(vec![x])
        };
        assert_eq!(demands(&plan(false)), [Free; 4]);
        assert_eq!(demands(&plan(true)), [Free, Full, Full, Full, Full]);
    }

    #[test]
    fn a_let_and_a_subplan_have_the_order_of_their_own_sort() {
        use Demand::{Free, Full};
        for sorts in [false, true] {
            let mut builder = PlanBuilder::new(CompareMode::Plain).sorted_only();
            let sort = |plan: &mut PlanBuilder, column| {
                if sorts {
                    plan.push(op::Sort { keys: vec![by(column)] });
                }
            };
            let all = builder.bind("all", |plan| {
                let v = plan.scan(None, "v");
                sort(plan, v);
                v
            });
            let v = builder.column("v");
            builder.let_ref(all, &[v]);
            let list = builder.column("list");
            let fold = Fold::Collect(Expr::Column(ColumnId(3)));
            builder.apply(ApplyKind::Value { fold, to: list }, |sub| {
                let x = sub.expand(v, Direction::Out, None, "x");
                assert_eq!(x, ColumnId(3));
                sort(sub, x);
            });
            let plan = builder.finish(vec![v, list]);
            let order = plan_order(&plan, &plan_liveness(&plan));
            let expected = if sorts { Full } else { Free };
            assert_eq!(order.lets[0].output.last(), Some(&expected));
            assert_eq!(order.root.output, [expected; 2]);
            assert_eq!(order.root.inside[1][0].output.last(), Some(&expected));
        }
    }

    #[test]
    fn ties_and_values_keep_the_order_before_a_sort() {
        use Demand::{FirstAppearance, Full};
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let k = builder.project("k", Expr::property(v, "k"));
        let n = builder.aggregate(&[k], "n", Fold::Count);
        builder.push(op::Sort { keys: vec![by(k)] });
        let plan = builder.finish(vec![k, n]);
        let first = FirstAppearance;
        assert_eq!(demands(&plan), [first, first, first, Full, Full], "1 and 1.0 tie");
    }

    #[test]
    fn subplans_are_asked_for_what_their_apply_keeps() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let (list, count) = (builder.column("list"), builder.column("count"));
        let mut x = v;
        builder.apply(ApplyKind::Exists, |sub| {
            sub.expand(v, Direction::In, None, "w");
        });
        builder.apply(ApplyKind::Value { fold: Fold::Count, to: count }, |sub| {
            sub.expand(v, Direction::In, None, "u");
            sub.push(op::Range::of(0, Some(2)));
        });
        let fold = Fold::Collect(Expr::Column(ColumnId(5)));
        builder.apply(ApplyKind::Value { fold, to: list }, |sub| {
            x = sub.expand(v, Direction::Out, None, "x");
        });
        assert_eq!(x, ColumnId(5));
        let mut plan = builder.finish(vec![v, list, count]);
        plan.ordered = false;
        let order = plan_order(&plan, &plan_liveness(&plan)).root;
        let inside: Vec<_> = order.inside.iter().flatten().map(|sub| sub.output.clone()).collect();
        use Demand::{Free, Full};
        assert_eq!(inside, [vec![Free], vec![Full, Free], vec![Full]]);
        assert_eq!(order.output, [Free; 4]);
    }

    #[test]
    fn a_dedup_that_keeps_other_columns_sees_the_order() {
        let mut builder = PlanBuilder::new(CompareMode::Plain);
        let v = builder.scan(None, "v");
        let x = builder.expand(v, Direction::Out, None, "x");
        builder.push(op::Dedup { columns: vec![x] });
        let mut plan = builder.finish(vec![x]);
        plan.ordered = false;
        assert_eq!(demands(&plan), [Demand::Free; 4]);
        plan.output = vec![v, x];
        assert_eq!(demands(&plan)[2], Demand::FirstAppearance);
    }
}
