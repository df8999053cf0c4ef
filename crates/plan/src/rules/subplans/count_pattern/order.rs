//! Operators that find the rows of a term, in the order with the least work by the hints.
//!
//! Each node may come first. From there the next node is always the one that is found with the least work, or the one
//! with the fewest rows behind:
//!
//! - an edge between two nodes that are found is an `ExpandInto`, at once;
//! - an edge to a node that nothing else reads is a `Degree`, at once: the row is not listed for each of them;
//! - a node with lists from several found ones is an `Intersect`, or a hop and `ExpandInto`s where that costs less;
//! - a node that is not read any more keeps no rows apart: `merge_rows` merges them before the next hop.
//!
//! An edge of which only the existence matters is tested by `exists`. In front of everything else it may be walked instead: a
//! scan gives each vertex once, so each pair of ends is there once behind a `Dedup`.

use super::pattern::{Chord, Edge, NodeNumber, Pattern};
use crate::base::Name;
use crate::expr::{Comparison, Expr};
use crate::op::{self, ApplyKind, IntersectArm, Loops, Op, Pipeline, ScanSource};
use crate::plan::Hints;
use millrace_model::Direction;

/// To intersect the lists of a row, whatever their lengths, against a step along one of them.
const INTERSECTED: f64 = 2.0;
/// An edge that leads to one row of several columns, or to a test, against one that only adds a weight.
const LISTED: f64 = 6.0;
/// The next node is the one with the least work now, or rather the one with the fewest rows behind: both are tried.
const ROW_WEIGHTS: [f64; 2] = [1.0, 32.0];
/// Edges of a vertex where a sample had none.
const RARE: f64 = 1.0 / 16.0;
/// Counts of vertices where nothing is known.
const UNKNOWN: f64 = 1e6;

/// Operators and about how many edges they walk.
pub(super) struct Ordered {
    pub(super) cost: f64,
    pub(super) ops: Vec<Op>,
}

/// The best order of a term; `None`: there is none.
pub(super) fn ordered(term: &Pattern, hints: &Hints) -> Option<Ordered> {
    let used = |node: &NodeNumber| {
        term.edges.iter().any(|edge| edge.touches(*node))
            || term.chords.iter().any(|chord| chord.edge.touches(*node))
            || term.optional.iter().any(|own| own.from == *node)
    };
    let nodes: Vec<NodeNumber> = (0..term.nodes.len()).filter(used).collect();
    let orders = |start: NodeNumber, chord: Option<usize>| {
        let each = move |weight| Order::new(term, hints, weight).starting_at(start, chord);
        ROW_WEIGHTS.into_iter().filter_map(each)
    };
    let plain = nodes.iter().flat_map(|node| orders(*node, None));
    let by_chord = term.chords.iter().enumerate().flat_map(|(at, chord)| {
        let ends = [chord.edge.from, chord.edge.to];
        let is_walked = chord.wanted && ends[0] != ends[1];
        let ends = ends.into_iter().filter(move |_| is_walked);
        ends.flat_map(move |end| orders(end, Some(at)))
    });
    let best = plain.chain(by_chord).min_by(|left, right| left.cost.total_cmp(&right.cost))?;
    Some(Ordered { cost: best.cost, ops: best.ops })
}

/// An order under way.
struct Order<'p> {
    term: &'p Pattern,
    hints: &'p Hints,
    row_weight: f64,
    found: Vec<bool>,
    edges: Vec<&'p Edge>,
    chords: Vec<&'p Chord>,
    differences: Vec<(NodeNumber, NodeNumber)>,
    optional: Vec<&'p super::pattern::Optional>,
    rows: f64,
    cost: f64,
    ops: Vec<Op>,
}

