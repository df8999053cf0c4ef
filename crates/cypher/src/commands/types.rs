//! Types of properties that a constraint may require, as the words of the catalog.
//!
//! A value is stored as its type: an integer becomes a float where floats are required.

use millrace_model::{Error, PropertyType, Result, TextPosition};

use crate::translate::unsupported;
use crate::tree::TypeName;

/// The word of a type; refused where the catalog has none.
pub(super) fn type_word(at: TextPosition, wanted: &TypeName) -> Result<String> {
    let kind = match wanted {
        TypeName::List(entry) => match &**entry {
            TypeName::NotNull(entry) => single(entry).and_then(list_of),
            _ => None,
        },
        other => single(other),
    };
    kind.map(|kind| kind.to_string()).ok_or_else(|| no_word(at))
}

fn single(wanted: &TypeName) -> Option<PropertyType> {
    match wanted {
        TypeName::Boolean => Some(PropertyType::Boolean),
        TypeName::Integer => Some(PropertyType::Integer),
        TypeName::Float => Some(PropertyType::Double),
        TypeName::String => Some(PropertyType::String),
        TypeName::ZonedDateTime => Some(PropertyType::DateTime),
        TypeName::Nothing
        | TypeName::Null
        | TypeName::Date
        | TypeName::LocalTime
        | TypeName::ZonedTime
        | TypeName::LocalDateTime
        | TypeName::Duration
        | TypeName::Point
        | TypeName::Node
        | TypeName::Relationship
        | TypeName::Map
        | TypeName::Path
        | TypeName::PropertyValue
        | TypeName::Any
        | TypeName::List(_)
        | TypeName::OneOf(_)
        | TypeName::NotNull(_) => None,
    }
}

fn list_of(entry: PropertyType) -> Option<PropertyType> {
    let lists = PropertyType::ALL.iter().map(|(kind, _)| *kind);
    // The list of timestamps has entries of the type `date`, which is stored as they are.
    let wanted = if entry == PropertyType::DateTime { PropertyType::Date } else { entry };
    lists.into_iter().find(|list| list.element() == Some(wanted))
}

/// A type that the catalog has no word for.
fn no_word(at: TextPosition) -> Error {
    let help = "use BOOLEAN, INTEGER, FLOAT, STRING, ZONED DATETIME, or LIST<T NOT NULL> of them";
    unsupported(at, "a constraint of this type", help)
}
