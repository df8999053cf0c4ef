//! Tables filled at once: lists, and tables keyed by id.
//!
//! In a state with bounded memory, a write into a table from outside is guarded by a protected call,
//! which costs more than the write. A table constructor of Lua takes all its values in one call.

use std::rc::Rc;

use mlua::{Function, IntoLua, Lua, Table, Variadic};

use crate::columns::{Items, Shared};
use crate::limits::FILL_ENTRIES_MAX;
use crate::session::Session;

/// Functions of Lua: `collect` makes a table of its arguments, `append` adds them to a table, `assign`
/// sets pairs of key and value, and `batches` iterates over rows that come in batches.
struct Fillers {
    collect: Function,
    append: Function,
    assign: Function,
    batches: Function,
}

const FILLERS: &str = r#"
local move = table.move
local function append(list, before, ...)
  local more = {...}
  move(more, 1, #more, before + 1, list)
end
local function assign(map, ...)
  local pairs = {...}
  for place = 1, #pairs, 2 do map[pairs[place]] = pairs[place + 1] end
end
local function batches(more)
  local keys, values, at, count = nil, nil, 0, 0
  return function()
    at = at + 1
    if count < at then
      keys, values, count = more()
      at = 1
      if keys == nil then
        count = 0
        return nil
      end
    end
    return keys[at], values[at]
  end
end
return function(...) return {...} end, append, assign, batches
"#;

/// Loads the fillers into a state.
pub(crate) fn register(lua: &Lua) -> mlua::Result<()> {
    let (collect, append, assign, batches) = lua.load(FILLERS).set_name("=fill").eval()?;
    lua.set_app_data(Fillers { collect, append, assign, batches });
    Ok(())
}

/// An iterator over the results of `more`: keys, values and their number, until it returns no keys. A
/// function of Lua is called once for each row, and one of ours once for a batch.
pub(super) fn in_batches(lua: &Lua, more: Function) -> mlua::Result<Function> {
    let fillers = lua.app_data_ref::<Fillers>();
    let batches = fillers.as_deref().map(|fillers| fillers.batches.clone());
    drop(fillers);
    batches.ok_or_else(|| mlua::Error::runtime("the state has no fillers"))?.call(more)
}

/// A table of entries; none may be nil.
pub(super) fn filled<T: IntoLua + Clone>(lua: &Lua, entries: Vec<T>) -> mlua::Result<Table> {
    let fillers = lua.app_data_ref::<Fillers>();
    let Some(Fillers { collect, append, .. }) = fillers.as_deref() else {
        return lua.create_sequence_from(entries);
    };
    if entries.len() <= FILL_ENTRIES_MAX {
        return collect.call(Variadic::from(entries));
    }
    let table = lua.create_table_with_capacity(entries.len(), 0)?;
    for (number, part) in entries.chunks(FILL_ENTRIES_MAX).enumerate() {
        // A list of many millions would take longer than a script may be late.
        if let Ok(Some(mut session)) = lua.try_app_data_mut::<Session>() {
            session.check()?;
        }
        let before = number * FILL_ENTRIES_MAX;
        append.call::<()>((&table, before, Variadic::from(part.to_vec())))?;
    }
    Ok(table)
}

/// A table from ids to entries, as bulk functions return it; an absent entry has no key.
pub(crate) fn table_by_id(
    lua: &Lua,
    session: &mut Session,
    ids: &[u64],
    items: &Rc<Shared>,
) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, ids.len())?;
    let fillers = lua.app_data_ref::<Fillers>();
    let assign = fillers.as_deref().map(|fillers| fillers.assign.clone());
    drop(fillers);
    let assign = assign.ok_or_else(|| mlua::Error::runtime("the state has no fillers"))?;
    let absent = |row: &usize| match &***items {
        Items::Values(values) => values[*row].as_ref().is_none_or(millrace_model::Value::is_null),
        Items::Ids(_) | Items::Links { .. } | Items::Nodes(_) | Items::Relationships(_) => false,
    };
    let rows: Vec<usize> = (0..ids.len()).filter(|row| !absent(row)).collect();
    for part in rows.chunks(FILL_ENTRIES_MAX / 2) {
        session.check()?;
        let mut pairs = Variadic::with_capacity(2 * part.len());
        for &row in part {
            pairs.push(mlua::Value::Integer(ids[row] as i64));
            pairs.push(items.to_lua(lua, row)?);
        }
        assign.call::<()>((&table, pairs))?;
    }
    Ok(table)
}
