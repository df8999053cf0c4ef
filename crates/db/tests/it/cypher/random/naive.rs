//! Runs a query of patterns over lists, as the manual describes it: nothing of the product is used.
//!
//! Engine and oracle run one plan, so both are wrong together where the translation is. This is what finds that:
//! every binding is tried, one after the other.

use std::cmp::Ordering;

use super::graph::Graph;
use super::patterns::{
    Aggregate, Comparison, Direction, Hop, Item, Labels, Match, Node, Path, Projection, Query,
    Stage, Test, Value, Variable,
};

/// More bindings than this are not tried.
const TRIED_MAX: u64 = 40_000;

/// What a variable or a column is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    Vertex(usize),
    Edge(usize),
    Bool(bool),
    Number(i64),
    Text(&'static str),
    /// Largest, as `ORDER BY` has it.
    Null,
    /// A variable that is not in scope.
    Unbound,
}

type Row = Vec<Cell>;

/// The rows of a query in an order that its text allows, before its limit: so a test sees which rows it might
/// take. `None`: there were too many bindings.
pub(super) fn run(graph: &Graph, query: &Query, variables: usize) -> Option<Vec<Row>> {
    let mut search = Search { graph, tried: 0 };
    let mut rows = vec![vec![Cell::Unbound; variables]];
    for stage in &query.stages {
        rows = match stage {
            Stage::Match(clause) => search.matched(clause, rows)?,
            Stage::With(projection) => search.with(projection, &rows, variables)?,
        };
    }
    search.projected(&query.result, &rows)
}

struct Search<'a> {
    graph: &'a Graph,
    tried: u64,
}

/// A binding under way: variables, and the relationships that are used.
#[derive(Clone)]
struct Partial {
    row: Row,
    used: Vec<usize>,
}

