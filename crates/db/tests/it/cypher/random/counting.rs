//! Random queries of patterns, most of them counts: trees and cycles of hops, patterns that must not be there,
//! different ends.

use millrace_testkit::Rng;

use super::graph::{LABELS, TYPES};
use super::patterns::{
    Aggregate, Comparison, Direction, Hop, Item, Labels, Match, Node, Path, Projection, Query,
    Stage, Test, Value, Variable,
};
use super::ways::Fixed;

/// A query, and what of its result is fixed.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) query: Query,
    pub(super) variables: usize,
    pub(super) fixed: Fixed,
}

/// Hops of a query at most: what it tries grows with their number.
const HOPS_MAX: u64 = 5;

struct Maker<'a> {
    rng: &'a mut Rng,
    next: Variable,
    /// Variables in scope.
    nodes: Vec<Variable>,
    edges: Vec<Variable>,
    numbers: Vec<Variable>,
    /// Those that may be null.
    nullable: Vec<Variable>,
    hops_left: u64,
}

/// A random query.
pub(super) fn random_case(rng: &mut Rng) -> Case {
    let hops_left = 1 + rng.below(HOPS_MAX);
    let (nodes, edges, numbers, nullable) = Default::default();
    let mut maker = Maker { rng, next: 0, nodes, edges, numbers, nullable, hops_left };
    let mut stages = vec![Stage::Match(maker.clause())];
    while maker.rng.chance(0.3) {
        let stage = match maker.rng.below(2) {
            0 => maker.with(),
            _ => {
                let optional = maker.rng.chance(0.5);
                let known: Vec<_> = maker.nodes.iter().chain(&maker.edges).copied().collect();
                let mut clause = maker.clause();
                clause.optional = optional;
                if optional {
                    let new = clause.variables().into_iter().filter(|own| !known.contains(own));
                    maker.nullable.extend(new);
                }
                Stage::Match(clause)
            }
        };
        stages.push(stage);
    }
    let (result, fixed) = maker.result();
    let variables = maker.next;
    Case { query: Query { stages, result }, variables, fixed }
}

