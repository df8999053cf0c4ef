//! Values across the border: the model's and Lua's.
//!
//! Lua has one kind of table: a table with exactly the keys 1..n is a list, any other is refused as
//! a property value. Dates and timestamps leave as ISO 8601 text, but for properties declared
//! `date` ([`crate::plans::shown_value`]). A property that Gremlin gave several
//! values is a list of them. Results and their objects never enter: a value here is copied.

use millrace_model::Value;
use millrace_model::property_values::plain_value;
use millrace_model::temporal::DateTime;
use mlua::Lua;

use crate::error::type_name;
use crate::json::text_of;
use crate::limits::{ENTRIES_BETWEEN_CHECKS, NESTING_MAX};
use crate::memory::Growth;
use crate::session::Session;

/// A value as Lua sees it; absent is nil.
pub(crate) fn to_lua(lua: &Lua, value: Option<&Value>) -> mlua::Result<mlua::Value> {
    Ok(match value {
        None | Some(Value::Null) => mlua::Value::Nil,
        Some(Value::Bool(truth)) => mlua::Value::Boolean(*truth),
        Some(Value::String(text)) => mlua::Value::String(lua.create_string(text.as_bytes())?),
        Some(Value::Bytes(bytes)) => mlua::Value::String(lua.create_string(bytes)?),
        Some(Value::Vertex(vertex)) => mlua::Value::Integer(vertex.0 as i64),
        Some(Value::Edge(edge)) => mlua::Value::Integer(edge.0 as i64),
        Some(Value::List(values) | Value::Set(values)) => {
            let table = lua.create_table_with_capacity(values.len(), 0)?;
            for (index, value) in values.iter().enumerate() {
                check_sometimes(lua, index)?;
                table.raw_push(to_lua(lua, Some(value))?)?;
            }
            mlua::Value::Table(table)
        }
        Some(vector @ Value::Vector(_)) => to_lua(lua, Some(&vector.clone().vectors_as_lists()))?,
        Some(Value::Geometry(shape)) => to_lua(lua, Some(&shape.as_map()))?,
        Some(Value::Map(pairs)) => {
            let table = lua.create_table_with_capacity(0, pairs.len())?;
            for (index, (key, value)) in pairs.iter().enumerate() {
                check_sometimes(lua, index)?;
                table.raw_set(to_lua(lua, Some(key))?, to_lua(lua, Some(value))?)?;
            }
            mlua::Value::Table(table)
        }
        Some(entries @ Value::PropertyValues(_)) => to_lua(lua, Some(&plain_value(entries)))?,
        Some(value) => match (value.as_int(), value) {
            (Some(int), _) => mlua::Value::Integer(int),
            (None, Value::F32(_) | Value::F64(_)) => {
                mlua::Value::Number(value.as_double().unwrap_or(f64::NAN))
            }
            (None, other) => mlua::Value::String(lua.create_string(text_of(other))?),
        },
    })
}

/// Checks the deadline once in a while.
fn check_sometimes(lua: &Lua, index: usize) -> mlua::Result<()> {
    if index % ENTRIES_BETWEEN_CHECKS != ENTRIES_BETWEEN_CHECKS - 1 {
        return Ok(());
    }
    // The function that has borrowed the session checks it.
    match lua.try_app_data_mut::<Session>() {
        Ok(Some(mut session)) => session.check(),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// A Lua value as a property value.
pub(crate) fn from_lua(value: &mlua::Value) -> mlua::Result<Value> {
    from_lua_in(value, &Growth::default())
}

/// The same, counted together with others.
pub(crate) fn from_lua_in(value: &mlua::Value, growth: &Growth) -> mlua::Result<Value> {
    from_lua_nested(value, growth, 0)
}

fn from_lua_nested(value: &mlua::Value, growth: &Growth, depth: usize) -> mlua::Result<Value> {
    if depth > NESTING_MAX {
        return Err(mlua::Error::runtime(format!("a value nests deeper than {NESTING_MAX}")));
    }
    match value {
        mlua::Value::Nil => Ok(Value::Null),
        mlua::Value::Boolean(truth) => Ok(Value::Bool(*truth)),
        mlua::Value::Integer(int) => Ok(Value::I64(*int)),
        mlua::Value::Number(double) => Ok(Value::F64(*double)),
        mlua::Value::String(text) => {
            growth.add(1, text.as_bytes().len())?;
            Ok(Value::string(&text.to_str()?))
        }
        mlua::Value::Table(table) => {
            let length = table.raw_len();
            let mut count = 0;
            for _pair in table.pairs::<mlua::Value, mlua::Value>() {
                growth.add(1, 0)?;
                count += 1;
            }
            if count != length {
                return Err(mlua::Error::runtime(
                    "a property value is a list, not a table with keys",
                ));
            }
            let values = table.sequence_values::<mlua::Value>();
            let values = values.map(|value| {
                // A list that grows is copied, and once more when it is shared.
                growth.add(1, 2 * size_of::<Value>())?;
                from_lua_nested(&value?, growth, depth + 1)
            });
            Ok(Value::list(values.collect::<mlua::Result<_>>()?))
        }
        other => {
            Err(mlua::Error::runtime(format!("a {} is not a property value", type_name(other))))
        }
    }
}

/// Seconds since 1970 of an ISO 8601 text, in UTC where it names no zone.
pub(crate) fn seconds_of_iso(text: &str) -> Option<f64> {
    DateTime::parse_utc(text).map(|timestamp| timestamp.seconds_as_double())
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::Geometry;

    #[test]
    fn a_geometry_is_a_table_as_geojson_has_it() {
        let lua = Lua::new();
        let point = Value::from(Geometry::Point([1.5, 2.0]));
        let table = to_lua(&lua, Some(&point)).expect("it has a form");
        lua.globals().set("at", table).expect("a global");
        let parts = "return at.type .. ' ' .. at.coordinates[1] .. ' ' .. at.coordinates[2]";
        let shown: String = lua.load(parts).eval().expect("a text");
        assert_eq!(shown, "Point 1.5 2.0");
    }
}
