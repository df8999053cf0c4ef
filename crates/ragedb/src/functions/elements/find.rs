//! Elements by a property: `Find…` searches all of a type, `Filter…` those of its first argument.
//!
//! One plan for each call. Ids of another type, and ids that name no element, never fit.

use millrace_model::{Batch, Value};
use millrace_plan::{ElementKind, Parameter};
use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::columns::Items;
use crate::functions::call::{self, list};
use crate::functions::function::{CallResult, Family, Function};
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::plans::{self, Condition, Give, Order, Wanted};
use crate::session::Session;
use crate::values;

use ElementKind::{Edge, Vertex};

const ASKED: &str = "type, property, operation, value";
const PAGE: &str = "type, property, operation, value, [skip], [limit]";
const AMONG: &str = "{ids}, type, property, operation, value";
const AMONG_PAGE: &str = "{ids}, type, property, operation, value, [skip], [limit], [sort order]";

pub(in crate::functions) const FIND: Family = Family {
    title: "Find",
    functions: &[
        Function::read("FindNodeCount", ASKED, "int", |l, a| count(l, a, Vertex, From::All)),
        Function::read("FindNodeIds", PAGE, "{int}", |l, a| ids(l, a, Vertex, From::All)),
        Function::read("FindNodes", PAGE, "{Node}", |l, a| whole(l, a, Vertex, From::All)),
        Function::read("FindRelationshipCount", ASKED, "int", |l, a| count(l, a, Edge, From::All)),
        Function::read("FindRelationshipIds", PAGE, "{int}", |l, a| ids(l, a, Edge, From::All)),
        Function::read("FindRelationships", PAGE, "{Relationship}", |l, a| {
            whole(l, a, Edge, From::All)
        }),
    ],
};

pub(in crate::functions) const FILTER: Family = Family {
    title: "Filter",
    functions: &[
        Function::read("FilterNodeCount", AMONG, "int", |l, a| count(l, a, Vertex, From::Argument)),
        Function::read("FilterNodeIds", AMONG_PAGE, "{int}", |l, a| {
            ids(l, a, Vertex, From::Argument)
        }),
        Function::read("FilterNodeProperties", AMONG_PAGE, "{table}", |l, a| {
            property_maps(l, a, Vertex)
        }),
        Function::read("FilterNodes", AMONG_PAGE, "{Node}", |l, a| {
            whole(l, a, Vertex, From::Argument)
        }),
        Function::read("FilterRelationshipCount", AMONG, "int", |l, a| {
            count(l, a, Edge, From::Argument)
        }),
        Function::read("FilterRelationshipIds", AMONG_PAGE, "{int}", |l, a| {
            ids(l, a, Edge, From::Argument)
        }),
        Function::read("FilterRelationshipProperties", AMONG_PAGE, "{table}", |l, a| {
            property_maps(l, a, Edge)
        }),
        Function::read("FilterRelationships", AMONG_PAGE, "{Relationship}", |l, a| {
            whole(l, a, Edge, From::Argument)
        }),
    ],
};

/// Where a call searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// Among all elements of the type.
    All,
    /// Among the ids of its first argument.
    Argument,
}

/// A call's arguments.
struct Search {
    element: ElementKind,
    among: Option<Vec<u64>>,
    kind: String,
    property: String,
    condition: Condition,
    value: Value,
}

impl Search {
    fn read(arguments: &mut Arguments, element: ElementKind, from: From) -> mlua::Result<Search> {
        let among = match from {
            From::All => None,
            From::Argument => Some(arguments.frontier()?.ids_of(element)),
        };
        Ok(Search {
            element,
            among,
            kind: arguments.text("a type")?,
            property: arguments.text("a property")?,
            condition: arguments.operation()?,
            value: values::from_lua(&arguments.value())?,
        })
    }

    fn run(self, session: &mut Session, give: Give) -> mlua::Result<Batch> {
        let Search { element, kind, property, condition, .. } = &self;
        let wanted = Wanted { element: *element, kind, property, condition: *condition };
        let detail = format!("{element:?}\0{kind}\0{property}\0{condition:?}\0{give:?}");
        let value = wanted.stored_value(&session.catalog(), self.value.clone());
        let value = Parameter::Value(value);
        match &self.among {
            None => session.run_some(("find", detail), &[value], || plans::find(wanted, give)),
            Some(among) => {
                let [rows] = call::rows(call::elements(*element, among));
                let parameters = [rows, value];
                session.run_some(("filter", detail), &parameters, || plans::filter(wanted, give))
            }
        }
    }
}

fn count(lua: &Lua, mut arguments: Arguments, element: ElementKind, from: From) -> CallResult {
    let search = Search::read(&mut arguments, element, from)?;
    arguments.end()?;
    let batch = search.run(&mut *Session::of(lua)?, Give::Count)?;
    call::int(&batch).into_lua(lua)
}

/// The ids that fit, a page of them.
fn page(
    session: &mut Session,
    mut arguments: Arguments,
    element: ElementKind,
    from: From,
) -> mlua::Result<Vec<u64>> {
    let search = Search::read(&mut arguments, element, from)?;
    let skip = arguments.number_or("how many to skip", 0)?;
    let limit = arguments.number_or("how many to list", LIST_LIMIT_DEFAULT)?;
    let order = if from == From::Argument { arguments.order()? } else { Order::Unordered };
    arguments.end()?;
    let batch = search.run(session, Give::Page { skip, limit, order })?;
    Ok(call::ids(&batch, 0))
}

fn ids(lua: &Lua, arguments: Arguments, element: ElementKind, from: From) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let ids = page(session, arguments, element, from)?;
    list(session, lua, Items::Ids(ids))
}

fn whole(lua: &Lua, arguments: Arguments, element: ElementKind, from: From) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let ids = page(session, arguments, element, from)?;
    let items = call::whole(session, element, &ids)?;
    list(session, lua, items)
}

fn property_maps(lua: &Lua, arguments: Arguments, element: ElementKind) -> CallResult {
    let session = &mut *Session::of(lua)?;
    let ids = page(session, arguments, element, From::Argument)?;
    let maps = call::all_property_maps(session, element, &ids)?;
    list(session, lua, maps)
}
