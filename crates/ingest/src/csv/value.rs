//! Field types of a header, and fields to values.

use super::guess::accepts;
use super::options::PropertyOptions;
use crate::error::excerpt;
use crate::limits::ROW_PARTS_MAX;
use crate::text;
use crate::text::json::Json;
use millrace_model::Value;
use millrace_model::temporal::ZoneId;
use std::borrow::Cow;

/// The type of a field's one value, or of each of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// `byte`, `short`, `int` and `long`: 64 bits, as the store and Neo4j keep them.
    Integer,
    /// `float` and `double`.
    Double,
    /// `boolean`: only `true` is true in Neo4j; here anything but true and false is a bad row.
    Boolean,
    /// `string`.
    String,
    /// `char`: text of one character.
    Char,
    /// `date`.
    Date,
    /// `localtime`.
    LocalTime,
    /// `time`.
    Time,
    /// `datetime`.
    DateTime,
    /// `localdatetime`.
    LocalDateTime,
    /// `duration`.
    Duration,
    /// `point`.
    Point,
    /// `geometry`: GeoJSON. neo4j-admin has no such type.
    Geometry,
}

/// How ids of a space are stored and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdType {
    /// As they are written.
    #[default]
    Text,
    /// As whole numbers of 64 bits: `007` is `7`.
    Integer,
}

impl IdType {
    /// The type of a word, in any case.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match &*word.to_ascii_lowercase() {
            "string" => Some(Self::Text),
            "int" | "long" | "integer" => Some(Self::Integer),
            _ => None,
        }
    }

    /// The word of its type.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "long",
        }
    }

    /// The name that a field says: equal ids have equal names. An empty field names nothing.
    #[inline]
    pub(crate) fn name(self, field: &str) -> Result<Cow<'_, str>, String> {
        match self {
            Self::Text => Ok(Cow::Borrowed(field)),
            Self::Integer if field.is_empty() => Ok(Cow::Borrowed(field)),
            Self::Integer => {
                text::parse_integer(field.trim(), 64).map(|number| Cow::Owned(number.to_string()))
            }
        }
    }

    /// The value of a name.
    pub(crate) fn value(self, name: &str) -> Option<Value> {
        match self {
            Self::Text => Some(Value::string(name)),
            Self::Integer => name.parse().ok().map(Value::I64),
        }
    }
}

/// Each type's word.
pub(super) const WORDS: [(&str, ElementType); 17] = [
    ("int", ElementType::Integer),
    ("long", ElementType::Integer),
    ("short", ElementType::Integer),
    ("byte", ElementType::Integer),
    ("float", ElementType::Double),
    ("double", ElementType::Double),
    ("boolean", ElementType::Boolean),
    ("string", ElementType::String),
    ("char", ElementType::Char),
    ("date", ElementType::Date),
    ("localtime", ElementType::LocalTime),
    ("time", ElementType::Time),
    ("datetime", ElementType::DateTime),
    ("localdatetime", ElementType::LocalDateTime),
    ("duration", ElementType::Duration),
    ("point", ElementType::Point),
    ("geometry", ElementType::Geometry),
];

/// The words for the roles of fields that are no property's.
pub(super) const ROLES: [&str; 6] = ["ID", "START_ID", "END_ID", "LABEL", "TYPE", "IGNORE"];

/// Whether a field that ends in this word, with an id space or options behind it or not, says its role or
/// its type.
pub(super) fn is_role_or_type(word: &str) -> bool {
    let word = word.split(['(', '{']).next().unwrap_or(word);
    let is_role = ROLES.iter().any(|role| role.eq_ignore_ascii_case(word));
    is_role || FieldType::from_word(word).is_some()
}

/// The type of a property field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldType {
    /// Of one value.
    pub element: ElementType,
    /// Whether there are several, `int[]`.
    pub array: bool,
}

impl FieldType {
    /// Plain text, which no content can make wrong.
    pub(crate) const TEXT: Self = Self { element: ElementType::String, array: false };

