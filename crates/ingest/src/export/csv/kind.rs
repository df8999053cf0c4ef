//! The types of properties in neo4j-admin's words, and values as fields.

use super::super::text::value_text;
use millrace_model::Value;
use millrace_model::temporal::DateTime;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) element: Element,
    pub(super) list: bool,
}

/// The type of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Boolean,
    String,
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    DateTime,
    Duration,
    Point,
    Geometry,
}

impl Element {
    fn word(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::String => "string",
            Self::Date => "date",
            Self::LocalTime => "localtime",
            Self::Time => "time",
            Self::LocalDateTime => "localdatetime",
            Self::DateTime => "datetime",
            Self::Duration => "duration",
            Self::Point => "point",
            Self::Geometry => "geometry",
        }
    }

    fn of(value: &Value) -> Result<Element, String> {
        Ok(match value {
            Value::I8(_) => Self::Byte,
            Value::I16(_) => Self::Short,
            Value::I32(_) => Self::Int,
            Value::I64(_) => Self::Long,
            Value::F32(_) => Self::Float,
            Value::F64(_) => Self::Double,
            Value::Bool(_) => Self::Boolean,
            Value::String(_) => Self::String,
            Value::Date(_) => Self::Date,
            Value::Time(time) if time.offset_seconds.is_none() => Self::LocalTime,
            Value::Time(_) => Self::Time,
            Value::DateTime(timestamp) if timestamp.offset_seconds == DateTime::LOCAL => {
                Self::LocalDateTime
            }
            Value::DateTime(_) | Value::ZonedDateTime(_) => Self::DateTime,
            Value::Duration(_) => Self::Duration,
            Value::Point(_) => Self::Point,
            Value::Geometry(_) => Self::Geometry,
            Value::PropertyValues(_) => return Err("several values, or one with properties".into()),
            other => return Err(format!("a {}", other.type_name())),
        })
    }

    /// The type that holds values of both.
    fn with(self, other: Element) -> Option<Element> {
        let whole = |element| element <= Element::Long;
        let float = |element| matches!(element, Element::Float | Element::Double);
        let both = |is: &dyn Fn(Element) -> bool| is(self) && is(other);
        (self == other || both(&whole) || both(&float)).then(|| self.max(other))
    }
}

impl Kind {
    /// The type of a value; the error names a value without one.
    pub(super) fn of(value: &Value) -> Result<Kind, String> {
        let Value::List(values) = value else {
            return Ok(Kind { element: Element::of(value)?, list: false });
        };
        let mut elements = values.iter().map(Element::of);
        let first = elements.next().ok_or("an empty list")??;
        let mut widest = first;
        for element in elements {
            widest = widest.with(element?).ok_or("a list of values of several types")?;
        }
        Ok(Kind { element: widest, list: true })
    }

    /// The type that holds values of both.
    pub(super) fn with(self, other: Kind) -> Option<Kind> {
        let element = self.element.with(other.element)?;
        (self.list == other.list).then_some(Kind { element, list: self.list })
    }

    /// As a header has it.
    pub(super) fn word(self) -> String {
        format!("{}{}", self.element.word(), if self.list { "[]" } else { "" })
    }
}

/// A value as a field, before quotes. Fails for an array with an element that an array cannot hold.
pub(super) fn field(value: &Value, array_delimiter: char) -> Result<String, String> {
    let Value::List(values) = value else { return Ok(value_text(value)) };
    let elements: Vec<String> = values.iter().map(value_text).collect();
    match elements.iter().find(|element| element.contains(array_delimiter)) {
        Some(_) => Err(format!(
            "a list with an element that holds '{}', which stands between elements",
            array_delimiter.escape_debug()
        )),
        None if elements.concat().is_empty() && elements.len() == 1 => {
            Err("a list of one empty text".into())
        }
        None => Ok(elements.join(array_delimiter.encode_utf8(&mut [0; 4]))),
    }
}
