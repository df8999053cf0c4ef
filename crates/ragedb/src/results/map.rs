//! A result that maps each id or link of a bulk call to its list.

use std::cell::OnceCell;
use std::rc::Rc;

use mlua::{AnyUserData, Function, Lua, MetaMethod, UserData, UserDataMethods};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fill::{filled, in_batches};
use super::list::List;
use crate::columns::{Items, Link, Shared};
use crate::json;
use crate::limits::BATCH_ROWS_MAX;
use crate::memory::{Growth, Reservation};
use crate::session::{LazyLists, Session, Source, TextRoom};

/// Keys in order, and a list for each.
pub(crate) struct ListMap {
    keys: Rc<Shared>,
    lists: Lists,
    rows: OnceCell<FxHashMap<(u64, u64), usize>>,
}

/// The lists of a map.
#[derive(Clone)]
enum Lists {
    /// Views into shared entries.
    Views(Rc<Vec<(u32, u32)>>, Rc<Shared>),
    /// They are walked when an entry is asked for.
    Lazy(Rc<LazyLists>),
}

impl ListMap {
    /// A map; `keys` are ids or links, one for each view. A key that repeats is there once.
    pub(crate) fn new(
        session: &mut Session,
        keys: Items,
        views: Vec<(u32, u32)>,
        entries: Rc<Shared>,
    ) -> mlua::Result<ListMap> {
        let (keys, views) = match distinct_rows(&keys) {
            None => (keys, views),
            Some(distinct) => {
                (picked(&keys, &distinct), distinct.iter().map(|&row| views[row]).collect())
            }
        };
        let mut reservation = reservation_for(session, &keys)?;
        reservation.add(session.reserve(views.len() * 8)?);
        let lists = Lists::Views(Rc::new(views), entries);
        Ok(ListMap { keys: Shared::new(keys, reservation), lists, rows: OnceCell::new() })
    }

    /// A map with lazy lists; `keys` are ids or links, one for each list.
    pub(crate) fn lazy(
        session: &mut Session,
        keys: Items,
        lists: Rc<LazyLists>,
    ) -> mlua::Result<ListMap> {
        let reservation = reservation_for(session, &keys)?;
        let (keys, lists) = (Shared::new(keys, reservation), Lists::Lazy(lists));
        Ok(ListMap { keys, lists, rows: OnceCell::new() })
    }

    /// Keys of a map, each once.
    pub(crate) fn distinct(keys: Items) -> Items {
        match distinct_rows(&keys) {
            None => keys,
            Some(distinct) => picked(&keys, &distinct),
        }
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn list(&self, row: usize) -> List {
        match &self.lists {
            Lists::Views(views, entries) => {
                let (from, len) = views[row];
                List::of(entries.clone(), from as usize, len as usize)
            }
            Lists::Lazy(lists) => {
                List::from_source(Source::Lazy(lists.clone(), row), lists.len(row))
            }
        }
    }

    fn row(&self, key: &mlua::Value) -> Option<usize> {
        let key = match key {
            mlua::Value::Integer(id) => (*id as u64, 0),
            other => {
                let link = Link::of(other)?;
                (link.node, link.edge)
            }
        };
        let rows = self
            .rows
            .get_or_init(|| (0..self.len()).map(|row| (key_of(&self.keys, row), row)).collect());
        rows.get(&key).copied()
    }

    pub(crate) fn write_json(
        &self,
        room: &mut TextRoom<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        text.push('{');
        for row in 0..self.len() {
            json::separate(text, row > 0);
            let mut key = String::new();
            self.keys.write_json(row, &mut key)?;
            json::write_string(text, &key);
            text.push_str(": ");
            self.list(row).write_json(room, text)?;
        }
        text.push('}');
        Ok(())
    }

    /// The ids of all lists, each with the id its list belongs to.
    pub(crate) fn pairs_of_ids(&self, growth: &Growth) -> mlua::Result<Option<Vec<(u64, u64)>>> {
        let mut pairs = Vec::new();
        for row in 0..self.len() {
            let (owner, list) = (key_of(&self.keys, row).0, self.list(row));
            growth.add(1 + list.len(), 2 * size_of::<(u64, u64)>())?;
            let Some(ids) = list.ids()? else { return Ok(None) };
            pairs.extend(ids.into_iter().map(|id| (id, owner)));
        }
        Ok(Some(pairs))
    }

    fn pairs(&self, lua: &Lua) -> mlua::Result<Function> {
        let map =
            ListMap { keys: self.keys.clone(), lists: self.lists.clone(), rows: OnceCell::new() };
        // Few at first: a script may look at few.
        let (mut row, mut rows) = (0, 1);
        let more = lua.create_function_mut(move |lua, ()| {
            let end = map.len().min(row + rows);
            let batch = row..end;
            if batch.is_empty() {
                return Ok((None, None, 0));
            }
            let lists = filled(lua, batch.clone().map(|row| map.list(row)).collect())?;
            (row, rows) = (end, BATCH_ROWS_MAX.min(2 * rows));
            let count = batch.len();
            Ok((Some(map.keys.to_table(lua, batch)?), Some(lists), count))
        })?;
        in_batches(lua, more)
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

/// Keys, and the rows by key that the first look-up makes.
fn reservation_for(session: &mut Session, keys: &Items) -> mlua::Result<Reservation> {
    let mut reservation = session.reserve(keys.byte_size())?;
    reservation.add(session.reserve(keys.len() * 32)?);
    Ok(reservation)
}

/// The rows of keys that did not come before; `None` if all did not. Equal keys have equal lists, so
/// the first stands for all.
fn distinct_rows(keys: &Items) -> Option<Vec<usize>> {
    // Lists of the store often ascend.
    if (1..keys.len()).all(|row| key_of(keys, row - 1) < key_of(keys, row)) {
        return None;
    }
    let mut seen = FxHashSet::default();
    let distinct: Vec<usize> =
        (0..keys.len()).filter(|&row| seen.insert(key_of(keys, row))).collect();
    (distinct.len() < keys.len()).then_some(distinct)
}

fn picked(keys: &Items, distinct: &[usize]) -> Items {
    let pick = |ids: &[u64]| distinct.iter().map(|&row| ids[row]).collect();
    match keys {
        Items::Links { nodes, edges } => Items::Links { nodes: pick(nodes), edges: pick(edges) },
        Items::Ids(ids) => Items::Ids(pick(ids)),
        Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
            unreachable!("keys of a map are ids or links")
        }
    }
}

impl UserData for ListMap {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Len, |_, map, ()| Ok(map.len()));
        methods.add_meta_method(MetaMethod::Index, |_, map, key: mlua::Value| {
            Ok(map.row(&key).map(|row| map.list(row)))
        });
        methods.add_meta_function(MetaMethod::Pairs, |lua, data: AnyUserData| {
            data.borrow::<ListMap>()?.pairs(lua)
        });
    }
}
