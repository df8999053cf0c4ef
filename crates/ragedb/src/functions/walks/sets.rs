//! Set operations on ids: no plan, as no graph is asked; only whole elements are looked up after.
//!
//! Results ascend. `Intersect…` and `Difference…` count how often an id is listed: an id is in an
//! intersection as often as in the side that has it less often, and in a difference as often as
//! the first has it more. `Join` gives each id once.

use std::cmp::Ordering;

use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::memory;
use crate::results::ListMap;
use crate::session::Session;

use ElementKind::{Edge, Vertex};

const TWO: &str = "{ids1}, {ids2}";

pub(in crate::functions) const FAMILY: Family = Family {
    title: "Set operations",
    functions: &[
        Function::read("DifferenceIds", TWO, "{int}", |l, a| ids(l, a, difference)),
        Function::read("DifferenceIdsCount", TWO, "int", |l, a| count(l, a, difference)),
        Function::read("DifferenceNodes", TWO, "{Node}", |l, a| whole(l, a, Vertex, difference)),
        Function::read("DifferenceRelationships", TWO, "{Relationship}", |l, a| {
            whole(l, a, Edge, difference)
        }),
        Function::read("IntersectIdsCount", TWO, "int", |l, a| count(l, a, intersection)),
        Function::read("IntersectNodes", TWO, "{Node}", |l, a| whole(l, a, Vertex, intersection)),
        Function::read("IntersectRelationships", TWO, "{Relationship}", |l, a| {
            whole(l, a, Edge, intersection)
        }),
        Function::read("IntersectUnsortedIds", TWO, "{int}", |l, a| ids(l, a, intersection)),
        Function::read("Invert", "map id -> {int}", "map id -> {int}", invert),
        Function::read("Join", "{{ids}, …}", "{int}", |lua, arguments| {
            let joined = join(arguments)?;
            list(&mut *Session::of(lua)?, lua, Items::Ids(joined))
        }),
        Function::read("JoinCount", "{{ids}, …}", "int", |lua, arguments| {
            join(arguments)?.len().into_lua(lua)
        }),
    ],
};

/// An operation on two ascending lists.
type Operation = fn(&[u64], &[u64]) -> Vec<u64>;

fn sorted(mut ids: Vec<u64>) -> mlua::Result<Vec<u64>> {
    memory::sort(&mut ids)?;
    Ok(ids)
}

/// The ids in both; both are sorted.
pub(in crate::functions) fn intersection(first: &[u64], second: &[u64]) -> Vec<u64> {
    let (mut left, mut right) = (0, 0);
    let mut both = Vec::new();
    while left < first.len() && right < second.len() {
        match first[left].cmp(&second[right]) {
            Ordering::Less => left += 1,
            Ordering::Greater => right += 1,
            Ordering::Equal => {
                both.push(first[left]);
                left += 1;
                right += 1;
            }
        }
    }
    both
}

/// The ids in the first only; both are sorted.
pub(in crate::functions) fn difference(first: &[u64], second: &[u64]) -> Vec<u64> {
    let mut right = 0;
    let mut only = Vec::new();
    for &id in first {
        while right < second.len() && second[right] < id {
            right += 1;
        }
        if right < second.len() && second[right] == id {
            right += 1;
        } else {
            only.push(id);
        }
    }
    only
}

fn both(
    mut arguments: Arguments,
    element: ElementKind,
    operation: Operation,
) -> mlua::Result<Vec<u64>> {
    let first = sorted(arguments.frontier()?.ids_of(element))?;
    let second = sorted(arguments.frontier()?.ids_of(element))?;
    arguments.end()?;
    arguments.growth().add(first.len(), 2 * size_of::<u64>())?;
    Ok(operation(&first, &second))
}

fn ids(lua: &Lua, arguments: Arguments, operation: Operation) -> CallResult {
    let ids = both(arguments, Vertex, operation)?;
    list(&mut *Session::of(lua)?, lua, Items::Ids(ids))
}

fn count(lua: &Lua, arguments: Arguments, operation: Operation) -> CallResult {
    both(arguments, Vertex, operation)?.len().into_lua(lua)
}

fn whole(
    lua: &Lua,
    arguments: Arguments,
    element: ElementKind,
    operation: Operation,
) -> CallResult {
    let ids = both(arguments, element, operation)?;
    let session = &mut *Session::of(lua)?;
    let items = call::whole(session, element, &ids)?;
    list(session, lua, items)
}

/// The ids that every list has, each once.
fn join(mut arguments: Arguments) -> mlua::Result<Vec<u64>> {
    let mut joined: Option<Vec<u64>> = None;
    arguments.each_frontier(|frontier| {
        let mut ids = sorted(frontier.ids_of(Vertex))?;
        ids.dedup();
        joined = Some(match &joined {
            None => ids,
            Some(before) => intersection(before, &ids),
        });
        Ok(())
    })?;
    arguments.end()?;
    Ok(joined.unwrap_or_default())
}

/// Bytes of a pair while a map is inverted: its own, its owner's, its key's and its view's.
const INVERTED_BYTES: usize = 40;

/// Inverts a map of lists: from each id in a list to the keys of the lists that have it.
fn invert(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let mut pairs = arguments.pairs_of_map()?;
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let _reservation = session.reserve(pairs.len() * INVERTED_BYTES)?;
    memory::sort(&mut pairs)?;
    let mut keys = Vec::new();
    let mut views: Vec<(u32, u32)> = Vec::new();
    for (place, (id, _)) in pairs.iter().enumerate() {
        match views.last_mut() {
            Some(view) if keys.last() == Some(id) => view.1 += 1,
            _ => {
                keys.push(*id);
                views.push((u32::try_from(place).map_err(mlua::Error::external)?, 1));
            }
        }
    }
    let entries = Items::Ids(pairs.iter().map(|(_, owner)| *owner).collect());
    let entries = session.share(entries)?;
    ListMap::new(session, Items::Ids(keys), views, entries)?.into_lua(lua)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_repeat_are_counted() {
        assert_eq!(intersection(&[1, 1, 2, 4], &[1, 1, 1, 3, 4]), [1, 1, 4]);
        assert_eq!(difference(&[1, 1, 2, 4], &[1, 3, 4, 4]), [1, 2]);
        assert_eq!(intersection(&[], &[1]), Vec::<u64>::new());
        assert_eq!(difference(&[1], &[]), [1]);
    }
}
