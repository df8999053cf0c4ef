//! A result that maps each id or link of a bulk call to its list.

use std::cell::OnceCell;
use std::rc::Rc;

use mlua::{AnyUserData, Function, Lua, MetaMethod, UserData, UserDataMethods};
use rustc_hash::FxHashMap;

use super::held::Shared;
use super::link::Link;
use super::list::{Items, List};
use crate::json;
use crate::session::Session;

/// Keys in order, and a view into shared entries for each.
pub(crate) struct ListMap {
    keys: Rc<Shared>,
    views: Rc<Vec<(u32, u32)>>,
    entries: Rc<Shared>,
    rows: OnceCell<FxHashMap<(u64, u64), usize>>,
}

impl ListMap {
    /// A map; `keys` are ids or links, one for each view. A key that repeats is kept once.
    pub(crate) fn new(
        session: &mut Session,
        keys: Items,
        views: Vec<(u32, u32)>,
        entries: Rc<Shared>,
    ) -> mlua::Result<ListMap> {
        let (keys, views) = distinct(keys, views);
        let mut held = session.hold(keys.byte_size())?;
        // The views, and the rows by key that the first look-up makes.
        held.add(session.hold(views.len() * 40)?);
        let keys = Shared::new(keys, held);
        Ok(ListMap { keys, views: Rc::new(views), entries, rows: OnceCell::new() })
    }

    fn list(&self, row: usize) -> List {
        let (from, len) = self.views[row];
        List::of(self.entries.clone(), from as usize, len as usize)
    }

    fn row(&self, key: &mlua::Value) -> Option<usize> {
        let key = match key {
            mlua::Value::Integer(id) => (*id as u64, 0),
            other => {
                let link = Link::of(other)?;
                (link.node, link.edge)
            }
        };
        let rows = self.rows.get_or_init(|| {
            (0..self.views.len()).map(|row| (key_of(&self.keys, row), row)).collect()
        });
        rows.get(&key).copied()
    }

    pub(crate) fn write_json(
        &self,
        encoder: &mut json::Encoder<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        text.push('{');
        for row in 0..self.views.len() {
            json::separate(text, row > 0);
            let mut key = String::new();
            self.keys.write_json(row, &mut key)?;
            json::write_string(text, &key);
            text.push_str(": ");
            self.list(row).write_json(encoder, text)?;
        }
        text.push('}');
        Ok(())
    }

    /// The ids of all lists, each with the id its list belongs to.
    pub(crate) fn pairs_of_ids(&self) -> Option<Vec<(u64, u64)>> {
        let mut pairs = Vec::with_capacity(self.entries.len());
        for row in 0..self.views.len() {
            let owner = key_of(&self.keys, row).0;
            pairs.extend(self.list(row).ids()?.into_iter().map(|id| (id, owner)));
        }
        Some(pairs)
    }

    fn pairs(&self, lua: &Lua) -> mlua::Result<Function> {
        let map = ListMap {
            keys: self.keys.clone(),
            views: self.views.clone(),
            entries: self.entries.clone(),
            rows: OnceCell::new(),
        };
        let mut row = 0;
        lua.create_function_mut(move |lua, _: mlua::MultiValue| {
            if row == map.views.len() {
                return Ok((mlua::Value::Nil, None));
            }
            row += 1;
            Ok((map.keys.to_lua(lua, row - 1)?, Some(map.list(row - 1))))
        })
    }
}

fn key_of(keys: &Items, row: usize) -> (u64, u64) {
    match keys {
        Items::Ids(ids) => (ids[row], 0),
        Items::Links { nodes, edges } => (nodes[row], edges[row]),
        Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
            unreachable!("keys of a map are ids or links")
        }
    }
}

/// Equal keys have equal lists, so the first stands for all.
fn distinct(keys: Items, views: Vec<(u32, u32)>) -> (Items, Vec<(u32, u32)>) {
    let mut seen = FxHashMap::default();
    let kept: Vec<usize> =
        (0..views.len()).filter(|&row| seen.insert(key_of(&keys, row), ()).is_none()).collect();
    if kept.len() == views.len() {
        return (keys, views);
    }
    let pick = |ids: &[u64]| kept.iter().map(|&row| ids[row]).collect();
    let picked = match &keys {
        Items::Links { nodes, edges } => Items::Links { nodes: pick(nodes), edges: pick(edges) },
        Items::Ids(ids) => Items::Ids(pick(ids)),
        Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
            unreachable!("keys of a map are ids or links")
        }
    };
    (picked, kept.iter().map(|&row| views[row]).collect())
}

impl UserData for ListMap {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Len, |_, map, ()| Ok(map.views.len()));
        methods.add_meta_method(MetaMethod::Index, |_, map, key: mlua::Value| {
            Ok(map.row(&key).map(|row| map.list(row)))
        });
        methods.add_meta_function(MetaMethod::Pairs, |lua, data: AnyUserData| {
            data.borrow::<ListMap>()?.pairs(lua)
        });
    }
}
