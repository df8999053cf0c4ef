//! Hops with edges that must all differ, of which only the number matters: an inclusion–exclusion over which
//! edges coincide, so that rows merge and the last hop is a degree (docs/design/algebra.md, section 6).
//!
//! ```text
//!   r1, r2, r3 differ:  N = walks − [r1=r2] − [r2=r3] − [r1=r3] + 2·[r1=r2=r3]
//! ```
//!
//! Proof. Let the rows of the hops without the tests be tuples (r1 … rn) of edges, with other columns.
//! For a partition π of 1..n let A(π) be the number of rows in which edges of one block are the same
//! edge, and E(π) the number in which exactly those are: A(π) is the sum of E(σ) over all σ that π
//! refines. The wanted N is E of the partition into single edges, so by Möbius
//! inversion in the lattice of partitions N is the sum over all π of μ(π)·A(π), where μ(π) is the
//! product over its blocks B of (−1)^(|B|−1)·(|B|−1)! (Rota 1964). The same holds for the rows of
//! each key by themselves, as a row belongs to one key.
//!
//! A(π) is counted by the same hops, but of each block only the first is walked. A later hop of the
//! block has the same edge again: it must start at an end of the edge from which its direction
//! leads along it, and it ends at the other. Which end is known from the first hop: walked in the
//! same direction both start alike, in the opposite one hop starts where the other ended, and a
//! hop that may go either way starts at either end (a loop, which is seen once, included). So a
//! first hop that may go either way must not be followed by one that may not: which end is the
//! source is then not known. Types of a block are those that all its hops have.
//!
//! The keys are the columns that are read later. A key with the sum 0 had no row, and `Weigh` drops it; so
//! operators behind see the rows that they saw before, equal ones as one with a weight, and no others. The
//! rows come in another order, so no later operator may depend on it.
//!
//! It is done where rows are grouped behind the hops (`analysis/grouped.rs`) and some vertex on the way is
//! not read: a listing would have all its rows counted first. Where merging is off it does nothing: the rows
//! would be right, but without merges each term walks as much as the plan, fifteen times as much for four
//! edges.
//!
//! Other tests between see rows here that a test would have dropped, so they may not fail. Left
//! alone: edges read by anything else, edges of ways, more than four edges (15 terms). A term larger
//! than 64 bits is an error, as is a count.

use crate::analysis::{can_fail, element_columns, grouped};
use crate::base::{ColumnId, ColumnSet, Name};
use crate::expr::{Comparison, Expr, Fold};
use crate::functions::{Arithmetic, Function};
use crate::op::{self, Demand, ElementColumns, Loops, Op, Pipeline, UnionPick};
use crate::plan::Plan;
use crate::rules::{OrderedPipeline, Phase, Rule, rewrite_ordered, runs_of_hops};
use millrace_model::Direction;
use std::ops::Range;

pub(in crate::rules) const RULE: Rule = Rule {
    name: "distinct_count",
    phase: Phase::Subplans,
    why: "edges that must differ keep rows apart; counted as walks less those that use an edge twice, rows merge",
    apply,
};

/// Edges that may have to differ: 15 terms.
const EDGES_MAX: usize = 4;

fn apply(plan: &mut Plan) -> bool {
    if !plan.merging {
        return false;
    }
    let elements = element_columns(plan);
    rewrite_ordered(plan, |found, columns| rewrite_one(found, columns, &elements))
}

fn rewrite_one(
    found: OrderedPipeline<'_>,
    columns: &mut Vec<Name>,
    elements: &ElementColumns,
) -> bool {
    let OrderedPipeline { pipeline, liveness, order, grouped: at_end } = found;
    let grouped = grouped(&pipeline.ops, at_end);
    for Range { start, end } in runs_of_hops(&pipeline.ops) {
        if !pipeline.ops[start..end].iter().any(|op| tested_of(op).is_some()) {
            continue;
        }
        for end in (start + 1..=end).rev() {
            if order.output[end - 1] != Demand::Free || !grouped[end] {
                continue;
            }
            let keys: Vec<ColumnId> = liveness.after[end - 1].iter().copied().collect();
            for start in start..end {
                let ops = &pipeline.ops[start..end];
                let Some(chain) = Chain::of(ops, &keys, elements) else { continue };
                let ops = chain.counted(&keys, columns);
                pipeline.ops.splice(start..end, ops);
                return true;
            }
        }
    }
    false
}

/// Whether a test of a row may fail for a row that another would have dropped.
fn may_fail(op: &Op, elements: &ElementColumns) -> bool {
    if let Op::Filter(op::Filter { predicate }) = op {
        return can_fail(predicate, elements, true);
    }
    let tests = matches!(op, Op::Expand(_) | Op::ExpandInto(_) | Op::Apply(_));
    !tests || op.subplans().iter().any(|sub| sub.ops.iter().any(|op| may_fail(op, elements)))
}

/// Hops with edges that must all differ, and the operators between them.
struct Chain<'p> {
    ops: &'p [Op],
    /// The hops with an edge that must differ, first to last.
    hops: Vec<Hop>,
}

