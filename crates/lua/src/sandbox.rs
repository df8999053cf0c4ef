//! The three sandboxes: what a script may name, by the route it came through.
//!
//! Each sandbox is an allow list with tables of its own, so a script that changes `string.format`
//! changes it for its own route only. Nothing reaches files, processes, other graphs or bytecode.

use mlua::{Lua, LuaOptions, StdLib, Table};

use crate::functions;
use crate::json;
use crate::results::{List, ListMap};
use crate::session::Session;

/// What a script may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Read (`/ro`).
    ReadOnly,
    /// Read and write elements (`/rw`).
    ReadWrite,
    /// Everything, the schema included (`/db`).
    Admin,
}

impl Access {
    /// Every access, least first.
    pub const ALL: [Access; 3] = [Access::ReadOnly, Access::ReadWrite, Access::Admin];

    /// The first part of its route.
    pub fn route(self) -> &'static str {
        match self {
            Access::ReadOnly => "ro",
            Access::ReadWrite => "rw",
            Access::Admin => "db",
        }
    }
}

/// Globals of plain Lua that every sandbox has. `load` and kin are ours, text only.
const PLAIN_GLOBALS: [&str; 12] = [
    "assert",
    "error",
    "getmetatable",
    "next",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "select",
    "setmetatable",
    "tonumber",
    "tostring",
];

/// Libraries that every sandbox has whole.
const LIBRARIES: [&str; 5] = ["coroutine", "math", "string", "table", "utf8"];

/// What is left of `os`.
const OS_FUNCTIONS: [&str; 4] = ["clock", "date", "difftime", "time"];

/// Lua that wraps Lua: `pcall` gives back an error only if the script may go on, and the iterators
/// know results.
const PRELUDE: &str = r#"
local raw_pcall, raw_xpcall, raw_pairs, raw_ipairs, raw_type, check, behind = ...
local pack, unpack = table.pack, table.unpack
local function checked(...)
  check()
  return ...
end
return {
  pcall = function(...) return checked(raw_pcall(...)) end,
  xpcall = function(f, handler, ...) return checked(raw_xpcall(f, handler, ...)) end,
  pairs = raw_pairs,
  ipairs = function(list) return raw_ipairs(behind(list)) end,
  type = function(value) return behind(value, true) or raw_type(value) end,
  unpack = unpack,
}
"#;

/// A state with nothing in it that reaches outside.
pub(crate) fn new_state() -> mlua::Result<Lua> {
    let libraries = StdLib::COROUTINE
        | StdLib::MATH
        | StdLib::STRING
        | StdLib::TABLE
        | StdLib::UTF8
        | StdLib::OS;
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    // `("").format` is one table for all sandboxes; nobody may get at its metatable.
    lua.load("getmetatable('').__metatable = false").exec()?;
    Ok(lua)
}

/// The globals of one sandbox.
pub(crate) fn environment(lua: &Lua, access: Access) -> mlua::Result<Table> {
    let environment = lua.create_table()?;
    let globals = lua.globals();
    for name in PLAIN_GLOBALS {
        environment.raw_set(name, globals.get::<mlua::Value>(name)?)?;
    }
    for name in LIBRARIES {
        environment.raw_set(name, copy(lua, &globals.get(name)?)?)?;
    }
    // A dumped function could be changed and loaded as bytecode elsewhere.
    environment.get::<Table>("string")?.raw_remove("dump")?;
    environment.raw_set("os", picked(lua, &globals.get("os")?, &OS_FUNCTIONS)?)?;
    add_prelude(lua, &environment)?;
    add_loaders(lua, &environment)?;
    add_json(lua, &environment)?;
    functions::register(lua, &environment, access)?;
    environment.raw_set("_G", &environment)?;
    environment.raw_set("_VERSION", globals.get::<mlua::Value>("_VERSION")?)?;
    Ok(environment)
}

fn copy(lua: &Lua, table: &Table) -> mlua::Result<Table> {
    let result = lua.create_table()?;
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        let (key, value) = pair?;
        result.raw_set(key, value)?;
    }
    Ok(result)
}

fn picked(lua: &Lua, table: &Table, names: &[&str]) -> mlua::Result<Table> {
    let result = lua.create_table()?;
    for &name in names {
        result.raw_set(name, table.get::<mlua::Value>(name)?)?;
    }
    Ok(result)
}

fn add_prelude(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    let globals = lua.globals();
    let check = lua.create_function(|lua, ()| match lua.app_data_mut::<Session>() {
        Some(mut session) => session.check(),
        None => Ok(()),
    })?;
    let behind = lua.create_function(behind)?;
    let raw = |name: &str| globals.get::<mlua::Value>(name);
    let arguments =
        (raw("pcall")?, raw("xpcall")?, raw("pairs")?, raw("ipairs")?, raw("type")?, check, behind);
    let prelude: Table = lua.load(PRELUDE).set_name("=prelude").call(arguments)?;
    for pair in prelude.pairs::<String, mlua::Value>() {
        let (name, value) = pair?;
        environment.raw_set(name, value)?;
    }
    Ok(())
}

/// The table behind a list result, for `ipairs`; with `only_type`, the word `type` answers for it.
fn behind(lua: &Lua, (value, only_type): (mlua::Value, Option<bool>)) -> mlua::Result<mlua::Value> {
    let result = match &value {
        mlua::Value::UserData(data) if data.is::<List>() => Some(data),
        mlua::Value::UserData(data) if data.is::<ListMap>() && only_type.is_some() => Some(data),
        _ => None,
    };
    match (result, only_type) {
        (Some(_), Some(_)) => Ok(mlua::Value::String(lua.create_string("table")?)),
        (None, Some(_)) => Ok(mlua::Value::Nil),
        (Some(list), None) => Ok(mlua::Value::Table(crate::results::table_behind(lua, list)?)),
        (None, None) => Ok(value),
    }
}

/// `load` and `loadstring` compile text into the caller's sandbox; files are out of reach.
fn add_loaders(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    let home = environment.clone();
    let load =
        lua.create_function(move |lua, (text, name): (mlua::LuaString, Option<String>)| {
            let chunk = lua.load(text.as_bytes().to_vec()).set_mode(mlua::chunk::ChunkMode::Text);
            let chunk = chunk.set_name(name.unwrap_or("=load".into()));
            match chunk.set_environment(home.clone()).into_function() {
                Ok(function) => Ok((Some(function), None)),
                Err(error) => Ok((None, Some(error.to_string()))),
            }
        })?;
    environment.raw_set("load", &load)?;
    environment.raw_set("loadstring", load)?;
    for name in ["loadfile", "dofile", "require"] {
        let refuse = lua.create_function(move |_, _: mlua::MultiValue| -> mlua::Result<()> {
            Err(mlua::Error::runtime(format!("{name}: a script cannot reach files")))
        })?;
        environment.raw_set(name, refuse)?;
    }
    Ok(())
}

fn add_json(lua: &Lua, environment: &Table) -> mlua::Result<()> {
    let library = lua.create_table()?;
    let encode = lua.create_function(|lua, value: mlua::Value| {
        let mut text = String::new();
        json::encode(lua, &value, &mut text)?;
        lua.create_string(text)
    })?;
    let decode = lua.create_function(|lua, text: String| {
        let value = json::parse(&text).map_err(mlua::Error::external)?;
        crate::values::to_lua(lua, Some(&value))
    })?;
    library.raw_set("encode", encode)?;
    library.raw_set("decode", decode)?;
    environment.raw_set("json", library)
}
