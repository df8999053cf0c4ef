//! Terms of N-Quads as Dgraph reads them: names, literals with their types, facets.

use super::super::text::value_text;
use millrace_model::temporal::DateTime;
use millrace_model::{Value, geometry::geojson};
use millrace_quads::vocabulary;
use std::fmt::Write;

/// Appends a name in `<>`, with what no name may have as escapes.
pub(super) fn push_iri(name: &str, text: &mut String) {
    text.push('<');
    for character in name.chars() {
        match character {
            '\0'..=' ' | '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\' => {
                push_escape(character, text);
            }
            other => text.push(other),
        }
    }
    text.push('>');
}

fn push_escape(character: char, text: &mut String) {
    let written = write!(text, "\\u{:04X}", u32::from(character));
    debug_assert!(written.is_ok(), "a text takes anything");
}

/// Appends a text in quotation marks.
pub(super) fn push_quoted(value: &str, text: &mut String) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}' => push_escape(character, text),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// Appends a value with its type; false if Dgraph has none for it.
pub(super) fn push_literal(value: &Value, is_password: bool, text: &mut String) -> bool {
    let (written, datatype) = match value {
        Value::String(own) => {
            let datatype = if is_password { vocabulary::PASSWORD } else { "xs:string" };
            (own.to_string(), datatype)
        }
        Value::Bool(_) => (value_text(value), "xs:boolean"),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => {
            (value_text(value), "xs:int")
        }
        Value::F32(number) if number.is_finite() => (value_text(value), "xs:float"),
        Value::F64(number) if number.is_finite() => (value_text(value), "xs:float"),
        // Dgraph's own loader fails on the type of its exports: the schema tells it.
        Value::Decimal(_) => {
            push_quoted(&value_text(value), text);
            return true;
        }
        Value::Date(_) => (value_text(value), "xs:date"),
        Value::DateTime(own) if own.offset_seconds != DateTime::LOCAL => {
            (value_text(value), "xs:dateTime")
        }
        Value::Geometry(shape) => (geojson::text(shape), vocabulary::GEOMETRY),
        Value::Vector(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(|own| format!("{own:?}")).collect();
            (format!("[{}]", numbers.join(", ")), vocabulary::VECTORS[0])
        }
        _ => return false,
    };
    push_quoted(&written, text);
    text.push_str("^^<");
    text.push_str(datatype);
    text.push('>');
    true
}

/// Appends a facet: its key, and its value in the look of its type; false if facets have none for it.
pub(super) fn push_facet(key: &str, value: &Value, text: &mut String) -> bool {
    let is_key = |own: char| !own.is_ascii() || own.is_ascii_alphanumeric() || "_.-~".contains(own);
    if key.is_empty() || !key.chars().all(is_key) {
        return false;
    }
    text.push_str(key);
    text.push('=');
    match value {
        Value::String(own) => push_quoted(own, text),
        Value::Bool(_) | Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => {
            text.push_str(&value_text(value));
        }
        Value::F32(number) if number.is_finite() => text.push_str(&value_text(value)),
        Value::F64(number) if number.is_finite() => text.push_str(&value_text(value)),
        Value::DateTime(own) if own.offset_seconds != DateTime::LOCAL => {
            text.push_str(&value_text(value));
        }
        _ => return false,
    }
    true
}
