//! A literal as a value of its predicate's type. What the type cannot take is refused with the text, the type and the
//! remedy; the literal's own datatype says only how its text is read.

use super::datetime::datetime_of;
use super::schema::{DeclaredKind, DeclaredPredicate};
use crate::error::{Fault, excerpt};
use crate::limits::DECIMAL_SCALE_MAX;
use millrace_model::{Decimal, Value};
use millrace_quads::text::json::Json;
use millrace_quads::text::{parse_boolean, parse_double, parse_geometry, parse_integer};
use millrace_quads::{Datatype, Literal, vocabulary};
use std::sync::Arc;

/// The cost of a hash, as Dgraph has it.
const PASSWORD_COST: u32 = 10;

/// Characters of a bcrypt hash.
const HASH_CHARS: usize = 60;

/// Refuses a node of a predicate with values, and a value of a predicate with nodes.
pub(crate) fn judge_object(
    predicate: &DeclaredPredicate,
    is_node: bool,
    at: usize,
) -> Result<(), Fault> {
    // The messages are made for those that are refused alone.
    let name = || excerpt(&predicate.name);
    let detail = match (predicate.kind, is_node) {
        (DeclaredKind::Uid, true) => return Ok(()),
        (DeclaredKind::Uid, false) => format!(
            "the schema says that '{}' leads to nodes (uid), and this is a value: name a node, or change the schema",
            name()
        ),
        (_, false) => return Ok(()),
        (kind, true) => format!(
            "the schema says that '{}' has values ({}), and this is a node: write \"…\", or declare it as uid",
            name(),
            kind.name()
        ),
    };
    Err(Fault::new(at, detail))
}

/// Refuses a language where the predicate has none.
pub(crate) fn judge_language(
    predicate: &DeclaredPredicate,
    literal: &Literal<'_>,
) -> Result<(), Fault> {
    match literal.language {
        Some(_) if !predicate.has_languages => {
            let name = excerpt(&predicate.name);
            let detail = format!("'{name}' has no languages in the schema: declare it with @lang");
            Err(Fault::new(literal.at, detail))
        }
        Some(_) | None => Ok(()),
    }
}

/// The value of a literal under a declared type. `None`: its text as it is.
pub(crate) fn value_of(
    predicate: &DeclaredPredicate,
    literal: &Literal<'_>,
) -> Result<Option<Value>, Fault> {
    let text = &*literal.text;
    let (value, form) = match predicate.kind {
        DeclaredKind::Default | DeclaredKind::String => return text_of(predicate, literal),
        DeclaredKind::Int => (int_of(literal).map(Value::I64), "a whole number of 64 bits, as 42"),
        DeclaredKind::Float => (float_of(literal).map(Value::F64), "a number, as 4.2"),
        DeclaredKind::Bool => (bool_of(literal).map(Value::Bool), "true or false"),
        DeclaredKind::DateTime => {
            let form = "a date and time, as 2006-01-02T15:04:05Z, or 2006, 2006-01, 2006-01-02";
            (datetime_of(text).map(Value::DateTime), form)
        }
        DeclaredKind::BigFloat => {
            let decimal = Decimal::parse_with_exponent(text, DECIMAL_SCALE_MAX);
            let decimal = decimal.map(|decimal| Value::Decimal(Arc::new(decimal)));
            (decimal, "a decimal number of at most 38 digits, as 12.50")
        }
        DeclaredKind::Vector => (vector_of(text), "a list of numbers, as [0.5, 1.0]"),
        DeclaredKind::Password => {
            return hashed(text).map(Some).map_err(|d| Fault::new(literal.at, d));
        }
        DeclaredKind::Geo => {
            return parse_geometry(text).map(Some).map_err(|detail| {
                let name = excerpt(&predicate.name);
                Fault::new(literal.at, format!("'{name}' is of type geo: {detail}"))
            });
        }
        DeclaredKind::Uid => (None, "a node"),
    };
    value.map(Some).ok_or_else(|| {
        let (name, found, kind) = (excerpt(&predicate.name), excerpt(text), predicate.kind.name());
        let detail = format!("'{name}' is of type {kind}: expected {form}, found '{found}'");
        Fault::new(literal.at, detail)
    })
}

/// A text, which may be one of any datatype but a password or geometry.
fn text_of(predicate: &DeclaredPredicate, literal: &Literal<'_>) -> Result<Option<Value>, Fault> {
    let unknown = literal.unknown_type.as_ref().map(|unknown| &*unknown.name);
    match unknown {
        Some(vocabulary::PASSWORD) => {
            let name = excerpt(&predicate.name);
            let detail =
                format!("a password would be stored as it is: declare '{name}' as password");
            Err(Fault::new(literal.at, detail))
        }
        Some(_) | None => Ok(None),
    }
}

