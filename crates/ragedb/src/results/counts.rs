//! A result that maps each id or value to how often it was reached, in the order of the rows.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use millrace_model::Value;
use millrace_model::property_values::plain_value;
use mlua::{AnyUserData, Function, IntoLua, Lua, MetaMethod, UserData, UserDataMethods};

use super::list::List;
use crate::columns::{Items, Shared};
use crate::json;
use crate::limits::ENTRIES_BETWEEN_CHECKS;
use crate::session::{Session, TextRoom};
use crate::values;

/// Keys in order, each once, and a count for each.
#[derive(Clone)]
pub(crate) struct Counts {
    keys: Rc<Shared>,
    counts: Rc<Shared>,
    rows: Rc<OnceCell<HashMap<Value, usize>>>,
}

impl Counts {
    /// Keys, which are ids or values, with their counts.
    pub(crate) fn new(session: &mut Session, keys: Items, counts: Items) -> mlua::Result<Counts> {
        // The rows by key, that the first look-up makes.
        let mut reservation = session.reserve(keys.byte_size() + keys.len() * 64)?;
        reservation.add(session.reserve(counts.byte_size())?);
        let keys = Shared::new(keys, reservation);
        Ok(Counts { keys, counts: session.share(counts)?, rows: Rc::default() })
    }

    fn key(&self, row: usize) -> Value {
        match &**self.keys {
            Items::Values(values) => values[row].clone().unwrap_or(Value::Null),
            Items::Ids(ids) => Value::I64(ids[row] as i64),
            Items::Links { .. } | Items::Nodes(_) | Items::Relationships(_) => {
                unreachable!("keys of counts are ids or values")
            }
        }
    }

    fn row(&self, key: &mlua::Value) -> Option<usize> {
        let key = values::from_lua(key).ok()?;
        let rows = || (0..self.keys.len()).map(|row| (as_lua_has_it(self.key(row)), row)).collect();
        self.rows.get_or_init(rows).get(&key).copied()
    }

    pub(crate) fn write_json(
        &self,
        room: &mut TextRoom<'_>,
        text: &mut String,
    ) -> mlua::Result<()> {
        text.push('{');
        for row in 0..self.keys.len() {
            if row % ENTRIES_BETWEEN_CHECKS == 0 {
                room.check(text)?;
            }
            json::separate(text, row > 0);
            match self.key(row) {
                Value::String(key) => json::write_string(text, &key),
                key => {
                    let mut written = String::new();
                    json::write_value(&mut written, &key).map_err(mlua::Error::external)?;
                    json::write_string(text, &written);
                }
            }
            text.push_str(": ");
            self.counts.write_json(row, text)?;
        }
        text.push('}');
        room.check(text)
    }

    fn pairs(&self, lua: &Lua) -> mlua::Result<Function> {
        let (counts, mut row) = (self.clone(), 0);
        lua.create_function_mut(move |lua, _: mlua::MultiValue| {
            if row == counts.keys.len() {
                return Ok((mlua::Value::Nil, mlua::Value::Nil));
            }
            row += 1;
            Ok((counts.keys.to_lua(lua, row - 1)?, counts.counts.to_lua(lua, row - 1)?))
        })
    }
}

/// A value with Lua's types: one of integers, one of floats, and text for types that Lua lacks.
fn as_lua_has_it(value: Value) -> Value {
    let value = match value {
        Value::PropertyValues(_) => plain_value(&value),
        plain => plain,
    };
    match (value.as_int(), &value) {
        (Some(int), _) => Value::I64(int),
        (None, Value::F32(_) | Value::F64(_)) => Value::F64(value.as_double().unwrap_or(f64::NAN)),
        (None, Value::Null | Value::Bool(_) | Value::String(_) | Value::List(_)) => value,
        (None, other) => Value::string(&json::text_of(other)),
    }
}

impl UserData for Counts {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("getKeys", |_, counts, ()| Ok(List::all(counts.keys.clone())));
        methods.add_method("getCounts", |_, counts, ()| Ok(List::all(counts.counts.clone())));
        methods.add_meta_method(MetaMethod::Len, |_, counts, ()| Ok(counts.keys.len()));
        methods.add_meta_method(MetaMethod::Index, |lua, counts, key: mlua::Value| {
            match counts.row(&key) {
                Some(row) => counts.counts.to_lua(lua, row),
                None => mlua::Value::Nil.into_lua(lua),
            }
        });
        methods.add_meta_function(MetaMethod::Pairs, |lua, data: AnyUserData| {
            data.borrow::<Counts>()?.pairs(lua)
        });
    }
}
