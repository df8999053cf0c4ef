//! Parts of a path that are repeated: `((a)-[r]->(b) WHERE …){1,3}`.
//!
//! Each relationship of the part is a step of the search. A condition that reads one relationship and the nodes at its
//! ends is asked by that step; one that reads more of a repetition is asked of whole paths, for each repetition.
//!
//! ```text
//!   position      0      1      2      3      4
//!   part      (a) -[  r  ]- (b) -[  s  ]- (c)         vertices of a path: a b c=a b c=a b c
//!   step           <-- 0 -->      <-- 1 -->           edges of a path:     r s   r s   r s
//! ```

use std::collections::BTreeSet;

use millrace_model::{Direction as Way, Result};
use millrace_plan::functions::{IndexMode, Outside};
use millrace_plan::op::{self, Loops, PathAlternative, PathLeg, PathMode, PathOrder, PathTest};
use millrace_plan::{Arithmetic, ColumnId, End, Expr, Function, Makes, Name, Quantifier, Unknown};

use super::Matching;
use super::conditions::{conditions_of, conditions_of_edge};
use super::parts::{edge_types, way};
use super::paths::PathObject;
use crate::functions::needs_operators;
use crate::primitives::equal;
use crate::translate::{Translator, unsupported};
use crate::tree::{
    self, NodePattern, PathPart, PathPattern, QuantifiedPath, RelationshipPattern, Symbol, Variable,
};

/// The elements of a repeated part.
struct Part<'p> {
    nodes: Vec<&'p NodePattern>,
    edges: Vec<&'p RelationshipPattern>,
}

/// A condition within one repetition, over a column for each position of the part.
struct Condition {
    /// The positions that it reads.
    positions: BTreeSet<usize>,
    holds: Expr,
}

/// A search for the paths of a repeated part.
pub(super) struct Repeated<'p> {
    part: Part<'p>,
    forward: bool,
    /// The search, for all trails.
    pub(super) path: op::PathPattern,
    /// Conditions that no step can ask.
    pub(super) left: Vec<Expr>,
    /// The columns that conditions have for positions.
    positions: Vec<ColumnId>,
}

/// The columns of the paths that were found, in the order of the text.
#[derive(Clone, Copy)]
struct Lists {
    edges: ColumnId,
    vertices: ColumnId,
    period: usize,
}

const INDEX: IndexMode = IndexMode { first: 0, from_end: true, outside: Outside::Missing };

