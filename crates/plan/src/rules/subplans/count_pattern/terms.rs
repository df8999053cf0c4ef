//! Terms: patterns without conditions on two nodes or edges. Their signed counts add up to the count of a pattern with conditions.
//!
//! ```text
//!   a<>b, no edge c–d:   N = all − [a=b] − [some edge c–d] + [a=b and some edge c–d]
//! ```
//!
//! Proof. For conditions C1 … Cn let v(S) be the number of rows in which at least those of S are violated, without
//! regard to the others. By inclusion–exclusion N is the sum over all S of (−1)^|S|·v(S). Any of the conditions may stay
//! a test of the rows instead: then all v count rows with that test.
//!
//! - `a <> b` is violated by rows with the same vertex for both: the pattern in which they are one node, with the tests of both.
//! - *No edge between c and d* is violated where there is some.
//! - *Edges differ* is violated where they are one edge. Two hops that each lead from source to target have the same ends, in
//!   pairs. Where one may go either way the edge is walked alike or in the opposite way; a loop is both. So these
//!   are the rows of A ∪ B, where A has the ends alike and B crosswise. The rule asks that one of the two ways to make nodes one
//!   contains the other, as it does where the hops share a node; the union is then the larger one. Of the two hops one
//!   is left, with the types of both, and with the direction of the one that has one.
//!
//! Terms that are the same are added up; those of sum 0, of edges without a common type, or of a test that their nodes contradict
//! are left out.
//!
//! A condition that others imply is dropped first: the rows are the same. *No edge c–d* with an edge of such a type from
//! c to e implies d <> e. Edges differ where both ways to be one edge would make nodes one that differ.

use std::collections::BTreeMap;

use super::order::{Ordered, ordered};
use super::pattern::{CONDITIONS_MAX, Chord, Edge, NodeNumber, Optional, Pattern};
use crate::base::Name;
use crate::op::Op;
use crate::plan::Hints;

/// A term as operators that find its rows.
pub(super) struct Counted {
    /// How often it is added; negative: taken off.
    pub(super) times: i64,
    pub(super) ops: Vec<Op>,
}

/// The terms with the least work.
pub(super) fn cheapest(pattern: &Pattern, hints: &Hints) -> Option<Vec<Counted>> {
    let mut pattern = pattern.clone();
    drop_implied(&mut pattern);
    let conditions = conditions(&pattern);
    if CONDITIONS_MAX < conditions.len() {
        return None;
    }
    let ways = (0..1_usize << conditions.len()).filter(|tested| {
        let may_stay = |(at, condition): (usize, &Condition)| {
            tested & 1 << at == 0 || !matches!(condition, Condition::Edges(..))
        };
        conditions.iter().enumerate().all(may_stay)
    });
    let ways = ways.filter_map(|tested| {
        let is_tested = |at: &usize| tested & 1 << at != 0;
        let of = |wanted: bool| {
            let numbers = (0..conditions.len()).filter(move |at| is_tested(at) == wanted);
            numbers.map(|at| &conditions[at]).collect::<Vec<_>>()
        };
        let terms = all_terms(&pattern, &of(true), &of(false))?;
        let ordered: Vec<(i64, Ordered)> = terms
            .iter()
            .map(|(times, term)| Some((*times, ordered(term, hints)?)))
            .collect::<Option<_>>()?;
        let cost: f64 = ordered.iter().map(|(_, ordered)| ordered.cost).sum();
        Some((cost, ordered))
    });
    let (_, best) = ways.min_by(|(left, _), (right, _)| left.total_cmp(right))?;
    let counted = |(times, ordered): (i64, Ordered)| Counted { times, ops: ordered.ops };
    Some(best.into_iter().map(counted).collect())
}

/// A condition on two nodes or edges.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Nodes(NodeNumber, NodeNumber),
    Edges(usize, usize),
    /// There is no such edge.
    Absent(Edge),
}

fn conditions(pattern: &Pattern) -> Vec<Condition> {
    let nodes = pattern.differences.iter().map(|&(one, other)| Condition::Nodes(one, other));
    let edges = pattern.edge_differences.iter().map(|&(one, other)| Condition::Edges(one, other));
    let absent = pattern.chords.iter().filter(|chord| !chord.wanted);
    let absent = absent.map(|chord| Condition::Absent(chord.edge.clone()));
    nodes.chain(edges).chain(absent).collect()
}

/// Nodes that are one, each named by the first of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Same(Vec<NodeNumber>);

impl Same {
    fn none(nodes: usize) -> Same {
        Same((0..nodes).collect())
    }

    fn find(&self, node: NodeNumber) -> NodeNumber {
        self.0[node]
    }

    fn unite(&mut self, one: NodeNumber, other: NodeNumber) {
        let (one, other) = (self.find(one), self.find(other));
        let (first, last) = (one.min(other), one.max(other));
        self.0.iter_mut().filter(|own| **own == last).for_each(|own| *own = first);
    }

