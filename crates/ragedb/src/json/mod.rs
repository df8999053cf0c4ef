//! JSON by RageDB's rules: the texts of `json.encode`, and the objects that property functions read.
//!
//! Numbers are written as `tostring` writes them, but integers exactly. A table with exactly the keys
//! 1..n is an array (the empty table too), any other an object.

use std::fmt::Write;

use millrace_model::property_values::plain_value;
use millrace_model::query_limits::{require_room, sort_by, step, step_bytes};
use millrace_model::value::ValueMap;
use millrace_model::{Error, ErrorKind, Value};
use mlua::{AnyUserData, Lua, Table};

use crate::limits::{ANSWER_BYTES_STEP, ENTRIES_BETWEEN_CHECKS, NESTING_MAX};
use crate::lua::functions::Traversal;
use crate::lua::growth::Growth;
use crate::lua::results::{
    Counts, Link, List, ListMap, Node, NodeOf, Relationship, RelationshipOf, Reservation, Roar,
    Written,
};
use crate::lua::session::{Session, raise};
use crate::lua::values;

const NO_FORM: &str = "this userdata has no JSON form";

/// Writes a Lua value.
pub(crate) fn encode(lua: &Lua, value: &mlua::Value, text: &mut String) -> mlua::Result<()> {
    let mut encoder = Encoder { lua, depth: 0, reservation: None };
    encoder.value(value, text)?;
    encoder.check_room(text)
}

fn too_large(most: usize) -> mlua::Error {
    let limit = format!("the answer is larger than {most} bytes");
    let error = Error::new(ErrorKind::LimitReached, limit)
        .with_help("ask for less, or raise scripts.answer-bytes-max");
    mlua::Error::external(error)
}

/// A text of JSON under way.
pub(crate) struct Encoder<'a> {
    lua: &'a Lua,
    depth: usize,
    /// The memory reserved for the text.
    reservation: Option<Reservation>,
}

impl Encoder<'_> {
    /// Fails if the text is larger than an answer may be, or the time is up.
    pub(crate) fn check_room(&mut self, text: &str) -> mlua::Result<()> {
        let Some(mut session) = self.lua.app_data_mut::<Session>() else { return Ok(()) };
        let most = session.answer_bytes_max();
        if most < text.len() {
            return Err(too_large(most));
        }
        session.check()?;
        let counted = self.reservation.as_ref().map_or(0, Reservation::bytes);
        if counted < text.len() {
            // More than a growing text needs now, but not much more for a small one.
            let more = text.len().min(ANSWER_BYTES_STEP);
            let more = session.reserve(text.len() - counted + more)?;
            match &mut self.reservation {
                Some(reservation) => reservation.add(more),
                None => self.reservation = Some(more),
            }
        }
        Ok(())
    }

    fn value(&mut self, value: &mlua::Value, text: &mut String) -> mlua::Result<()> {
        match value {
            mlua::Value::Nil => text.push_str("null"),
            mlua::Value::Boolean(truth) => text.push_str(if *truth { "true" } else { "false" }),
            mlua::Value::Integer(int) => write_display(text, int),
            mlua::Value::Number(double) => write_double(text, *double)?,
            mlua::Value::String(string) => {
                self.expect(string.as_bytes().len(), text)?;
                let string = string.to_string_lossy();
                write_text_or_page(text, &string);
                self.check_long(&string, text)?;
            }
            mlua::Value::Table(table) => self.nested(|encoder| encoder.table(table, text))?,
            mlua::Value::LightUserData(_) => {
                let link = Link::of(value);
                write_link(text, &link.ok_or_else(|| mlua::Error::runtime(NO_FORM))?);
            }
            mlua::Value::UserData(data) => self.nested(|encoder| encoder.userdata(data, text))?,
            other => {
                let message = format!("a {} has no JSON form", values::type_name(other));
                return Err(mlua::Error::runtime(message));
            }
        }
        Ok(())
    }

    /// A large text is refused before it is copied.
    fn expect(&mut self, bytes: usize, text: &str) -> mlua::Result<()> {
        if bytes <= ANSWER_BYTES_STEP {
            return Ok(());
        }
        if let Some(session) = self.lua.app_data_ref::<Session>() {
            let most = session.answer_bytes_max();
            if most < text.len().saturating_add(bytes) {
                return Err(too_large(most));
            }
        }
        // The text as it is, with its escapes, and the text that it becomes a part of.
        require_room(3 * bytes as u64).map_err(raise)
    }

    /// A large text is checked at once.
    fn check_long(&mut self, part: &str, text: &str) -> mlua::Result<()> {
        if ANSWER_BYTES_STEP < part.len() { self.check_room(text) } else { Ok(()) }
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
                self.check_room(text)?;
            }
            separate(text, index > 1);
            self.value(&table.raw_get(index)?, text)?;
        }
        text.push(']');
        self.check_room(text)
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
                self.check_room(text)?;
            }
            separate(text, index > 0);
            write_string(text, key);
            text.push_str(": ");
            self.value(value, text)?;
        }
        text.push('}');
        self.check_room(text)
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
            roar.write_json(self, text)?;
        } else if let Some(written) = Written::of(data) {
            self.table(&written.table, text)?;
        } else if let Ok(list) = data.borrow::<List>() {
            list.write_json(self, text)?;
        } else if let Ok(map) = data.borrow::<ListMap>() {
            map.write_json(self, text)?;
        } else if let Ok(counts) = data.borrow::<Counts>() {
            counts.write_json(self, text)?;
        } else if data.is::<Traversal>() {
            let text = "a Traversal has no JSON form: end it, with ids(), count() or another end";
            return Err(mlua::Error::runtime(text));
        } else {
            return Err(mlua::Error::runtime(NO_FORM));
        }
        Ok(())
    }
}

