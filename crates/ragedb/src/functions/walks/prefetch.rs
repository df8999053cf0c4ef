//! The walk from one vertex, with those that a script will probably ask for next.
//!
//! Where the script is in its lists, and what was found for it, is in the session ([`Prefetch`]).
//!
//! [`Prefetch`]: crate::session::Prefetch

use std::rc::Rc;

use millrace_model::Direction;
use mlua::{IntoLua, Lua};

use crate::columns::Items;
use crate::functions::call;
use crate::functions::function::CallResult;
use crate::limits::{PREFETCH_ENTRIES_MAX, TABLE_ENTRIES_MAX};
use crate::plans::Walk;
use crate::results::List;
use crate::session::{Found, IN_ORDER_MIN, Next, Part, RecentList, Session};

/// The result of a walk from one vertex.
pub(super) enum Walked {
    /// Many entries.
    List(List),
    /// Few.
    Part(Part),
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

/// A list of its own, or as it is if it is short.
fn part_walked(part: Part, session: &mut Session) -> mlua::Result<Walked> {
    if part.view.len() <= TABLE_ENTRIES_MAX {
        session.check()?;
        if IN_ORDER_MIN < part.view.len() {
            session.prefetch().note(RecentList::Part(part.clone()));
        }
        return Ok(Walked::Part(part));
    }
    let (from, len) = (part.view.start, part.view.len());
    let items = match Rc::try_unwrap(part.items) {
        Ok(items) if items.len() == len => items,
        Ok(items) => return Ok(Walked::List(List::of(session.share(items)?, from, len))),
        Err(items) => match &*items {
            Items::Ids(ids) => Items::Ids(ids[part.view].to_vec()),
            Items::Links { nodes, edges } => {
                let (nodes, edges) = (&nodes[part.view.clone()], &edges[part.view]);
                Items::Links { nodes: nodes.to_vec(), edges: edges.to_vec() }
            }
            Items::Nodes(_) | Items::Relationships(_) | Items::Values(_) => {
                unreachable!("a walk gives ids or links")
            }
        },
    };
    Ok(Walked::List(List::all(session.share(items)?)))
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
        Next::Found(part) => return part_walked(part, session),
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
        Some(part) => part_walked(part, session),
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
