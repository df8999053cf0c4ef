//! Values as text for people: any value has one, collections by their entries.
//!
//! This is not a conversion: `ToText` refuses a value that has no text of its own, and no text made
//! here is read back.

use std::fmt::Write;

use millrace_model::property_values::plain_value;
use millrace_model::{Direction, Result, Token, Value};

use super::arguments::{bad, check_bytes, list, text};
use super::{Function, OnFailure};

/// How deep collections may stand inside each other.
const DEEPEST: usize = 128;

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let mut shown = String::new();
    match function {
        Function::JoinDisplay => {
            let separator = text(function, &arguments[1])?;
            let entries = list(function, &arguments[0])?.iter().filter(|entry| !entry.is_null());
            for (place, entry) in entries.enumerate() {
                shown.push_str(if place == 0 { "" } else { separator });
                show(entry, &mut shown, 0)?;
            }
        }
        _ => show(&arguments[0], &mut shown, 0)?,
    }
    Ok(Value::string(&shown))
}

/// Texts as one, null left out; null where all are null.
pub(super) fn concat_present(arguments: &[Value]) -> Result<Value> {
    let present: Vec<Value> = arguments.iter().filter(|text| !text.is_null()).cloned().collect();
    if present.is_empty() && !arguments.is_empty() {
        return Ok(Value::Null);
    }
    Function::Concat.call(&present)
}

fn show(value: &Value, shown: &mut String, depth: usize) -> Result<()> {
    if DEEPEST < depth {
        return Err(bad("collections stand too deep inside each other to be shown"));
    }
    check_bytes(shown.len())?;
    match value {
        Value::Null => shown.push_str("null"),
        Value::List(entries) | Value::Set(entries) => show_entries(entries, shown, depth)?,
        Value::Path(path) => {
            shown.push_str("path");
            show_entries(&path.objects, shown, depth)?;
        }
        Value::Map(pairs) => {
            shown.push('{');
            for (place, (key, value)) in pairs.iter().enumerate() {
                shown.push_str(if place == 0 { "" } else { ", " });
                show(key, shown, depth + 1)?;
                shown.push('=');
                show(value, shown, depth + 1)?;
            }
            shown.push('}');
        }
        Value::MapEntry(entry) => {
            show(&entry.0, shown, depth + 1)?;
            shown.push('=');
            show(&entry.1, shown, depth + 1)?;
        }
        Value::Vertex(vertex) => add(shown, format_args!("v[{}]", vertex.0)),
        Value::Edge(edge) => add(shown, format_args!("e[{}]", edge.0)),
        Value::Property(property) => {
            add(shown, format_args!("p[{}->", property.key));
            show(&property.value, shown, depth + 1)?;
            shown.push(']');
        }
        Value::VertexProperty(property) => add(shown, format_args!("vp[{}]", property.key)),
        Value::Token(token) => shown.push_str(word(*token)),
        entries @ Value::PropertyValues(_) => show(&plain_value(entries), shown, depth)?,
        Value::Uuid(bytes) => show_uuid(bytes, shown),
        Value::ZonedDateTime(zoned) => add(shown, format_args!("{}[{}]", zoned.0, zoned.1)),
        plain => match Function::ToText(OnFailure::Null).call(std::slice::from_ref(plain))? {
            Value::String(text) => shown.push_str(&text),
            _ => return Err(bad(format!("a {} has no text", plain.type_name()))),
        },
    }
    check_bytes(shown.len())
}

fn show_entries(entries: &[Value], shown: &mut String, depth: usize) -> Result<()> {
    shown.push('[');
    for (place, entry) in entries.iter().enumerate() {
        shown.push_str(if place == 0 { "" } else { ", " });
        show(entry, shown, depth + 1)?;
    }
    shown.push(']');
    Ok(())
}

fn show_uuid(bytes: &[u8; 16], shown: &mut String) {
    for (place, byte) in bytes.iter().enumerate() {
        shown.push_str(if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" });
        add(shown, format_args!("{byte:02x}"));
    }
}

/// A text takes all that is written to it.
fn add(shown: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = shown.write_fmt(arguments);
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

    fn shown(value: Value) -> Value {
        Function::Display.call(&[value]).expect("has a text")
    }

    #[test]
    fn collections_are_shown_by_their_entries() {
        let list = Value::list(vec![Value::I32(1), Value::Null, "a".into()]);
        assert_eq!(shown(list.clone()), "[1, null, a]".into());
        let map = Value::map(vec![("name".into(), list), (Value::Token(Token::Id), 2i64.into())]);
        assert_eq!(shown(map), "{name=[1, null, a], id=2}".into());
        assert_eq!(shown(Value::Vertex(VertexId(7))), "v[7]".into());
        let uuid = Value::Uuid(0xf47a_f10b_58cc_4372_a567_0f02_b2f3_d479_u128.to_be_bytes());
        assert_eq!(shown(uuid), "f47af10b-58cc-4372-a567-0f02b2f3d479".into());
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
    fn what_is_too_deep_is_refused() {
        let deep = (0..200).fold(Value::Null, |inner, _| Value::list(vec![inner]));
        Function::Display.call(&[deep]).expect_err("too deep");
    }
}
