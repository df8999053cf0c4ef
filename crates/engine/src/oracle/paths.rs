//! Paths through the graph, all of them walked, and paths as values.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::path::Path;
use millrace_model::{Direction, EdgeId, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::{
    ColumnId, End, Loops, Name, ParallelEdges, PathAlternative, PathLeg, PathMode, PathOrder,
    PathPattern, op,
};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;
use crate::limits;

/// A way: the edges, by which alternatives they were walked, the vertices with the start, and its cost.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) edges: Vec<EdgeId>,
    alternatives: Vec<usize>,
    pub(super) vertices: Vec<VertexId>,
    pub(super) cost: f64,
}

/// An edge that a step may walk: by which alternative, to where, at which price.
struct Walkable {
    alternative: usize,
    edge: EdgeId,
    vertex: VertexId,
    price: f64,
}

impl Way {
    pub(super) fn start(vertex: VertexId) -> Way {
        let (edges, alternatives, vertices) = (Vec::new(), Vec::new(), vec![vertex]);
        Way { edges, alternatives, vertices, cost: 0.0 }
    }

    pub(super) fn end(&self) -> Value {
        self.vertices.last().map_or(Value::Null, |end| Value::Vertex(*end))
    }

    /// By cost, then by length.
    pub(super) fn order(&self, other: &Way) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.edges.len().cmp(&other.edges.len()))
    }

    /// Vertices and edges in turn.
    fn path(&self) -> Value {
        let mut objects = Vec::new();
        for (place, vertex) in self.vertices.iter().enumerate() {
            objects.push(Value::Vertex(*vertex));
            objects.extend(self.edges.get(place).map(|edge| Value::Edge(*edge)));
        }
        Value::Path(Arc::new(Path::untagged(objects)))
    }

    fn with(&self, next: &Walkable) -> Way {
        let mut way = self.clone();
        way.edges.push(next.edge);
        way.alternatives.push(next.alternative);
        way.vertices.push(next.vertex);
        way.cost += next.price;
        way
    }
}

