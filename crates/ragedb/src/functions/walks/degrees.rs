//! Degrees: how many edges a vertex has, never by listing them.

use mlua::{IntoLua, Lua};

use crate::arguments::Arguments;
use crate::functions::call;
use crate::functions::function::{CallResult, Family, Function};
use crate::session::Session;

pub(in crate::functions) const FAMILY: Family = Family {
    title: "Degrees",
    functions: &[Function::read("NodeGetDegree", "START [, dir] [, types]", "int", degree)],
};

fn degree(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let start = arguments.start()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let Some(vertex) = call::resolve(session, &start)? else { return 0.into_lua(lua) };
    let degrees = call::degrees(session, &[vertex.0], direction, types.as_deref())?;
    degrees.first().copied().unwrap_or(0).into_lua(lua)
}