/// A hop that its ends identify.
#[derive(Clone)]
struct Hop {
    edge: ColumnId,
    from: ColumnId,
    to: ColumnId,
    /// Whether its end was bound before.
    into: bool,
    direction: Direction,
    types: Option<Vec<Name>>,
}

impl Hop {
    fn of(op: &Op) -> Option<Hop> {
        let (from, to, edge, into) = if let Op::Expand(op::Expand { from, edge, to, .. }) = op {
            (*from, (*to)?, (*edge)?, false)
        } else if let Op::ExpandInto(op::ExpandInto { from, into, edge, .. }) = op {
            (*from, *into, (*edge)?, true)
        } else {
            return None;
        };
        let (Op::Expand(op::Expand { types, direction, loops, .. })
        | Op::ExpandInto(op::ExpandInto { types, direction, loops, .. })) = op
        else {
            return None;
        };
        let hop = Hop { edge, from, to, into, direction: *direction, types: types.clone() };
        let loops_once = hop.direction != Direction::Both || *loops == Loops::Once;
        loops_once.then_some(hop)
    }

    /// The same hop over the types that all of a block have; its edge is not read.
    fn walked(&self, block: &[&Hop]) -> Op {
        let types = block.iter().fold(self.types.clone(), |types, hop| common(types, &hop.types));
        let (from, direction, edge, loops) = (self.from, self.direction, None, Loops::Once);
        match self.into {
            true => Op::ExpandInto(op::ExpandInto {
                from,
                into: self.to,
                types,
                direction,
                edge,
                loops,
            }),
            false => {
                Op::Expand(op::Expand { from, types, direction, edge, to: Some(self.to), loops })
            }
        }
    }

    /// This hop by the edge that another walked before.
    fn again(&self, first: &Hop) -> Vec<Op> {
        let (same, opposite) = (Expr::Column(first.to), Expr::Column(first.from));
        let starts = |column| (self.from != column).then(|| equal(self.from, Expr::Column(column)));
        let (starts, end) = match (self.direction, first.direction) {
            (Direction::Both, _) => {
                let ends = [first.from, first.to].map(starts);
                // It is one of the ends by name: then which one need not be asked.
                match ends {
                    [None, _] => (None, same),
                    [_, None] => (None, opposite),
                    [Some(at_start), Some(at_end)] => {
                        let branches = vec![(at_start.clone(), same)];
                        let other = Expr::Case { branches, otherwise: Some(Box::new(opposite)) };
                        (Some(Expr::Or(vec![at_start, at_end])), other)
                    }
                }
            }
            (own, other) if own == other => (starts(first.from), same),
            _ => (starts(first.to), opposite),
        };
        let ends = if self.into { Some(equal(self.to, end.clone())) } else { None };
        let filters = starts.into_iter().chain(ends);
        let filters = filters.map(|predicate| Op::Filter(op::Filter { predicate }));
        let project =
            (!self.into).then(|| Op::Project(op::Project { columns: vec![(self.to, end)] }));
        filters.chain(project).collect()
    }
}

fn equal(column: ColumnId, other: Expr) -> Expr {
    Expr::compare(Comparison::Equal, Expr::Column(column), other)
}

fn common(types: Option<Vec<Name>>, others: &Option<Vec<Name>>) -> Option<Vec<Name>> {
    match (types, others) {
        (Some(mut types), Some(others)) => {
            types.retain(|name| others.contains(name));
            Some(types)
        }
        (None, others) => others.clone(),
        (types, None) => types,
    }
}

