//! From many vertices at once: one plan for the whole frontier, never one for each.
//!
//! A map result keeps one shared column for all lists; ids or links that repeat share theirs.

use std::collections::HashMap;
use std::rc::Rc;

use millrace_model::Direction;
use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};
use rustc_hash::FxHashSet;

use crate::arguments::{Arguments, Frontier};
use crate::columns::{Items, Shared, properties_byte_size};
use crate::functions::call::{self, list};
use crate::functions::elements::properties::{get_all_many, get_many};
use crate::functions::function::{CallResult, Family, Function};
use crate::memory::Growth;
use crate::plans::{self, Walk};
use crate::results::ListMap;
use crate::session::Session;

use ElementKind::{Edge, Vertex};

const WAY: &str = "{ids} [, dir] [, types]";
const LINK_WAY: &str = "{links} [, dir] [, types]";

pub(in crate::functions) const FROM_IDS: Family = Family {
    title: "Bulk from ids and nodes",
    functions: &[
        Function::read(
            "NodeIdsGetNeighborIds",
            "{ids} [, dir] [, types] [, {ids2}]",
            "map id -> {int} (only those of ids2)",
            neighbour_ids_among,
        ),
        Function::read("NodeIdsGetNeighbors", WAY, "map id -> {Node}", neighbours),
        Function::read("NodeIdsGetUniqueNeighborIds", WAY, "{int}", unique_neighbour_ids),
        Function::read(
            "NodesGetNeighborIds",
            "{nodes} [, dir] [, types]",
            "map id -> {int}",
            neighbour_ids,
        ),
        Function::read(
            "NodesGetNeighbors",
            "{nodes} [, dir] [, types]",
            "map id -> {Node}",
            neighbours,
        ),
    ],
};

pub(in crate::functions) const FROM_LINKS: Family = Family {
    title: "Bulk from links",
    functions: &[
        Function::read("LinksGetLinks", LINK_WAY, "map Link -> {Link}", links),
        Function::read("LinksGetNeighborIds", LINK_WAY, "map Link -> {int}", neighbour_ids),
        Function::read("LinksGetNeighbors", LINK_WAY, "map Link -> {Node}", neighbours),
        Function::read("LinksGetNode", "{links}", "map node id -> Node", nodes_of),
        Function::read("LinksGetNodeKey", "{links}", "map node id -> string", |l, a| {
            texts_of(l, a, |node| node.key.clone())
        }),
        Function::read("LinksGetNodeProperties", "{links}", "map node id -> table", |l, a| {
            get_all_many(l, a, Vertex)
        }),
        Function::read(
            "LinksGetNodeProperty",
            "{links}, property",
            "map node id -> object",
            |l, a| get_many(l, a, Vertex),
        ),
        Function::read("LinksGetNodeType", "{links}", "map node id -> string", |l, a| {
            texts_of(l, a, |node| node.label.clone())
        }),
        Function::read(
            "LinksGetRelationship",
            "{links}",
            "map relationship id -> Relationship",
            relationships_of,
        ),
        Function::read(
            "LinksGetRelationshipProperties",
            "{links}",
            "map relationship id -> table",
            |l, a| get_all_many(l, a, Edge),
        ),
        Function::read(
            "LinksGetRelationshipProperty",
            "{links}, property",
            "map relationship id -> object",
            |l, a| get_many(l, a, Edge),
        ),
        Function::read(
            "LinksGetRelationshipType",
            "{links}",
            "map relationship id -> string",
            relationship_types_of,
        ),
        Function::read(
            "LinksGetRelationships",
            LINK_WAY,
            "map Link -> {Relationship}",
            relationships,
        ),
    ],
};

impl Frontier {
    /// The keys of a map result: links where the call gave links, else ids.
    fn into_keys(self) -> Items {
        match self.edges {
            Some(edges) => Items::Links { nodes: self.nodes, edges },
            None => Items::Ids(self.nodes),
        }
    }
}

/// A walk from a whole frontier, as a map with entries that `convert` makes from the walked ones.
fn map(
    lua: &Lua,
    mut arguments: Arguments,
    kind: Walk,
    convert: impl FnOnce(&mut Session, Rc<Shared>) -> mlua::Result<Rc<Shared>>,
) -> CallResult {
    let frontier = arguments.frontier()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let (items, views) = call::walk(session, kind, &frontier.nodes, direction, types.as_deref())?;
    let entries = convert(session, items)?;
    ListMap::new(session, frontier.into_keys(), views, entries)?.into_lua(lua)
}

/// A walk from a whole frontier, as a map that walks its entries when the script asks for one.
fn map_later(lua: &Lua, mut arguments: Arguments, kind: Walk) -> CallResult {
    let frontier = arguments.frontier()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    lists(session, frontier, kind, direction, types.as_deref())?.into_lua(lua)
}

