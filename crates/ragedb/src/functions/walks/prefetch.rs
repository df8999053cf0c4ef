//! Prefetch: results that a script will probably ask for next are read together.
//!
//! A script that goes through a list and asks for the links of each of its nodes would run a plan for
//! each. After a few entries in order, the plan runs for many entries to come, and the next calls take
//! their part. Prefetched results are dropped when the script writes ([`Prefetch::clear`]), and each part is
//! copied out (into a Lua table if it is small), so a script is charged only for the parts it asked
//! for. Prefetched results are small and of a bounded number.

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::{Rc, Weak};

use millrace_model::Direction;
use mlua::{IntoLua, Lua};

use super::{CallResult, call};
use crate::limits::{
    PREFETCH_ENTRIES_MAX, PREFETCH_LISTS_MAX, PREFETCH_NODES_MAX, PREFETCH_WAYS_MAX,
    TABLE_ENTRIES_MAX,
};
use crate::lua::results::{Items, List, Shared};
use crate::lua::session::Session;
use crate::plans::Walk;

/// Nodes asked for in order before the next are found with them.
const IN_ORDER_MIN: usize = 3;

/// Recent results of a script, and how it iterates over them.
#[derive(Default)]
pub(crate) struct Prefetch {
    /// The newest last.
    lists: VecDeque<RecentList>,
    /// The newest last.
    ways: VecDeque<Way>,
}

/// A recent result of a script.
#[derive(Clone)]
enum RecentList {
    /// It is the script's.
    List(Weak<Shared>),
    /// The script has a table of it.
    Part(Part),
}

/// A few of some entries.
#[derive(Clone)]
pub(super) struct Part {
    items: Rc<Items>,
    view: Range<usize>,
}

/// The result of a walk from one vertex.
pub(super) enum Walked {
    /// Many entries.
    List(List),
    /// Few.
    Part(Part),
}

/// One way to walk, and where in a list a script is with it.
struct Way {
    kind: Walk,
    direction: Direction,
    types: Option<Vec<String>>,
    list: Option<RecentList>,
    /// The row of the list that is asked for next, if the script goes on in order.
    next: usize,
    /// How many rows were asked for in order.
    in_order: usize,
    found: Found,
}

/// Entries of the rows to come, and a view of them for each.
struct Found {
    entries: Rc<Items>,
    views: VecDeque<(u32, u32)>,
}

/// How a node's entries are come by.
enum Next {
    /// They were found before.
    Found(Part),
    /// A plan finds them, and those of the nodes behind it.
    Ask(Vec<u64>),
}

/// The nodes of a list with entries that are nodes or lead to them.
fn nodes(items: &Items) -> Option<&[u64]> {
    match items {
        Items::Ids(ids) => Some(ids),
        Items::Links { nodes, .. } => Some(nodes),
        Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => None,
    }
}

impl RecentList {
    /// Calls `ask` with the nodes of the list from a row on; `None` if the list is gone.
    fn behind<T>(&self, row: usize, ask: impl FnOnce(&[u64]) -> T) -> Option<T> {
        match self {
            RecentList::List(list) => Some(ask(nodes(&**list.upgrade()?)?.get(row..)?)),
            RecentList::Part(part) => Some(ask(nodes(&part.items)?[part.view.clone()].get(row..)?)),
        }
    }

    /// Whether a node stands in a row.
    fn has(&self, row: usize, vertex: u64) -> bool {
        self.behind(row, |nodes| nodes.first() == Some(&vertex)).unwrap_or(false)
    }
}

impl Found {
    fn nothing() -> Found {
        Found { entries: Rc::new(Items::Ids(Vec::new())), views: VecDeque::new() }
    }

    /// The entries of the next row.
    fn take(&mut self) -> Option<Part> {
        let (from, len) = self.views.pop_front()?;
        let view = from as usize..(from + len) as usize;
        Some(Part { items: self.entries.clone(), view })
    }
}

impl Part {
    /// A list of its own, or as it is if it is short.
    fn walked(self, session: &mut Session) -> mlua::Result<Walked> {
        if self.view.len() <= TABLE_ENTRIES_MAX {
            session.check()?;
            if IN_ORDER_MIN < self.view.len() {
                session.prefetch().note(RecentList::Part(self.clone()));
            }
            return Ok(Walked::Part(self));
        }
        let (from, len) = (self.view.start, self.view.len());
        let items = match Rc::try_unwrap(self.items) {
            Ok(items) if items.len() == len => items,
            Ok(items) => return Ok(Walked::List(List::of(session.share(items)?, from, len))),
            Err(items) => match &*items {
                Items::Ids(ids) => Items::Ids(ids[self.view].to_vec()),
                Items::Links { nodes, edges } => {
                    let (nodes, edges) = (&nodes[self.view.clone()], &edges[self.view]);
                    Items::Links { nodes: nodes.to_vec(), edges: edges.to_vec() }
                }
                Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
                    unreachable!("a walk gives ids or links")
                }
            },
        };
        Ok(Walked::List(List::all(session.share(items)?)))
    }
}

