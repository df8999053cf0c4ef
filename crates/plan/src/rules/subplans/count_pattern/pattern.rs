//! The pattern that operators find: nodes, edges between them, and conditions.

use std::collections::BTreeMap;

use crate::analysis::can_fail;
use crate::base::{ColumnId, ColumnSet, Name};
use crate::expr::{Comparison, Expr};
use crate::functions::Function;
use crate::op::{self, ApplyKind, ElementColumns, Loops, Op, ScanSource};
use crate::rules::label_of;
use millrace_model::Direction;

/// The number of a node in its pattern.
pub(super) type NodeNumber = usize;

/// More conditions than this are left alone: each doubles the terms.
pub(super) const CONDITIONS_MAX: usize = 4;
/// Larger patterns are left alone: their orders are tried out.
const NODES_MAX: usize = 16;

/// What is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// Nodes that are different vertices.
    pub(super) differences: Vec<(NodeNumber, NodeNumber)>,
    /// Numbers of edges that differ.
    pub(super) edge_differences: Vec<(usize, usize)>,
    /// Nodes with an edge between them, or with none.
    pub(super) chords: Vec<Chord>,
    /// Edges that are optional and lead to a node that nothing else reads.
    pub(super) optional: Vec<Optional>,
}

/// A vertex.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) column: ColumnId,
    pub(super) labels: Vec<Name>,
    /// Other tests that read only this column.
    pub(super) tests: Vec<Expr>,
}

/// An edge, from its source unless it may go either way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: NodeNumber,
    pub(super) to: NodeNumber,
    pub(super) types: Option<Vec<Name>>,
    pub(super) either_way: bool,
}

/// Whether there is an edge, however many.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chord {
    pub(super) edge: Edge,
    pub(super) wanted: bool,
}

/// A row stays where there is no such edge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Optional {
    pub(super) from: NodeNumber,
    pub(super) types: Option<Vec<Name>>,
    pub(super) direction: Direction,
    pub(super) labels: Vec<Name>,
}

impl Edge {
    /// Of a hop; `None` where loops count twice.
    fn of(
        (from, to): (NodeNumber, NodeNumber),
        types: &Option<Vec<Name>>,
        direction: Direction,
        loops: Loops,
    ) -> Option<Edge> {
        let types = types.clone();
        match direction {
            Direction::Out => Some(Edge { from, to, types, either_way: false }),
            Direction::In => Some(Edge { from: to, to: from, types, either_way: false }),
            Direction::Both if loops == Loops::Once => {
                Some(Edge { from, to, types, either_way: true })
            }
            Direction::Both => None,
        }
    }

    /// The way from one of its ends.
    pub(super) fn direction_from(&self, node: NodeNumber) -> Direction {
        match (self.either_way, self.from == node) {
            (true, _) => Direction::Both,
            (false, true) => Direction::Out,
            (false, false) => Direction::In,
        }
    }

    /// The other end; of a loop the same.
    pub(super) fn other(&self, node: NodeNumber) -> NodeNumber {
        if self.from == node { self.to } else { self.from }
    }

    pub(super) fn touches(&self, node: NodeNumber) -> bool {
        self.from == node || self.to == node
    }
}

impl Pattern {
    /// Of operators that start from one row; `None`: they do something else besides.
    pub(super) fn of(ops: &[Op], elements: &ElementColumns) -> Option<Pattern> {
        let mut read = Reading { elements, pattern: Pattern::default(), edges: BTreeMap::new() };
        ops.iter().try_for_each(|op| read.op(op))?;
        let pattern = read.pattern;
        (pattern.nodes.len() <= NODES_MAX && pattern.hangs_together()).then_some(pattern)
    }

    /// Whether another order or fewer conditions may help. A chain of plain hops is merged anyway.
    pub(super) fn gains(&self) -> bool {
        let conditions = self.differences.len() + self.edge_differences.len() + self.chords.len();
        let is_cyclic = self.nodes.len() <= self.edges.len();
        let tested = self.nodes.iter().filter(|node| !node.labels.is_empty()).count();
        2 <= self.edges.len() && (0 < conditions || is_cyclic || 3 <= tested)
            || !self.optional.is_empty() && !self.edges.is_empty()
    }

    fn hangs_together(&self) -> bool {
        let mut reached = vec![false; self.nodes.len()];
        let Some(first) = reached.first_mut() else { return false };
        *first = true;
        for _ in &self.nodes {
            for edge in &self.edges {
                let either = reached[edge.from] || reached[edge.to];
                (reached[edge.from], reached[edge.to]) = (either, either);
            }
        }
        reached.into_iter().all(|reached| reached)
    }
}

/// A pattern as it is read.
struct Reading<'p> {
    elements: &'p ElementColumns,
    pattern: Pattern,
    /// The numbers of edges by their columns.
    edges: BTreeMap<ColumnId, usize>,
}

