//! Types as signatures write them: constants, where [`Type`] is one that is found.

use std::fmt;

use super::Type;

/// A type in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Any,
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
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    DateTime,
    Duration,
    Point,
    /// A list with such entries.
    List(&'static Kind),
    /// Any of several.
    OneOf(&'static [Kind]),
}

impl Kind {
    /// A list of anything.
    pub(crate) const LIST: Kind = Kind::List(&Kind::Any);
    /// A node, a relationship or a map.
    pub(crate) const WITH_KEYS: Kind = Kind::OneOf(&[Kind::Node, Kind::Relationship, Kind::Map]);
    /// A node or a relationship.
    pub(crate) const ELEMENT: Kind = Kind::OneOf(&[Kind::Node, Kind::Relationship]);

    /// Whether a value of a static type can be of this kind. Null can be of any.
    pub(crate) fn accepts(self, given: &Type) -> bool {
        match self {
            Kind::OneOf(kinds) => kinds.iter().any(|kind| kind.accepts(given)),
            // An integer will do for a float.
            Kind::Float => Type::Number.overlaps(given),
            kind => kind.as_type().overlaps(given),
        }
    }

    /// The static type; of several kinds any.
    pub(crate) fn as_type(self) -> Type {
        match self {
            Kind::Any | Kind::OneOf(_) => Type::Any,
            Kind::Boolean => Type::Boolean,
            Kind::Integer => Type::Integer,
            Kind::Float => Type::Float,
            Kind::Number => Type::Number,
            Kind::String => Type::String,
            Kind::Node => Type::Node,
            Kind::Relationship => Type::Relationship,
            Kind::Path => Type::Path,
            Kind::Map => Type::Map,
            Kind::Date => Type::Date,
            Kind::LocalTime => Type::LocalTime,
            Kind::Time => Type::Time,
            Kind::LocalDateTime => Type::LocalDateTime,
            Kind::DateTime => Type::DateTime,
            Kind::Duration => Type::Duration,
            Kind::Point => Type::Point,
            Kind::List(entry) => Type::list(entry.as_type()),
        }
    }
}

/// As Neo4j's manual writes it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Kind::Any => "ANY",
            Kind::Boolean => "BOOLEAN",
            Kind::Integer => "INTEGER",
            Kind::Float => "FLOAT",
            Kind::Number => "INTEGER | FLOAT",
            Kind::String => "STRING",
            Kind::Node => "NODE",
            Kind::Relationship => "RELATIONSHIP",
            Kind::Path => "PATH",
            Kind::Map => "MAP",
            Kind::Date => "DATE",
            Kind::LocalTime => "LOCAL TIME",
            Kind::Time => "ZONED TIME",
            Kind::LocalDateTime => "LOCAL DATETIME",
            Kind::DateTime => "ZONED DATETIME",
            Kind::Duration => "DURATION",
            Kind::Point => "POINT",
            Kind::List(entry) => return write!(f, "LIST<{entry}>"),
            Kind::OneOf(kinds) => {
                for (index, kind) in kinds.iter().enumerate() {
                    let between = if index == 0 { "" } else { " | " };
                    write!(f, "{between}{kind}")?;
                }
                return Ok(());
            }
        };
        f.write_str(name)
    }
}