impl<'p> Order<'p> {
    fn new(term: &'p Pattern, hints: &'p Hints, row_weight: f64) -> Order<'p> {
        Order {
            term,
            hints,
            row_weight,
            found: vec![false; term.nodes.len()],
            edges: term.edges.iter().collect(),
            chords: term.chords.iter().collect(),
            differences: term.differences.clone(),
            optional: term.optional.iter().collect(),
            rows: 0.0,
            cost: 0.0,
            ops: Vec::new(),
        }
    }

    /// The order that begins at a node, by a hop along an edge of which only the existence matters if there is one.
    fn starting_at(mut self, start: NodeNumber, chord: Option<usize>) -> Option<Order<'p>> {
        let node = &self.term.nodes[start];
        let count = |label: &Name| self.hints.vertices_with(Some(label)).unwrap_or(u64::MAX);
        let label = node.labels.iter().min_by_key(|label| count(label)).cloned();
        self.rows = self.vertices(start);
        self.cost = self.rows;
        let to = node.column;
        let rest = label.clone();
        self.ops.push(op::Scan { source: ScanSource::Vertices(label), to }.into());
        self.find(start, rest.as_ref());
        if let Some(at) = chord {
            let Chord { edge, .. } = self.chords.remove(at);
            let other = edge.other(start);
            self.hop(edge, start);
            self.find(other, None);
            let columns = [start, other].map(|node| self.term.nodes[node].column).to_vec();
            self.cost += self.rows * LISTED;
            self.ops.push(op::Dedup { columns }.into());
        }
        loop {
            self.close();
            if self.edges.is_empty() {
                let is_done = self.chords.is_empty() && self.optional.is_empty();
                return (is_done && self.differences.is_empty()).then_some(self);
            }
            self.next()?;
        }
    }

    /// About how many vertices a node may be.
    fn vertices(&self, node: NodeNumber) -> f64 {
        let of = |label: Option<&Name>| self.hints.vertices_with(label).map(|count| count as f64);
        let by_label = self.term.nodes[node].labels.iter().filter_map(|label| of(Some(label)));
        by_label.fold(of(None).unwrap_or(UNKNOWN), f64::min).max(1.0)
    }

    /// About how many edges of these types there are.
    fn edges_of(&self, types: &Option<Vec<Name>>) -> f64 {
        let of = |name: &Name| self.hints.edge_types.get(name).copied().unwrap_or(0);
        let count: u64 = match types {
            Some(types) => types.iter().map(of).sum(),
            None => self.hints.edges(),
        };
        count as f64
    }

    /// About how many edges lead from a found vertex along one edge of the pattern.
    fn length(&self, edge: &Edge, from: NodeNumber) -> f64 {
        let length = self.degree_of(from, &edge.types, edge.direction_from(from));
        length.min(self.vertices(edge.other(from)))
    }

    /// About how many edges of these types a found vertex has: all that there are among the vertices that it may be,
    /// unless a sample had fewer.
    fn degree_of(&self, from: NodeNumber, types: &Option<Vec<Name>>, direction: Direction) -> f64 {
        let both = if direction == Direction::Both { 2.0 } else { 1.0 };
        let most = both * self.edges_of(types) / self.vertices(from);
        let labels = self.term.nodes[from].labels.iter();
        let sampled =
            labels.filter_map(|label| self.hints.degree(label, types.as_deref(), direction));
        sampled.map(|sampled| sampled.max(RARE)).fold(most, f64::min)
    }

    fn find(&mut self, node: NodeNumber, scanned: Option<&Name>) {
        self.found[node] = true;
        let Some(own) = self.term.nodes.get(node) else { return };
        let labels = own.labels.iter().filter(|label| Some(*label) != scanned);
        let has = |label: &Name| {
            let vertex = Box::new(Expr::Column(own.column));
            Expr::HasLabel { vertex, label: label.clone() }
        };
        let mut tests: Vec<Expr> = labels.map(has).chain(own.tests.iter().cloned()).collect();
        let predicate = match tests.len() {
            0 => return,
            1 => tests.remove(0),
            _ => Expr::And(tests),
        };
        self.ops.push(op::Filter { predicate }.into());
    }

    /// A hop from a found node to one that is not.
    fn hop(&mut self, edge: &Edge, from: NodeNumber) {
        let to = Some(self.column(edge.other(from)));
        let (direction, types) = (edge.direction_from(from), edge.types.clone());
        let length = self.length(edge, from);
        self.rows *= length;
        let from = self.column(from);
        self.ops
            .push(op::Expand { from, types, direction, edge: None, to, loops: Loops::Once }.into());
    }

    fn column(&self, node: NodeNumber) -> crate::base::ColumnId {
        self.term.nodes[node].column
    }

    fn between(&self, edge: &Edge) -> Op {
        let (from, into) = (self.column(edge.from), self.column(edge.to));
        let direction = if edge.either_way { Direction::Both } else { Direction::Out };
        let (types, loops) = (edge.types.clone(), Loops::Once);
        op::ExpandInto { from, into, types, direction, edge: None, loops }.into()
    }

    /// All that needs no other node: edges and tests between found ones, and degrees.
    fn close(&mut self) {
        let found = std::mem::take(&mut self.found);
        let is_closed = |edge: &&Edge| found[edge.from] && found[edge.to];
        let closed: Vec<&Edge> = self.edges.extract_if(.., |edge| is_closed(edge)).collect();
        for edge in closed {
            self.cost += self.rows * LISTED;
            let share = self.length(edge, edge.from) / self.vertices(edge.to);
            self.rows = (self.rows * share.min(1.0)).max(1.0);
            let op = self.between(edge);
            self.ops.push(op);
        }
        let chords: Vec<&Chord> =
            self.chords.extract_if(.., |chord| is_closed(&&chord.edge)).collect();
        for chord in chords {
            self.cost += self.rows * LISTED * 2.0;
            let kind = if chord.wanted { ApplyKind::Exists } else { ApplyKind::Absent };
            let sub = Pipeline { ops: vec![self.between(&chord.edge)] };
            self.ops.push(op::Apply { sub, kind }.into());
        }
        let differences: Vec<_> =
            self.differences.extract_if(.., |(one, other)| found[*one] && found[*other]).collect();
        for (one, other) in differences {
            self.cost += self.rows;
            let [left, right] = [one, other].map(|node| Expr::Column(self.column(node)));
            let predicate = Expr::compare(Comparison::NotEqual, left, right);
            self.ops.push(op::Filter { predicate }.into());
        }
        self.found = found;
        self.degrees();
    }

    fn degrees(&mut self) {
        let leaf = |order: &Order<'_>, edge: &Edge| {
            let ends = [(edge.from, edge.to), (edge.to, edge.from)].into_iter();
            let mut leaves = ends.filter(|(from, to)| order.found[*from] && order.is_leaf(*to));
            leaves.next()
        };
        while let Some(at) = self.edges.iter().position(|edge| leaf(self, edge).is_some()) {
            let edge = self.edges[at];
            let Some((from, to)) = leaf(self, edge) else { return };
            self.edges.remove(at);
            let labels = self.term.nodes[to].labels.clone();
            let length = self.length(edge, from);
            let (direction, types) = (edge.direction_from(from), edge.types.clone());
            self.degree((from, types, direction), labels, length, false);
        }
        let found = self.found.clone();
        let optional: Vec<_> = self.optional.extract_if(.., |own| found[own.from]).collect();
        for own in optional {
            let length = self.degree_of(own.from, &own.types, own.direction);
            let hop = (own.from, own.types.clone(), own.direction);
            self.degree(hop, own.labels.clone(), length, true);
        }
    }

    fn degree(
        &mut self,
        (from, types, direction): (NodeNumber, Option<Vec<Name>>, Direction),
        labels: Vec<Name>,
        length: f64,
        or_once: bool,
    ) {
        // The degree is known without a walk, unless the other ends are tested.
        self.cost += self.rows * if labels.is_empty() { 1.0 } else { 1.0 + length };
        let (from, loops) = (self.column(from), Loops::Once);
        self.ops.push(op::Degree { from, types, direction, loops, labels, or_once }.into());
    }

    /// Whether a node has one edge left and nothing but labels is asked of it.
    fn is_leaf(&self, node: NodeNumber) -> bool {
        let edges = self.edges.iter().filter(|edge| edge.touches(node)).count();
        !self.found[node]
            && edges == 1
            && self.term.nodes[node].tests.is_empty()
            && !self.is_read_besides(node)
    }

    fn is_read_besides(&self, node: NodeNumber) -> bool {
        self.chords.iter().any(|chord| chord.edge.touches(node))
            || self.optional.iter().any(|own| own.from == node)
            || self.differences.iter().any(|(one, other)| *one == node || *other == node)
    }

    /// Finds the next node.
    fn next(&mut self) -> Option<()> {
        let open = |node: &NodeNumber| {
            !self.found[*node] && self.edges.iter().any(|edge| self.leads_to(edge, *node))
        };
        let nodes = (0..self.term.nodes.len()).filter(open);
        let next = nodes.map(|node| (self.work_to(node), node));
        let (_, node) = next.min_by(|(left, _), (right, _)| left.total_cmp(right))?;
        self.go_to(node);
        Some(())
    }

    fn leads_to(&self, edge: &Edge, node: NodeNumber) -> bool {
        edge.from != edge.to && edge.touches(node) && self.found[edge.other(node)]
    }

    /// The edges that lead from found nodes to one, those with the shortest lists first.
    fn arms(&self, node: NodeNumber) -> Vec<(f64, &'p Edge)> {
        let arms = self.edges.iter().filter(|edge| self.leads_to(edge, node));
        let length = |edge: &&'p Edge| (self.length(edge, edge.other(node)), *edge);
        let mut arms: Vec<(f64, &'p Edge)> = arms.map(length).collect();
        arms.sort_by(|(left, _), (right, _)| left.total_cmp(right));
        arms
    }

    /// About how much work it is to find a node, with the rows that there are behind by their weight.
    fn work_to(&self, node: NodeNumber) -> f64 {
        let arms = self.arms(node);
        let Some((shortest, _)) = arms.first() else { return f64::INFINITY };
        let listed = self.rows * shortest;
        let left = arms[1..]
            .iter()
            .fold(listed, |rows, (length, _)| rows * (length / self.vertices(node)).min(1.0));
        listed + self.row_weight * left
    }

    fn go_to(&mut self, node: NodeNumber) {
        let arms = self.arms(node);
        let Some((shortest, first)) = arms.first().copied() else { return };
        // Either all lists are walked and meet, or the shortest is, and each of its rows is tested for the other edges.
        let others = (arms.len() - 1) as f64;
        let walked: f64 = INTERSECTED + arms.iter().map(|(length, _)| length).sum::<f64>();
        let tested = shortest * (1.0 + LISTED * (1.0 + others));
        let is_met = 1 < arms.len() && walked < tested;
        let taken: Vec<&Edge> =
            if is_met { arms.iter().map(|(_, edge)| *edge).collect() } else { vec![first] };
        if is_met {
            self.cost += self.rows * walked;
            self.intersect(node, &arms);
        } else {
            self.cost += self.rows * shortest;
            self.hop(first, first.other(node));
        }
        let is_taken = |edge: &&Edge| taken.iter().any(|own| std::ptr::eq(*own, *edge));
        self.edges.retain(|edge| !is_taken(edge));
        self.find(node, None);
        // Rows are merged by what is still read of them.
        let read =
            (0..self.term.nodes.len()).filter(|node| self.found[*node] && self.is_read(*node));
        let read: Vec<NodeNumber> = read.collect();
        let different: f64 = read.iter().map(|node| self.vertices(*node)).product();
        if 1 < read.len() {
            self.cost += self.rows * LISTED;
        }
        self.rows = self.rows.min(different).max(1.0);
    }

    fn is_read(&self, node: NodeNumber) -> bool {
        self.edges.iter().any(|edge| edge.touches(node)) || self.is_read_besides(node)
    }

    fn intersect(&mut self, node: NodeNumber, arms: &[(f64, &Edge)]) {
        let vertices = self.vertices(node);
        let arm = |(_, edge): &(f64, &Edge)| {
            let from = edge.other(node);
            let (types, direction) = (edge.types.clone(), edge.direction_from(from));
            IntersectArm { from: self.column(from), types, direction, loops: Loops::Once }
        };
        let op = op::Intersect { arms: arms.iter().map(arm).collect(), to: self.column(node) };
        let shares = arms[1..].iter().map(|(length, _)| (length / vertices).min(1.0));
        self.rows = (self.rows * arms[0].0 * shares.product::<f64>()).max(1.0);
        self.ops.push(op.into());
    }
}
