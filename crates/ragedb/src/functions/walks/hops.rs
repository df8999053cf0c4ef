//! Neighbourhoods of several hops, and triangles: a plan for each hop of the whole frontier.

use millrace_model::Direction;
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use super::sets::{difference, intersection};
use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::plans;
use crate::session::Session;

const HOPS: &str = "START, hops [, dir] [, types]";

/// Neighbours compared between two deadline checks.
const CHECK_NEIGHBOURS: usize = 1 << 20;

pub(in crate::functions) const FAMILY: Family = Family {
    title: "K-hop, triangles",
    functions: &[
        Function::read("KHopCount", HOPS, "int", |lua, arguments| {
            within(&mut *Session::of(lua)?, arguments)?.len().into_lua(lua)
        }),
        Function::read("KHopIds", HOPS, "{int}", |lua, arguments| {
            let session = &mut *Session::of(lua)?;
            let ids = within(session, arguments)?;
            list(session, lua, Items::Ids(ids))
        }),
        Function::read("KHopNodes", HOPS, "{Node}", |lua, arguments| {
            let session = &mut *Session::of(lua)?;
            let ids = within(session, arguments)?;
            let nodes = call::whole(session, ElementKind::Vertex, &ids)?;
            list(session, lua, nodes)
        }),
        Function::read("TriangleCount", "type \\| {types}", "int", triangle_count),
    ],
};

/// The vertices within so many hops of a vertex, without itself, ascending.
fn within(session: &mut Session, mut arguments: Arguments) -> mlua::Result<Vec<u64>> {
    let start = arguments.start()?;
    let hops = arguments.number("how many hops")?;
    let (direction, types) = arguments.way()?;
    let Some(start) = call::resolve(session, &start)? else { return Ok(Vec::new()) };
    let start = [start.0];
    let (mut seen, mut frontier) = (start.to_vec(), start.to_vec());
    let mut reservation = session.reserve(0)?;
    for _ in 0..hops {
        let reached = neighbours(session, &frontier, direction, types.as_deref())?;
        frontier = difference(&reached, &seen);
        if frontier.is_empty() {
            break;
        }
        reservation.add(session.reserve(frontier.len() * 8)?);
        // Two ascending runs: the sort merges them.
        seen.extend(&frontier);
        seen.sort();
    }
    Ok(difference(&seen, &start))
}

/// The distinct neighbours of a frontier, ascending.
fn neighbours(
    session: &mut Session,
    frontier: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<Vec<u64>> {
    let parameters = call::rows(call::elements(ElementKind::Vertex, frontier));
    let plan_key = call::way_key("distinct neighbours", direction, types);
    let batch =
        session.run(plan_key, &parameters, || plans::distinct_neighbours(direction, types))?;
    let mut ids = call::ids(&batch, 0);
    ids.sort_unstable();
    Ok(ids)
}

/// The distinct neighbours of every vertex of a graph of edges, ascending.
struct Adjacency {
    vertices: Vec<u64>,
    starts: Vec<usize>,
    neighbours: Vec<u64>,
}

impl Adjacency {
    fn new(mut pairs: Vec<(u64, u64)>) -> Adjacency {
        pairs.sort_unstable();
        pairs.dedup();
        let mut adjacency = Adjacency {
            vertices: Vec::new(),
            starts: Vec::new(),
            neighbours: pairs.iter().map(|(_, neighbour)| *neighbour).collect(),
        };
        for (place, (vertex, _)) in pairs.iter().enumerate() {
            if adjacency.vertices.last() != Some(vertex) {
                adjacency.vertices.push(*vertex);
                adjacency.starts.push(place);
            }
        }
        adjacency.starts.push(pairs.len());
        adjacency
    }

    fn of(&self, vertex: u64) -> &[u64] {
        match self.vertices.binary_search(&vertex) {
            Ok(place) => &self.neighbours[self.starts[place]..self.starts[place + 1]],
            Err(_) => &[],
        }
    }
}

/// Triangles along the direction of their relationships, once from each of their vertices, as
/// RageDB counts. Relationships between the same two in the same direction count once.
fn triangle_count(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let types = arguments.texts("a relationship type or a list of them")?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let batch = session.run_once(&plans::ends(&types), &[])?;
    let (sources, targets) = (call::ids(&batch, 0), call::ids(&batch, 1));
    let _reservation = session.reserve(sources.len() * 64)?;
    let pair = |(from, to): (&u64, &u64)| (*from, *to);
    let out = Adjacency::new(sources.iter().zip(&targets).map(pair).collect());
    let into = Adjacency::new(targets.iter().zip(&sources).map(pair).collect());
    let (mut count, mut compared) = (0, 0);
    for &vertex in &out.vertices {
        let before = into.of(vertex);
        for &next in out.of(vertex) {
            let after = out.of(next);
            count += intersection(before, after).len();
            compared += before.len() + after.len();
            if CHECK_NEIGHBOURS < compared {
                compared = 0;
                session.check()?;
            }
        }
    }
    count.into_lua(lua)
}
