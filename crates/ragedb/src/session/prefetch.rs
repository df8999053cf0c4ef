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

use crate::columns::{Items, Shared};
use crate::limits::{PREFETCH_LISTS_MAX, PREFETCH_NODES_MAX, PREFETCH_WAYS_MAX};
use crate::plans::Walk;

/// Nodes asked for in order before the next are found with them.
pub(crate) const IN_ORDER_MIN: usize = 3;

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
pub(crate) enum RecentList {
    /// It is the script's.
    List(Weak<Shared>),
    /// The script has a table of it.
    Part(Part),
}

/// A few of some entries.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) items: Rc<Items>,
    pub(crate) view: Range<usize>,
}

/// One way to walk, and where in a list a script is with it.
pub(crate) struct Way {
    kind: Walk,
    direction: Direction,
    types: Option<Vec<String>>,
    pub(crate) list: Option<RecentList>,
    /// The row of the list that is asked for next, if the script goes on in order.
    pub(crate) next: usize,
    /// How many rows were asked for in order.
    pub(crate) in_order: usize,
    pub(crate) found: Found,
}

/// Entries of the rows to come, and a view of them for each.
pub(crate) struct Found {
    pub(crate) entries: Rc<Items>,
    pub(crate) views: VecDeque<(u32, u32)>,
}

/// How a node's entries are come by.
pub(crate) enum Next {
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
    pub(crate) fn nothing() -> Found {
        Found { entries: Rc::new(Items::Ids(Vec::new())), views: VecDeque::new() }
    }

    /// The entries of the next row.
    pub(crate) fn take(&mut self) -> Option<Part> {
        let (from, len) = self.views.pop_front()?;
        let view = from as usize..(from + len) as usize;
        Some(Part { items: self.entries.clone(), view })
    }
}

impl Prefetch {
    /// Notes a result.
    pub(crate) fn note_list(&mut self, items: &Rc<Shared>) {
        if nodes(items).is_some_and(|nodes| IN_ORDER_MIN < nodes.len()) {
            self.note(RecentList::List(Rc::downgrade(items)));
        }
    }

    pub(crate) fn note(&mut self, list: RecentList) {
        if self.lists.len() == PREFETCH_LISTS_MAX {
            self.lists.pop_front();
        }
        self.lists.push_back(list);
    }

    /// Drops all prefetched results: the script writes.
    pub(crate) fn clear(&mut self) {
        self.ways.clear();
    }

    pub(crate) fn way(
        &mut self,
        kind: Walk,
        direction: Direction,
        types: Option<&[String]>,
    ) -> &mut Way {
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
    pub(crate) fn begun(&self, vertex: u64) -> Option<RecentList> {
        self.lists.iter().rev().find(|list| list.has(0, vertex)).cloned()
    }
}

impl Way {
    /// Whether the node is the next of the list.
    pub(crate) fn goes_on(&self, vertex: u64) -> bool {
        self.list.as_ref().is_some_and(|list| list.has(self.next, vertex))
    }

    /// Takes the node for the next of the list.
    pub(crate) fn step(&mut self, vertex: u64) -> Next {
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