impl Translator<'_> {
    /// Along a part of a path that is repeated.
    pub(super) fn quantified_hop(
        &mut self,
        (pattern, own): (&PathPattern, &QuantifiedPath),
        (from, node): (ColumnId, &NodePattern),
        forward: bool,
        matching: &mut Matching,
    ) -> Result<(PathObject, ColumnId)> {
        let mut found = self.repeated(own, from, forward, matching)?;
        self.search_where(pattern, None, &mut found.path, matching)?;
        matching.let_repeat(own.at, &mut found.path)?;
        let is_tested = self.bind_far_end(node, &found.path, matching)?;
        let bound = self.bound_column(&node.variable);
        let to = bound.is_none().then(|| self.new_column(&node.variable));
        found.path.into = bound;
        found.path.order = PathOrder::DepthFirst;
        let whole = self.found_paths(own, found, to, matching)?;
        let end = bound.or(to).unwrap_or(from);
        self.found(&node.variable, end, matching);
        if !is_tested {
            self.test(conditions_of(node), matching)?;
        }
        Ok((PathObject::Part { path: whole, reversed: !forward }, end))
    }

    /// The search for the paths of a repeated part from a vertex.
    pub(super) fn repeated<'p>(
        &mut self,
        own: &'p QuantifiedPath,
        from: ColumnId,
        forward: bool,
        matching: &Matching,
    ) -> Result<Repeated<'p>> {
        let part = Part::of(own)?;
        let positions =
            (0..part.positions()).map(|position| self.new_column(part.variable(position)));
        let positions: Vec<ColumnId> = positions.collect();
        let mut conditions = self.conditions_within(own, &part, &positions, matching)?;
        let mut steps = Vec::new();
        for step in 0..part.edges.len() {
            let step = if forward { step } else { part.edges.len() - 1 - step };
            steps.push(self.step(&part, step, forward, (&mut conditions, &positions)));
        }
        let left = conditions.into_iter().map(|condition| condition.holds).collect();
        let mut length = own.length.map_or((1, Some(1)), |length| (length.min, length.max));
        if length.1.is_some_and(|max| max < length.0) {
            // An empty interval has no path.
            self.plan.filter(Expr::literal(false));
            length.1 = Some(length.0);
        }
        let path = op::PathPattern::of_steps(from, steps, length, PathMode::Trail);
        Ok(Repeated { part, forward, path, left, positions })
    }

    /// The conditions on the elements of one repetition.
    fn conditions_within(
        &mut self,
        own: &QuantifiedPath,
        part: &Part<'_>,
        positions: &[ColumnId],
        matching: &Matching,
    ) -> Result<Vec<Condition>> {
        let mut tests = part.conditions();
        if let Some(test) = &own.test {
            super::conditions::conjuncts(test, &mut tests);
        }
        let before = self.columns.clone();
        // The first of the nodes with one variable stands for it.
        for (position, &column) in positions.iter().enumerate().rev() {
            self.bind(part.variable(position), column);
        }
        self.inside += 1;
        let conditions = tests.iter().map(|test| self.condition(test, part, matching));
        let conditions = conditions.collect::<Result<Vec<_>>>();
        self.inside -= 1;
        self.columns = before;
        let mut conditions = conditions?;
        for position in 0..part.positions() {
            let first = part.position_of(part.variable(position).symbol).unwrap_or(position);
            if first != position {
                let column = |position: usize| Expr::Column(positions[position]);
                let holds = equal(column(first), column(position));
                conditions.push(Condition { positions: BTreeSet::from([first, position]), holds });
            }
        }
        Ok(conditions)
    }

    fn condition(
        &mut self,
        test: &tree::Expr,
        part: &Part<'_>,
        matching: &Matching,
    ) -> Result<Condition> {
        if needs_operators(test) {
            let help = "test the lists of its variables after the pattern";
            return Err(unsupported(test.at, "a subquery inside a repeated part", help));
        }
        if test.reads(&|symbol| matching.own.contains(&symbol)) {
            let what = "a condition of a repeated part that reads a variable of the same MATCH";
            let help =
                "bind that variable in an earlier MATCH, or test the lists after the pattern";
            return Err(unsupported(test.at, what, help));
        }
        let mut positions = BTreeSet::new();
        for position in 0..part.positions() {
            let symbol = part.variable(position).symbol;
            let is_first = part.position_of(symbol) == Some(position);
            if is_first && test.reads(&|read| Some(read) == symbol) {
                positions.insert(position);
            }
        }
        Ok(Condition { positions, holds: self.expr(test)? })
    }

    /// The step along a relationship of the part, with those conditions that it can ask.
    fn step(
        &mut self,
        part: &Part<'_>,
        number: usize,
        forward: bool,
        (conditions, positions): (&mut Vec<Condition>, &[ColumnId]),
    ) -> PathLeg {
        let own = part.edges[number];
        let (types, _) = edge_types(own.types.as_ref());
        let way = way(own.direction, forward);
        let mut step = PathAlternative::along(types, way, Loops::Once);
        let seen = 2 * number..=2 * number + 2;
        let (near, far) = match forward {
            true => (2 * number, 2 * number + 2),
            false => (2 * number + 2, 2 * number),
        };
        let asked =
            conditions.extract_if(.., |own| own.positions.iter().all(|at| seen.contains(at)));
        let mut asked: Vec<Expr> = asked.map(|condition| condition.holds).collect();
        if !asked.is_empty() {
            let [edge, vertex] = ["edge", "vertex"].map(|name| self.plan.column(name));
            let came_from = other_end(way, edge, vertex);
            for holds in &mut asked {
                holds.replace_column(positions[2 * number + 1], edge);
                holds.replace_column(positions[far], vertex);
                holds.replace(&Expr::Column(positions[near]), &came_from);
            }
            step.test = Some(PathTest { edge, vertex, holds: Expr::And(asked) });
        }
        step.into()
    }

    /// Searches, and binds the variables of the part to their lists: the column of the paths, as they were walked.
    pub(super) fn found_paths(
        &mut self,
        own: &QuantifiedPath,
        found: Repeated<'_>,
        to: Option<ColumnId>,
        matching: &mut Matching,
    ) -> Result<ColumnId> {
        let Repeated { part, forward, path, left, positions } = found;
        let [edges, vertices, whole] =
            ["edges", "vertices", "part"].map(|name| self.plan.column(name));
        let types = types_of(&path.steps);
        let lists = (Some(edges), Some(vertices), Some(whole));
        self.push_paths(op::PathExpand {
            edges: lists.0,
            vertices: lists.1,
            whole: lists.2,
            to,
            ..op::PathExpand::unread(path)
        });
        let period = part.edges.len();
        let lists = match forward {
            true => Lists { edges, vertices, period },
            false => {
                let [edges, vertices] = [edges, vertices].map(|list| {
                    let reversed = Expr::call(Function::Reverse, vec![Expr::Column(list)]);
                    self.plan.project("reversed", reversed)
                });
                Lists { edges, vertices, period }
            }
        };
        if !left.is_empty() {
            self.test_repetitions(left, lists, &positions);
        }
        for (single, list) in &own.groups {
            let Some(position) = part.position_of(single.symbol) else { continue };
            let entries = self.entries_at(position, lists);
            let column = self.as_column(&list.name, entries);
            self.found(list, column, matching);
        }
        self.must_differ(lists.edges, types, matching);
        Ok(whole)
    }

    /// Conditions that must hold in each repetition.
    fn test_repetitions(&mut self, left: Vec<Expr>, lists: Lists, positions: &[ColumnId]) {
        let start = self.plan.column("repetition");
        let holds = left.into_iter().map(|mut holds| {
            for (position, &column) in positions.iter().enumerate() {
                let (list, offset) = lists.of_position(position);
                let (left, right) = (Box::new(Expr::Column(start)), Box::new(number(offset)));
                let index = Expr::Arithmetic { operation: Arithmetic::Add, left, right };
                holds.replace(&Expr::Column(column), &entry(list, index));
            }
            holds
        });
        let holds = Expr::And(holds.collect());
        let makes = Makes::Truth { quantifier: Quantifier::All, unknown: Unknown::Stays, holds };
        self.plan.filter(Expr::over(lists.every(0), start, makes));
    }

    /// The entries of a position of the part, one for each repetition.
    fn entries_at(&mut self, position: usize, lists: Lists) -> Expr {
        let (list, offset) = lists.of_position(position);
        if lists.period == 1 {
            let column = Expr::Column(list);
            let slice = |arguments| Expr::call(Function::Slice(INDEX), arguments);
            return match position {
                0 => slice(vec![column, number(0), Expr::literal(-1_i64)]),
                1 => column,
                _ => slice(vec![column, number(1)]),
            };
        }
        let item = self.plan.column("position");
        let value = Some(entry(list, Expr::Column(item)));
        Expr::over(lists.every(offset), item, Makes::List { keep: None, value })
    }
}