impl Chain<'_> {
    fn of<'p>(ops: &'p [Op], keys: &[ColumnId], elements: &ElementColumns) -> Option<Chain<'p>> {
        let tested: ColumnSet = ops.iter().filter_map(tested).flatten().collect();
        let mut hops: Vec<Hop> = Vec::new();
        let mut differ = Vec::new();
        for op in ops {
            if let Some((own, others)) = tested_of(op) {
                differ.push((own, others));
            } else if op.made_columns().iter().any(|made| tested.contains(made)) {
                hops.push(Hop::of(op)?);
            } else if !op.read_columns().is_disjoint(&tested) || may_fail(op, elements) {
                return None;
            }
        }
        let edges: Vec<ColumnId> = hops.iter().map(|hop| hop.edge).collect();
        let all_differ = (1..edges.len()).all(|at| {
            let before: ColumnSet = edges[..at].iter().copied().collect();
            differ.iter().any(|(own, others)| *own == edges[at] && *others == before)
        });
        // A hop by either way says nothing of where a later one's edge starts.
        let known = hops.iter().skip_while(|hop| hop.direction != Direction::Both);
        let known = known.into_iter().all(|hop| hop.direction == Direction::Both);
        let fits = (2..=EDGES_MAX).contains(&edges.len()) && differ.len() + 1 == edges.len();
        let is_free = keys.iter().all(|key| !edges.contains(key));
        let are_all = edges.len() == tested.len();
        let merges = hops.iter().any(|hop| !hop.into && !keys.contains(&hop.to));
        let fits = fits && all_differ && known && is_free && are_all && merges;
        fits.then_some(Chain { ops, hops })
    }

    /// The rows of these keys, each with a weight.
    fn counted(&self, keys: &[ColumnId], columns: &mut Vec<Name>) -> Vec<Op> {
        let mut column = |name: &str| {
            columns.push(Name::from(name));
            ColumnId(columns.len() as u32 - 1)
        };
        let [part, signed, total] = ["part", "signed", "total"].map(&mut column);
        let branches = partitions(self.hops.len()).into_iter().map(|block_of| {
            let mut ops = self.term(&block_of);
            ops.push(Op::Aggregate(op::Aggregate {
                keys: keys.to_vec(),
                folds: vec![(part, Fold::Count)],
            }));
            let (left, right) = (Expr::Column(part), Expr::literal(sign(&block_of)));
            let (operation, left) = (Arithmetic::Multiply, Box::new(left));
            let signed_part = Expr::Arithmetic { operation, left, right: Box::new(right) };
            ops.push(Op::Project(op::Project { columns: vec![(signed, signed_part)] }));
            Pipeline { ops }
        });
        let branches = branches.collect();
        let sum = Fold::Sum(Expr::Column(signed));
        vec![
            Op::Union(op::Union { branches, pick: UnionPick::All }),
            Op::Aggregate(op::Aggregate { keys: keys.to_vec(), folds: vec![(total, sum)] }),
            Op::Weigh(op::Weigh { by: total }),
        ]
    }

    /// The hops of a partition, given by the block of each: the first of each block walked.
    fn term(&self, block_of: &[usize]) -> Vec<Op> {
        let mut ops = Vec::new();
        for op in self.ops {
            let made = op.made_columns();
            let hop = self.hops.iter().position(|hop| made.contains(&hop.edge));
            if tested(op).is_some() {
                continue;
            }
            let Some(at) = hop else {
                ops.push(op.clone());
                continue;
            };
            let own = |place: &usize| block_of[*place] == block_of[at];
            let block: Vec<&Hop> =
                (0..self.hops.len()).filter(own).map(|place| &self.hops[place]).collect();
            let first = block[0];
            if first.edge == self.hops[at].edge {
                ops.push(first.walked(&block));
            } else {
                ops.extend(self.hops[at].again(first));
            }
        }
        ops
    }
}

/// The edges of a test that edges differ.
fn tested(op: &Op) -> Option<ColumnSet> {
    let (own, mut others) = tested_of(op)?;
    others.insert(own);
    Some(others)
}

/// The same, the edge that differs from the others apart.
fn tested_of(op: &Op) -> Option<(ColumnId, ColumnSet)> {
    let Op::Filter(op::Filter {
        predicate: Expr::Call { function: Function::DiffersFrom, arguments },
    }) = op
    else {
        return None;
    };
    let column = |expr: &Expr| {
        if let Expr::Column(column) = expr { Some(*column) } else { None }
    };
    let all: Option<Vec<ColumnId>> = arguments.iter().map(column).collect();
    let all = all?;
    let (own, others) = all.split_first()?;
    Some((*own, others.iter().copied().collect()))
}

/// All partitions of so many things: for each thing the number of its block, new blocks in order.
fn partitions(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = all.into_iter().flat_map(|start: Vec<usize>| {
            let blocks = start.iter().max().map_or(0, |last| last + 1);
            (0..=blocks).map(move |block| start.iter().copied().chain([block]).collect())
        });
        all = longer.collect();
    }
    all.sort_by_key(|block_of: &Vec<usize>| std::cmp::Reverse(block_of.iter().max().copied()));
    all
}

/// The product over blocks of (−1)^(size−1) · (size−1)!.
fn sign(block_of: &[usize]) -> i64 {
    let size = |block| block_of.iter().filter(|own| **own == block).count() as i64;
    let blocks = block_of.iter().max().map_or(0, |last| last + 1);
    (0..blocks).map(|block| (1..size(block)).map(|factor| -factor).product::<i64>()).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_all_partitions_are_those_of_the_lattice() {
        let signs = |len| partitions(len).iter().map(|own| sign(own)).collect::<Vec<_>>();
        assert_eq!(signs(2), [1, -1]);
        assert_eq!(signs(3), [1, -1, -1, -1, 2]);
        assert_eq!(partitions(4).len(), 15);
        // Falling factorials: the number of injective maps, by n to the number of blocks.
        for (len, n) in [(2, 5_i64), (3, 5), (4, 5), (4, 2)] {
            let blocks = |own: &[usize]| own.iter().max().map_or(0, |last| *last as u32 + 1);
            let sum: i64 = partitions(len).iter().map(|own| sign(own) * n.pow(blocks(own))).sum();
            assert_eq!(sum, (0..len as i64).map(|less| n - less).product::<i64>());
        }
    }
}
