//! A list result: a view into shared columns of ids, links, elements or values.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use mlua::{AnyUserData, IntoLua, Lua, MetaMethod, Table, UserData, UserDataMethods};

use super::elements::{NodeOf, RelationshipOf};
use super::fill::filled;
use crate::columns::{Items, Link, Shared};
use crate::json;
use crate::limits::ENTRIES_BETWEEN_CHECKS;
use crate::session::{Source, TextRoom};
use crate::values;

impl Items {
    /// Entries that are ids or links as a Lua table, filled at once.
    pub(crate) fn to_table(&self, lua: &Lua, view: Range<usize>) -> mlua::Result<Table> {
        match self {
            Items::Ids(ids) => filled(lua, ids[view].iter().map(|&id| id as i64).collect()),
            Items::Links { nodes, edges } => {
                let links = nodes[view.clone()].iter().zip(&edges[view.clone()]);
                let links = links.map(|(&node, &edge)| Link { node, edge });
                let count = view.len();
                let mut lights = Vec::with_capacity(count);
                lights.extend(links.clone().map_while(Link::light));
                // One that does not fit is rare, and its neighbours are as large.
                match lights.len() == count {
                    true => filled(lua, lights),
                    false => filled(lua, links.collect()),
                }
            }
            Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
                unreachable!("elements share their columns, and values may be nil")
            }
        }
    }
}

impl Shared {
    /// An entry as Lua sees it.
    pub(crate) fn to_lua(self: &Rc<Self>, lua: &Lua, index: usize) -> mlua::Result<mlua::Value> {
        let items = self.clone();
        match &***self {
            Items::Ids(ids) => Ok(mlua::Value::Integer(ids[index] as i64)),
            Items::Links { nodes, edges } => {
                Link { node: nodes[index], edge: edges[index] }.into_lua(lua)
            }
            Items::Nodes(_) => NodeOf { items, index }.into_lua(lua),
            Items::Relationships(_) => RelationshipOf { items, index }.into_lua(lua),
            Items::Values(values) => values::to_lua(lua, values[index].as_ref()),
        }
    }
}

/// A view of some entries. Views of one result share its columns.
#[derive(Clone)]
pub(crate) struct List {
    source: Source,
    len: usize,
    /// Whether a table is behind it; if not, the look-up of the table is skipped.
    has_table: Cell<bool>,
}

/// The table behind a result that a script wrote into; from then on it is the result.
pub(crate) struct Written {
    pub(crate) table: Table,
}

impl Written {
    pub(crate) fn of(data: &AnyUserData) -> Option<Written> {
        if !data.borrow::<List>().is_ok_and(|list| list.has_table.get()) {
            return None;
        }
        match data.user_value::<mlua::Value>() {
            Ok(mlua::Value::Table(table)) => Some(Written { table }),
            _ => None,
        }
    }
}

impl List {
    /// A list of all entries.
    pub(crate) fn all(items: Rc<Shared>) -> List {
        let len = items.len();
        List::of(items, 0, len)
    }

    /// A list of some entries.
    pub(crate) fn of(items: Rc<Shared>, from: usize, len: usize) -> List {
        List::from_source(Source::Shared(items, from), len)
    }

    /// A list with entries that may not be there yet.
    pub(crate) fn from_source(source: Source, len: usize) -> List {
        List { source, len, has_table: Cell::new(false) }
    }

    /// The entries, and which of them are the list's.
    pub(crate) fn entries(&self) -> mlua::Result<(&Rc<Shared>, Range<usize>)> {
        let (items, from) = self.source.entries()?;
        Ok((items, from..from + self.len))
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The ids, if it is a list of ids, links or elements.
    pub(crate) fn ids(&self) -> mlua::Result<Option<Vec<u64>>> {
        let (items, view) = self.entries()?;
        Ok(match &***items {
            Items::Ids(ids) => Some(ids[view].to_vec()),
            Items::Links { nodes, .. } => Some(nodes[view].to_vec()),
            Items::Nodes(nodes) => Some(nodes[view].iter().map(|node| node.id).collect()),
            Items::Relationships(edges) => Some(edges[view].iter().map(|edge| edge.id).collect()),
            Items::Values(_) => None,
        })
    }

    /// The edges beside the nodes, if it is a list of links.
    pub(crate) fn link_edges(&self) -> mlua::Result<Option<&[u64]>> {
        let (items, view) = self.entries()?;
        Ok(match &***items {
            Items::Links { edges, .. } => Some(&edges[view]),
            Items::Ids(_) | Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => None,
        })
    }

    /// The entries as a Lua table.
    pub(crate) fn to_table(&self, lua: &Lua) -> mlua::Result<Table> {
        let (items, view) = self.entries()?;
        match &***items {
            Items::Ids(_) | Items::Links { .. } => items.to_table(lua, view),
            Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
                let table = lua.create_table_with_capacity(self.len, 0)?;
                for (place, index) in view.enumerate() {
                    table.raw_seti(place + 1, items.to_lua(lua, index)?)?;
                }
                Ok(table)
            }
        }
    }

    fn get(&self, lua: &Lua, key: &mlua::Value) -> mlua::Result<mlua::Value> {
        match key {
            mlua::Value::Integer(index) if 1 <= *index && *index as usize <= self.len => {
                let (items, view) = self.entries()?;
                items.to_lua(lua, view.start + *index as usize - 1)
            }
            _ => Ok(mlua::Value::Nil),
        }
    }

    pub(crate) fn write_json(
        &self,
        room: &mut TextRoom<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        let (items, view) = self.entries()?;
        text.push('[');
        for (place, index) in view.enumerate() {
            if place % ENTRIES_BETWEEN_CHECKS == 0 {
                room.check(text)?;
            }
            json::separate(text, place > 0);
            items.write_json(index, text)?;
        }
        text.push(']');
        room.check(text)
    }
}

impl UserData for List {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Len, |_, data: AnyUserData| {
            // `#` is called often, so the cheapest test comes first.
            let list = data.borrow::<List>()?;
            match list.has_table.get().then(|| Written::of(&data)).flatten() {
                Some(written) => Ok(written.table.raw_len()),
                None => Ok(list.len),
            }
        });
        methods.add_meta_function(
            MetaMethod::Index,
            |lua, (data, key): (AnyUserData, mlua::Value)| match Written::of(&data) {
                Some(written) => written.table.raw_get(key),
                None => data.borrow::<List>()?.get(lua, &key),
            },
        );
        methods.add_meta_function(
            MetaMethod::NewIndex,
            |lua, (data, key, value): (AnyUserData, mlua::Value, mlua::Value)| {
                table_behind(lua, &data)?.raw_set(key, value)
            },
        );
        methods.add_meta_function(MetaMethod::Pairs, |lua, data: AnyUserData| {
            let next: mlua::Function = lua.globals().get("next")?;
            Ok((next, table_behind(lua, &data)?, mlua::Value::Nil))
        });
    }
}

/// The table behind a list, filled on first need and cached.
pub(crate) fn table_behind(lua: &Lua, data: &AnyUserData) -> mlua::Result<Table> {
    if let Some(written) = Written::of(data) {
        return Ok(written.table);
    }
    let table = data.borrow::<List>()?.to_table(lua)?;
    data.set_user_value(table.clone())?;
    data.borrow::<List>()?.has_table.set(true);
    Ok(table)
}
