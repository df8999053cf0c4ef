//! The three sandboxes: the names a script may use, by the route it came through.
//!
//! Each sandbox is an allow list. Globals are fresh for each script: its definitions and changes, of
//! `string.format` too, are gone when it ends. Only a script for all (`--ALL`) leaves its definitions.
//! Nothing reaches files, processes, other graphs or bytecode.
//!
//! This module puts together what the modules below have; a function of RageDB, or a type, never enters.

mod patterns;

use millrace_model::Value;
use mlua::{Lua, LuaOptions, StdLib, Table};

use crate::access::Access;
use crate::columns::register_links;
use crate::functions;
use crate::host;
use crate::json;
use crate::results::{self, List, ListMap, encode};
use crate::script::{DeadlineChecks, Text};
use crate::session::Session;
use crate::values::to_lua;

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

/// The remaining functions of `os`.
const OS_FUNCTIONS: [&str; 4] = ["clock", "date", "difftime", "time"];

/// Lua that wraps Lua: `pcall` gives back an error only if the script may go on, and the iterators
/// know results.
const PRELUDE: &str = r#"
local raw_pcall, raw_xpcall, raw_pairs, raw_ipairs, raw_type, check, is_over, behind = ...
local pack, unpack = table.pack, table.unpack
local function checked(...)
  check()
  return ...
end
return {
  pcall = function(...) return checked(raw_pcall(...)) end,
  -- A handler of the error that ended the script is not worth its time.
  xpcall = function(f, handler, ...)
    local function handle(why)
      if is_over() then return why end
      return handler(why)
    end
    return checked(raw_xpcall(f, handle, ...))
  end,
  pairs = raw_pairs,
  ipairs = function(list)
    if raw_type(list) == "userdata" then list = behind(list) end
    return raw_ipairs(list)
  end,
  type = function(value)
    local name = raw_type(value)
    return name == "userdata" and behind(value, true) or name
  end,
  unpack = unpack,
}
"#;

/// Entries that a native moves without a deadline check; it sorts a tenth of them.
const NATIVE_ENTRIES_MAX: u32 = 1_000_000;

/// Bytes of a text from which a native checks the deadline.
const LARGE_TEXT_BYTES: u32 = 1 << 14;

/// Entries of a list from which a native checks the deadline.
const LARGE_LIST_ENTRIES: u32 = 1 << 10;

/// Bytes of a text that `load` compiles at once: compiling never checks the deadline.
const LOAD_TEXT_BYTES_MAX: usize = 2 << 20;

/// A state with nothing in it that reaches outside, and nothing that runs past a deadline.
pub(crate) fn new_state() -> mlua::Result<Lua> {
    let libraries = StdLib::COROUTINE
        | StdLib::MATH
        | StdLib::STRING
        | StdLib::TABLE
        | StdLib::UTF8
        | StdLib::OS;
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    patterns::register(&lua)?;
    register_links(&lua)?;
    results::register_fillers(&lua)?;
    let check = check_function(&lua)?;
    let checks = DeadlineChecks::new(
        &lua,
        &check,
        &lua.globals().get("ipairs")?,
        &lua.create_function(behind)?,
    )?;
    let hardening = Text { bytes: include_bytes!("hardening.lua"), name: "=hardening" };
    let hardening = checks.compile(&lua, &hardening, &lua.globals())?;
    hardening.call::<()>((check, NATIVE_ENTRIES_MAX, LARGE_TEXT_BYTES, LARGE_LIST_ENTRIES))?;
    // `("").format` is one table for all sandboxes; no script may get at its metatable.
    lua.load("getmetatable('').__metatable = false").exec()?;
    Ok(lua)
}

/// A function that fails once the script's time is up. A function of ours that runs Lua meanwhile
/// checks by itself.
fn check_function(lua: &Lua) -> mlua::Result<mlua::Function> {
    lua.create_function(|lua, ()| match lua.try_app_data_mut::<Session>() {
        Ok(Some(mut session)) => session.check_memory(lua.used_memory()),
        Ok(None) | Err(_) => Ok(()),
    })
}

