//! A function of the table: what the reference page says of it, and how a sandbox calls it.

use mlua::{Lua, MultiValue};

use crate::access::Access;
use crate::arguments::Arguments;
use crate::results::List;
use crate::session::Session;

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
    pub(super) const fn new(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        needs: Access,
        call: Call,
    ) -> Function {
        Function { name, arguments, result, needs, call, quick: None }
    }

    /// A function that every sandbox has.
    pub(super) const fn read(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        call: Call,
    ) -> Function {
        Function::new(name, arguments, result, Access::ReadOnly, call)
    }

    /// A function that changes elements.
    pub(super) const fn write(
        name: &'static str,
        arguments: &'static str,
        result: &'static str,
        call: Call,
    ) -> Function {
        Function::new(name, arguments, result, Access::ReadWrite, call)
    }

    /// The same with a short way.
    pub(super) const fn quickly(self, quick: Quick) -> Function {
        Function { quick: Some(quick), ..self }
    }

    /// A function that changes the schema.
    pub(super) const fn admin(
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

/// A function as a sandbox has it: the real one, or a refusal that names the route it needs.
pub(super) fn bind(
    lua: &Lua,
    function: &'static Function,
    access: Access,
) -> mlua::Result<mlua::Function> {
    if access < function.needs {
        let route = function.needs.route();
        let why = format!("is not allowed here: send the script to /{route}");
        return refusal(lua, function.name, &why);
    }
    lua.create_function(move |lua, values: MultiValue| called(lua, function, values))
}

/// Calls a function. A write drops prefetched entries and walks lazy lists, before its fast path too.
pub(super) fn called(lua: &Lua, function: &Function, values: MultiValue) -> CallResult {
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
