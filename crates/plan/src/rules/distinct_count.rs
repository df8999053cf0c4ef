//! `count` and `sum` of a chain of hops with edges that must all differ: an inclusion–exclusion over which
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
//! Keyless, the terms are summed for each scope, and nothing to sum is 0. With keys, each key of N
//! is one of the first term; a key with the sum 0 had no row, and is dropped. The groups come in
//! another order, so no later operator may depend on their order.
//!
//! A sum of values that one column decides beside the keys is a sum over that column's entries: each
//! value as often as its entry is counted, where that is not 0. So values are looked at that some row
//! has, and once for each entry; a value of a row that a test drops can neither fail nor leave its width, and
//! the types of the numbers do not matter. Of two columns there would be as many counts as rows.
//!
//! Where merging is off it does nothing: the count would be right, but without merges each term walks
//! as much as the plan, fifteen times as much for four edges.
//!
//! Other filters between see rows here that a test would have dropped, so they may not fail. Left
//! alone: edges read by anything else, edges of ways, more than four edges (15 terms). A term larger
//! than 64 bits is an error, as is a count.

use super::{OrderedPipeline, Phase, Rule, rewrite_ordered};
use crate::analysis::{Demand, ElementColumns, can_fail, element_columns};
use crate::columns::ColumnSet;
use crate::expr::{Arithmetic, Comparison, Expr};
use crate::fold::Fold;
use crate::functions::Function;
use crate::op::{self, ApplyKind, Loops, Op, UnionPick};
use crate::plan::{ColumnId, Name, Pipeline, Plan};
use millrace_model::Direction;

pub(super) const RULE: Rule = Rule {
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
    let OrderedPipeline { pipeline, order, .. } = found;
    for end in 0..pipeline.ops.len() {
        if let Op::Apply(op::Apply { sub, kind }) = &mut pipeline.ops[end]
            && count_of_apply(sub, kind, columns, elements)
        {
            return true;
        }
        let Op::Aggregate(op::Aggregate { keys, folds }) = &pipeline.ops[end] else { continue };
        if !keys.is_empty() && order.output[end] != Demand::Free {
            continue;
        }
        let start = start_of_hops(&pipeline.ops[..end]);
        let hops = &pipeline.ops[start..end];
        let Some(ops) = closed(hops, keys, folds, (columns, elements)) else { continue };
        pipeline.ops.splice(start..=end, ops);
        return true;
    }
    false
}

/// The operators that replace hops and the folds that close them.
fn closed(
    hops: &[Op],
    keys: &[ColumnId],
    folds: &[(ColumnId, Fold)],
    (columns, elements): (&mut Vec<Name>, &ElementColumns),
) -> Option<Vec<Op>> {
    if let [(count, Fold::Count)] = folds {
        return Some(Chain::of(hops, keys, elements)?.counted(keys, *count, columns));
    }
    let mut read = ColumnSet::new();
    for (_, fold) in folds {
        let Fold::Sum(value) = fold else { return None };
        value.read_columns(&mut read);
    }
    let others: Vec<ColumnId> = read.into_iter().filter(|column| !keys.contains(column)).collect();
    if folds.is_empty() || 1 < others.len() {
        return None;
    }
    let counted: Vec<ColumnId> = keys.iter().copied().chain(others).collect();
    let chain = Chain::of(hops, &counted, elements)?;
    columns.push(Name::from("times"));
    let times = ColumnId(columns.len() as u32 - 1);
    let mut ops = chain.counted(&counted, times, columns);
    let sum_of = |(to, fold): &(ColumnId, Fold)| {
        let value = fold.expr().cloned()?;
        Some((*to, Fold::SumTimes(Expr::List(vec![Expr::Column(times), value]))))
    };
    let folds = folds.iter().filter_map(sum_of).collect();
    ops.push(Op::Aggregate(op::Aggregate { keys: keys.to_vec(), folds }));
    Some(ops)
}

/// Where the hops at the end of some operators, and the filters between them, begin.
fn start_of_hops(ops: &[Op]) -> usize {
    let of_hops = |op: &&Op| matches!(op, Op::Expand(_) | Op::ExpandInto(_) | Op::Filter(_));
    ops.len() - ops.iter().rev().take_while(of_hops).count()
}

/// The same for a subplan with an `Apply` that counts its rows: it gives the count as its one row.
fn count_of_apply(
    sub: &mut Pipeline,
    kind: &mut ApplyKind,
    columns: &mut Vec<Name>,
    elements: &ElementColumns,
) -> bool {
    let ApplyKind::Value { fold, .. } = kind else { return false };
    let start = start_of_hops(&sub.ops);
    let to = ColumnId(columns.len() as u32);
    columns.push(Name::from(if *fold == Fold::Count { "count" } else { "sum" }));
    let folds = [(to, fold.clone())];
    let Some(ops) = closed(&sub.ops[start..], &[], &folds, (columns, elements)) else {
        columns.pop();
        return false;
    };
    sub.ops.splice(start.., ops);
    *fold = Fold::First(Expr::Column(to));
    true
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
            match (op, tested_of(op)) {
                (Op::Filter(op::Filter { predicate }), None) => {
                    let mut read = ColumnSet::new();
                    predicate.read_columns(&mut read);
                    if !read.is_disjoint(&tested) || can_fail(predicate, elements, true) {
                        return None;
                    }
                }
                (_, Some((own, others))) => differ.push((own, others)),
                (op, None) if op.made_columns().iter().any(|made| tested.contains(made)) => {
                    hops.push(Hop::of(op)?);
                }
                _ => {}
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
        (fits && all_differ && known && is_free && are_all).then_some(Chain { ops, hops })
    }

    fn counted(&self, keys: &[ColumnId], count: ColumnId, columns: &mut Vec<Name>) -> Vec<Op> {
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
        let mut ops = vec![
            Op::Union(op::Union { branches, pick: UnionPick::All }),
            Op::Aggregate(op::Aggregate { keys: keys.to_vec(), folds: vec![(total, sum)] }),
        ];
        let zero = Expr::literal(0);
        let value = if keys.is_empty() {
            let none = Expr::IsNull(Box::new(Expr::Column(total)));
            let otherwise = Some(Box::new(Expr::Column(total)));
            Expr::Case { branches: vec![(none, zero)], otherwise }
        } else {
            let is_some = Expr::compare(Comparison::NotEqual, Expr::Column(total), zero);
            ops.push(Op::Filter(op::Filter { predicate: is_some }));
            Expr::Column(total)
        };
        ops.push(Op::Project(op::Project { columns: vec![(count, value)] }));
        ops
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