    fn with(&self, pairs: [(NodeNumber, NodeNumber); 2]) -> Same {
        let mut united = self.clone();
        pairs.into_iter().for_each(|(one, other)| united.unite(one, other));
        united
    }

    fn are(&self, pairs: Pairs) -> bool {
        pairs.into_iter().all(|(one, other)| self.find(one) == self.find(other))
    }
}

/// Nodes that are one: two pairs, for the ends of two edges.
type Pairs = [(NodeNumber, NodeNumber); 2];

/// The two ways in which the ends of two edges may agree; `None`: only the first.
fn ways_to_be_one(one: &Edge, other: &Edge) -> (Pairs, Option<Pairs>) {
    let alike = [(one.from, other.from), (one.to, other.to)];
    let crosswise = [(one.from, other.to), (one.to, other.from)];
    (alike, (one.either_way || other.either_way).then_some(crosswise))
}

/// A pattern in which nodes and edges are one.
#[derive(Clone)]
struct Term {
    same: Same,
    /// Each with the edges that it stands for; none for one that another stands for.
    edges: Vec<Option<Edge>>,
    /// The number of the edge that stands for each.
    edge_of: Vec<usize>,
    chords: Vec<Chord>,
}

impl Term {
    /// Makes two edges one. `None`: there may be rows of either way. `Some(false)`: there are no rows.
    fn unite_edges(&mut self, one: usize, other: usize) -> Option<bool> {
        let (one, other) = (self.edge_of[one], self.edge_of[other]);
        if one == other {
            return Some(true);
        }
        let (Some(first), Some(second)) = (self.edges[one].clone(), self.edges[other].clone())
        else {
            return None;
        };
        let (alike, crosswise) = ways_to_be_one(&first, &second);
        self.same = match crosswise {
            None => self.same.with(alike),
            Some(crosswise) => {
                let (by_alike, by_cross) = (self.same.with(alike), self.same.with(crosswise));
                if by_alike.are(crosswise) {
                    by_cross
                } else if by_cross.are(alike) {
                    by_alike
                } else {
                    return None;
                }
            }
        };
        let mut left = if first.either_way { second.clone() } else { first.clone() };
        left.types = match (first.types, second.types) {
            (Some(mut types), Some(others)) => {
                types.retain(|name| others.contains(name));
                Some(types)
            }
            (types, others) => types.or(others),
        };
        let any = left.types.as_ref().is_none_or(|types| !types.is_empty());
        self.edges[one] = Some(left);
        self.edges[other] = None;
        self.edge_of.iter_mut().filter(|own| **own == other).for_each(|own| *own = one);
        Some(any)
    }
}

/// What is counted of a term: nodes by the first of those that are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    same: Vec<NodeNumber>,
    edges: Vec<Edge>,
    chords: Vec<Chord>,
}

/// All terms, each with the number of times that it is added. `None`: a condition has no term.
fn all_terms(
    pattern: &Pattern,
    tested: &[&Condition],
    expanded: &[&Condition],
) -> Option<Vec<(i64, Pattern)>> {
    let mut times: BTreeMap<Key, i64> = BTreeMap::new();
    for violated in 0..1_usize << expanded.len() {
        let chosen = (0..expanded.len()).filter(|at| violated & 1 << at != 0);
        let chosen: Vec<&Condition> = chosen.map(|at| expanded[at]).collect();
        let sign = if chosen.len().is_multiple_of(2) { 1 } else { -1 };
        if let Some(key) = key_of(pattern, tested, &chosen)? {
            *times.entry(key).or_default() += sign;
        }
    }
    let terms = times.into_iter().filter(|(_, times)| *times != 0);
    Some(terms.map(|(key, times)| (times, pattern_of(pattern, tested, key))).collect())
}

/// The term in which conditions are violated; inner `None`: it has no rows.
fn key_of(
    pattern: &Pattern,
    tested: &[&Condition],
    violated: &[&Condition],
) -> Option<Option<Key>> {
    let is_wanted = |chord: &&Chord| chord.wanted;
    let mut term = Term {
        same: Same::none(pattern.nodes.len()),
        edges: pattern.edges.iter().cloned().map(Some).collect(),
        edge_of: (0..pattern.edges.len()).collect(),
        chords: pattern.chords.iter().filter(is_wanted).cloned().collect(),
    };
    // Nodes first: then the ways of two edges to be one are seen to be one way.
    for condition in violated {
        match condition {
            Condition::Nodes(one, other) => term.same.unite(*one, *other),
            Condition::Absent(edge) => {
                term.chords.push(Chord { edge: edge.clone(), wanted: true });
            }
            Condition::Edges(..) => {}
        }
    }
    for condition in violated {
        if let Condition::Edges(one, other) = condition
            && !term.unite_edges(*one, *other)?
        {
            return Some(None);
        }
    }
    for condition in tested {
        match condition {
            Condition::Nodes(one, other) if term.same.find(*one) == term.same.find(*other) => {
                return Some(None);
            }
            Condition::Absent(edge) => {
                term.chords.push(Chord { edge: edge.clone(), wanted: false });
            }
            Condition::Nodes(..) | Condition::Edges(..) => {}
        }
    }
    let same = &term.same;
    let moved = |edge: &Edge| {
        let (from, to) = (same.find(edge.from), same.find(edge.to));
        // An edge that may go either way has no first end.
        let (from, to) = if edge.either_way { (from.min(to), from.max(to)) } else { (from, to) };
        Edge { from, to, types: edge.types.clone(), either_way: edge.either_way }
    };
    let mut edges: Vec<Edge> = term.edges.iter().flatten().map(moved).collect();
    edges.sort();
    let chords = term.chords.iter();
    let mut chords: Vec<Chord> =
        chords.map(|chord| Chord { edge: moved(&chord.edge), wanted: chord.wanted }).collect();
    chords.sort();
    chords.dedup();
    let is_found = |chord: &Chord| edges.iter().any(|edge| is_one_of(edge, &chord.edge));
    if chords.iter().any(|chord| !chord.wanted && is_found(chord)) {
        return Some(None);
    }
    chords.retain(|chord| !is_found(chord));
    Some(Some(Key { same: term.same.0, edges, chords }))
}

