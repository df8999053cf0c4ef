//! RageDB's functions: one table, from which sandboxes, aliases and the reference page are made.
//!
//! A function is one entry in its family's list. Unknown ids never raise: 0, empty or nil comes
//! back.

mod aliases;
mod all;
mod bulk;
mod call;
mod dates;
mod degrees;
pub(crate) mod enumerations;
mod find;
mod hops;
mod load;
mod nodes;
mod prefetch;
mod properties;
pub(crate) mod reference;
mod relationships;
mod schema;
mod sets;
mod traversals;
mod traversing;

use mlua::{Lua, MultiValue, Table};

use crate::lua::arguments::Arguments;
use crate::lua::results::List;
use crate::lua::sandbox::Access;
use crate::lua::session::Session;

pub(crate) use dates::seconds_of_iso;
pub(crate) use prefetch::Prefetch;
pub(crate) use traversals::Traversal;

/// One function of the table.
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its arguments, as the reference page shows them.
    pub(crate) arguments: &'static str,
    /// Its result, as the reference page shows it.
    pub(crate) result: &'static str,
    /// The least access that has it.
    pub(crate) needs: Access,
    /// Its implementation.
    pub(crate) call: Call,
    /// A fast path, for functions that scripts call millions of times.
    pub(crate) quick: Option<Quick>,
}

/// The fast path of a function, for simple arguments. `None`: it did nothing, and the arguments are to be read in full.
pub(crate) type Quick = fn(&Lua, &MultiValue) -> mlua::Result<Option<mlua::Value>>;

/// The value a function returns, or its error.
pub(crate) type CallResult = mlua::Result<mlua::Value>;

/// The implementation of a function.
pub(crate) type Call = fn(&Lua, Arguments) -> CallResult;

impl Function {
    const fn new(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        needs: Access,
        call: Call,
    ) -> Function {
        Function { name, arguments, result, needs, call, quick: None }
    }

    /// A function that every sandbox has.
    const fn read(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        call: Call,
    ) -> Function {
        Function::new(name, arguments, result, Access::ReadOnly, call)
    }

    /// A function that changes elements.
    const fn write(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        call: Call,
    ) -> Function {
        Function::new(name, arguments, result, Access::ReadWrite, call)
    }

    /// The same with a short way.
    const fn quickly(self, quick: Quick) -> Function {
        Function { quick: Some(quick), ..self }
    }

    /// A function that changes the schema.
    const fn admin(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        call: Call,
    ) -> Function {
        Function::new(name, arguments, result, Access::Admin, call)
    }
}

/// Functions that belong together, under a title.
pub(crate) struct Family {
    /// The title.
    pub(crate) title: &'static str,
    /// The functions.
    pub(crate) functions: &'static [Function],
}

/// All families, in the order of the reference page.
pub(crate) const FAMILIES: &[Family] = &[
    schema::FAMILY,
    nodes::FAMILY,
    properties::NODES,
    relationships::FAMILY,
    properties::RELATIONSHIPS,
    degrees::FAMILY,
    traversing::FAMILY,
    bulk::FROM_IDS,
    bulk::FROM_LINKS,
    all::FAMILY,
    find::FIND,
    find::FILTER,
    sets::FAMILY,
    dates::FAMILY,
    load::FAMILY,
    hops::FAMILY,
    traversals::STARTS,
    traversals::STEPS,
    traversals::ENDS,
];

/// Gives a sandbox its functions, their early names and the enumerations.
pub(crate) fn register(lua: &Lua, environment: &Table, access: Access) -> mlua::Result<()> {
    for function in FAMILIES.iter().flat_map(|family| family.functions) {
        let bound = bind(lua, function, access)?;
        match function.name.split_once('.') {
            None => environment.raw_set(function.name, bound)?,
            Some((table, name)) => table_named(lua, environment, table)?.raw_set(name, bound)?,
        }
    }
    for alias in aliases::aliases() {
        environment.raw_set(alias.name.as_str(), aliases::bind(lua, &alias, access)?)?;
    }
    enumerations::register(lua, environment)
}

/// A sandbox's table of functions, made if it is not there.
fn table_named(lua: &Lua, environment: &Table, name: &str) -> mlua::Result<Table> {
    if let Some(table) = environment.raw_get::<Option<Table>>(name)? {
        return Ok(table);
    }
    let table = lua.create_table()?;
    environment.raw_set(name, &table)?;
    Ok(table)
}

/// A function as a sandbox has it: the real one, or a refusal that names the route it needs.
fn bind(lua: &Lua, function: &'static Function, access: Access) -> mlua::Result<mlua::Function> {
    if access < function.needs {
        let route = function.needs.route();
        let why = format!("is not allowed here: send the script to /{route}");
        return refusal(lua, function.name, &why);
    }
    lua.create_function(move |lua, values: MultiValue| called(lua, function, values))
}

/// Calls a function. A write drops prefetched entries and walks lazy lists, before its fast path too.
fn called(lua: &Lua, function: &Function, values: MultiValue) -> CallResult {
    if Access::ReadOnly < function.needs {
        Session::of(lua)?.before_a_write(lua)?;
    }
    // A function borrows the session while it reads its arguments, and a lazy list needs the session
    // for its walk. So lists are walked before.
    for list in values.iter().filter_map(mlua::Value::as_userdata) {
        if let Ok(list) = list.borrow::<List>() {
            list.entries()?;
        }
    }
    if let Some(quick) = function.quick
        && let Some(result) = quick(lua, &values)?
    {
        return Ok(result);
    }
    (function.call)(lua, Arguments::new(function.name, values))
}

fn refusal(lua: &Lua, name: &str, why: &str) -> mlua::Result<mlua::Function> {
    let text = format!("{name} {why}");
    lua.create_function(move |_, _: MultiValue| -> mlua::Result<()> {
        Err(mlua::Error::runtime(text.clone()))
    })
}