impl Reading<'_> {
    fn op(&mut self, op: &Op) -> Option<()> {
        if let Op::Scan(op::Scan { source: ScanSource::Vertices(label), to }) = op {
            let labels = label.iter().cloned().collect();
            self.pattern.nodes.push(Node { column: *to, labels, tests: Vec::new() });
            Some(())
        } else if let Op::Expand(op::Expand { from, types, direction, edge, to, loops }) = op {
            let from = self.node(*from)?;
            let node = Node { column: (*to)?, labels: Vec::new(), tests: Vec::new() };
            self.pattern.nodes.push(node);
            let to = self.pattern.nodes.len() - 1;
            self.edge(*edge, Edge::of((from, to), types, *direction, *loops)?);
            Some(())
        } else if let Op::ExpandInto(op::ExpandInto { from, into, types, direction, edge, loops }) =
            op
        {
            let ends = (self.node(*from)?, self.node(*into)?);
            self.edge(*edge, Edge::of(ends, types, *direction, *loops)?);
            Some(())
        } else if let Op::Filter(op::Filter { predicate }) = op {
            self.test(predicate)
        } else if let Op::Apply(op::Apply { sub, kind }) = op {
            match kind {
                ApplyKind::Exists => self.chord(&sub.ops, true),
                ApplyKind::Absent => self.chord(&sub.ops, false),
                ApplyKind::Optional => self.optional(&sub.ops),
                ApplyKind::Flat
                | ApplyKind::Value { .. }
                | ApplyKind::Bag { .. }
                | ApplyKind::Effect => None,
            }
        } else {
            None
        }
    }

    fn node(&self, column: ColumnId) -> Option<NodeNumber> {
        self.pattern.nodes.iter().position(|node| node.column == column)
    }

    fn edge(&mut self, column: Option<ColumnId>, edge: Edge) {
        if let Some(column) = column {
            self.edges.insert(column, self.pattern.edges.len());
        }
        self.pattern.edges.push(edge);
    }

    fn test(&mut self, predicate: &Expr) -> Option<()> {
        if let Expr::And(parts) = predicate {
            return parts.iter().try_for_each(|part| self.test(part));
        }
        if let Some((node, label)) = label_of(predicate)
            && let Some(node) = self.node(node)
        {
            let labels = &mut self.pattern.nodes[node].labels;
            if !labels.contains(label) {
                labels.push(label.clone());
            }
            return Some(());
        }
        if let Expr::Compare { comparison: Comparison::NotEqual, left, right } = predicate
            && let (Expr::Column(left), Expr::Column(right)) = (&**left, &**right)
        {
            self.pattern.differences.push((self.node(*left)?, self.node(*right)?));
            return Some(());
        }
        if let Expr::Call { function: Function::DiffersFrom, arguments } = predicate {
            let edge = |argument: &Expr| {
                let Expr::Column(column) = argument else { return None };
                self.edges.get(column).copied()
            };
            let edges: Vec<usize> = arguments.iter().map(edge).collect::<Option<_>>()?;
            let (own, others) = edges.split_first()?;
            self.pattern.edge_differences.extend(others.iter().map(|other| (*other, *own)));
            return Some(());
        }
        let mut read = ColumnSet::new();
        predicate.read_columns(&mut read);
        let only = read.first().filter(|_| read.len() == 1)?;
        let node = self.node(*only)?;
        if can_fail(predicate, self.elements, true) {
            return None;
        }
        self.pattern.nodes[node].tests.push(predicate.clone());
        Some(())
    }

    fn chord(&mut self, ops: &[Op], wanted: bool) -> Option<()> {
        let [Op::ExpandInto(op::ExpandInto { from, into, types, direction, loops, .. })] = ops
        else {
            return None;
        };
        let ends = (self.node(*from)?, self.node(*into)?);
        let edge = Edge::of(ends, types, *direction, *loops)?;
        self.pattern.chords.push(Chord { edge, wanted });
        Some(())
    }

    fn optional(&mut self, ops: &[Op]) -> Option<()> {
        let (Op::Expand(op::Expand { from, types, direction, to, loops, .. }), tests) =
            ops.split_first()?
        else {
            return None;
        };
        if *direction == Direction::Both && *loops == Loops::Twice {
            return None;
        }
        let mut labels = Vec::new();
        for test in tests {
            let Op::Filter(op::Filter { predicate }) = test else { return None };
            let (column, label) = label_of(predicate)?;
            labels.extend((Some(column) == *to).then(|| label.clone()));
            if Some(column) != *to {
                return None;
            }
        }
        let (from, types, direction) = (self.node(*from)?, types.clone(), *direction);
        self.pattern.optional.push(Optional { from, types, direction, labels });
        Some(())
    }
}
