//! A sandbox's functions, bound by its access.

use mlua::{Lua, Table};

use super::aliases::{self, aliases};
use super::families::FAMILIES;
use super::function::bind;
use crate::access::Access;
use crate::arguments::enumerations;

/// Gives a sandbox its functions, their early names and the enumerations.
pub(crate) fn register(lua: &Lua, environment: &Table, access: Access) -> mlua::Result<()> {
    for function in FAMILIES.iter().flat_map(|family| family.functions) {
        let bound = bind(lua, function, access)?;
        match function.name.split_once('.') {
            None => environment.raw_set(function.name, bound)?,
            Some((table, name)) => table_named(lua, environment, table)?.raw_set(name, bound)?,
        }
    }
    for alias in aliases() {
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
