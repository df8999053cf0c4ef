//! `Scan a; Expand a -> b; …; Expand … -> z` with the label of `z` tested at its end starts from `z`, where hints
//! say that it is found among fewer.
//!
//! Proof: without regard to order, the chain gives a row for each choice of vertices and edges such that each edge
//! joins its two vertices as its hop wants and all filters hold. An edge lies in the list of both its ends, once in
//! each, and a loop as often in one direction as in the other; so hops that go the other way, from `z` to `a`, give
//! the same choices, each as often. The label that `a` was scanned by becomes a filter of it, the one that was
//! tested of `z` a scan. Filters stand as soon as what they read is there, in their order; none of them may fail,
//! for they are asked of other rows. Nothing between writes or collects. So it goes only where no order is demanded
//! behind the chain. It ends: a chain is turned round only towards strictly fewer.
//!
//! First of all rules, as others look at scans and what is behind them. A chain that starts by a `Seek` stays.

use crate::analysis::{PipelineOrder, can_fail, element_columns};
use crate::base::{ColumnId, ColumnSet, Name};
use crate::expr::{Comparison, Expr};
use crate::op::{self, Demand, ElementColumns, Expand, Op, Pipeline, Scan, ScanSource};
use crate::plan::{Hints, Plan};
use crate::rules::{OrderedPipeline, Phase, Rule, conjunction, parts, rewrite_ordered};

pub(in crate::rules) const RULE: Rule = Rule {
    name: "start_by_hints",
    phase: Phase::Subplans,
    why: "a pattern is walked from the end that fewer vertices can be",
    apply,
};

fn apply(plan: &mut Plan) -> bool {
    let hints = plan.hints.clone();
    if hints.is_empty() {
        return false;
    }
    let elements = element_columns(plan);
    rewrite_ordered(plan, |OrderedPipeline { pipeline, order, .. }, _| {
        (0..pipeline.ops.len()).any(|index| turn_round(pipeline, index, order, &hints, &elements))
    })
}

/// A chain: its scan, its hops, its filters.
struct LinearPattern<'p> {
    start: ColumnId,
    label: Option<&'p Name>,
    hops: Vec<&'p Expand>,
    filters: Vec<&'p Expr>,
    /// Behind its last operator.
    end: usize,
}

/// Whether anything depends on the order in which an operator's rows come.
fn order_matters(order: &PipelineOrder, index: usize) -> bool {
    order.output[index] != Demand::Free
}

fn turn_round(
    pipeline: &mut Pipeline,
    index: usize,
    order: &PipelineOrder,
    hints: &Hints,
    elements: &ElementColumns,
) -> bool {
    let Some(chain) = chain(&pipeline.ops, index) else { return false };
    if order_matters(order, chain.end - 1)
        || chain.filters.iter().any(|filter| can_fail(filter, elements, true))
    {
        return false;
    }
    let Some(reversed) = reversed(&chain, hints) else { return false };
    let end = chain.end;
    pipeline.ops.splice(index..end, reversed);
    true
}

/// The longest chain that begins at a place.
fn chain(ops: &[Op], index: usize) -> Option<LinearPattern<'_>> {
    let Op::Scan(Scan { source: ScanSource::Vertices(label), to: start }) = &ops[index] else {
        return None;
    };
    let (mut hops, mut filters, mut at) = (Vec::<&Expand>::new(), Vec::new(), *start);
    let mut end = index + 1;
    for op in &ops[end..] {
        if let Op::Filter(op::Filter { predicate }) = op {
            filters.push(predicate);
        } else if let Op::Expand(hop) = op
            && hop.from == at
            && let Some(to) = hop.to
        {
            hops.push(hop);
            at = to;
        } else {
            break;
        }
        end += 1;
    }
    (!hops.is_empty()).then_some(LinearPattern {
        start: *start,
        label: label.as_ref(),
        hops,
        filters,
        end,
    })
}

