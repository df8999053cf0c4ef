//! Static types. Each contains null: a type says which values an expression can have besides.
//!
//! ```text
//!   Any ── Boolean, String, Number ── Integer, Float
//!       ── Node, Relationship, Path, Map, List(T), Point
//!       ── Date, LocalTime, Time, LocalDateTime, DateTime, Duration
//!       ── Property: that of a node or a relationship, all of these but Node, Relationship, Path and Map
//!   Null: below all of them, the type of `null` and of the entries of `[]`
//! ```

use std::fmt;

/// A static type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Type {
    #[default]
    Any,
    Null,
    Boolean,
    Integer,
    Float,
    /// An integer or a float.
    Number,
    String,
    Node,
    Relationship,
    Path,
    Map,
    List(Box<Type>),
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    DateTime,
    Duration,
    Point,
    /// A value that an element stores: no map, no element, no path.
    Property,
}

/// The types of a property, as messages list them.
const STORED: &str = "Boolean, Float, Integer, Number, Point, String, Duration, Date, Time, LocalTime, LocalDateTime, \
    DateTime, List<Boolean>, List<Float>, List<Integer>, List<Number>, List<Point>, List<String>, List<Duration>, \
    List<Date>, List<Time>, List<LocalTime>, List<LocalDateTime> or List<DateTime>";

impl Type {
    /// A list with entries of a type.
    pub(crate) fn list(entry: Type) -> Type {
        Type::List(Box::new(entry))
    }

    /// The type of the entries; of what is no list any.
    pub(crate) fn entry(&self) -> Type {
        match self {
            Type::List(entry) => (**entry).clone(),
            Type::Property => Type::Property,
            _ => Type::Any,
        }
    }

    /// The least type that contains both.
    pub(crate) fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (one, other) if one == other => one.clone(),
            (Type::Null, other) => other.clone(),
            (one, Type::Null) => one.clone(),
            (Type::List(one), Type::List(other)) => Type::list(one.join(other)),
            (one, other) if one.is_number() && other.is_number() => Type::Number,
            _ => Type::Any,
        }
    }

    /// Whether a value other than null can be of both; null alone and any type are of every type.
    pub(crate) fn overlaps(&self, other: &Type) -> bool {
        match (self, other) {
            (one, other) if one == other => true,
            (Type::Property, other) | (other, Type::Property) => other.may_be_stored(),
            (one, other) if one.is_open() || other.is_open() => true,
            // The empty list is of every type of list.
            (Type::List(_), Type::List(_)) => true,
            (Type::Number, other) | (other, Type::Number) => other.is_number(),
            _ => false,
        }
    }

    /// Whether nothing, or little, is known: any type, null alone, or that of a property.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Type::Any | Type::Null | Type::Property)
    }

    /// Whether an element may store a value of the type.
    fn may_be_stored(&self) -> bool {
        !self.is_element() && !matches!(self, Type::Path | Type::Map)
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Type::Integer | Type::Float | Type::Number)
    }

    /// Whether it is a node or a relationship.
    pub(crate) fn is_element(&self) -> bool {
        matches!(self, Type::Node | Type::Relationship)
    }

    /// Whether it is a date, a time, or both.
    pub(crate) fn is_instant(&self) -> bool {
        matches!(
            self,
            Type::Date | Type::LocalTime | Type::Time | Type::LocalDateTime | Type::DateTime
        )
    }

    /// Whether `x.key` can have a value: of a map, an element, or a value with components.
    pub(crate) fn has_keys(&self) -> bool {
        let has_components = matches!(self, Type::Duration | Type::Point) || self.is_instant();
        self.is_open() || self.is_element() || *self == Type::Map || has_components
    }
}

/// As messages name it.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::Any => "Any",
            Type::Null => "Null",
            Type::Boolean => "Boolean",
            Type::Integer => "Integer",
            Type::Float => "Float",
            Type::Number => "Number",
            Type::String => "String",
            Type::Node => "Node",
            Type::Relationship => "Relationship",
            Type::Path => "Path",
            Type::Map => "Map",
            Type::List(entry) => return write!(f, "List<{entry}>"),
            Type::Date => "Date",
            Type::LocalTime => "LocalTime",
            Type::Time => "Time",
            Type::LocalDateTime => "LocalDateTime",
            Type::DateTime => "DateTime",
            Type::Duration => "Duration",
            Type::Point => "Point",
            Type::Property => STORED,
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_join_of_two_types_contains_both() {
        let list = |entry| Type::list(entry);
        let cases = [
            (Type::Integer, Type::Integer, Type::Integer),
            (Type::Integer, Type::Float, Type::Number),
            (Type::Null, Type::Node, Type::Node),
            (Type::Node, Type::Integer, Type::Any),
            (list(Type::Null), list(Type::Node), list(Type::Node)),
            (list(Type::Integer), list(Type::String), list(Type::Any)),
            (list(Type::Integer), Type::String, Type::Any),
        ];
        for (one, other, both) in cases {
            assert_eq!(one.join(&other), both, "{one} and {other}");
            assert_eq!(other.join(&one), both, "{other} and {one}");
        }
    }

    #[test]
    fn types_overlap_where_a_value_can_be_of_both() {
        assert!(Type::Any.overlaps(&Type::Node));
        assert!(Type::Null.overlaps(&Type::Node));
        assert!(Type::Integer.overlaps(&Type::Number));
        assert!(Type::list(Type::Node).overlaps(&Type::list(Type::String)), "both may be empty");
        assert!(!Type::String.overlaps(&Type::Number));
        assert!(!Type::Integer.overlaps(&Type::Float));
        assert!(!Type::list(Type::Any).overlaps(&Type::Map));
        assert!(!Type::Property.overlaps(&Type::Map), "no element stores a map");
        assert!(!Type::Node.overlaps(&Type::Property));
        assert!(Type::Property.overlaps(&Type::list(Type::Any)));
        assert!(Type::Property.overlaps(&Type::Any));
    }
}
