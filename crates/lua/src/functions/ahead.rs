//! What a script will ask for next, found together.
//!
//! A script that goes through a list and asks for the links of each of its nodes would run a plan
//! for each. After a few entries in order, the plan runs for many entries to come, and the next calls
//! take their part. What a reader would get wrong: an answer waits here only until the script
//! writes ([`Ahead::forget`]), and each part is copied out, so a script holds what it asked for and
//! no more.

use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use millrace_model::Direction;

use super::call;
use crate::limits::{AHEAD_ENTRIES_MAX, AHEAD_LISTS_MAX, AHEAD_NODES_MAX, AHEAD_WAYS_MAX};
use crate::plans::Walk;
use crate::results::{Items, List, Shared};
use crate::session::Session;

/// Nodes asked for in order before the next are found with them.
const IN_ORDER_MIN: usize = 3;

/// Lists that a script was given lately, and how it goes through them.
#[derive(Default)]
pub(crate) struct Ahead {
    /// The newest last.
    lists: VecDeque<Weak<Shared>>,
    /// The newest last.
    ways: VecDeque<Way>,
}

/// One way to walk, and where in a list a script is with it.
struct Way {
    kind: Walk,
    direction: Direction,
    types: Option<Vec<String>>,
    list: Weak<Shared>,
    /// The row of the list that is asked for next, if the script goes on in order.
    next: usize,
    /// How many rows were asked for in order.
    in_order: usize,
    found: Found,
}

/// Entries of the rows to come, and a view of them for each.
struct Found {
    entries: Items,
    views: VecDeque<(u32, u32)>,
}

/// How a node's entries are come by.
enum Next {
    /// They were found before.
    Found(Items),
    /// A plan finds them, and those of the nodes behind it.
    Ask(Vec<u64>),
}

/// The nodes of a list whose entries are nodes or lead to them.
fn nodes(items: &Items) -> Option<&[u64]> {
    match items {
        Items::Ids(ids) => Some(ids),
        Items::Links { nodes, .. } => Some(nodes),
        Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => None,
    }
}

impl Found {
    fn nothing() -> Found {
        Found { entries: Items::Ids(Vec::new()), views: VecDeque::new() }
    }

    /// A copy of the entries of the next row.
    fn take(&mut self) -> Option<Items> {
        let (from, len) = self.views.pop_front()?;
        let view = from as usize..(from + len) as usize;
        match &self.entries {
            Items::Ids(ids) => Some(Items::Ids(ids[view].to_vec())),
            Items::Links { nodes, edges } => {
                let (nodes, edges) = (nodes[view.clone()].to_vec(), edges[view].to_vec());
                Some(Items::Links { nodes, edges })
            }
            Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => None,
        }
    }
}

impl Ahead {
    /// Notes a list that a script is given.
    pub(crate) fn note(&mut self, items: &Rc<Shared>) {
        if nodes(items).is_some_and(|nodes| IN_ORDER_MIN < nodes.len()) {
            if self.lists.len() == AHEAD_LISTS_MAX {
                self.lists.pop_front();
            }
            self.lists.push_back(Rc::downgrade(items));
        }
    }

    /// Forgets what was found: the script writes.
    pub(crate) fn forget(&mut self) {
        self.ways.clear();
    }

    fn way(
        &mut self,
        kind: Walk,
        direction: Direction,
        types: Option<&[String]>,
    ) -> &mut Way {
        let same = |way: &Way| {
            way.kind == kind && way.direction == direction && way.types.as_deref() == types
        };
        let place = self.ways.iter().position(same).unwrap_or_else(|| {
            if self.ways.len() == AHEAD_WAYS_MAX {
                self.ways.pop_front();
            }
            let (types, list) = (types.map(<[String]>::to_vec), Weak::new());
            let found = Found::nothing();
            self.ways.push_back(Way { kind, direction, types, list, next: 0, in_order: 0, found });
            self.ways.len() - 1
        });
        &mut self.ways[place]
    }

    /// The newest list that begins with a node.
    fn begun(&self, vertex: u64) -> Option<Weak<Shared>> {
        let begins = |list: &&Weak<Shared>| {
            list.upgrade().is_some_and(|list| nodes(&list).and_then(<[u64]>::first) == Some(&vertex))
        };
        self.lists.iter().rev().find(begins).cloned()
    }
}

impl Way {
    /// Whether the node is the next of the list.
    fn goes_on(&self, vertex: u64) -> bool {
        let list = self.list.upgrade();
        list.is_some_and(|list| nodes(&list).and_then(|nodes| nodes.get(self.next)) == Some(&vertex))
    }

    /// Takes the node for the next of the list.
    fn step(&mut self, vertex: u64) -> Next {
        self.next += 1;
        self.in_order += 1;
        if let Some(entries) = self.found.take() {
            return Next::Found(entries);
        }
        let list = self.list.upgrade().filter(|_| IN_ORDER_MIN <= self.in_order);
        let behind = list.as_deref().and_then(|list| nodes(list)?.get(self.next..));
        // Twice as many each time: what is found for nothing is less than what was asked for.
        let more = behind.unwrap_or_default().iter().take(self.in_order.min(AHEAD_NODES_MAX));
        Next::Ask(std::iter::once(vertex).chain(more.copied()).collect())
    }
}

/// The entries of a walk from one vertex.
pub(super) fn walk(
    session: &mut Session,
    vertex: u64,
    kind: Walk,
    direction: Direction,
    types: Option<&[String]>,
) -> mlua::Result<List> {
    let ahead = session.ahead();
    if !ahead.way(kind, direction, types).goes_on(vertex) {
        let list = ahead.begun(vertex);
        let way = ahead.way(kind, direction, types);
        (way.next, way.in_order, way.found) = (0, 0, Found::nothing());
        way.list = list.unwrap_or_default();
    }
    let mut nodes = match ahead.way(kind, direction, types).step(vertex) {
        Next::Found(entries) => return Ok(List::all(session.share(entries)?)),
        Next::Ask(nodes) => nodes,
    };
    if 1 < nodes.len() {
        nodes.truncate(few(session, &nodes, direction, types)?);
    }
    let (entries, views) = call::walked(session, kind, &nodes, direction, types)?;
    if let [(from, len)] = views[..] {
        let (from, len) = (from as usize, len as usize);
        return Ok(List { items: session.share(entries)?, from, len });
    }
    let mut found = Found { entries, views: views.into() };
    let entries = found.take().unwrap_or(Items::Ids(Vec::new()));
    session.ahead().way(kind, direction, types).found = found;
    Ok(List::all(session.share(entries)?))
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
        sum <= AHEAD_ENTRIES_MAX
    });
    Ok(fitting.count().max(1))
}
