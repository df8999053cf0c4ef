//! Paths through the graph, all of them walked, and paths as values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use millrace_model::value::Path;
use millrace_model::{Direction, EdgeId, Error, ErrorKind, Result, Value, VertexId};
use millrace_plan::{ColumnId, End, Name, PathMode, PathPattern};

use super::Oracle;
use super::cell::{Cell, Row};
use super::elements::wrong_type;
use crate::limits;

/// A way: the edges, the vertices with the start, and its cost.
#[derive(Clone)]
struct Way {
    edges: Vec<EdgeId>,
    vertices: Vec<VertexId>,
    cost: f64,
}

impl Way {
    fn end(&self) -> Value {
        self.vertices.last().map_or(Value::Null, |end| Value::Vertex(*end))
    }

    fn with(&self, edge: EdgeId, vertex: VertexId, price: f64) -> Way {
        let mut way = self.clone();
        way.edges.push(edge);
        way.vertices.push(vertex);
        way.cost += price;
        way
    }
}

impl Oracle<'_> {
    pub(super) fn paths(
        &self,
        path: &PathPattern,
        (edges, to, cost): (Option<ColumnId>, Option<ColumnId>, Option<ColumnId>),
        rows: &[Row],
    ) -> Result<Vec<Row>> {
        let mut result = Vec::new();
        for row in rows {
            let into = path.into.map(|into| row.get(into)).transpose()?;
            for way in self.ways(path, &row.get(path.from)?)? {
                let end = Cell::Value(way.end());
                if into.as_ref().is_some_and(|into| *into != end) {
                    continue;
                }
                let walked = way.edges.into_iter().map(Value::Edge).collect();
                let row = row.with_wanted(edges, Cell::Value(Value::list(walked)));
                let row = row.with_wanted(cost, Cell::Value(Value::F64(way.cost)));
                result.push(row.with_wanted(to, end));
            }
        }
        Ok(result)
    }

    /// All ways from a vertex that a pattern asks for, in order.
    fn ways(&self, path: &PathPattern, from: &Cell) -> Result<Vec<Way>> {
        let Some(Value::Vertex(start)) = from.present() else {
            // An expansion says what is wrong with another value, and has nothing of null.
            self.expand(from, None, path.direction, path.loops)?;
            return Ok(Vec::new());
        };
        let mut ways = self.walked(path, *start)?;
        if let Some(weight) = &path.weight {
            ways.retain(|way| weight.least.is_none_or(|least| least <= way.cost));
            ways.retain(|way| weight.most.is_none_or(|most| way.cost <= most));
        }
        if let Some(count) = path.ways.cheapest() {
            // Stable: of one cost shorter ones stay first, and of one length list order.
            ways.sort_by(|left, right| left.cost.total_cmp(&right.cost));
            let mut taken: BTreeMap<Value, u64> = BTreeMap::new();
            ways.retain(|way| {
                let taken = taken.entry(way.end()).or_default();
                *taken += 1;
                *taken <= count
            });
        }
        Ok(ways)
    }

    /// Paths of any cost, shorter ones first.
    fn walked(&self, path: &PathPattern, start: VertexId) -> Result<Vec<Way>> {
        let way = Way { edges: Vec::new(), vertices: vec![start], cost: 0.0 };
        let (mut level, mut found, mut shortest) = (vec![way], Vec::new(), BTreeSet::new());
        let near = self.near(path, start)?;
        if path.min == 0 {
            shortest.insert(start);
            found.append(&mut level.clone());
        }
        for length in 1..=path.max.unwrap_or(u64::MAX) {
            let mut next: Vec<Way> = Vec::new();
            let reached = shortest.clone();
            let may_go_on = |way: &&Way| near.as_ref().is_none_or(|near| near.contains(&way.end()));
            for way in level.iter().filter(may_go_on) {
                for (edge, vertex) in self.steps(path, way)? {
                    let Some(price) = self.price(path, edge)? else { continue };
                    let goes = match path.ways {
                        PathMode::Walk => true,
                        PathMode::Trail | PathMode::CheapestTrails(_) => !way.edges.contains(&edge),
                        PathMode::Acyclic | PathMode::CheapestAcyclic(_) => {
                            !way.vertices.contains(&vertex)
                        }
                        PathMode::AnyShortest => shortest.insert(vertex),
                        PathMode::AllShortest => {
                            shortest.insert(vertex);
                            !reached.contains(&vertex)
                        }
                    };
                    if goes {
                        next.push(way.with(edge, vertex, price));
                    }
                }
            }
            if path.min <= length {
                found.append(&mut next.clone());
            }
            if next.is_empty() {
                break;
            }
            if limits::ORACLE_ROWS_MAX < found.len() + next.len() {
                let detail = "the oracle walks no more ways";
                return Err(Error::new(ErrorKind::LimitReached, detail));
            }
            level = next;
        }
        Ok(found)
    }

    /// The vertices nearer to a start than the radius, if there is one.
    fn near(&self, path: &PathPattern, start: VertexId) -> Result<Option<BTreeSet<Value>>> {
        let Some(radius) = path.radius else { return Ok(None) };
        let mut near = BTreeSet::from([Value::Vertex(start)]);
        for _ in 1..radius {
            let before = near.clone();
            for vertex in before.iter().cloned() {
                let (types, from) = (path.types.as_deref(), Cell::Value(vertex));
                for (edge, to) in self.expand(&from, types, path.direction, path.loops)? {
                    let is_walked = self.price(path, edge)?.is_some();
                    near.extend(is_walked.then_some(Value::Vertex(to)));
                }
            }
            if near == before {
                break;
            }
        }
        Ok(Some(near))
    }

    fn steps(&self, path: &PathPattern, way: &Way) -> Result<Vec<(EdgeId, VertexId)>> {
        self.expand(&Cell::Value(way.end()), path.types.as_deref(), path.direction, path.loops)
    }

    /// What an edge costs; `None`: it is not walked.
    fn price(&self, path: &PathPattern, edge: EdgeId) -> Result<Option<f64>> {
        let Some(weight) = &path.weight else { return Ok(Some(1.0)) };
        let price = self.property(&Cell::Value(Value::Edge(edge)), &weight.key)?.value();
        Ok(price.as_double().filter(|price| 0.0 <= *price))
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
    let mut path = match before {
        Value::Null => Path { objects: Vec::new(), tags: Vec::new() },
        Value::Path(path) => (*path).clone(),
        other => return Err(wrong_type("a path", &other)),
    };
    if let Some(object) = object {
        path.objects.push(row.get(object)?.value());
        path.tags.push(Vec::new());
    }
    let Some(last) = path.tags.last_mut() else { return Ok(Cell::NULL) };
    let all: BTreeSet<Name> = last.iter().chain(tags).cloned().collect();
    *last = all.into_iter().collect();
    Ok(Cell::Value(Value::Path(Arc::new(path))))
}