/// Whether an edge is one of those that another allows.
fn is_one_of(edge: &Edge, allowed: &Edge) -> bool {
    let alike = (edge.from, edge.to) == (allowed.from, allowed.to);
    let crosswise = (edge.from, edge.to) == (allowed.to, allowed.from);
    let ends = alike && (allowed.either_way || !edge.either_way) || allowed.either_way && crosswise;
    ends && are_among(&edge.types, &allowed.types)
}

fn are_among(types: &Option<Vec<Name>>, others: &Option<Vec<Name>>) -> bool {
    match (types, others) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(types), Some(others)) => types.iter().all(|name| others.contains(name)),
    }
}

/// The pattern of a term; nodes that are another have no edges in it, and stay out of its order.
fn pattern_of(pattern: &Pattern, tested: &[&Condition], key: Key) -> Pattern {
    let same = Same(key.same);
    let mut nodes = pattern.nodes.clone();
    for (number, node) in pattern.nodes.iter().enumerate() {
        let first = same.find(number);
        if first == number {
            continue;
        }
        let column = nodes[first].column;
        for label in &node.labels {
            if !nodes[first].labels.contains(label) {
                nodes[first].labels.push(label.clone());
            }
        }
        for test in &node.tests {
            let mut test = test.clone();
            test.replace_column(node.column, column);
            if !nodes[first].tests.contains(&test) {
                nodes[first].tests.push(test);
            }
        }
    }
    let differences = tested.iter().filter_map(|condition| match condition {
        Condition::Nodes(one, other) => Some((same.find(*one), same.find(*other))),
        Condition::Edges(..) | Condition::Absent(_) => None,
    });
    let optional = pattern.optional.iter();
    Pattern {
        nodes,
        edges: key.edges,
        differences: differences.collect(),
        edge_differences: Vec::new(),
        chords: key.chords,
        optional: optional
            .map(|own| Optional { from: same.find(own.from), ..own.clone() })
            .collect(),
    }
}

/// Drops conditions that others imply.
fn drop_implied(pattern: &mut Pattern) {
    let mut implied = Vec::new();
    for chord in pattern.chords.iter().filter(|chord| !chord.wanted) {
        for edge in &pattern.edges {
            let mut ends = vec![(edge.from, edge.to)];
            ends.extend(edge.either_way.then_some((edge.to, edge.from)));
            // With `to` in the place of the chord's end, the edge would be one that is not there.
            for (from, to) in ends {
                let chord = &chord.edge;
                let there = |from, to| is_one_of(edge, &Edge { from, to, ..chord.clone() });
                if from == chord.from && to != chord.to && there(from, to) {
                    implied.push((chord.to, to));
                }
                if to == chord.to && from != chord.from && there(from, to) {
                    implied.push((chord.from, from));
                }
                if chord.either_way && from == chord.to && to != chord.from && there(to, from) {
                    implied.push((chord.from, to));
                }
                if chord.either_way && to == chord.from && from != chord.to && there(to, from) {
                    implied.push((chord.to, from));
                }
            }
        }
    }
    let is_implied = |&(one, other): &(NodeNumber, NodeNumber)| {
        implied.contains(&(one, other)) || implied.contains(&(other, one))
    };
    let known: Vec<_> = pattern.differences.iter().chain(&implied).copied().collect();
    pattern.differences.retain(|pair| !is_implied(pair));
    let none = Same::none(pattern.nodes.len());
    let edges = &pattern.edges;
    pattern.edge_differences.retain(|&(one, other)| {
        let (alike, crosswise) = ways_to_be_one(&edges[one], &edges[other]);
        let possible = |pairs| {
            let same = none.with(pairs);
            known.iter().all(|(one, other)| same.find(*one) != same.find(*other))
        };
        possible(alike) || crosswise.is_some_and(possible)
    });
}