/// The chain from its other end, if that is found among fewer.
fn reversed(chain: &LinearPattern<'_>, hints: &Hints) -> Option<Vec<Op>> {
    let last = chain.hops.last()?.to?;
    let label = chain.filters.iter().flat_map(|filter| parts(filter)).find_map(|part| {
        let Expr::HasLabel { vertex, label } = part else { return None };
        (**vertex == Expr::Column(last)).then_some(label)
    })?;
    let of_start = found_among(chain, chain.start, chain.label, hints)?;
    let of_end = found_among(chain, last, Some(label), hints)?;
    if of_start <= of_end {
        return None;
    }
    let tested = Expr::HasLabel { vertex: Box::new(Expr::Column(last)), label: label.clone() };
    let kept = chain.filters.iter().filter_map(|filter| without(filter, &tested));
    let own = chain.label.map(|label| {
        let vertex = Box::new(Expr::Column(chain.start));
        Expr::HasLabel { vertex, label: label.clone() }
    });
    let mut filters: Vec<Expr> = own.into_iter().chain(kept).collect();
    let source = ScanSource::Vertices(Some(label.clone()));
    // What the chain has not made yet; all else is there from the beginning.
    let mut missing: ColumnSet = chain.hops.iter().filter_map(|hop| hop.edge).collect();
    missing.extend(chain.hops.iter().map(|hop| hop.from));
    let mut ops: Vec<Op> = vec![Scan { source, to: last }.into()];
    add_filters(&mut ops, &mut filters, &missing);
    for hop in chain.hops.iter().rev() {
        let (from, direction) = (hop.to?, hop.direction.reverse());
        let turned = Expand { from, to: Some(hop.from), direction, ..(*hop).clone() };
        missing.remove(&hop.from);
        hop.edge.inspect(|edge| {
            missing.remove(edge);
        });
        ops.push(turned.into());
        add_filters(&mut ops, &mut filters, &missing);
    }
    Some(ops)
}

/// Adds the filters that read nothing that is missing.
fn add_filters(ops: &mut Vec<Op>, filters: &mut Vec<Expr>, missing: &ColumnSet) {
    let (later, now) = std::mem::take(filters).into_iter().partition(|filter: &Expr| {
        let mut read = ColumnSet::new();
        filter.read_columns(&mut read);
        !read.is_disjoint(missing)
    });
    *filters = later;
    ops.extend(now.into_iter().map(|predicate| Op::Filter(op::Filter { predicate })));
}

/// A predicate without a part of it, if something is left.
fn without(predicate: &Expr, part: &Expr) -> Option<Expr> {
    let left: Vec<Expr> = parts(predicate).iter().filter(|own| *own != part).cloned().collect();
    conjunction(left)
}

/// About how many vertices an end of the chain can be: those with the label, or those that an index finds by
/// a value that one of the filters wants.
fn found_among(
    chain: &LinearPattern<'_>,
    end: ColumnId,
    label: Option<&Name>,
    hints: &Hints,
) -> Option<u64> {
    let all = hints.vertices_with(label)?;
    let made: ColumnSet =
        chain.hops.iter().flat_map(|hop| [Some(hop.from), hop.to, hop.edge]).flatten().collect();
    let wanted = |part: &Expr| {
        let Expr::Compare { comparison: Comparison::Equal, left, right } = part else {
            return None;
        };
        let key = |side: &Expr, other: &Expr| {
            let Expr::Property { element, key } = side else { return None };
            let mut read = ColumnSet::new();
            other.read_columns(&mut read);
            (**element == Expr::Column(end) && read.is_disjoint(&made)).then(|| key.clone())
        };
        let key = key(left, right).or_else(|| key(right, left))?;
        hints.vertices_by_key(label, &key, all)
    };
    let by_index = chain.filters.iter().flat_map(|filter| parts(filter)).filter_map(wanted).min();
    Some(by_index.map_or(all, |found| found.min(all)))
}