/// A separator between entries.
pub(crate) fn separate(text: &mut String, needed: bool) {
    if needed {
        text.push_str(", ");
    }
}

pub(crate) fn write_display(text: &mut String, value: impl std::fmt::Display) {
    write!(text, "{value}").expect("a string takes any text");
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

/// A JSON string.
pub(crate) fn write_string(text: &mut String, string: &str) {
    text.push_str(&serde_json::to_string(string).expect("each string has a JSON form"));
}

pub(crate) fn write_link(text: &mut String, link: &Link) {
    write!(text, "{{ \"node_id\": {}, \"rel_id\": {} }}", link.node, link.edge)
        .expect("a string takes any text");
}

pub(crate) fn write_node(text: &mut String, node: &Node) -> mlua::Result<()> {
    write_display(text, format_args!("{{ \"id\": {}, \"type\": ", node.id));
    write_string(text, &node.label);
    text.push_str(", \"key\": ");
    write_string(text, &node.key);
    text.push_str(", \"properties\": ");
    write_properties(text, &node.properties)?;
    text.push_str(" }");
    Ok(())
}

pub(crate) fn write_relationship(text: &mut String, edge: &Relationship) -> mlua::Result<()> {
    write_display(text, format_args!("{{ \"id\": {}, \"type\": ", edge.id));
    write_string(text, &edge.edge_type);
    write_display(
        text,
        format_args!(
            ", \"starting_node_id\": {}, \"ending_node_id\": {}, \"properties\": ",
            edge.source, edge.target
        ),
    );
    write_properties(text, &edge.properties)?;
    text.push_str(" }");
    Ok(())
}

fn write_properties(text: &mut String, properties: &ValueMap) -> mlua::Result<()> {
    text.push('{');
    for (index, (key, value)) in properties.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { " " });
        write_string(text, key.as_str().unwrap_or_default());
        text.push_str(": ");
        write_value(text, value).map_err(mlua::Error::external)?;
    }
    text.push_str(if properties.is_empty() { "}" } else { " }" });
    Ok(())
}