fn lists(
    session: &mut Session,
    frontier: Frontier,
    kind: Walk,
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<ListMap> {
    let keys = ListMap::distinct(frontier.into_keys());
    let (Items::Ids(nodes) | Items::Links { nodes, .. }) = &keys else {
        unreachable!("keys of a map are ids or links")
    };
    match call::walk_later(session, kind, nodes, direction, types)? {
        Some(lists) => ListMap::lazy(session, keys, lists),
        None => {
            let (entries, views) = call::walk(session, kind, nodes, direction, types)?;
            ListMap::new(session, keys, views, entries)
        }
    }
}

fn links(lua: &Lua, arguments: Arguments) -> CallResult {
    map_later(lua, arguments, Walk::Links)
}

fn neighbour_ids(lua: &Lua, arguments: Arguments) -> CallResult {
    map_later(lua, arguments, Walk::Neighbours)
}

/// Neighbours, only those of a second list if there is one.
fn neighbour_ids_among(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = arguments.frontier()?;
    let among = arguments.take_last_ids()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let (kind, types) = (Walk::Neighbours, types.as_deref());
    let Some(among) = among else {
        return lists(session, frontier, kind, direction, types)?.into_lua(lua);
    };
    let (mut items, mut views) = call::walk(session, kind, &frontier.nodes, direction, types)?;
    if let Items::Ids(ids) = &**items {
        let among: FxHashSet<u64> = among.nodes.into_iter().collect();
        let (found, found_views) = only(ids, &views, &among);
        (items, views) = (session.share(Items::Ids(found))?, found_views);
    }
    ListMap::new(session, frontier.into_keys(), views, items)?.into_lua(lua)
}

/// The entries of all views that are in a set, and the views of them.
fn only(ids: &[u64], views: &[(u32, u32)], among: &FxHashSet<u64>) -> (Vec<u64>, Vec<(u32, u32)>) {
    let mut found = Vec::new();
    let view = |&(from, len): &(u32, u32)| {
        let first = found.len();
        let list = &ids[from as usize..(from + len) as usize];
        found.extend(list.iter().filter(|id| among.contains(id)));
        (first as u32, (found.len() - first) as u32)
    };
    let views = views.iter().map(view).collect();
    (found, views)
}

fn neighbours(lua: &Lua, arguments: Arguments) -> CallResult {
    map(lua, arguments, Walk::Neighbours, |session, items| {
        let Items::Ids(ids) = &**items else { return Ok(items) };
        let distinct = distinct(ids);
        let nodes = call::nodes(session, &distinct)?;
        let by_id: HashMap<u64, usize> =
            nodes.iter().enumerate().map(|(row, node)| (node.id, row)).collect();
        let growth = Growth::default();
        let node = |id: &u64| {
            let node = by_id.get(id).map(|&row| nodes[row].clone()).unwrap_or_default();
            growth.add(1, properties_byte_size(&node.properties) + node.key.len())?;
            Ok(node)
        };
        let entries = Items::Nodes(ids.iter().map(node).collect::<mlua::Result<_>>()?);
        session.share(entries)
    })
}

fn relationships(lua: &Lua, arguments: Arguments) -> CallResult {
    map(lua, arguments, Walk::Links, |session, items| {
        let Items::Links { edges, .. } = &**items else { return Ok(items) };
        let entries = Items::Relationships(call::relationships(session, edges)?);
        session.share(entries)
    })
}

fn distinct(ids: &[u64]) -> Vec<u64> {
    let mut distinct = ids.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

fn unique_neighbour_ids(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = arguments.frontier()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let parameters = call::rows(call::elements(Vertex, &frontier.nodes));
    let types = types.as_deref();
    let plan_key = call::way_key("distinct neighbours", direction, types);
    let batch =
        session.run(plan_key, &parameters, || plans::distinct_neighbours(direction, types))?;
    let ids = call::ids(&batch, 0);
    list(session, lua, Items::Ids(ids))
}

fn only_frontier(arguments: &mut Arguments) -> mlua::Result<Frontier> {
    let frontier = arguments.frontier()?;
    arguments.end()?;
    Ok(frontier)
}

fn nodes_of(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = only_frontier(&mut arguments)?;
    call::whole_by_id(&mut *Session::of(lua)?, lua, Vertex, &frontier.nodes)
}

fn texts_of(lua: &Lua, mut arguments: Arguments, what: fn(&call::Named) -> String) -> CallResult {
    let frontier = only_frontier(&mut arguments)?;
    call::texts(&mut *Session::of(lua)?, lua, &frontier.nodes, what)
}

fn relationships_of(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = only_frontier(&mut arguments)?;
    let ids = frontier.ids(Edge);
    call::whole_by_id(&mut *Session::of(lua)?, lua, Edge, ids)
}

fn relationship_types_of(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let frontier = only_frontier(&mut arguments)?;
    let ids = frontier.ids(Edge);
    let session = &mut *Session::of(lua)?;
    let types = call::edge_types(session, ids)?;
    call::by_id(session, lua, ids, types)
}
