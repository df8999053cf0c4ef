//! `Link`, `Node`, `Relationship` and `Roar` as names in a sandbox: each with its constructor.

use millrace_model::Value;
use millrace_model::value::ValueMap;
use mlua::{Lua, Table};

use super::roar;
use crate::columns::{Items, Link, Node, Relationship};
use crate::memory::Growth;
use crate::session::Session;
use crate::values;

/// Gives a sandbox the types.
pub(crate) fn register(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    let link = lua.create_function(|_, (node, edge): (u64, u64)| Ok(Link { node, edge }))?;
    environment.raw_set("Link", lua.create_table_from([("new", link)])?)?;
    let node = lua.create_function(new_node)?;
    environment.raw_set("Node", lua.create_table_from([("new", node)])?)?;
    let relationship = lua.create_function(new_relationship)?;
    environment.raw_set("Relationship", lua.create_table_from([("new", relationship)])?)?;
    environment.raw_set("Roar", roar::constructor(lua)?)
}

fn properties(table: Option<Table>) -> mlua::Result<ValueMap> {
    let Some(table) = table else { return Ok(ValueMap::new()) };
    let (mut properties, growth) = (ValueMap::new(), Growth::default());
    for pair in table.pairs::<String, mlua::Value>() {
        let (name, value) = pair?;
        growth.add(1, 2 * size_of::<(Value, Value)>() + name.len())?;
        properties.push((name.as_str().into(), values::from_lua_in(&value, &growth)?));
    }
    properties.sort_by(|(left, _), (right, _)| left.as_str().cmp(&right.as_str()));
    Ok(properties)
}

type NodeParts = (Option<u64>, Option<String>, Option<String>, Option<Table>);

fn new_node(lua: &Lua, (id, label, key, table): NodeParts) -> mlua::Result<mlua::Value> {
    let node = Node {
        id: id.unwrap_or(0),
        label: label.unwrap_or_default(),
        key: key.unwrap_or_default(),
        properties: properties(table)?,
    };
    Session::of(lua)?.share(Items::Nodes(vec![node]))?.to_lua(lua, 0)
}

type RelationshipParts = (Option<u64>, Option<String>, Option<u64>, Option<u64>, Option<Table>);

fn new_relationship(
    lua: &Lua,
    (id, edge_type, source, target, table): RelationshipParts,
) -> mlua::Result<mlua::Value> {
    let edge = Relationship {
        id: id.unwrap_or(0),
        edge_type: edge_type.unwrap_or_default(),
        source: source.unwrap_or(0),
        target: target.unwrap_or(0),
        properties: properties(table)?,
    };
    Session::of(lua)?.share(Items::Relationships(vec![edge]))?.to_lua(lua, 0)
}
