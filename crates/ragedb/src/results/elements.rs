//! `Node` and `Relationship`, with the methods of RageDB's types.

use std::rc::Rc;

use millrace_model::Value;
use millrace_model::value::ValueMap;
use mlua::{Lua, MetaMethod, UserData, UserDataMethods};

use crate::columns::{Items, Node, Relationship, Shared, write_node, write_relationship};
use crate::session::Session;
use crate::values;

/// A vertex of a result, as a value of a script: it shares the result's columns.
#[derive(Debug)]
pub(crate) struct NodeOf {
    pub(crate) items: Rc<Shared>,
    pub(crate) index: usize,
}

impl NodeOf {
    pub(crate) fn node(&self) -> &Node {
        match &**self.items {
            Items::Nodes(nodes) => &nodes[self.index],
            Items::Ids(_) | Items::Links { .. } | Items::Relationships(_) | Items::Values(_) => {
                unreachable!("made by a list of nodes")
            }
        }
    }
}

/// An edge of a result, likewise.
#[derive(Debug)]
pub(crate) struct RelationshipOf {
    pub(crate) items: Rc<Shared>,
    pub(crate) index: usize,
}

impl RelationshipOf {
    pub(crate) fn relationship(&self) -> &Relationship {
        match &**self.items {
            Items::Relationships(edges) => &edges[self.index],
            Items::Ids(_) | Items::Links { .. } | Items::Nodes(_) | Items::Values(_) => {
                unreachable!("made by a list of relationships")
            }
        }
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

impl UserData for NodeOf {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getId", |_, node, ()| Ok(node.node().id));
        methods.add_method("getType", |_, node, ()| Ok(node.node().label.clone()));
        methods.add_method("getTypeId", |lua, node, ()| {
            let catalog = Session::of(lua)?.catalog();
            Ok(catalog.label(&node.node().label).map_or(0, |label| label.0 + 1))
        });
        methods.add_method("getKey", |_, node, ()| Ok(node.node().key.clone()));
        methods.add_method("getProperties", |lua, node, ()| {
            properties_table(lua, &node.node().properties)
        });
        methods.add_method("getProperty", |lua, node, key: String| {
            property(lua, &node.node().properties, &key)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, node, ()| {
            let mut text = String::new();
            write_node(&mut text, node.node())?;
            Ok(text)
        });
    }
}

impl UserData for RelationshipOf {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getId", |_, edge, ()| Ok(edge.relationship().id));
        methods.add_method("getType", |_, edge, ()| Ok(edge.relationship().edge_type.clone()));
        methods.add_method("getTypeId", |lua, edge, ()| {
            let catalog = Session::of(lua)?.catalog();
            Ok(catalog
                .edge_type(&edge.relationship().edge_type)
                .map_or(0, |edge_type| edge_type.0 + 1))
        });
        methods.add_method("getStartingNodeId", |_, edge, ()| Ok(edge.relationship().source));
        methods.add_method("getEndingNodeId", |_, edge, ()| Ok(edge.relationship().target));
        methods.add_method("getProperties", |lua, edge, ()| {
            properties_table(lua, &edge.relationship().properties)
        });
        methods.add_method("getProperty", |lua, edge, key: String| {
            property(lua, &edge.relationship().properties, &key)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, edge, ()| {
            let mut text = String::new();
            write_relationship(&mut text, edge.relationship())?;
            Ok(text)
        });
    }
}
