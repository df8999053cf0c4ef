//! Groovy's casts of literals: `(int) 5`, `(String) null`, `5 as int`, `[1, 2] as Set`.

use std::sync::Arc;

use millrace_bytecode::Argument;
use millrace_model::{Decimal, Result, TextPosition, Value};

use super::arguments::distinct;
use super::parser::Parser;
use super::refused::{cut, refused};
use crate::replacements::{Use, instead};

/// A type that a literal can be cast to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cast {
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    BigInteger,
    BigDecimal,
    Text,
    Bool,
    /// Only null is cast to it, to choose between overloaded methods.
    Other,
}

impl Cast {
    /// The cast to the type of this name.
    pub(super) fn named(name: &str) -> Option<Cast> {
        Some(match name {
            "byte" | "Byte" => Cast::Byte,
            "short" | "Short" => Cast::Short,
            "int" | "Integer" => Cast::Int,
            "long" | "Long" => Cast::Long,
            "float" | "Float" => Cast::Float,
            "double" | "Double" => Cast::Double,
            "BigInteger" => Cast::BigInteger,
            "BigDecimal" => Cast::BigDecimal,
            "String" => Cast::Text,
            "boolean" | "Boolean" => Cast::Bool,
            "Map" | "Object" | "Traversal" | "Vertex" => Cast::Other,
            _ => return None,
        })
    }

    /// The value in this type; floating-point types round it, integers drop its fraction. `None` if it does not fit.
    fn of(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (_, Value::Null) => Some(Value::Null),
            (Cast::Text, Value::String(_)) | (Cast::Bool, Value::Bool(_)) => Some(value.clone()),
            (Cast::Text | Cast::Bool | Cast::Other, _) => None,
            (Cast::Float, _) => value.as_double().map(|double| Value::F32(double as f32)),
            (Cast::Double, _) => value.as_double().map(Value::F64),
            (Cast::BigDecimal, Value::F64(double)) => decimal(&double.to_string()),
            (Cast::BigDecimal, Value::F32(float)) => decimal(&float.to_string()),
            (Cast::BigDecimal, Value::Decimal(_)) => Some(value.clone()),
            _ => self.of_whole(whole(value)?),
        }
    }

    fn of_whole(self, int: i128) -> Option<Value> {
        match self {
            Cast::Byte => i8::try_from(int).ok().map(Value::I8),
            Cast::Short => i16::try_from(int).ok().map(Value::I16),
            Cast::Int => i32::try_from(int).ok().map(Value::I32),
            Cast::Long => i64::try_from(int).ok().map(Value::I64),
            Cast::BigInteger | Cast::BigDecimal => {
                Some(Value::Decimal(Arc::new(Decimal { unscaled: int, scale: 0 })))
            }
            Cast::Float | Cast::Double | Cast::Text | Cast::Bool | Cast::Other => None,
        }
    }
}

/// The decimal of a number's shortest text.
fn decimal(text: &str) -> Option<Value> {
    Decimal::parse(text).map(|decimal| Value::Decimal(Arc::new(decimal)))
}

/// The integral part of a number.
fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Decimal(decimal) => {
            let divisor = 10i128.checked_pow(decimal.scale);
            Some(divisor.map_or(0, |divisor| decimal.unscaled / divisor))
        }
        Value::F32(_) | Value::F64(_) => {
            let double = value.as_double().filter(|double| double.abs() < i64::MAX as f64)?;
            Some(double as i128)
        }
        other => other.as_int().map(i128::from),
    }
}

/// The entries of a list or a set.
fn entries(argument: &Argument) -> Option<Vec<Argument>> {
    match argument {
        Argument::List(entries) | Argument::Set(entries) => Some(entries.clone()),
        Argument::Value(Value::List(values) | Value::Set(values)) => {
            Some(values.iter().cloned().map(Argument::Value).collect())
        }
        _ => None,
    }
}

/// A literal converted to the class behind `as`; `None` if the conversion is not supported.
fn converted(argument: &Argument, class: &str) -> Option<Argument> {
    match (class, argument) {
        ("Set" | "HashSet" | "LinkedHashSet" | "TreeSet", _) => {
            entries(argument).map(|entries| Argument::set(distinct(entries)))
        }
        ("List" | "ArrayList" | "LinkedList", _) => entries(argument).map(Argument::list),
        (_, Argument::Value(value)) => Cast::named(class)?.of(value).map(Argument::Value),
        _ => None,
    }
}

impl Parser<'_> {
    /// Converts an argument to the class behind the `as` at hand.
    pub(super) fn converted(&mut self, argument: &Argument) -> Result<Argument> {
        let position = self.position();
        self.advance()?;
        let class = self.expect_word("a class")?;
        converted(argument, class).ok_or_else(|| {
            let error = refused(position, format!("`as {}` is not supported", cut(class)));
            error.with_help(instead(Use::Word, "as").unwrap_or_default())
        })
    }

    /// The argument of a cast, converted.
    pub(super) fn cast(&mut self, cast: Cast, position: TextPosition) -> Result<Argument> {
        match self.argument()? {
            Argument::Value(value) => cast.of(&value).map(Argument::Value).ok_or_else(|| {
                refused(position, format!("a cast of this {} is not supported", value.type_name()))
                    .with_help("numbers are cast to types of numbers that they fit")
            }),
            _ => Err(refused(position, "only literals can be cast")
                .with_help("bind the variable to a value of the type that is meant")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(BigDecimal) 1.5f` was 1: only doubles and decimals kept their fraction.
    #[test]
    fn a_decimal_keeps_the_digits_of_any_number_and_an_integer_drops_them() {
        let decimal =
            |digits: &str| Decimal::parse(digits).map(|own| Value::Decimal(Arc::new(own)));
        let half = [Value::F32(1.5), Value::F64(1.5), decimal("1.5").unwrap()];
        for value in &half {
            assert_eq!(Cast::BigDecimal.of(value), decimal("1.5"), "{value:?}");
            assert_eq!(Cast::BigInteger.of(value), decimal("1"), "{value:?}");
        }
        assert_eq!(Cast::BigDecimal.of(&Value::F32(0.1)), decimal("0.1"), "the shortest text");
        assert_eq!(Cast::BigDecimal.of(&Value::I32(7)), decimal("7"));
    }
}