/// One sandbox: its globals, and the deadline checks of its texts.
pub(crate) struct Environment {
    /// Globals that a script sets; empty between scripts.
    globals: Table,
    checks: DeadlineChecks,
    clear: mlua::Function,
    keep: mlua::Function,
}

impl Environment {
    /// The sandbox of an access.
    pub(crate) fn new(lua: &Lua, access: Access) -> mlua::Result<Environment> {
        let (globals, defined) = (lua.create_table()?, lua.create_table()?);
        let plain = lua.globals();
        for name in PLAIN_GLOBALS {
            defined.raw_set(name, plain.get::<mlua::Value>(name)?)?;
        }
        for name in LIBRARIES {
            defined.raw_set(name, copy(lua, &plain.get(name)?)?)?;
        }
        // A dumped function could be changed and loaded as bytecode elsewhere.
        defined.get::<Table>("string")?.raw_remove("dump")?;
        defined.raw_set("os", picked(lua, &plain.get("os")?, &OS_FUNCTIONS)?)?;
        add_prelude(lua, &defined)?;
        let (check, ipairs) = (check_function(lua)?, defined.raw_get("ipairs")?);
        let checks = DeadlineChecks::new(lua, &check, &ipairs, &lua.create_function(behind)?)?;
        add_loaders(lua, &defined, &globals, &checks)?;
        add_json(lua, &defined)?;
        functions::register(lua, &defined, access)?;
        functions::register_types(lua, &defined)?;
        host::add_output(lua, &defined)?;
        add_require(lua, &defined, &globals)?;
        let libraries = libraries_of(lua, &defined)?;
        let modules = modules(lua, &globals, &checks)?;
        defined.raw_set("_G", &globals)?;
        defined.raw_set("_VERSION", plain.get::<mlua::Value>("_VERSION")?)?;
        let fresh = lua.load(include_str!("globals.lua")).set_name("=globals");
        let (clear, keep) = fresh.call((&globals, defined, libraries, modules))?;
        Ok(Environment { globals, checks, clear, keep })
    }

    /// Sets a global of the script that runs next; false where the sandbox has one of this name.
    pub(crate) fn set_parameter(&self, lua: &Lua, name: &str, value: &Value) -> mlua::Result<bool> {
        if !self.globals.get::<mlua::Value>(name)?.is_nil() {
            return Ok(false);
        }
        self.globals.raw_set(name, to_lua(lua, Some(value))?)?;
        Ok(true)
    }

    /// Forgets the globals of the script that ended, and says how many there were.
    pub(crate) fn clear(&self) -> mlua::Result<usize> {
        self.clear.call(())
    }

    /// Keeps the globals of the script that ended for all that come.
    pub(crate) fn keep(&self) -> mlua::Result<usize> {
        self.keep.call(())
    }

    /// Compiles a text that runs in it.
    pub(crate) fn compile(&self, lua: &Lua, text: &Text<'_>) -> mlua::Result<mlua::Function> {
        self.checks.compile(lua, text, &self.globals)
    }
}

/// Takes the tables out of a sandbox's names: a script gets copies of them.
fn libraries_of(lua: &Lua, defined: &Table) -> mlua::Result<Table> {
    let libraries = lua.create_table()?;
    for pair in defined.pairs::<String, mlua::Value>() {
        let (name, value) = pair?;
        if value.is_table() {
            libraries.raw_set(name, value)?;
        }
    }
    for pair in libraries.pairs::<String, mlua::Value>() {
        defined.raw_remove(pair?.0)?;
    }
    Ok(libraries)
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
    let check = check_function(lua)?;
    let behind = lua.create_function(behind)?;
    let raw = |name: &str| globals.get::<mlua::Value>(name);
    let is_over = lua.create_function(|lua, ()| match lua.app_data_mut::<Session>() {
        Some(mut session) => Ok(session.check().is_err()),
        None => Ok(false),
    })?;
    let (pcall, xpcall, pairs) = (raw("pcall")?, raw("xpcall")?, raw("pairs")?);
    let arguments = (pcall, xpcall, pairs, raw("ipairs")?, raw("type")?, check, is_over, behind);
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
        (Some(list), None) => Ok(mlua::Value::Table(results::table_behind(lua, list)?)),
        (None, None) => Ok(value),
    }
}

