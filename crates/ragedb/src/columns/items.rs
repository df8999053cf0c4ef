//! The entries behind lists, in columns, and their size.

use std::ops::Deref;
use std::rc::Rc;

use millrace_model::{PropertyValue, Value};

use super::elements::{Node, Relationship};
use super::json::{write_node, write_relationship};
use super::link::{Link, write_link};
use crate::json::{write_display, write_value};
use crate::memory::Reservation;

/// The entries behind lists, in columns.
#[derive(Debug)]
pub(crate) enum Items {
    /// Vertex or edge ids.
    Ids(Vec<u64>),
    /// Neighbours and edges.
    Links { nodes: Vec<u64>, edges: Vec<u64> },
    /// Vertices with their properties.
    Nodes(Vec<Node>),
    /// Edges with their properties.
    Relationships(Vec<Relationship>),
    /// Property values; `None` where there is no such property.
    Values(Vec<Option<Value>>),
}

impl Items {
    pub(crate) fn len(&self) -> usize {
        match self {
            Items::Ids(ids) => ids.len(),
            Items::Links { nodes, .. } => nodes.len(),
            Items::Nodes(nodes) => nodes.len(),
            Items::Relationships(edges) => edges.len(),
            Items::Values(values) => values.len(),
        }
    }

    /// About how many bytes the entries take, for the script's budget.
    pub(crate) fn byte_size(&self) -> usize {
        match self {
            Items::Ids(ids) => ids.len() * 8,
            Items::Links { nodes, .. } => nodes.len() * 16,
            Items::Nodes(nodes) => {
                nodes.iter().map(|node| properties_byte_size(&node.properties)).sum()
            }
            Items::Relationships(edges) => {
                edges.iter().map(|edge| properties_byte_size(&edge.properties)).sum()
            }
            Items::Values(values) => {
                values.iter().map(|value| 48 + value.as_ref().map_or(0, size_beyond)).sum()
            }
        }
    }

    pub(crate) fn write_json(&self, index: usize, text: &mut String) -> mlua::Result<()> {
        match self {
            Items::Ids(ids) => write_display(text, ids[index]),
            Items::Links { nodes, edges } => {
                write_link(text, &Link { node: nodes[index], edge: edges[index] });
            }
            Items::Nodes(nodes) => write_node(text, &nodes[index])?,
            Items::Relationships(edges) => write_relationship(text, &edges[index])?,
            Items::Values(values) => {
                let value = values[index].as_ref().unwrap_or(&Value::Null);
                write_value(text, value).map_err(mlua::Error::external)?;
            }
        }
        Ok(())
    }
}

/// About how many bytes an element takes with its properties.
pub(crate) fn properties_byte_size(properties: &[(Value, Value)]) -> usize {
    properties.iter().map(|(_, value)| 96 + size_beyond(value)).sum::<usize>() + 128
}

/// About how many bytes a value takes beside itself.
fn size_beyond(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(values) | Value::Set(values) => {
            values.iter().map(|value| 48 + size_beyond(value)).sum()
        }
        Value::Map(pairs) => pairs.iter().map(|(_, value)| 96 + size_beyond(value)).sum(),
        Value::PropertyValues(property) => {
            let values = property.values().iter().flat_map(PropertyValue::all_values);
            values.map(|value| 48 + size_beyond(value)).sum()
        }
        _ => 0,
    }
}

/// Entries that lists and elements share, and the reservation of their memory.
#[derive(Debug)]
pub(crate) struct Shared {
    items: Items,
    _reservation: Reservation,
}

impl Shared {
    /// Entries with the reservation of their memory.
    pub(crate) fn new(items: Items, reservation: Reservation) -> Rc<Shared> {
        Rc::new(Shared { items, _reservation: reservation })
    }
}

impl Deref for Shared {
    type Target = Items;

    fn deref(&self) -> &Items {
        &self.items
    }
}