fn int_of(literal: &Literal<'_>) -> Option<i64> {
    let text = &*literal.text;
    match literal.datatype {
        Datatype::Double => {
            let double = parse_double(text).ok()?.trunc();
            // 2^63 is a double, and no whole number of 64 bits.
            let fits = (-(2_f64.powi(63))..2_f64.powi(63)).contains(&double);
            fits.then_some(double as i64)
        }
        Datatype::Boolean => parse_boolean(text).ok().map(i64::from),
        _ => parse_integer(text, 64).ok(),
    }
}

fn float_of(literal: &Literal<'_>) -> Option<f64> {
    match literal.datatype {
        Datatype::Boolean => parse_boolean(&literal.text).ok().map(f64::from),
        _ => parse_double(&literal.text).ok(),
    }
}

fn bool_of(literal: &Literal<'_>) -> Option<bool> {
    match (&*literal.text, literal.datatype) {
        ("1" | "t" | "T" | "TRUE" | "true" | "True", _) => Some(true),
        ("0" | "f" | "F" | "FALSE" | "false" | "False", _) => Some(false),
        (text, Datatype::Integer) => parse_integer(text, 64).ok().map(|int| int != 0),
        (text, Datatype::Double) => parse_double(text).ok().map(|double| double != 0.0),
        _ => None,
    }
}

fn vector_of(text: &str) -> Option<Value> {
    let json = Json::parse(text.as_bytes()).ok()?;
    let numbers = json.as_array()?.iter().map(|number| Some(number.as_f64()? as f32));
    let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
    let is_finite = !numbers.is_empty() && numbers.iter().all(|number| number.is_finite());
    is_finite.then(|| Value::vector(&numbers))
}

/// A password as its hash; a hash stays as it is, as exports have it.
fn hashed(text: &str) -> Result<Value, String> {
    if is_hash(text) {
        return Ok(Value::string(text));
    }
    match bcrypt::hash(text, PASSWORD_COST) {
        Ok(hash) => Ok(Value::string(&hash)),
        Err(error) => Err(format!("this password cannot be hashed: {error}")),
    }
}

/// `$2a$10$` and 53 characters.
fn is_hash(text: &str) -> bool {
    let parts: Vec<&str> = text.split('$').collect();
    let [nothing, version, cost, rest] = parts[..] else { return false };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"./".contains(&byte);
    text.len() == HASH_CHARS
        && nothing.is_empty()
        && matches!(version, "2a" | "2b" | "2x" | "2y")
        && cost.len() == 2
        && cost.parse::<u32>().is_ok()
        && rest.bytes().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicate(kind: DeclaredKind) -> DeclaredPredicate {
        DeclaredPredicate { name: "p".into(), kind, is_list: false, has_languages: false }
    }

    fn read(kind: DeclaredKind, text: &str) -> Result<Option<Value>, String> {
        let literal = Literal::new(text, Datatype::String);
        value_of(&predicate(kind), &literal).map_err(|fault| fault.detail)
    }

    #[test]
    fn a_text_becomes_a_value_of_its_type_or_is_refused_with_the_form() {
        for (kind, text, value) in [
            (DeclaredKind::Int, "-3", Value::I64(-3)),
            (DeclaredKind::Float, "1e3", Value::F64(1000.0)),
            (DeclaredKind::Bool, "True", Value::Bool(true)),
            (DeclaredKind::Vector, "[1, 0.5]", Value::vector(&[1.0, 0.5])),
        ] {
            assert_eq!(read(kind, text), Ok(Some(value)), "{text}");
        }
        assert_eq!(read(DeclaredKind::String, "3"), Ok(None));
        for (kind, text) in [
            (DeclaredKind::Int, "1.5"),
            (DeclaredKind::Int, "9223372036854775808"),
            (DeclaredKind::Float, "one"),
            (DeclaredKind::Bool, "yes"),
            (DeclaredKind::DateTime, "yesterday"),
            (DeclaredKind::BigFloat, "nine"),
            (DeclaredKind::Vector, "[]"),
            (DeclaredKind::Vector, "[1, \"2\"]"),
            (DeclaredKind::Geo, "{}"),
        ] {
            let refused = read(kind, text).unwrap_err();
            assert!(refused.contains("'p' is of type"), "{text}: {refused}");
        }
    }

    #[test]
    fn the_datatype_says_how_the_text_is_read() {
        let of = |text: &str, datatype| {
            let literal = Literal::new(text.to_owned(), datatype);
            value_of(&predicate(DeclaredKind::Int), &literal).ok().flatten()
        };
        assert_eq!(of("1.6", Datatype::Double), Some(Value::I64(1)));
        assert_eq!(of("1e19", Datatype::Double), None);
        assert_eq!(of("true", Datatype::Boolean), Some(Value::I64(1)));
    }

    #[test]
    fn a_password_is_hashed_once() {
        let Ok(Some(Value::String(hash))) = read(DeclaredKind::Password, "secret") else {
            panic!("no hash");
        };
        assert!(hash.len() == HASH_CHARS && bcrypt::verify("secret", &hash).unwrap());
        assert!(!bcrypt::verify("Secret", &hash).unwrap());
        assert_eq!(read(DeclaredKind::Password, &hash), Ok(Some(Value::String(hash))));
    }
}