impl Oracle<'_> {
    pub(super) fn paths(
        &self,
        op::PathExpand { path, edges, vertices, whole, alternatives, to, cost }: &op::PathExpand,
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let into = path.into.map(|into| row.get(into)).transpose()?;
            for way in self.ways(path, &row.get(path.from)?, into.as_ref(), row)? {
                let end = Cell::Value(way.end());
                if into.as_ref().is_some_and(|into| *into != end) {
                    continue;
                }
                let row = row.with_wanted(*whole, Cell::Value(way.path()));
                let walked = way.edges.into_iter().map(Value::Edge).collect();
                let row = row.with_wanted(*edges, Cell::Value(Value::list(walked)));
                let visited = way.vertices.into_iter().map(Value::Vertex).collect();
                let row = row.with_wanted(*vertices, Cell::Value(Value::list(visited)));
                let numbers = way.alternatives.iter().map(|number| Value::I64(*number as i64));
                let row =
                    row.with_wanted(*alternatives, Cell::Value(Value::list(numbers.collect())));
                let row = row.with_wanted(*cost, Cell::Value(Value::F64(way.cost)));
                result.push(row.with_wanted(*to, end));
            }
        }
        Ok(result)
    }

    /// All ways from a vertex that a pattern asks for, in order.
    fn ways(
        &self,
        path: &PathPattern,
        from: &Cell,
        into: Option<&Cell>,
        row: &Row,
    ) -> Result<Vec<Way>> {
        let Some(Value::Vertex(start)) = from.present() else {
            // An expansion says what is wrong with another value, and has nothing of null.
            self.expand(from, None, Direction::Out, Loops::Twice)?;
            return Ok(Vec::new());
        };
        if let Some(most) = path.frontier {
            return self.best_first((path, most), *start, into, row);
        }
        let mut ways = Vec::new();
        for way in self.walked(path, *start, row)? {
            if self.is_asked_for(path, &way, row)? {
                ways.push(way);
            }
        }
        if path.ways.cheapest().is_some() {
            // Stable: of one cost shorter ones stay first, and of one length list order.
            ways.sort_by(|left, right| left.cost.total_cmp(&right.cost));
            let mut taken = Taken::default();
            ways.retain(|way| taken.takes(path.ways, way));
        }
        Ok(ways)
    }

    /// Whether a way has a cost in the range, and is accepted.
    pub(super) fn is_asked_for(&self, path: &PathPattern, way: &Way, row: &Row) -> Result<bool> {
        let is_in_range = path.least.is_none_or(|least| least <= way.cost)
            && path.most.is_none_or(|most| way.cost <= most);
        let Some(accept) = path.accept.as_ref().filter(|_| is_in_range) else {
            return Ok(is_in_range);
        };
        let edges = Value::list(way.edges.iter().copied().map(Value::Edge).collect());
        let row = row.with(accept.whole, Cell::Value(way.path()));
        self.holds(&accept.holds, &row.with(accept.edges, Cell::Value(edges)))
    }

    /// Paths of any cost, in their order.
    fn walked(&self, path: &PathPattern, start: VertexId, row: &Row) -> Result<Vec<Way>> {
        let near = self.near(path, start, row)?;
        let way = Way::start(start);
        let mut found = Vec::new();
        match path.order {
            PathOrder::ShorterFirst => {
                self.by_length((path, near.as_ref()), way, row, &mut found)?;
            }
            PathOrder::DepthFirst => {
                self.depth_first((path, near.as_ref()), &way, row, &mut found)?;
            }
        }
        Ok(found)
    }

    fn by_length(
        &self,
        (path, near): (&PathPattern, Option<&BTreeSet<Value>>),
        start: Way,
        row: &Row,
        found: &mut Vec<Way>,
    ) -> Result<()> {
        let period = path.steps.len() as u64;
        let mut shortest = BTreeSet::from_iter((path.min == 0).then_some((start.vertices[0], 0)));
        let (mut level, mut length) = (vec![start], 0);
        loop {
            found.extend(level.iter().filter(|_| is_long_enough(path, length)).cloned());
            if level.is_empty() || !may_be_longer(path, length) {
                return Ok(());
            }
            length += 1;
            let (mut next, reached) = (Vec::new(), shortest.clone());
            for way in &level {
                for longer in self.longer((path, near), way, row)? {
                    let state = (longer.vertices[longer.edges.len()], length % period);
                    let goes = match path.ways {
                        PathMode::AnyShortest => shortest.insert(state),
                        PathMode::AllShortest => {
                            shortest.insert(state);
                            !reached.contains(&state)
                        }
                        _ => true,
                    };
                    next.extend(goes.then_some(longer));
                }
            }
            within_bounds(found.len() + next.len())?;
            level = next;
        }
    }

    fn depth_first(
        &self,
        (path, near): (&PathPattern, Option<&BTreeSet<Value>>),
        way: &Way,
        row: &Row,
        found: &mut Vec<Way>,
    ) -> Result<()> {
        let length = way.edges.len() as u64;
        found.extend(is_long_enough(path, length).then(|| way.clone()));
        within_bounds(found.len())?;
        if may_be_longer(path, length) {
            for longer in self.longer((path, near), way, row)? {
                self.depth_first((path, near), &longer, row, found)?;
            }
        }
        Ok(())
    }

    /// The ways with one edge more that the path mode and the tests allow, in list order.
    pub(super) fn longer(
        &self,
        (path, near): (&PathPattern, Option<&BTreeSet<Value>>),
        way: &Way,
        row: &Row,
    ) -> Result<Vec<Way>> {
        let mut longer = Vec::new();
        if near.is_some_and(|near| !near.contains(&way.end())) {
            return Ok(longer);
        }
        let step = &path.steps[way.edges.len() % path.steps.len()];
        for next in self.walkable(step, &way.end(), row)? {
            let goes = match path.ways {
                PathMode::Walk | PathMode::AnyShortest | PathMode::AllShortest => true,
                PathMode::Trail | PathMode::CheapestTrails(_) | PathMode::CheapestGroups(_) => {
                    !way.edges.contains(&next.edge)
                }
                PathMode::Acyclic | PathMode::CheapestAcyclic(_) => {
                    !way.vertices.contains(&next.vertex)
                }
            };
            longer.extend(goes.then(|| way.with(&next)));
        }
        Ok(longer)
    }

    /// The edges that a step may walk from a vertex: those of its first alternative, then those of the next.
    fn walkable(&self, step: &PathLeg, from: &Value, row: &Row) -> Result<Vec<Walkable>> {
        let (mut found, mut met) = (Vec::new(), BTreeSet::new());
        for (alternative, own) in step.alternatives.iter().enumerate() {
            let (from, types) = (Cell::Value(from.clone()), own.types.as_deref());
            for (edge, vertex) in self.expand(&from, types, own.direction, own.loops)? {
                let Some(price) = self.price(own, edge)? else { continue };
                let is_walked = self.passes(own, edge, vertex, row)?
                    && (step.parallel == ParallelEdges::All || met.insert(vertex));
                found.extend(is_walked.then_some(Walkable { alternative, edge, vertex, price }));
            }
        }
        Ok(found)
    }

    /// The vertices nearer to a start than the radius, if there is one.
    pub(super) fn near(
        &self,
        path: &PathPattern,
        start: VertexId,
        row: &Row,
    ) -> Result<Option<BTreeSet<Value>>> {
        let (Some(radius), [step]) = (path.radius, path.steps.as_slice()) else { return Ok(None) };
        let mut near = BTreeSet::from([Value::Vertex(start)]);
        for _ in 1..radius {
            let before = near.clone();
            for vertex in &before {
                let next = self.walkable(step, vertex, row)?;
                near.extend(next.into_iter().map(|next| Value::Vertex(next.vertex)));
            }
            if near == before {
                break;
            }
        }
        Ok(Some(near))
    }

    /// What an edge costs; `None`: it is not walked.
    fn price(&self, own: &PathAlternative, edge: EdgeId) -> Result<Option<f64>> {
        let Some(key) = &own.weight else { return Ok(Some(1.0)) };
        let price = self.property(&Cell::Value(Value::Edge(edge)), key)?.value();
        Ok(price.as_double().filter(|price| 0.0 <= *price))
    }

    fn passes(
        &self,
        own: &PathAlternative,
        edge: EdgeId,
        vertex: VertexId,
        row: &Row,
    ) -> Result<bool> {
        let Some(test) = &own.test else { return Ok(true) };
        let row = row.with(test.edge, Cell::Value(Value::Edge(edge)));
        self.holds(&test.holds, &row.with(test.vertex, Cell::Value(Value::Vertex(vertex))))
    }

    pub(super) fn chained(
        &self,
        list: ColumnId,
        direction: Direction,
        (from, to): (Option<ColumnId>, Option<ColumnId>),
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let edges = match row.get(list)?.value() {
                Value::Null => continue,
                Value::List(edges) => edges,
                other => return Err(wrong_type("a chain", &other)),
            };
            let mut ends: Vec<[Value; 2]> = Vec::new();
            for edge in edges.iter() {
                let Value::Edge(_) = edge else { return Err(wrong_type("a chain", edge)) };
                let end = |end| Ok(self.end(&Cell::Value(edge.clone()), end)?.value());
                ends.push([end(End::Source)?, end(End::Target)?]);
            }
            let is_trail = edges.iter().collect::<BTreeSet<_>>().len() == edges.len();
            let are_there = !ends.iter().flatten().any(Value::is_null);
            let mut starts = ends.first().map_or(Vec::new(), |first| match direction {
                Direction::Out => vec![first[0].clone()],
                Direction::In => vec![first[1].clone()],
                Direction::Both => first.to_vec(),
            });
            starts.dedup();
            for start in starts.into_iter().filter(|_| is_trail && are_there) {
                if let Some(end) = walked_to(&start, &ends, direction) {
                    let row = row.with_wanted(from, Cell::Value(start));
                    result.push(row.with_wanted(to, Cell::Value(end)));
                }
            }
        }
        Ok(result)
    }
}