impl Search<'_> {
    fn matched(&mut self, clause: &Match, rows: Vec<Row>) -> Option<Vec<Row>> {
        let mut all = Vec::new();
        for mut row in rows {
            let found = self.matches_of(clause, &row)?;
            if clause.optional && found.is_empty() {
                for variable in clause.variables() {
                    if row[variable] == Cell::Unbound {
                        row[variable] = Cell::Null;
                    }
                }
                all.push(row);
            } else {
                all.extend(found);
            }
        }
        Some(all)
    }

    /// The rows that one row becomes.
    fn matches_of(&mut self, clause: &Match, row: &Row) -> Option<Vec<Row>> {
        let mut partials = vec![Partial { row: row.clone(), used: Vec::new() }];
        for path in &clause.paths {
            let mut next = Vec::new();
            for partial in &partials {
                next.extend(self.walked(path, partial)?);
            }
            partials = next;
        }
        let mut rows = Vec::new();
        for partial in partials {
            if self.all_hold(&clause.tests, &partial.row)? == Some(true) {
                rows.push(partial.row);
            }
        }
        Some(rows)
    }

    fn walked(&mut self, path: &Path, from: &Partial) -> Option<Vec<Partial>> {
        let mut found = Vec::new();
        for vertex in 0..self.graph.vertices.len() {
            let mut partial = from.clone();
            if self.bind_node(&path.start, vertex, &mut partial) {
                self.continued(&path.hops, vertex, partial, &mut found)?;
            }
        }
        Some(found)
    }

    fn continued(
        &mut self,
        hops: &[(Hop, Node)],
        at: usize,
        partial: Partial,
        found: &mut Vec<Partial>,
    ) -> Option<()> {
        self.tried += 1;
        if TRIED_MAX < self.tried {
            return None;
        }
        let Some(((hop, node), rest)) = hops.split_first() else {
            found.push(partial);
            return Some(());
        };
        let (least, most) = hop.lengths.unwrap_or((1, 1));
        for (end, used) in self.trails(hop, at, &partial.used, least, most)? {
            let mut next = partial.clone();
            if let (Some(variable), Some(&last)) = (hop.variable, used.last())
                && !bind(variable, &Cell::Edge(last), &mut next)
            {
                continue;
            }
            next.used = used;
            if self.bind_node(node, end, &mut next) {
                self.continued(rest, end, next, found)?;
            }
        }
        Some(())
    }

    /// The ends of all ways of so many relationships, none of them used before, with those used then.
    fn trails(
        &mut self,
        hop: &Hop,
        at: usize,
        used: &[usize],
        least: u32,
        most: u32,
    ) -> Option<Vec<(usize, Vec<usize>)>> {
        let mut all = Vec::new();
        if least == 0 {
            all.push((at, used.to_vec()));
        }
        if most == 0 {
            return Some(all);
        }
        self.tried += 1;
        if TRIED_MAX < self.tried {
            return None;
        }
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let fits = hop.types.is_empty() || hop.types.contains(&edge.edge_type);
            if !fits || used.contains(&number) {
                continue;
            }
            let (out, back) = (edge.source == at, edge.target == at);
            let end = match hop.direction {
                Direction::Out if out => edge.target,
                Direction::In if back => edge.source,
                // A loop is found once.
                Direction::Either if out => edge.target,
                Direction::Either if back => edge.source,
                Direction::Out | Direction::In | Direction::Either => continue,
            };
            let used: Vec<usize> = used.iter().copied().chain([number]).collect();
            all.extend(self.trails(hop, end, &used, least.saturating_sub(1), most - 1)?);
        }
        Some(all)
    }

    fn bind_node(&self, node: &Node, vertex: usize, partial: &mut Partial) -> bool {
        let own = &self.graph.vertices[vertex];
        if !node.labels.fit(&own.labels) || node.n.is_some_and(|n| own.n != Some(n)) {
            return false;
        }
        node.variable.is_none_or(|variable| bind(variable, &Cell::Vertex(vertex), partial))
    }

    fn all_hold(&mut self, tests: &[Test], row: &Row) -> Option<Option<bool>> {
        let mut all = Some(true);
        for test in tests {
            all = and(all, self.holds(test, row)?);
        }
        Some(all)
    }

    /// The outer `None`: too many bindings; the inner one: unknown.
    fn holds(&mut self, test: &Test, row: &Row) -> Option<Option<bool>> {
        let same = |one: &Variable, other: &Variable| match (&row[*one], &row[*other]) {
            (Cell::Null, _) | (_, Cell::Null) => None,
            (one, other) => Some(one == other),
        };
        Some(match test {
            Test::Exists(inner) => Some(!self.matches_of(inner, row)?.is_empty()),
            Test::HasPath(path) => {
                let inner = Match { paths: vec![path.clone()], ..Match::default() };
                Some(!self.matches_of(&inner, row)?.is_empty())
            }
            Test::CountIs(inner, comparison, number) => {
                let count = self.matches_of(inner, row)?.len() as i64;
                Some(comparison.holds(count.cmp(number)))
            }
            Test::Same(one, other) => same(one, other),
            Test::Differ(one, other) => same(one, other).map(|same| !same),
            Test::HasLabels(variable, labels) => match row[*variable] {
                Cell::Vertex(vertex) => Some(labels.fit(&self.graph.vertices[vertex].labels)),
                _ => None,
            },
            Test::Compare(variable, comparison, number) => {
                self.n(row, *variable).map(|n| comparison.holds(n.cmp(number)))
            }
            Test::CompareBoth(one, comparison, other) => {
                match (self.n(row, *one), self.n(row, *other)) {
                    (Some(one), Some(other)) => Some(comparison.holds(one.cmp(&other))),
                    _ => None,
                }
            }
            Test::IsMissing(variable) => Some(self.n(row, *variable).is_none()),
            Test::NumberIs(variable, comparison, number) => match row[*variable] {
                Cell::Number(own) => Some(comparison.holds(own.cmp(number))),
                _ => None,
            },
            Test::Not(test) => self.holds(test, row)?.map(|holds| !holds),
            Test::Both(one, other) => and(self.holds(one, row)?, self.holds(other, row)?),
            Test::Either(one, other) => {
                let (one, other) = (self.holds(one, row)?, self.holds(other, row)?);
                and(one.map(|one| !one), other.map(|other| !other)).map(|neither| !neither)
            }
        })
    }

    fn n(&self, row: &Row, variable: Variable) -> Option<i64> {
        match row[variable] {
            Cell::Vertex(vertex) => self.graph.vertices[vertex].n,
            Cell::Edge(edge) => self.graph.edges[edge].n,
            _ => None,
        }
    }

    fn with(&mut self, with: &Projection, rows: &[Row], variables: usize) -> Option<Vec<Row>> {
        let columns = self.projected(with, rows)?;
        let skip = with.skip.unwrap_or(0) as usize;
        let limit = with.limit.unwrap_or(u64::MAX) as usize;
        let mut all = Vec::new();
        for columns in columns.into_iter().skip(skip).take(limit) {
            let mut row = vec![Cell::Unbound; variables];
            for (Item { value, becomes }, cell) in with.items.iter().zip(columns) {
                match (becomes, value) {
                    (Some(variable), _) | (None, Value::Node(variable)) => {
                        row[*variable] = cell;
                    }
                    (None, _) => {}
                }
            }
            if self.all_hold(&with.tests, &row)? == Some(true) {
                all.push(row);
            }
        }
        Some(all)
    }

    /// The columns of a projection, in order, without its limits.
    fn projected(&mut self, projection: &Projection, rows: &[Row]) -> Option<Vec<Row>> {
        let Projection { items, order, distinct, .. } = projection;
        let aggregates = items.iter().any(|item| item.value.is_aggregate());
        let mut columns: Vec<Row> = Vec::new();
        if aggregates {
            let mut groups: Vec<(Row, Vec<Row>)> = Vec::new();
            for row in rows {
                let mut key = Vec::new();
                for item in items.iter().filter(|item| !item.value.is_aggregate()) {
                    key.push(self.value(&item.value, row)?);
                }
                match groups.iter_mut().find(|(own, _)| *own == key) {
                    Some((_, rows)) => rows.push(row.clone()),
                    None => groups.push((key, vec![row.clone()])),
                }
            }
            let has_keys = items.iter().any(|item| !item.value.is_aggregate());
            if groups.is_empty() && !has_keys {
                groups.push((Vec::new(), Vec::new()));
            }
            for (key, rows) in groups {
                let mut keys = key.into_iter();
                let cell = |item: &Item| match &item.value {
                    Value::Aggregate(aggregate) => self.folded(aggregate, &rows),
                    _ => keys.next().expect("a key for each other column"),
                };
                columns.push(items.iter().map(cell).collect());
            }
        } else {
            for row in rows {
                let cells = items.iter().map(|item| self.value(&item.value, row));
                columns.push(cells.collect::<Option<Row>>()?);
            }
        }
        if *distinct {
            let mut seen: Vec<Row> = Vec::new();
            columns.retain(|row| {
                !seen.contains(row) && {
                    seen.push(row.clone());
                    true
                }
            });
        }
        columns.sort_by(|one, other| compare(one, other, order));
        Some(columns)
    }

    fn value(&mut self, value: &Value, row: &Row) -> Option<Cell> {
        let vertex = |variable: &Variable| match row[*variable] {
            Cell::Vertex(vertex) => Some(&self.graph.vertices[vertex]),
            _ => None,
        };
        Some(match value {
            Value::Node(variable) | Value::Number(variable) => row[*variable].clone(),
            Value::Id(variable) => self.id(&row[*variable]),
            Value::N(variable) => self.n(row, *variable).map_or(Cell::Null, Cell::Number),
            Value::S(variable) => {
                vertex(variable).and_then(|own| own.s).map_or(Cell::Null, Cell::Text)
            }
            Value::Exists(inner) => Cell::Bool(!self.matches_of(inner, row)?.is_empty()),
            Value::Count(inner) => Cell::Number(self.matches_of(inner, row)?.len() as i64),
            Value::Aggregate(_) => Cell::Null,
        })
    }

    fn id(&self, cell: &Cell) -> Cell {
        match cell {
            Cell::Vertex(vertex) => Cell::Number(self.graph.vertices[*vertex].id),
            Cell::Edge(edge) => Cell::Number(self.graph.edges[*edge].id),
            _ => Cell::Null,
        }
    }

    fn folded(&self, aggregate: &Aggregate, rows: &[Row]) -> Cell {
        let not_null = |variable: &Variable| {
            let cells = rows.iter().map(|row| row[*variable].clone());
            cells.filter(|cell| *cell != Cell::Null).collect::<Vec<_>>()
        };
        let n = |variable: &Variable| {
            rows.iter().filter_map(|row| self.n(row, *variable)).collect::<Vec<_>>()
        };
        let number = |number: usize| Cell::Number(number as i64);
        let or_null = |number: Option<i64>| number.map_or(Cell::Null, Cell::Number);
        match aggregate {
            Aggregate::Rows => number(rows.len()),
            Aggregate::Count(variable) => number(not_null(variable).len()),
            Aggregate::CountDistinct(variable) | Aggregate::SizeOfDistinct(variable) => {
                number(different(not_null(variable)))
            }
            Aggregate::CountDistinctN(variable) => number(different(n(variable))),
            Aggregate::SumN(variable) => Cell::Number(n(variable).iter().sum()),
            Aggregate::MaxN(variable) => or_null(n(variable).into_iter().max()),
            Aggregate::MinId(variable) => {
                not_null(variable).iter().map(|cell| self.id(cell)).min().unwrap_or(Cell::Null)
            }
            Aggregate::Sum(variable) => {
                let numbers = not_null(variable).into_iter().map(|cell| match cell {
                    Cell::Number(number) => number,
                    _ => 0,
                });
                Cell::Number(numbers.sum())
            }
        }
    }
}

