//! Values of a script as JSON: the texts of `json.encode`.
//!
//! A table with exactly the keys 1..n is an array (the empty table too), any other an object.

use millrace_model::query_limits::{sort_by, step};
use mlua::{AnyUserData, Lua, Table};

use super::{Counts, List, ListMap, NodeOf, RelationshipOf, Roar, Written};
use crate::columns::{Link, write_link, write_node, write_relationship};
use crate::error::{raise, type_name};
use crate::json::{separate, write_display, write_string};
use crate::limits::{ENTRIES_BETWEEN_CHECKS, NESTING_MAX};
use crate::memory::Growth;
use crate::session::TextRoom;
use crate::traversal::Traversal;

const NO_FORM: &str = "this userdata has no JSON form";

/// Writes a Lua value.
pub(crate) fn encode(lua: &Lua, value: &mlua::Value, text: &mut String) -> mlua::Result<()> {
    let mut encoder = Encoder { lua, depth: 0, room: TextRoom::new(lua) };
    encoder.value(value, text)?;
    encoder.room.check(text)
}

/// A text of JSON under way.
struct Encoder<'a> {
    lua: &'a Lua,
    depth: usize,
    room: TextRoom<'a>,
}

impl Encoder<'_> {
    fn value(&mut self, value: &mlua::Value, text: &mut String) -> mlua::Result<()> {
        match value {
            mlua::Value::Nil => text.push_str("null"),
            mlua::Value::Boolean(truth) => text.push_str(if *truth { "true" } else { "false" }),
            mlua::Value::Integer(int) => write_display(text, int),
            mlua::Value::Number(double) => write_double(text, *double)?,
            mlua::Value::String(string) => {
                self.room.expect(string.as_bytes().len(), text)?;
                let string = string.to_string_lossy();
                write_text_or_page(text, &string);
                self.room.check_long(&string, text)?;
            }
            mlua::Value::Table(table) => self.nested(|encoder| encoder.table(table, text))?,
            mlua::Value::LightUserData(_) => {
                let link = Link::of(value);
                write_link(text, &link.ok_or_else(|| mlua::Error::runtime(NO_FORM))?);
            }
            mlua::Value::UserData(data) => self.nested(|encoder| encoder.userdata(data, text))?,
            other => {
                let message = format!("a {} has no JSON form", type_name(other));
                return Err(mlua::Error::runtime(message));
            }
        }
        Ok(())
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self) -> mlua::Result<()>) -> mlua::Result<()> {
        if self.depth == NESTING_MAX {
            let message = format!("a table nests deeper than {NESTING_MAX}, or in itself");
            return Err(mlua::Error::runtime(message));
        }
        self.depth += 1;
        write(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn table(&mut self, table: &Table, text: &mut String) -> mlua::Result<()> {
        let length = table.raw_len();
        if table.is_empty() {
            text.push_str("[]");
            return Ok(());
        }
        let (mut count, mut in_list) = (0, 0);
        table.for_each(|key: mlua::Value, _: mlua::Value| {
            step(1).map_err(raise)?;
            count += 1;
            in_list += usize::from(matches!(key, mlua::Value::Integer(place)
                if 1 <= place && place as u64 <= length as u64));
            Ok(())
        })?;
        // Where a table has holes, its length may be any key before one.
        if count == length && in_list == length {
            self.array(table, length, text)
        } else {
            self.object(table, text)
        }
    }

    fn array(&mut self, table: &Table, length: usize, text: &mut String) -> mlua::Result<()> {
        text.push('[');
        for index in 1..=length {
            if index % ENTRIES_BETWEEN_CHECKS == 1 {
                self.room.check(text)?;
            }
            separate(text, index > 1);
            self.value(&table.raw_get(index)?, text)?;
        }
        text.push(']');
        self.room.check(text)
    }

    fn object(&mut self, table: &Table, text: &mut String) -> mlua::Result<()> {
        // Lua's own order changes from run to run; an answer should not.
        let (mut pairs, growth) = (Vec::new(), Growth::default());
        for pair in table.pairs::<mlua::Value, mlua::Value>() {
            let (key, value) = pair?;
            let key = self.key(&key)?;
            growth.add(1, 2 * size_of::<(String, mlua::Value)>() + key.len())?;
            pairs.push((key, value));
        }
        let compare =
            |(left, _): &(String, mlua::Value), (right, _): &(String, mlua::Value)| left.cmp(right);
        sort_by(&mut pairs, compare, |_, _| 1).map_err(raise)?;
        text.push('{');
        for (index, (key, value)) in pairs.iter().enumerate() {
            if index % ENTRIES_BETWEEN_CHECKS == 0 {
                self.room.check(text)?;
            }
            separate(text, index > 0);
            write_string(text, key);
            text.push_str(": ");
            self.value(value, text)?;
        }
        text.push('}');
        self.room.check(text)
    }

    fn key(&self, key: &mlua::Value) -> mlua::Result<String> {
        if let Some(link) = Link::of(key) {
            return Ok(link.to_text());
        }
        match self.lua.coerce_string(key.clone())? {
            Some(key) => Ok(key.to_string_lossy()),
            None => Ok(key.to_string()?),
        }
    }

    fn userdata(&mut self, data: &AnyUserData, text: &mut String) -> mlua::Result<()> {
        if let Some(link) = Link::of_object(data) {
            write_link(text, &link);
        } else if let Ok(node) = data.borrow::<NodeOf>() {
            write_node(text, node.node())?;
        } else if let Ok(edge) = data.borrow::<RelationshipOf>() {
            write_relationship(text, edge.relationship())?;
        } else if let Ok(roar) = data.borrow::<Roar>() {
            roar.write_json(&mut self.room, text)?;
        } else if let Some(written) = Written::of(data) {
            self.table(&written.table, text)?;
        } else if let Ok(list) = data.borrow::<List>() {
            list.write_json(&mut self.room, text)?;
        } else if let Ok(map) = data.borrow::<ListMap>() {
            map.write_json(&mut self.room, text)?;
        } else if let Ok(counts) = data.borrow::<Counts>() {
            counts.write_json(&mut self.room, text)?;
        } else if data.is::<Traversal>() {
            let text = "a Traversal has no JSON form: end it, with ids(), count() or another end";
            return Err(mlua::Error::runtime(text));
        } else {
            return Err(mlua::Error::runtime(NO_FORM));
        }
        Ok(())
    }
}

/// The shortest digits that read back as the same double; JSON has no infinity and no NaN.
fn write_double(text: &mut String, double: f64) -> mlua::Result<()> {
    if !double.is_finite() {
        return Err(mlua::Error::runtime(format!("{double} has no JSON form")));
    }
    write_display(text, format_args!("{double:?}"));
    Ok(())
}

fn write_text_or_page(text: &mut String, string: &str) {
    if string.starts_with("<!DOCTYPE html>") {
        text.push_str(string);
    } else {
        write_string(text, string);
    }
}
