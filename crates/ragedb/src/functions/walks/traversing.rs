//! From one vertex: links, neighbours, relationships, and connections between two.

use mlua::Lua;

use super::prefetch::{self, Walked};
use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::plans::Walk;
use crate::session::Session;

pub(in crate::functions) const FAMILY: Family = Family {
    title: "Links, neighbours and relationships of one node",
    functions: &[
        Function::read(
            "NodeGetConnected",
            "START, START2 [, dir] [, types]",
            "{Relationship}",
            connected,
        ),
        Function::read("NodeGetLinks", "START [, dir] [, types]", "{Link}", |l, a| {
            walk(l, a, Walk::Links)?.into_lua(l)
        }),
        Function::read("NodeGetNeighborIds", "START [, dir] [, types]", "{int}", |l, a| {
            walk(l, a, Walk::Neighbours)?.into_lua(l)
        }),
        Function::read("NodeGetNeighbors", "START [, dir] [, types]", "{Node}", neighbours),
        Function::read(
            "NodeGetRelationships",
            "START [, dir] [, types]",
            "{Relationship}",
            relationships,
        ),
    ],
};

fn walk(lua: &Lua, mut arguments: Arguments, kind: Walk) -> mlua::Result<Walked> {
    let start = arguments.start()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let vertex = call::resolve(session, &start)?.map_or(0, |vertex| vertex.0);
    prefetch::walk(session, vertex, kind, direction, types.as_deref())
}

fn neighbours(lua: &Lua, arguments: Arguments) -> CallResult {
    let neighbours = walk(lua, arguments, Walk::Neighbours)?;
    let session = &mut *Session::of(lua)?;
    let nodes = call::nodes(session, neighbours.ids()?.0)?;
    list(session, lua, Items::Nodes(nodes))
}

fn relationships(lua: &Lua, arguments: Arguments) -> CallResult {
    let links = walk(lua, arguments, Walk::Links)?;
    let session = &mut *Session::of(lua)?;
    let edges = call::relationships(session, links.ids()?.1)?;
    list(session, lua, Items::Relationships(edges))
}

fn connected(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let start = arguments.start()?;
    let other = arguments.start()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let ends = (call::resolve(session, &start)?, call::resolve(session, &other)?);
    let (Some(start), Some(other)) = ends else {
        return list(session, lua, Items::Relationships(Vec::new()));
    };
    let (items, _) = call::walk(session, Walk::Links, &[start.0], direction, types.as_deref())?;
    let Items::Links { nodes, edges } = &**items else {
        return list(session, lua, Items::Relationships(Vec::new()));
    };
    let between = nodes.iter().zip(edges).filter(|(node, _)| **node == other.0);
    let between: Vec<u64> = between.map(|(_, edge)| *edge).collect();
    let edges = call::relationships(session, &between)?;
    list(session, lua, Items::Relationships(edges))
}
