//! Values as text for people: any value has one, collections by their entries.
//!
//! This is not a conversion: `ToText` refuses a value that has no text of its own, and no text made
//! here is read back.

use std::fmt::Write;

use millrace_model::property_values::plain_value;
use millrace_model::{Direction, Result, Token, Value, query_limits, uuid};

use crate::functions::arguments::{bad, check_bytes, list, misplaced, text};
use crate::functions::{Function, OnFailure};

/// The rows of this family; see `functions!`.
macro_rules! display_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// Texts as one, null left out; null where all are null.
            ConcatNonNull: [0, MANY], 0, Fails::May => texts::display::concat_present;
            /// Any value as text for people.
            Display: [1, 1], ALL, Fails::May => texts::display::call;
            /// Values of a list as texts for people, null left out, with a separator between them.
            JoinDisplay: [2, 2], ALL, Fails::May => texts::display::call;
        }
    };
}

/// How deep collections may stand inside each other.
const DEEPEST: usize = 128;

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let mut output = String::new();
    match function {
        Function::JoinDisplay => {
            let separator = text(function, &arguments[1])?;
            let entries = list(function, &arguments[0])?.iter().filter(|entry| !entry.is_null());
            for (place, entry) in entries.enumerate() {
                output.push_str(if place == 0 { "" } else { separator });
                display(entry, &mut output, 0)?;
            }
        }
        Function::Display => display(&arguments[0], &mut output, 0)?,
        other => return Err(misplaced(other)),
    }
    Ok(Value::string(&output))
}

/// Texts as one, null left out; null where all are null.
pub(in crate::functions) fn concat_present(_: Function, arguments: &[Value]) -> Result<Value> {
    let present: Vec<Value> = arguments.iter().filter(|text| !text.is_null()).cloned().collect();
    if present.is_empty() && !arguments.is_empty() {
        return Ok(Value::Null);
    }
    Function::Concat.call(&present)
}

fn display(value: &Value, output: &mut String, depth: usize) -> Result<()> {
    if DEEPEST < depth {
        return Err(bad("collections stand too deep inside each other to be displayed"));
    }
    query_limits::step(1)?;
    check_bytes(output.len())?;
    match value {
        Value::Null => output.push_str("null"),
        Value::List(entries) | Value::Set(entries) => display_entries(entries, output, depth)?,
        Value::Path(path) => {
            output.push_str("path");
            display_entries(&path.objects(), output, depth)?;
        }
        Value::Map(pairs) => {
            output.push('{');
            for (place, (key, value)) in pairs.iter().enumerate() {
                output.push_str(if place == 0 { "" } else { ", " });
                display(key, output, depth + 1)?;
                output.push('=');
                display(value, output, depth + 1)?;
            }
            output.push('}');
        }
        Value::MapEntry(entry) => {
            display(&entry.0, output, depth + 1)?;
            output.push('=');
            display(&entry.1, output, depth + 1)?;
        }
        Value::Vertex(vertex) => add(output, format_args!("v[{}]", vertex.0)),
        Value::Edge(edge) => add(output, format_args!("e[{}]", edge.0)),
        Value::Property(property) => {
            add(output, format_args!("p[{}->", property.key));
            display(&property.value, output, depth + 1)?;
            output.push(']');
        }
        Value::VertexProperty(property) => add(output, format_args!("vp[{}]", property.key)),
        Value::Token(token) => output.push_str(word(*token)),
        entries @ Value::PropertyValues(_) => display(&plain_value(entries), output, depth)?,
        Value::Uuid(bytes) => output.push_str(&uuid::text(*bytes)),
        Value::ZonedDateTime(zoned) => add(output, format_args!("{}[{}]", zoned.0, zoned.1)),
        plain => match Function::ToText(OnFailure::Null).call(std::slice::from_ref(plain))? {
            Value::String(text) => output.push_str(&text),
            _ => return Err(bad(format!("a {} has no text", plain.type_name()))),
        },
    }
    check_bytes(output.len())
}

fn display_entries(entries: &[Value], output: &mut String, depth: usize) -> Result<()> {
    output.push('[');
    for (place, entry) in entries.iter().enumerate() {
        output.push_str(if place == 0 { "" } else { ", " });
        display(entry, output, depth + 1)?;
    }
    output.push(']');
    Ok(())
}

/// A text takes all that is written to it.
fn add(output: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = output.write_fmt(arguments);
}

fn word(token: Token) -> &'static str {
    match token {
        Token::Id => "id",
        Token::Label => "label",
        Token::Key => "key",
        Token::Value => "value",
        Token::End(Direction::Out) => "OUT",
        Token::End(Direction::In) => "IN",
        Token::End(Direction::Both) => "BOTH",
    }
}

#[cfg(test)]
mod tests {
    use millrace_model::VertexId;

    use super::*;

    fn displayed(value: Value) -> Value {
        Function::Display.call(&[value]).expect("has a text")
    }

    #[test]
    fn collections_are_displayed_by_their_entries() {
        let list = Value::list(vec![Value::I32(1), Value::Null, "a".into()]);
        assert_eq!(displayed(list.clone()), "[1, null, a]".into());
        let map = Value::map(vec![("name".into(), list), (Value::Token(Token::Id), 2i64.into())]);
        assert_eq!(displayed(map), "{name=[1, null, a], id=2}".into());
        assert_eq!(displayed(Value::Vertex(VertexId(7))), "v[7]".into());
        let uuid = Value::Uuid(0xf47a_f10b_58cc_4372_a567_0f02_b2f3_d479_u128.to_be_bytes());
        assert_eq!(displayed(uuid), "f47af10b-58cc-4372-a567-0f02b2f3d479".into());
    }

    #[test]
    fn null_is_left_out_between_separators() {
        let list = Value::list(vec!["a".into(), Value::Null, Value::I32(3)]);
        assert_eq!(Function::JoinDisplay.call(&[list, ";".into()]), Ok("a;3".into()));
        let concat = |texts: &[Value]| Function::ConcatNonNull.call(texts).expect("texts");
        assert_eq!(concat(&[Value::Null, "b".into()]), "b".into());
        assert_eq!(concat(&[Value::Null, Value::Null]), Value::Null);
        Function::ConcatNonNull.call(&["a".into(), Value::I64(1)]).expect_err("no text");
    }

    #[test]
    fn a_value_that_is_too_deep_is_refused() {
        let deep = (0..200).fold(Value::Null, |inner, _| Value::list(vec![inner]));
        Function::Display.call(&[deep]).expect_err("too deep");
    }
}