impl Walked {
    /// A list, or a table if it is short: a script that goes through it has it at once.
    pub(super) fn into_lua(self, lua: &Lua) -> CallResult {
        match self {
            Walked::List(list) => list.into_lua(lua),
            Walked::Part(part) => part.items.to_table(lua, part.view).map(mlua::Value::Table),
        }
    }

    /// The nodes, and beside them the edges of links.
    pub(super) fn ids(&self) -> mlua::Result<(&[u64], &[u64])> {
        let (items, view): (&Items, _) = match self {
            Walked::List(list) => {
                let (items, view) = list.entries()?;
                (items, view)
            }
            Walked::Part(part) => (&part.items, part.view.clone()),
        };
        Ok(match items {
            Items::Ids(ids) => (&ids[view], &[]),
            Items::Links { nodes, edges } => (&nodes[view.clone()], &edges[view]),
            Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => (&[], &[]),
        })
    }
}

impl Prefetch {
    /// Notes a result.
    pub(crate) fn note_list(&mut self, items: &Rc<Shared>) {
        if nodes(items).is_some_and(|nodes| IN_ORDER_MIN < nodes.len()) {
            self.note(RecentList::List(Rc::downgrade(items)));
        }
    }

    fn note(&mut self, list: RecentList) {
        if self.lists.len() == PREFETCH_LISTS_MAX {
            self.lists.pop_front();
        }
        self.lists.push_back(list);
    }

    /// Drops all prefetched results: the script writes.
    pub(crate) fn clear(&mut self) {
        self.ways.clear();
    }

    fn way(&mut self, kind: Walk, direction: Direction, types: Option<&[String]>) -> &mut Way {
        let same = |way: &Way| {
            way.kind == kind && way.direction == direction && way.types.as_deref() == types
        };
        let place = self.ways.iter().position(same).unwrap_or_else(|| {
            if self.ways.len() == PREFETCH_WAYS_MAX {
                self.ways.pop_front();
            }
            let (types, found) = (types.map(<[String]>::to_vec), Found::nothing());
            let (list, next, in_order) = (None, 0, 0);
            self.ways.push_back(Way { kind, direction, types, list, next, in_order, found });
            self.ways.len() - 1
        });
        &mut self.ways[place]
    }

    /// The newest list that begins with a node.
    fn begun(&self, vertex: u64) -> Option<RecentList> {
        self.lists.iter().rev().find(|list| list.has(0, vertex)).cloned()
    }
}

impl Way {
    /// Whether the node is the next of the list.
    fn goes_on(&self, vertex: u64) -> bool {
        self.list.as_ref().is_some_and(|list| list.has(self.next, vertex))
    }

    /// Takes the node for the next of the list.
    fn step(&mut self, vertex: u64) -> Next {
        self.next += 1;
        self.in_order += 1;
        if let Some(part) = self.found.take() {
            return Next::Found(part);
        }
        let mut asked = vec![vertex];
        if let Some(list) = self.list.as_ref().filter(|_| IN_ORDER_MIN <= self.in_order) {
            // Each request is twice as large as the one before, so fewer entries are read in vain than were used.
            let more = self.in_order.min(PREFETCH_NODES_MAX);
            list.behind(self.next, |nodes| asked.extend(nodes.iter().take(more)));
        }
        Next::Ask(asked)
    }
}

/// The entries of a walk from one vertex.
pub(super) fn walk(
    session: &mut Session,
    vertex: u64,
    kind: Walk,
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<Walked> {
    let prefetch = session.prefetch();
    if !prefetch.way(kind, direction, types).goes_on(vertex) {
        let list = prefetch.begun(vertex);
        let way = prefetch.way(kind, direction, types);
        (way.list, way.next, way.in_order, way.found) = (list, 0, 0, Found::nothing());
    }
    let mut nodes = match prefetch.way(kind, direction, types).step(vertex) {
        Next::Found(part) => return part.walked(session),
        Next::Ask(nodes) => nodes,
    };
    if 1 < nodes.len() {
        nodes.truncate(few(session, &nodes, direction, types)?);
    }
    let (entries, views) = call::walked(session, kind, &nodes, direction, types)?;
    let mut found = Found { entries: Rc::new(entries), views: views.into() };
    let part = found.take();
    match found.views.is_empty() {
        // A long list is not copied if its entries have no other holder.
        true => drop(found),
        false => session.prefetch().way(kind, direction, types).found = found,
    }
    match part {
        Some(part) => part.walked(session),
        None => Ok(Walked::Part(Part { items: Rc::new(Items::Ids(Vec::new())), view: 0..0 })),
    }
}

/// How many of the nodes have few entries together; the first counts in any case.
fn few(
    session: &mut Session,
    nodes: &[u64],
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<usize> {
    let degrees = call::degrees(session, nodes, direction, types)?;
    let mut sum = 0;
    let fitting = degrees.iter().take_while(|degree| {
        sum += **degree;
        sum <= PREFETCH_ENTRIES_MAX
    });
    Ok(fitting.count().max(1))
}
