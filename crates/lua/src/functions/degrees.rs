//! Degrees: how many edges a vertex has, never by listing them.

use millrace_plan::ElementKind;
use mlua::{IntoLua, Lua};

use super::call::{self, way_key};
use super::{Family, Function};
use crate::arguments::Arguments;
use crate::plans;
use crate::session::Session;

pub(super) const FAMILY: Family = Family {
    title: "Degrees",
    functions: &[Function::read("NodeGetDegree", "START [, dir] [, types]", "int", degree)],
};

fn degree(lua: &Lua, mut arguments: Arguments) -> mlua::Result<mlua::Value> {
    let start = arguments.start()?;
    let (direction, types) = arguments.way()?;
    let session = &mut *Session::of(lua)?;
    let Some(vertex) = call::resolve(session, &start)? else { return 0.into_lua(lua) };
    let parameters = call::rows(call::elements(ElementKind::Vertex, &[vertex.0]));
    let types = types.as_deref();
    let batch = session.run(way_key("degree", direction, types), &parameters, || {
        plans::degree(direction, types)
    })?;
    call::int(&batch).into_lua(lua)
}
