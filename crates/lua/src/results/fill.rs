//! Tables filled at once.
//!
//! In a state whose memory is bounded, a write into a table from outside is guarded by a protected
//! call, which costs more than the write. A table constructor of Lua takes all its values in one
//! call.

use mlua::{Function, IntoLua, Lua, Table, Variadic};

use crate::limits::FILL_ENTRIES_MAX;

/// What makes a table of its arguments, and what puts them behind those of a table.
struct Fillers {
    collect: Function,
    append: Function,
}

const FILLERS: &str = r#"
local move = table.move
local function append(list, before, ...)
  local more = {...}
  move(more, 1, #more, before + 1, list)
end
return function(...) return {...} end, append
"#;

/// Gives a state what fills tables.
pub(crate) fn register(lua: &Lua) -> mlua::Result<()> {
    let (collect, append) = lua.load(FILLERS).set_name("=fill").eval()?;
    lua.set_app_data(Fillers { collect, append });
    Ok(())
}

/// A table of `len` entries; none may be nil.
pub(super) fn filled<T: IntoLua>(
    lua: &Lua,
    len: usize,
    entry: impl Fn(usize) -> T,
) -> mlua::Result<Table> {
    let (collect, append) = match lua.app_data_ref::<Fillers>() {
        Some(fillers) => (fillers.collect.clone(), fillers.append.clone()),
        None => return lua.create_sequence_from((0..len).map(entry)),
    };
    let entries = |from: usize, to: usize| (from..to).map(&entry).collect::<Variadic<T>>();
    if len <= FILL_ENTRIES_MAX {
        return collect.call(entries(0, len));
    }
    let table = lua.create_table_with_capacity(len, 0)?;
    for from in (0..len).step_by(FILL_ENTRIES_MAX) {
        append.call::<()>((&table, from, entries(from, len.min(from + FILL_ENTRIES_MAX))))?;
    }
    Ok(table)
}