impl Maker<'_> {
    fn new_variable(&mut self) -> Variable {
        self.next += 1;
        self.next - 1
    }

    fn clause(&mut self) -> Match {
        let mut paths = match self.rng.below(10) {
            0..=3 => vec![self.alternating()],
            4 => self.star(),
            _ => vec![self.path()],
        };
        if self.rng.chance(0.2) {
            paths.push(self.path());
        }
        let mut tests = Vec::new();
        while self.rng.chance(0.3) {
            tests.push(self.test(2));
        }
        Match { optional: false, paths, tests, tests_inside: self.are_tests_inside() }
    }

    /// As recommendations go: along a type and back, from one label to another; sometimes in a circle.
    fn alternating(&mut self) -> Path {
        let (one, other, edge_type) = (self.label(), self.label(), self.edge_type());
        let with_labels = self.rng.chance(0.5);
        let labels = |label| if with_labels { Labels::All(vec![label]) } else { Labels::Any };
        let start = Node { labels: labels(one), ..self.node(0.9) };
        let count = self.take_hops(4);
        let mut hops = Vec::new();
        for number in 0..count {
            let last = number + 1 == count;
            let end = if last && 1 < count && self.rng.chance(0.15) {
                start.variable
            } else {
                self.node(if last { 0.9 } else { 0.3 }).variable
            };
            let labels = labels(if number % 2 == 0 { other } else { one });
            let direction = if number % 2 == 0 { Direction::Out } else { Direction::In };
            let hop = Hop { variable: None, types: vec![edge_type], direction, lengths: None };
            hops.push((hop, Node { variable: end, labels, n: None }));
        }
        Path { start, hops }
    }

    /// Several paths from one node.
    fn star(&mut self) -> Vec<Path> {
        let center = self.node(1.0);
        let count = 2 + self.rng.below(2);
        let arm = |maker: &mut Self| {
            maker.path_from(Node { variable: center.variable, ..Node::default() })
        };
        (0..count).map(|_| arm(self)).collect()
    }

    fn path(&mut self) -> Path {
        let start = self.node_or_known(0.4);
        self.path_from(start)
    }

    fn path_from(&mut self, start: Node) -> Path {
        let count = self.take_hops(3);
        let mut hops = Vec::new();
        for _ in 0..count {
            let hop = self.hop();
            hops.push((hop, self.node_or_known(0.2)));
        }
        Path { start, hops }
    }

    fn take_hops(&mut self, most: u64) -> u64 {
        let count = self.rng.below(most.min(self.hops_left) + 1);
        // One is not counted where the last was taken, so that few patterns are nodes alone.
        let count = count.max(u64::from(self.rng.chance(0.8) && 0 < self.hops_left));
        self.hops_left -= count;
        count
    }

    fn node_or_known(&mut self, known: f64) -> Node {
        if !self.nodes.is_empty() && self.rng.chance(known) {
            let variable = Some(*self.rng.pick(&self.nodes));
            let labels = if self.rng.chance(0.2) { self.labels() } else { Labels::Any };
            return Node { variable, labels, n: None };
        }
        self.node(0.6)
    }

    fn node(&mut self, named: f64) -> Node {
        let variable = self.rng.chance(named).then(|| self.new_variable());
        self.nodes.extend(variable);
        let labels = if self.rng.chance(0.25) { self.labels() } else { Labels::Any };
        let n = self.rng.chance(0.05).then(|| self.rng.below(3) as i64);
        Node { variable, labels, n }
    }

    fn hop(&mut self) -> Hop {
        let types = match self.rng.below(10) {
            0..=5 => vec![self.edge_type()],
            6 => TYPES.to_vec(),
            _ => Vec::new(),
        };
        let directions = [Direction::Out, Direction::Out, Direction::In, Direction::Either];
        let direction = *self.rng.pick(&directions);
        if self.rng.chance(0.12) {
            let lengths = [(1, 2), (0, 1), (2, 2), (1, 3), (0, 2), (2, 3), (1, 1)];
            let lengths = Some(*self.rng.pick(&lengths));
            return Hop { variable: None, types, direction, lengths };
        }
        let variable = self.rng.chance(0.2).then(|| self.new_variable());
        self.edges.extend(variable);
        Hop { variable, types, direction, lengths: None }
    }

    fn labels(&mut self) -> Labels {
        match self.rng.below(10) {
            0 => Labels::OneOf(LABELS[0], LABELS[1]),
            1 => Labels::Not(self.label()),
            2 => Labels::All(vec![LABELS[0], LABELS[2]]),
            _ => Labels::All(vec![self.label()]),
        }
    }

    fn label(&mut self) -> &'static str {
        LABELS[self.rng.rank(LABELS.len() as u64, 1.0) as usize]
    }

    fn edge_type(&mut self) -> &'static str {
        if self.rng.chance(0.85) { TYPES[0] } else { TYPES[1] }
    }

    fn comparison(&mut self) -> Comparison {
        use Comparison::{Equal, Greater, Less, LessEqual, Unequal};
        *self.rng.pick(&[Less, LessEqual, Equal, Unequal, Greater])
    }

    fn test(&mut self, depth: u32) -> Test {
        if 0 < depth && self.rng.chance(0.2) {
            let one = Box::new(self.test(depth - 1));
            return match self.rng.below(3) {
                0 => Test::Not(one),
                1 => Test::Either(one, Box::new(self.test(depth - 1))),
                _ => Test::Both(one, Box::new(self.test(depth - 1))),
            };
        }
        match self.rng.below(12) {
            0..=4 if !self.nodes.is_empty() => {
                let pattern = self.pattern_test();
                if self.rng.chance(0.65) { Test::Not(Box::new(pattern)) } else { pattern }
            }
            5 | 6 if !self.nodes.is_empty() => {
                let (one, other) = (*self.rng.pick(&self.nodes), *self.rng.pick(&self.nodes));
                if self.rng.chance(0.7) { Test::Differ(one, other) } else { Test::Same(one, other) }
            }
            7 if 1 < self.edges.len() => {
                let (one, other) = (*self.rng.pick(&self.edges), *self.rng.pick(&self.edges));
                if self.rng.chance(0.5) { Test::Differ(one, other) } else { Test::Same(one, other) }
            }
            8 if !self.nodes.is_empty() => {
                let variable = *self.rng.pick(&self.nodes);
                Test::HasLabels(variable, self.labels())
            }
            9 if !self.numbers.is_empty() => {
                let variable = *self.rng.pick(&self.numbers);
                Test::NumberIs(variable, self.comparison(), self.rng.below(3) as i64)
            }
            _ => self.value_test(),
        }
    }

    fn value_test(&mut self) -> Test {
        let elements: Vec<Variable> = self.nodes.iter().chain(&self.edges).copied().collect();
        if elements.is_empty() {
            let all = Match {
                paths: vec![Path { start: Node::default(), hops: Vec::new() }],
                ..Match::default()
            };
            return Test::CountIs(all, self.comparison(), 2);
        }
        let variable = *self.rng.pick(&elements);
        match self.rng.below(5) {
            0 => Test::IsMissing(variable),
            1 => Test::CompareBoth(variable, self.comparison(), *self.rng.pick(&elements)),
            _ => Test::Compare(variable, self.comparison(), self.rng.below(3) as i64),
        }
    }

    /// Whether a pattern is there: mostly one hop between nodes in scope.
    fn pattern_test(&mut self) -> Test {
        let solid: Vec<Variable> =
            self.nodes.iter().filter(|own| !self.nullable.contains(own)).copied().collect();
        if !solid.is_empty() && self.rng.chance(0.6) {
            let start = Node { variable: Some(*self.rng.pick(&solid)), ..Node::default() };
            let count = if self.rng.chance(0.8) { 1 } else { 2 };
            let mut hops = Vec::new();
            for number in 0..count {
                let mut hop = self.hop();
                self.edges.retain(|own| Some(*own) != hop.variable);
                hop.variable = None;
                let known = number + 1 == count && self.rng.chance(0.7);
                let variable = known.then(|| *self.rng.pick(&solid));
                let labels = if self.rng.chance(0.2) { self.labels() } else { Labels::Any };
                hops.push((hop, Node { variable, labels, n: None }));
            }
            return Test::HasPath(Path { start, hops });
        }
        let inner = self.inner();
        if self.rng.chance(0.3) {
            return Test::CountIs(inner, self.comparison(), self.rng.below(3) as i64);
        }
        Test::Exists(inner)
    }

    /// A pattern with variables of its own.
    fn inner(&mut self) -> Match {
        let (nodes, edges) = (self.nodes.clone(), self.edges.clone());
        let hops_left = std::mem::replace(&mut self.hops_left, 2);
        let start = self.node_or_known(0.9);
        let path = self.path_from(start);
        let test = self.rng.chance(0.3).then(|| self.value_test());
        (self.nodes, self.edges, self.hops_left) = (nodes, edges, hops_left);
        let (paths, tests) = (vec![path], test.into_iter().collect());
        Match { optional: false, paths, tests, tests_inside: self.are_tests_inside() }
    }

    /// Whether the tests of a clause are written in its pattern: of one in four.
    fn are_tests_inside(&self) -> bool {
        self.next.is_multiple_of(4)
    }

    /// A `WITH`: some nodes go on, and a count.
    fn with(&mut self) -> Stage {
        let mut nodes = self.nodes.clone();
        self.rng.shuffle(&mut nodes);
        nodes.truncate(1 + self.rng.index(3));
        let keep = |variable: &Variable| Item { value: Value::Node(*variable), becomes: None };
        let mut items: Vec<Item> = nodes.iter().map(keep).collect();
        let mut numbers = Vec::new();
        let distinct = items.is_empty() || self.rng.chance(0.3);
        if items.is_empty() || !distinct && self.rng.chance(0.8) {
            let value = Value::Aggregate(self.aggregate());
            let variable = self.new_variable();
            numbers.push(variable);
            items.push(Item { value, becomes: Some(variable) });
        }
        (self.nodes, self.numbers) = (nodes, numbers);
        self.edges.clear();
        let mut projection = Projection { distinct, items, ..Projection::default() };
        if self.rng.chance(0.25) {
            self.total_order(&mut projection);
            projection.limit = Some(self.rng.below(6));
        }
        while self.rng.chance(0.35) {
            projection.tests.push(self.test(1));
        }
        Stage::With(projection)
    }

    fn aggregate(&mut self) -> Aggregate {
        let elements: Vec<Variable> = self.nodes.iter().chain(&self.edges).copied().collect();
        if elements.is_empty() || self.rng.chance(0.5) {
            return match self.numbers.as_slice() {
                [number, ..] if self.rng.chance(0.6) => Aggregate::Sum(*number),
                _ => Aggregate::Rows,
            };
        }
        let variable = *self.rng.pick(&elements);
        match self.rng.below(8) {
            0 => Aggregate::Count(variable),
            1..=3 => Aggregate::CountDistinct(variable),
            4 => Aggregate::CountDistinctN(variable),
            5 => Aggregate::SumN(variable),
            6 if self.rng.chance(0.5) => Aggregate::MaxN(variable),
            6 => Aggregate::MinId(variable),
            _ => Aggregate::SizeOfDistinct(variable),
        }
    }

    fn result(&mut self) -> (Projection, Fixed) {
        let mut items = Vec::new();
        let count = self.rng.below(3);
        for _ in 0..count {
            let value = self.key();
            items.extend(value.map(|value| Item { value, becomes: None }));
        }
        let distinct = self.rng.chance(0.2);
        if items.is_empty() || self.rng.chance(0.65) {
            let count = 1 + self.rng.index(2);
            for _ in 0..count {
                items.push(Item { value: Value::Aggregate(self.aggregate()), becomes: None });
            }
        }
        let mut projection = Projection { distinct, items, ..Projection::default() };
        let fixed = match self.rng.below(6) {
            0 => {
                self.total_order(&mut projection);
                self.limits(&mut projection);
                Fixed::Order
            }
            1 => {
                // Only the columns that it is ordered by are fixed.
                let last = projection.items.len() - 1;
                projection.order = vec![(last, self.rng.chance(0.7))];
                self.limits(&mut projection);
                Fixed::Columns(vec![last])
            }
            _ => Fixed::Rows,
        };
        (projection, fixed)
    }

    fn limits(&mut self, projection: &mut Projection) {
        projection.skip = self.rng.chance(0.2).then(|| self.rng.below(3));
        projection.limit = self.rng.chance(0.8).then(|| self.rng.below(6));
    }

    fn total_order(&mut self, projection: &mut Projection) {
        let mut columns: Vec<usize> = (0..projection.items.len()).collect();
        self.rng.shuffle(&mut columns);
        // Counts come first, as in lists of the most frequent.
        columns.sort_by_key(|&column| !projection.items[column].value.is_aggregate());
        projection.order =
            columns.into_iter().map(|column| (column, self.rng.chance(0.5))).collect();
    }

    /// A column that rows are grouped by.
    fn key(&mut self) -> Option<Value> {
        if self.nodes.is_empty() {
            return self.numbers.first().map(|number| Value::Number(*number));
        }
        let variable = *self.rng.pick(&self.nodes);
        Some(match self.rng.below(14) {
            0..=4 => Value::Id(variable),
            5..=7 => Value::N(variable),
            8..=10 => Value::S(variable),
            11 => Value::Exists(self.inner()),
            12 => Value::Count(self.inner()),
            _ => match self.numbers.first() {
                Some(number) => Value::Number(*number),
                None => Value::Id(variable),
            },
        })
    }
}