/// Binds a variable, or compares with what it is bound to: null is no element.
fn bind(variable: Variable, cell: &Cell, partial: &mut Partial) -> bool {
    if partial.row[variable] == Cell::Unbound {
        partial.row[variable] = cell.clone();
    }
    partial.row[variable] == *cell
}

fn and(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), other) => other,
        (None, _) => None,
    }
}

fn different<T: Ord>(mut values: Vec<T>) -> usize {
    values.sort();
    values.dedup();
    values.len()
}

/// Rows in the order of these columns.
pub(super) fn compare(one: &Row, other: &Row, order: &[(usize, bool)]) -> Ordering {
    let columns = order.iter().map(|&(column, down)| {
        let order = one[column].cmp(&other[column]);
        if down { order.reverse() } else { order }
    });
    columns.fold(Ordering::Equal, Ordering::then)
}

impl Labels {
    fn fit(&self, own: &[&str]) -> bool {
        match self {
            Labels::Any => true,
            Labels::All(labels) => labels.iter().all(|label| own.contains(label)),
            Labels::OneOf(one, other) => own.contains(one) || own.contains(other),
            Labels::Not(label) => !own.contains(label),
        }
    }
}

impl Comparison {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Less => order.is_lt(),
            Comparison::LessEqual => order.is_le(),
            Comparison::Equal => order.is_eq(),
            Comparison::Unequal => order.is_ne(),
            Comparison::Greater => order.is_gt(),
        }
    }
}