impl<'p> Part<'p> {
    /// The elements of a part, or what it cannot contain.
    fn of(own: &'p QuantifiedPath) -> Result<Part<'p>> {
        if let Some(variable) = &own.pattern.variable {
            let help = "name the path of the whole pattern, or the nodes and relationships";
            return Err(unsupported(variable.at, "a path variable in a repeated part", help));
        }
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        for part in &own.pattern.parts {
            match part {
                PathPart::Node(node) => nodes.push(node),
                PathPart::Relationship(edge) if edge.length.is_none() => edges.push(edge),
                PathPart::Relationship(edge) => {
                    let help = "write relationships of one step inside it";
                    let what = "a relationship of variable length inside a repeated part";
                    return Err(unsupported(edge.at, what, help));
                }
                PathPart::Quantified(inner) => {
                    let help = "write nodes and relationships inside it";
                    let what = "a part in parentheses inside a repeated part";
                    return Err(unsupported(inner.at, what, help));
                }
            }
        }
        if edges.is_empty() {
            let help = "write a relationship inside it";
            return Err(unsupported(own.at, "a repeated part without a relationship", help));
        }
        Ok(Part { nodes, edges })
    }

    fn positions(&self) -> usize {
        self.nodes.len() + self.edges.len()
    }

    fn variable(&self, position: usize) -> &'p Variable {
        match position.is_multiple_of(2) {
            true => &self.nodes[position / 2].variable,
            false => &self.edges[position / 2].variable,
        }
    }

    /// The first position with a variable.
    fn position_of(&self, symbol: Option<Symbol>) -> Option<usize> {
        (0..self.positions()).find(|&position| self.variable(position).symbol == symbol)
    }

    /// What its elements demand.
    fn conditions(&self) -> Vec<tree::Expr> {
        let of_nodes = self.nodes.iter().flat_map(|node| conditions_of(node));
        let of_edges = self.edges.iter().flat_map(|edge| {
            let (_, rest) = edge_types(edge.types.as_ref());
            conditions_of_edge(edge, rest)
        });
        of_nodes.chain(of_edges).collect()
    }
}

impl Lists {
    /// The list that has the elements of a position, and where its first one is.
    fn of_position(self, position: usize) -> (ColumnId, usize) {
        let list = if position.is_multiple_of(2) { self.vertices } else { self.edges };
        (list, position / 2)
    }

    /// A number for each repetition: the first one, and then one more for each relationship of the part.
    fn every(self, first: usize) -> Expr {
        let size = Expr::call(Function::Size, vec![Expr::Column(self.edges)]);
        let back = Expr::literal(first as i64 - self.period as i64);
        let (left, right) = (Box::new(size), Box::new(back));
        let last = Expr::Arithmetic { operation: Arithmetic::Add, left, right };
        Expr::call(Function::Range, vec![number(first), last, number(self.period)])
    }
}

/// The types that a path may have; `None`: all.
pub(super) fn types_of(steps: &[PathLeg]) -> Option<Vec<Name>> {
    let alternatives = steps.iter().flat_map(|step| &step.alternatives);
    let types: Option<Vec<_>> = alternatives.map(|own| own.types.clone()).collect();
    Some(types?.concat())
}

/// The vertex that an edge was walked from.
fn other_end(way: Way, edge: ColumnId, vertex: ColumnId) -> Expr {
    let end = |end| Expr::EdgeEnd { edge: Box::new(Expr::Column(edge)), end };
    match way {
        Way::Out => end(End::Source),
        Way::In => end(End::Target),
        Way::Both => {
            let is_source = equal(end(End::Source), Expr::Column(vertex));
            let branches = vec![(is_source, end(End::Target))];
            Expr::Case { branches, otherwise: Some(Box::new(end(End::Source))) }
        }
    }
}

fn entry(list: ColumnId, index: Expr) -> Expr {
    Expr::call(Function::ElementAt(INDEX), vec![Expr::Column(list), index])
}

fn number(number: usize) -> Expr {
    Expr::literal(number as i64)
}
