//! Types of properties, and the values that they accept.

use std::fmt;
use std::sync::Arc;

use crate::calendar::DateTime;
use crate::values::value::Value;

/// The type of a property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyType {
    /// Anything.
    Any,
    /// True or false.
    Boolean,
    /// 64-bit integer.
    Integer,
    /// Double.
    Double,
    /// Text.
    String,
    /// Timestamp.
    DateTime,
    /// A list of booleans.
    BooleanList,
    /// A list of integers.
    IntegerList,
    /// A list of doubles.
    DoubleList,
    /// A list of texts.
    StringList,
    /// A timestamp that is defined as `date`.
    Date,
    /// A list of timestamps.
    DateList,
}

impl PropertyType {
    /// Every type with its word.
    pub const ALL: [(PropertyType, &'static str); 12] = [
        (PropertyType::Any, "any"),
        (PropertyType::Boolean, "boolean"),
        (PropertyType::Integer, "integer"),
        (PropertyType::Double, "double"),
        (PropertyType::String, "string"),
        (PropertyType::DateTime, "datetime"),
        (PropertyType::BooleanList, "boolean_list"),
        (PropertyType::IntegerList, "integer_list"),
        (PropertyType::DoubleList, "double_list"),
        (PropertyType::StringList, "string_list"),
        (PropertyType::Date, "date"),
        (PropertyType::DateList, "date_list"),
    ];

    /// The type of a word.
    pub fn parse(word: &str) -> Option<PropertyType> {
        Self::ALL.iter().find(|(_, name)| *name == word).map(|(kind, _)| *kind)
    }

    /// The value as this type: itself, an integer made a double, a whole double made an integer, or
    /// ISO text or seconds since 1970 made a timestamp; `None` if it is something else.
    pub fn accept(self, value: Value) -> Option<Value> {
        let fits = |values: &[Value], kind: PropertyType| {
            values.iter().map(|value| kind.accept(value.clone())).collect::<Option<Vec<_>>>()
        };
        match (self, value) {
            (PropertyType::Any, value) => Some(value),
            (_, Value::Null) => Some(Value::Null),
            (kind, Value::PropertyValues(property)) => {
                let accepted = property.map(|value| kind.accept(value.clone()))?;
                Some(Value::PropertyValues(Arc::new(accepted)))
            }
            (PropertyType::Boolean, value @ Value::Bool(_)) => Some(value),
            (PropertyType::Integer, value) => whole(&value).map(Value::I64),
            (PropertyType::Double, value) => value.as_double().map(Value::F64),
            (PropertyType::String, value @ Value::String(_)) => Some(value),
            (PropertyType::Date | PropertyType::DateTime, value) => timestamp(value),
            (PropertyType::DoubleList, value @ Value::Vector(_)) => Some(value),
            (list, Value::List(values)) => {
                fits(&values, list.element()?).map(|values| Value::List(Arc::from(values)))
            }
            _ => None,
        }
    }

    /// The type of a list's elements.
    pub fn element(self) -> Option<PropertyType> {
        match self {
            PropertyType::BooleanList => Some(PropertyType::Boolean),
            PropertyType::IntegerList => Some(PropertyType::Integer),
            PropertyType::DoubleList => Some(PropertyType::Double),
            PropertyType::StringList => Some(PropertyType::String),
            PropertyType::DateList => Some(PropertyType::Date),
            PropertyType::Any
            | PropertyType::Boolean
            | PropertyType::Integer
            | PropertyType::Double
            | PropertyType::String
            | PropertyType::DateTime
            | PropertyType::Date => None,
        }
    }
}

/// The integer that a value is: a double counts if it is whole, as some clients have no other
/// numbers.
fn whole(value: &Value) -> Option<i64> {
    value.as_int().or_else(|| {
        let double = value.as_double()?;
        let fits = double.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&double);
        fits.then_some(double as i64)
    })
}

/// The timestamp that a value is, or that its text or its seconds stand for.
fn timestamp(value: Value) -> Option<Value> {
    match value {
        Value::DateTime(_) | Value::ZonedDateTime(_) => Some(value),
        Value::Date(date) => Some(Value::DateTime(DateTime::at_start_of(date))),
        Value::String(text) => DateTime::parse_utc(&text).map(Value::DateTime),
        other => DateTime::from_seconds(other.as_double()?).map(Value::DateTime),
    }
}

impl fmt::Display for PropertyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Self::ALL.iter().find(|(kind, _)| kind == self).map_or("?", |(_, word)| word);
        f.write_str(word)
    }
}