/// Writes a value of the model as JSON.
pub(crate) fn write_value(text: &mut String, value: &Value) -> Result<(), Error> {
    match value {
        Value::Null => text.push_str("null"),
        Value::PropertyValues(_) => write_value(text, &plain_value(value))?,
        Value::Bool(truth) => write_display(text, truth),
        Value::List(values) | Value::Set(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                separate(text, index > 0);
                write_value(text, value)?;
            }
            text.push(']');
        }
        Value::Map(pairs) => {
            text.push('{');
            for (index, (key, value)) in pairs.iter().enumerate() {
                separate(text, index > 0);
                write_string(text, key.as_str().unwrap_or_default());
                text.push_str(": ");
                write_value(text, value)?;
            }
            text.push('}');
        }
        Value::String(string) => write_string(text, string),
        Value::Vertex(vertex) => write_display(text, vertex),
        Value::Edge(edge) => write_display(text, edge),
        Value::F32(_) | Value::F64(_) => {
            let double = value.as_double().unwrap_or(f64::NAN);
            match double.is_finite() {
                true => write_display(text, format_args!("{double:?}")),
                // A stored infinity must not make a whole answer fail.
                false => text.push_str("null"),
            }
        }
        other => match other.as_int() {
            Some(int) => write_display(text, int),
            None => write_string(text, &values::text_of(other)),
        },
    }
    Ok(())
}

/// Reads a JSON object of properties: its keys, ascending, and values.
pub(crate) fn parse_properties(text: &str) -> Result<ValueMap, Error> {
    let bad = |what: String| {
        Error::new(ErrorKind::BadInput, format!("properties are a JSON object: {what}"))
            .with_help(format!("read: {}", text.chars().take(80).collect::<String>()))
    };
    require_room_to_read(text)?;
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(object)) => object
            .into_iter()
            .map(|(key, value)| Ok((Value::string(&key), plain(value)?)))
            .collect(),
        Ok(_) => Err(bad("this is another kind of JSON".into())),
        Err(error) => Err(bad(error.to_string())),
    }
}

/// Bytes of an entry while JSON is read: as its reader has it, in a list that grows, and as a value.
const READ_ENTRY_BYTES: usize = 128;

/// Fails where there is no room for what a text of JSON becomes at most: reading does not ask.
fn require_room_to_read(text: &str) -> Result<(), Error> {
    step_bytes(text.len())?;
    if text.len() <= ANSWER_BYTES_STEP / READ_ENTRY_BYTES {
        return Ok(());
    }
    let entries = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    step(entries as u64)?;
    require_room((2 * text.len() + entries * READ_ENTRY_BYTES) as u64)
}

/// Reads any JSON.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    require_room_to_read(text)?;
    let value = serde_json::from_str(text)
        .map_err(|error| Error::new(ErrorKind::BadInput, format!("this is no JSON: {error}")))?;
    plain(value)
}

fn plain(value: serde_json::Value) -> Result<Value, Error> {
    Ok(match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(truth) => Value::Bool(truth),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => Value::I64(int),
            None => Value::F64(number.as_f64().ok_or_else(|| {
                Error::new(ErrorKind::BadInput, format!("{number} is no 64-bit number"))
            })?),
        },
        serde_json::Value::String(text) => Value::string(&text),
        serde_json::Value::Array(values) => {
            Value::list(values.into_iter().map(plain).collect::<Result<_, _>>()?)
        }
        serde_json::Value::Object(object) => {
            let pairs =
                object.into_iter().map(|(key, value)| Ok((Value::string(&key), plain(value)?)));
            Value::map(pairs.collect::<Result<_, Error>>()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_with_their_types() {
        let read = parse_properties(r#"{"a":1,"b":1.0,"c":"x","d":[true,null]}"#).expect("reads");
        let expected = [
            ("a", Value::I64(1)),
            ("b", Value::F64(1.0)),
            ("c", Value::from("x")),
            ("d", Value::list(vec![Value::Bool(true), Value::Null])),
        ];
        assert_eq!(read, expected.map(|(key, value)| (Value::from(key), value)));
        for bad in ["", "[]", "{", "{\"a\":}", "1"] {
            let error = parse_properties(bad).expect_err(bad);
            assert_eq!(error.kind, ErrorKind::BadInput);
        }
    }

    #[test]
    fn doubles_keep_a_point_and_all_their_digits() {
        for (double, text) in [
            (7.0, "7.0"),
            (0.1, "0.1"),
            (-0.5, "-0.5"),
            (-0.0, "-0.0"),
            (999_999_999_999_999.0, "999999999999999.0"),
            (1e15, "1000000000000000.0"),
            (1e300, "1e300"),
            (f64::INFINITY, "null"),
        ] {
            let mut written = String::new();
            write_value(&mut written, &Value::F64(double)).expect("it has a form");
            assert_eq!(written, text);
        }
    }
}
