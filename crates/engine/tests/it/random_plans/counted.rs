//! Random patterns that are only counted: nodes with labels, cycles, and conditions on two of them.

use millrace_plan::{
    ApplyKind, ColumnId, Comparison, Expr, Fold, Function, Loops, Name, Op, Pipeline, ScanSource,
    op,
};

use super::generate::Generator;
use super::graph::{LABELS, TYPES};
use super::loops::DIRECTIONS;

/// Hops of a pattern: of a few vertices the oracle lists all rows.
const HOPS_MAX: u64 = 4;

/// A pattern under way.
struct Made {
    ops: Vec<Op>,
    nodes: Vec<ColumnId>,
    edges: Vec<ColumnId>,
}

impl Generator<'_> {
    /// A whole pipeline: a pattern and its count.
    pub(super) fn counted_pattern(&mut self) -> (Vec<Op>, ColumnId) {
        let start = self.column("node");
        let label = self.rng.chance(0.5).then(|| Name::from(*self.rng.pick(&LABELS)));
        let scan = Op::Scan(op::Scan { source: ScanSource::Vertices(label), to: start });
        let mut made = Made { ops: vec![scan], nodes: vec![start], edges: Vec::new() };
        for _ in 0..1 + self.rng.below(HOPS_MAX) {
            self.add_hop(&mut made);
        }
        for _ in 0..self.rng.below(3) {
            self.add_condition(&mut made);
        }
        let count = self.column("count");
        let folds = vec![(count, Fold::Count)];
        made.ops.push(Op::Aggregate(op::Aggregate { keys: Vec::new(), folds }));
        (made.ops, count)
    }

    fn some_types(&mut self) -> Option<Vec<Name>> {
        let first = *self.rng.pick(&TYPES);
        let other = *self.rng.pick(&TYPES);
        match self.rng.below(4) {
            0 => None,
            1 if first != other => Some(vec![first.into(), other.into()]),
            _ => Some(vec![first.into()]),
        }
    }

    fn add_hop(&mut self, made: &mut Made) {
        let (from, into) = (*self.rng.pick(&made.nodes), *self.rng.pick(&made.nodes));
        let (types, loops) = (self.some_types(), Loops::Once);
        let direction = *self.rng.pick(&DIRECTIONS);
        let own = self.column("edge");
        let edge = Some(own);
        if self.rng.chance(0.3) {
            made.ops.push(op::ExpandInto { from, into, types, direction, edge, loops }.into());
        } else {
            let to = self.column("node");
            made.ops.push(op::Expand { from, types, direction, edge, to: Some(to), loops }.into());
            made.nodes.push(to);
            if self.rng.chance(0.4) {
                let label = Name::from(*self.rng.pick(&LABELS));
                let predicate = Expr::HasLabel { vertex: Box::new(Expr::Column(to)), label };
                made.ops.push(op::Filter { predicate }.into());
            }
        }
        if !made.edges.is_empty() && self.rng.chance(0.5) {
            let others: Vec<ColumnId> =
                made.edges.iter().copied().filter(|_| self.rng.chance(0.7)).collect();
            let columns = [own].into_iter().chain(others.iter().copied());
            let arguments = columns.map(Expr::Column).collect();
            let predicate = Expr::call(Function::DiffersFrom, arguments);
            made.ops.extend((!others.is_empty()).then(|| op::Filter { predicate }.into()));
        }
        made.edges.push(own);
    }

    fn add_condition(&mut self, made: &mut Made) {
        let (from, into) = (*self.rng.pick(&made.nodes), *self.rng.pick(&made.nodes));
        let (types, loops) = (self.some_types(), Loops::Once);
        let direction = *self.rng.pick(&DIRECTIONS);
        made.ops.push(match self.rng.below(3) {
            0 => {
                let [left, right] = [from, into].map(Expr::Column);
                let predicate = Expr::compare(Comparison::NotEqual, left, right);
                op::Filter { predicate }.into()
            }
            1 => {
                let hop = op::ExpandInto { from, into, types, direction, edge: None, loops };
                let kind = if self.rng.chance(0.7) { ApplyKind::Absent } else { ApplyKind::Exists };
                op::Apply { sub: Pipeline { ops: vec![hop.into()] }, kind }.into()
            }
            _ => {
                let to = self.column("optional");
                let hop = op::Expand { from, types, direction, edge: None, to: Some(to), loops };
                let vertex = Box::new(Expr::Column(to));
                let predicate = Expr::HasLabel { vertex, label: (*self.rng.pick(&LABELS)).into() };
                let ops = vec![hop.into(), op::Filter { predicate }.into()];
                op::Apply { sub: Pipeline { ops }, kind: ApplyKind::Optional }.into()
            }
        });
    }
}
