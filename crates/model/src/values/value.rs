//! Every value a property, a parameter or a row can hold.
//!
//! `==`, hashing and `Ord` are by identity and the one total order, in [`compare`](crate::compare); a
//! language's own equality is asked there by mode. A value is 24 bytes: larger ones are shared.

use std::fmt;
use std::sync::Arc;

use super::parts::{Property, Subgraph, Token, Tree, VertexProperty};
use super::path::Path;
use super::property_values::PropertyValues;
use crate::base::decimal::Decimal;
use crate::base::ids::{EdgeId, VertexId};
use crate::base::java_float;
use crate::calendar::{Date, DateTime, Duration, Time};
use crate::geometry::Geometry;

/// A map that keeps the order of insertion and takes any key.
pub type ValueMap = Vec<(Value, Value)>;

/// One value, its width kept.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Nothing, as a value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// 8-bit integer.
    I8(i8),
    /// 16-bit integer.
    I16(i16),
    /// 32-bit integer.
    I32(i32),
    /// 64-bit integer.
    I64(i64),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// Exact decimal.
    Decimal(Arc<Decimal>),
    /// Text.
    String(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// UUID, big-endian.
    Uuid([u8; 16]),
    /// Day.
    Date(Date),
    /// Time of day.
    Time(Time),
    /// Timestamp, or local date and time.
    DateTime(DateTime),
    /// Timestamp in a named zone.
    ZonedDateTime(Arc<(DateTime, Arc<str>)>),
    /// Amount of time.
    Duration(Arc<Duration>),
    /// Point in space.
    Point(Arc<Point>),
    /// Shape on the earth.
    Geometry(Arc<Geometry>),
    /// Ordered values.
    List(Arc<[Value]>),
    /// Numbers in single precision, a list to every language (`values/vector.rs`).
    Vector(Arc<[f32]>),
    /// Distinct values, in order of insertion.
    Set(Arc<[Value]>),
    /// Keys and values, in order of insertion.
    Map(Arc<ValueMap>),
    /// A vertex, by id.
    Vertex(VertexId),
    /// An edge, by id.
    Edge(EdgeId),
    /// Elements or values along a way, each with its tags.
    Path(Arc<Path>),
    /// A property of a vertex, as a thing.
    VertexProperty(Arc<VertexProperty>),
    /// Another property, as a thing.
    Property(Arc<Property>),
    /// Paths folded by their common beginnings.
    Tree(Arc<Tree>),
    /// A part of an element, as a key.
    Token(Token),
    /// The values of a multi-valued property, with their meta-properties.
    PropertyValues(Arc<PropertyValues>),
    /// A part of the graph.
    Subgraph(Arc<Subgraph>),
    /// One key of a map with its value, apart from the map.
    MapEntry(Arc<(Value, Value)>),
}

/// A point with its coordinate reference system.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// EPSG or OGC number of the reference system.
    pub srid: u32,
    /// Two or three coordinates.
    pub coordinates: Vec<f64>,
}

/// Well-known text, as Neo4j's JSON has it: `SRID=7203;POINT (1.0 2.0)`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.coordinates.len() == 3 { "POINT Z" } else { "POINT" };
        let coordinates: Vec<String> =
            self.coordinates.iter().map(|own| java_float::text(*own)).collect();
        write!(f, "SRID={};{kind} ({})", self.srid, coordinates.join(" "))
    }
}

impl Value {
    /// Text as a value.
    pub fn string(text: &str) -> Value {
        Value::String(Arc::from(text))
    }

    /// Values as a list.
    pub fn list(values: Vec<Value>) -> Value {
        Value::List(Arc::from(values))
    }

    /// Pairs as a map; their order is kept.
    pub fn map(pairs: ValueMap) -> Value {
        Value::Map(Arc::new(pairs))
    }

    /// A key and its value as the entry of a map.
    pub fn map_entry(key: Value, value: Value) -> Value {
        Value::MapEntry(Arc::new((key, value)))
    }

    /// The integer of any width.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::I8(int) => Some(i64::from(*int)),
            Value::I16(int) => Some(i64::from(*int)),
            Value::I32(int) => Some(i64::from(*int)),
            Value::I64(int) => Some(*int),
            _ => None,
        }
    }

    /// The number as a double, rounded if it must be.
    pub fn as_double(&self) -> Option<f64> {
        match self {
            Value::F32(double) => Some(f64::from(*double)),
            Value::F64(double) => Some(*double),
            Value::Decimal(decimal) => Some(decimal.to_f64()),
            other => other.as_int().map(|int| int as f64),
        }
    }

    /// A timestamp as RageDB shows it, in seconds since 1970: an integer where they are whole.
    pub fn as_seconds(&self) -> Option<Value> {
        let timestamp = match self {
            Value::DateTime(timestamp) => *timestamp,
            Value::ZonedDateTime(zoned) => zoned.0,
            _ => return None,
        };
        Some(match timestamp.nanos {
            0 => Value::I64(timestamp.seconds),
            _ => Value::F64(timestamp.seconds_as_double()),
        })
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The word for the value's type, in messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::I8(_) => "8-bit integer",
            Value::I16(_) => "16-bit integer",
            Value::I32(_) => "32-bit integer",
            Value::I64(_) => "integer",
            Value::F32(_) => "float",
            Value::F64(_) => "double",
            // See decision 0051.
            Value::Decimal(decimal) if decimal.scale == 0 => "big integer",
            Value::Decimal(_) => "decimal",
            Value::String(_) => "string",
            Value::Bytes(_) => "bytes",
            Value::Uuid(_) => "uuid",
            Value::Date(_) => "date",
            Value::Time(_) => "time",
            Value::DateTime(_) | Value::ZonedDateTime(_) => "datetime",
            Value::Duration(_) => "duration",
            Value::Point(_) => "point",
            Value::Geometry(_) => "geometry",
            Value::List(_) => "list",
            Value::Vector(_) => "vector",
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Vertex(_) => "vertex",
            Value::Edge(_) => "edge",
            Value::Path(_) => "path",
            Value::VertexProperty(_) => "vertex property",
            Value::Property(_) => "property",
            Value::Tree(_) => "tree",
            Value::Token(_) => "token",
            Value::PropertyValues(_) => "multi-valued property",
            Value::Subgraph(_) => "graph",
            Value::MapEntry(_) => "map entry",
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Value {
        Value::I64(int)
    }
}

impl From<f64> for Value {
    fn from(double: f64) -> Value {
        Value::F64(double)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_24_bytes() {
        assert_eq!(size_of::<Value>(), 24);
    }
}
