//! All elements, or all of a type: counts and pages. Counts come from counters.

use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::functions::schema;
use crate::limits;
use crate::plans;
use crate::session::Session;

use ElementKind::{Edge, Vertex};

const PAGE: &str = "[type,] [skip], [limit]";

pub(in crate::functions) const FAMILY: Family = Family {
    title: "All elements and counts",
    functions: &[
        Function::read("AllNodeIds", PAGE, "{int}", |l, a| ids(l, a, Vertex)),
        Function::read("AllNodes", PAGE, "{Node}", |l, a| whole(l, a, Vertex)),
        Function::read("AllNodesCount", "none \\| type", "int", |l, a| count_one(l, a, Vertex)),
        Function::read("AllNodesCounts", "", "map type -> int", |l, a| counts(l, a, Vertex)),
        Function::read("AllRelationshipIds", PAGE, "{int}", |l, a| ids(l, a, Edge)),
        Function::read("AllRelationships", PAGE, "{Relationship}", |l, a| whole(l, a, Edge)),
        Function::read("AllRelationshipsCount", "none \\| type", "int", |l, a| {
            count_one(l, a, Edge)
        }),
        Function::read("AllRelationshipsCounts", "", "map type -> int", |l, a| counts(l, a, Edge)),
    ],
};

fn count_one(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let kind = if arguments.is_empty() { None } else { Some(arguments.text("a type")?) };
    arguments.end()?;
    call::count(&mut *Session::of(lua)?, element, kind.as_deref())?.into_lua(lua)
}

fn counts(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    arguments.end()?;
    let session = &mut *Session::of(lua)?;
    let catalog = session.catalog();
    let table = lua.create_table()?;
    for name in schema::names(&catalog, element).iter() {
        table.raw_set(&**name, call::count(session, element, Some(name))?)?;
    }
    table.into_lua(lua)
}

/// The ids of a page: `[type,] [skip], [limit]`.
fn page(
    session: &mut Session,
    arguments: &mut Arguments,
    element: ElementKind,
) -> mlua::Result<Vec<u64>> {
    let kind = if arguments.next_is_text() { Some(arguments.text("a type")?) } else { None };
    let skip = arguments.number_or("how many to skip", 0)?;
    let limit = arguments.number_or("how many to list", limits::LIST_LIMIT_DEFAULT)?;
    arguments.end()?;
    let batch = session.run_once(&plans::list(element, kind.as_deref(), skip, limit), &[])?;
    Ok(call::ids(&batch, 0))
}

fn ids(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let ids = page(session, &mut arguments, element)?;
    list(session, lua, Items::Ids(ids))
}

fn whole(lua: &Lua, mut arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let ids = page(session, &mut arguments, element)?;
    let items = call::whole(session, element, &ids)?;
    list(session, lua, items)
}
