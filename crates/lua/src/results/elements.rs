//! `Link`, `Node` and `Relationship`, with the methods of RageDB's types.

use millrace_model::Value;
use millrace_model::value::ValueMap;
use mlua::{AnyUserData, Lua, MetaMethod, UserData, UserDataMethods};

use crate::json;
use crate::values;

/// A neighbour and the edge to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) node: u64,
    pub(crate) edge: u64,
}

/// A vertex as a script sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) id: u64,
    pub(crate) label: String,
    pub(crate) key: String,
    pub(crate) properties: ValueMap,
}

/// An edge as a script sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relationship {
    pub(crate) id: u64,
    pub(crate) edge_type: String,
    pub(crate) source: u64,
    pub(crate) target: u64,
    pub(crate) properties: ValueMap,
}

impl UserData for Link {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getNodeId", |_, link, ()| Ok(link.node));
        methods.add_method("getRelationshipId", |_, link, ()| Ok(link.edge));
        methods.add_meta_method(MetaMethod::Eq, |_, link, other: AnyUserData| {
            Ok(other.borrow::<Link>().is_ok_and(|other| *other == *link))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, link, ()| {
            let mut text = String::new();
            json::write_link(&mut text, link);
            Ok(text)
        });
    }
}

fn properties_table(lua: &Lua, properties: &ValueMap) -> mlua::Result<mlua::Table> {
    let table = lua.create_table_with_capacity(0, properties.len())?;
    for (key, value) in properties {
        table.raw_set(key.as_str(), values::to_lua(lua, Some(value))?)?;
    }
    Ok(table)
}

fn property(lua: &Lua, properties: &ValueMap, key: &str) -> mlua::Result<mlua::Value> {
    let value: Option<&Value> =
        properties.iter().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value);
    values::to_lua(lua, value)
}

impl UserData for Node {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getId", |_, node, ()| Ok(node.id));
        methods.add_method("getType", |_, node, ()| Ok(node.label.clone()));
        methods.add_method("getTypeId", |lua, node, ()| {
            let catalog = crate::session::Session::of(lua)?.catalog();
            Ok(catalog.label(&node.label).map_or(0, |label| label.0 + 1))
        });
        methods.add_method("getKey", |_, node, ()| Ok(node.key.clone()));
        methods
            .add_method("getProperties", |lua, node, ()| properties_table(lua, &node.properties));
        methods.add_method("getProperty", |lua, node, key: String| {
            property(lua, &node.properties, &key)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, node, ()| {
            let mut text = String::new();
            json::write_node(&mut text, node)?;
            Ok(text)
        });
    }
}

impl UserData for Relationship {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getId", |_, edge, ()| Ok(edge.id));
        methods.add_method("getType", |_, edge, ()| Ok(edge.edge_type.clone()));
        methods.add_method("getTypeId", |lua, edge, ()| {
            let catalog = crate::session::Session::of(lua)?.catalog();
            Ok(catalog.edge_type(&edge.edge_type).map_or(0, |edge_type| edge_type.0 + 1))
        });
        methods.add_method("getStartingNodeId", |_, edge, ()| Ok(edge.source));
        methods.add_method("getEndingNodeId", |_, edge, ()| Ok(edge.target));
        methods
            .add_method("getProperties", |lua, edge, ()| properties_table(lua, &edge.properties));
        methods.add_method("getProperty", |lua, edge, key: String| {
            property(lua, &edge.properties, &key)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, edge, ()| {
            let mut text = String::new();
            json::write_relationship(&mut text, edge)?;
            Ok(text)
        });
    }
}