    /// Its word, of several the widest.
    pub(crate) fn word(self) -> String {
        let mut words = WORDS.iter().rev().filter(|(_, element)| *element == self.element);
        let word = match self.element {
            ElementType::Integer => "long",
            _ => words.next().map_or("string", |(word, _)| word),
        };
        format!("{word}{}", if self.array { "[]" } else { "" })
    }

    /// The type of a word, `int` or `int[]`, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        let (name, array) = match word.strip_suffix("[]") {
            Some(name) => (name, true),
            None => (word, false),
        };
        let (_, element) = *WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(Self { element, array })
    }

    /// A field that is not empty, as a value.
    pub(crate) fn parse(
        self,
        field: &str,
        array_delimiter: char,
        options: &PropertyOptions,
    ) -> Result<Value, String> {
        if !self.array {
            let value = self.element.parse(field, options);
            return match options.is_guessed && value.is_ok() && !accepts(self, field) {
                true => Err(format!(
                    "as a {}, '{}' would be another value",
                    self.word(),
                    excerpt(field)
                )),
                false => value.map_err(|detail| detail + null_hint(field)),
            };
        }
        let elements: Vec<Value> = field
            .split(array_delimiter)
            .map(|element| self.element.parse(element, options))
            .collect::<Result<_, _>>()?;
        match elements.len() <= ROW_PARTS_MAX {
            true => Ok(Value::list(elements)),
            false => Err(format!("expected at most {ROW_PARTS_MAX} elements in an array")),
        }
    }
}

impl FieldType {
    /// The same, where a list is an array of JSON.
    pub(super) fn parse_json(self, field: &str) -> Result<Value, String> {
        let usual = PropertyOptions::default();
        if !self.array {
            return self.element.parse(field, &usual);
        }
        let expected = || format!("expected a list, as [1, 2], found '{}'", excerpt(field));
        let list = Json::parse(field.as_bytes()).map_err(|_| expected())?;
        let element = |value: &Json| match value {
            Json::String(text) => self.element.parse(text, &usual),
            Json::Number(_) | Json::Bool(_) => self.element.parse(&value.to_string(), &usual),
            Json::Null | Json::Array(_) | Json::Object(_) => Err(expected()),
        };
        let values = list.as_array().ok_or_else(expected)?.iter().map(element);
        values.collect::<Result<Vec<_>, _>>().map(Value::list)
    }
}

/// Words that other programs write where there is no value.
fn null_hint(field: &str) -> &'static str {
    let words = ["\\N", "NULL", "null", "NA", "N/A", "n/a", "None", "none", "nil", "-", "\\\\N"];
    match words.contains(&field.trim()) {
        true => ": if it stands for no value, name it by --null",
        false => "",
    }
}

impl ElementType {
    fn parse(self, field: &str, options: &PropertyOptions) -> Result<Value, String> {
        let zone = options.zone.as_ref().unwrap_or(&ZoneId::UTC);
        let trimmed = field.trim();
        match self {
            Self::Integer => text::parse_integer(trimmed, 64).map(Value::I64),
            Self::Double => text::parse_double(trimmed).map(Value::F64),
            Self::Boolean => text::parse_boolean(trimmed).map(Value::Bool),
            Self::String => Ok(Value::string(field)),
            Self::Char if field.chars().count() == 1 => Ok(Value::string(field)),
            Self::Char => Err(format!("expected one character, found '{}'", excerpt(field))),
            Self::Date => text::parse_date(trimmed),
            Self::LocalTime => text::parse_local_time(trimmed),
            Self::Time => text::parse_time_in(trimmed, zone),
            Self::DateTime => text::parse_datetime_in(trimmed, zone),
            Self::LocalDateTime => text::parse_local_datetime(trimmed),
            Self::Duration => text::parse_duration(trimmed),
            Self::Point => text::parse_point_in(trimmed, options.srid),
            Self::Geometry => text::parse_geometry(trimmed),
        }
    }
}