/// Text, name, mode (only text is loaded) and globals.
type LoadArguments = (mlua::LuaString, Option<String>, mlua::Value, Option<Table>);

/// `load` and `loadstring` compile text into the caller's sandbox; files are out of reach.
fn add_loaders(
    lua: &Lua,
    environment: &Table,
    globals: &Table,
    checks: &DeadlineChecks,
) -> mlua::Result<()> {
    let (home, checks) = (globals.clone(), checks.clone());
    let load = lua.create_function(move |lua, (text, name, _mode, names): LoadArguments| {
        Session::of(lua)?.check()?;
        if LOAD_TEXT_BYTES_MAX < text.as_bytes().len() {
            let text = format!("load: a text has at most {LOAD_TEXT_BYTES_MAX} bytes");
            return Err(mlua::Error::runtime(text));
        }
        let name = name.unwrap_or("=load".into());
        let text = Text { bytes: &text.as_bytes(), name: &name };
        match checks.compile(lua, &text, names.as_ref().unwrap_or(&home)) {
            Ok(function) => Ok((Some(function), None)),
            Err(error) => Ok((None, Some(error.to_string()))),
        }
    })?;
    environment.raw_set("load", &load)?;
    environment.raw_set("loadstring", load)?;
    for name in ["loadfile", "dofile"] {
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
        encode(lua, &value, &mut text)?;
        lua.create_string(text)
    })?;
    let decode = lua.create_function(|lua, text: String| {
        Session::of(lua)?.check()?;
        let value = json::parse(&text).map_err(mlua::Error::external)?;
        Session::of(lua)?.check()?;
        to_lua(lua, Some(&value))
    })?;
    library.raw_set("null", lua.create_function(|_, ()| Ok(()))?)?;
    library.raw_set("EMPTY_ARRAY", lua.create_table()?)?;
    library.raw_set("encode", encode)?;
    library.raw_set("decode", decode)?;
    environment.raw_set("json", library)
}

/// Modules that every sandbox has, written in Lua. A later one may use an earlier.
pub(crate) const MODULES: [(&str, &str); 5] = [
    ("sort", include_str!("modules/sort.lua")),
    ("date", include_str!("modules/date.lua")),
    ("ftcsv", include_str!("modules/ftcsv.lua")),
    ("template", include_str!("modules/template.lua")),
    ("html", include_str!("modules/html.lua")),
];

/// Names that `require` accepts beside the modules: libraries that every script has anyway.
const REQUIRED: [&str; 8] = ["json", "math", "string", "table", "os", "io", "utf8", "coroutine"];

/// Functions that run each module, once for every script that names it, so that no script sees another's changes to it.
fn modules(lua: &Lua, globals: &Table, checks: &DeadlineChecks) -> mlua::Result<Table> {
    let modules = lua.create_table()?;
    let reader = host::reader(lua)?;
    for (name, text) in MODULES {
        let text = Text { bytes: text.as_bytes(), name: &format!("={name}") };
        let (run, reader) = (checks.compile(lua, &text, globals)?, reader.clone());
        let run = lua.create_function(move |_, ()| run.call::<mlua::Value>(&reader))?;
        modules.raw_set(name, run)?;
    }
    Ok(modules)
}

/// Adds `require`: it returns the module or library of a name from the globals.
fn add_require(lua: &Lua, environment: &Table, globals: &Table) -> mlua::Result<()> {
    let globals = globals.clone();
    let require = lua.create_function(move |_, name: String| {
        let known = MODULES.iter().map(|(module, _)| *module).chain(REQUIRED);
        if known.into_iter().all(|known| known != name) {
            let text = format!("require: there is no module {name}; a script cannot reach files");
            return Err(mlua::Error::runtime(text));
        }
        globals.get::<mlua::Value>(name)
    })?;
    environment.raw_set("require", require)
}