/// What was taken of the cheapest ways to each end: how many of them or of their groups; cost and length of the last one.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<Value, (u64, f64, usize)>);

impl Taken {
    /// Whether the next way in order is one of those asked for.
    pub(super) fn takes(&mut self, mode: PathMode, way: &Way) -> bool {
        let is_grouped = matches!(mode, PathMode::CheapestGroups(_));
        let (taken, cost, length) = self.0.entry(way.end()).or_default();
        let is_of_group = is_grouped && 0 < *taken;
        if !(is_of_group && (*cost, *length) == (way.cost, way.edges.len())) {
            *taken += 1;
        }
        (*cost, *length) = (way.cost, way.edges.len());
        mode.cheapest().is_none_or(|count| *taken <= count)
    }

    /// Whether a way to an end was taken.
    pub(super) fn has(&self, end: &Value) -> bool {
        self.0.contains_key(end)
    }
}

/// Whether ways of so many edges are emitted.
pub(super) fn is_long_enough(path: &PathPattern, length: u64) -> bool {
    let period = path.steps.len() as u64;
    path.min.saturating_mul(period) <= length && length.is_multiple_of(period)
}

pub(super) fn may_be_longer(path: &PathPattern, length: u64) -> bool {
    let period = path.steps.len() as u64;
    path.max.is_none_or(|max| length < max.saturating_mul(period))
}

pub(super) fn within_bounds(ways: usize) -> Result<()> {
    if limits::ORACLE_ROWS_MAX < ways {
        let detail = "the oracle walks no more ways";
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    Ok(())
}

/// Where edges lead from a vertex, one behind the other.
fn walked_to(start: &Value, ends: &[[Value; 2]], direction: Direction) -> Option<Value> {
    let mut at = start;
    for [source, target] in ends {
        at = match direction {
            Direction::Out | Direction::Both if at == source => target,
            Direction::In | Direction::Both if at == target => source,
            Direction::Out | Direction::In | Direction::Both => return None,
        };
    }
    Some(at.clone())
}

/// The path so far with one more object, or more tags on its last one.
pub(super) fn path_step(
    before: Option<ColumnId>,
    object: Option<ColumnId>,
    tags: &[Name],
    row: &Row,
) -> Result<Cell> {
    let before = before.map_or(Ok(Cell::NULL), |before| row.get(before))?.value();
    let (mut objects, mut all_tags) = match before {
        Value::Null => (Vec::new(), Vec::new()),
        Value::Path(path) => (path.objects().into_owned(), path.tags().into_owned()),
        other => return Err(wrong_type("a path", &other)),
    };
    if let Some(object) = object {
        objects.push(row.get(object)?.value());
        all_tags.push(Vec::new());
    }
    let Some(last) = all_tags.last_mut() else { return Ok(Cell::NULL) };
    let all: BTreeSet<Name> = last.iter().chain(tags).cloned().collect();
    *last = all.into_iter().collect();
    Ok(Cell::Value(Value::Path(Arc::new(Path::new(objects, all_tags)))))
}
