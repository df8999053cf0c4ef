//! The types of Neo4j's JSON. Each value has one of them; values without one of their own have the nearest, as over
//! Bolt ([`crate::bolt::packstream`]).

use std::borrow::Cow;

use millrace_model::property_values::each_value;
use millrace_model::temporal::{DateTime, Seconds, text};
use millrace_model::value::Point;
use millrace_model::{
    DetachedElements, EdgeId, Error, ErrorKind, Result, Subgraph, Token, Tree, Value, VertexId,
    java_float, uuid,
};

use crate::bolt::packstream::element::elements_of;
use crate::limits::ANSWER_NESTING_MAX;

/// A value by its type.
pub(super) enum Kind<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Cow<'v, str>),
    Bytes(&'v [u8]),
    /// The type, and the text in ISO 8601.
    Temporal(Temporal, String),
    Point(&'v Point),
    List(&'v [Value]),
    Map(&'v [(Value, Value)]),
    Node(VertexId),
    Relationship(EdgeId),
    /// Vertices and the edges between them.
    Path(Vec<VertexId>, Vec<EdgeId>),
    /// A value of another type that stands for it.
    Other(Value),
}

/// A temporal type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temporal {
    Date,
    LocalTime,
    Time,
    LocalDateTime,
    /// With an offset.
    OffsetDateTime,
    /// With a named zone.
    ZonedDateTime,
    Duration,
}

impl Temporal {
    /// Its name in JSON with types.
    pub(super) fn typed_name(self) -> &'static str {
        match self {
            Temporal::Date => "Date",
            Temporal::LocalTime => "LocalTime",
            Temporal::Time => "Time",
            Temporal::LocalDateTime => "LocalDateTime",
            Temporal::OffsetDateTime => "OffsetDateTime",
            Temporal::ZonedDateTime => "ZonedDateTime",
            Temporal::Duration => "Duration",
        }
    }

    /// Its name beside a row of a transaction.
    pub(super) fn row_name(self) -> &'static str {
        match self {
            Temporal::Date => "date",
            Temporal::LocalTime => "localtime",
            Temporal::Time => "time",
            Temporal::LocalDateTime => "localdatetime",
            Temporal::OffsetDateTime | Temporal::ZonedDateTime => "datetime",
            Temporal::Duration => "duration",
        }
    }
}

impl<'v> Kind<'v> {
    pub(super) fn of(value: &'v Value, elements: &'v DetachedElements) -> Kind<'v> {
        let temporal =
            |temporal| Kind::Temporal(temporal, text(value, Seconds::Always).unwrap_or_default());
        match value {
            Value::Null => Kind::Null,
            Value::Bool(truth) => Kind::Bool(*truth),
            Value::I8(int) => Kind::Int(i64::from(*int)),
            Value::I16(int) => Kind::Int(i64::from(*int)),
            Value::I32(int) => Kind::Int(i64::from(*int)),
            Value::I64(int) => Kind::Int(*int),
            Value::F32(float) => Kind::Float(f64::from(*float)),
            Value::F64(float) => Kind::Float(*float),
            Value::Decimal(decimal) => match i64::try_from(decimal.unscaled) {
                Ok(int) if decimal.scale == 0 => Kind::Int(int),
                Ok(_) | Err(_) => Kind::Float(decimal.to_f64()),
            },
            Value::String(text) => Kind::String(Cow::Borrowed(text)),
            Value::Bytes(bytes) => Kind::Bytes(bytes),
            Value::Uuid(bytes) => Kind::String(Cow::Owned(uuid::text(*bytes))),
            Value::Date(_) => temporal(Temporal::Date),
            Value::Time(time) if time.offset_seconds.is_none() => temporal(Temporal::LocalTime),
            Value::Time(_) => temporal(Temporal::Time),
            Value::DateTime(at) if at.offset_seconds == DateTime::LOCAL => {
                temporal(Temporal::LocalDateTime)
            }
            Value::DateTime(_) => temporal(Temporal::OffsetDateTime),
            Value::ZonedDateTime(_) => temporal(Temporal::ZonedDateTime),
            Value::Duration(_) => temporal(Temporal::Duration),
            Value::Point(point) => Kind::Point(point),
            Value::List(values) | Value::Set(values) => Kind::List(values),
            Value::Geometry(shape) => Kind::Other(shape.as_map()),
            Value::Vector(_) => Kind::Other(value.clone().vectors_as_lists()),
            Value::Map(pairs) => Kind::Map(pairs),
            Value::MapEntry(entry) => Kind::Map(std::slice::from_ref(&**entry)),
            Value::Vertex(vertex) => Kind::Node(*vertex),
            Value::Edge(edge) => Kind::Relationship(*edge),
            Value::Path(path) => match elements_of(&path.objects()) {
                Some((vertices, edges)) => Kind::Path(vertices, edges),
                None => Kind::Other(Value::list(path.objects().into_owned())),
            },
            Value::VertexProperty(property) => match elements.properties.get(&**property) {
                Some(own) => Kind::of(&own.value, elements),
                None => Kind::Null,
            },
            Value::Property(property) => {
                let key = Value::String(property.key.clone());
                Kind::Other(Value::map(vec![(key, property.value.clone())]))
            }
            Value::Tree(tree) => Kind::Other(branches(tree)),
            Value::Token(token) => Kind::String(Cow::Borrowed(token_text(*token))),
            Value::PropertyValues(_) => {
                Kind::Other(Value::list(each_value(value).cloned().collect()))
            }
            Value::Subgraph(part) => Kind::Other(part_of_graph(part)),
        }
    }
}

fn token_text(token: Token) -> &'static str {
    use millrace_model::Direction;
    match token {
        Token::Id => "id",
        Token::Label => "label",
        Token::Key => "key",
        Token::Value => "value",
        Token::End(Direction::Out) => "OUT",
        Token::End(Direction::In) => "IN",
        Token::End(Direction::Both) => "BOTH",
    }
}

fn branches(tree: &Tree) -> Value {
    let branch = |(value, below): &(Value, Tree)| {
        Value::map(vec![
            (Value::from("value"), value.clone()),
            (Value::from("branches"), branches(below)),
        ])
    };
    Value::list(tree.branches.iter().map(branch).collect())
}

fn part_of_graph(part: &Subgraph) -> Value {
    let nodes = part.vertices().iter().map(|vertex| Value::Vertex(*vertex)).collect();
    let relationships = part.edges().iter().map(|edge| Value::Edge(*edge)).collect();
    Value::map(vec![
        (Value::from("nodes"), Value::list(nodes)),
        (Value::from("relationships"), Value::list(relationships)),
    ])
}

/// The text of a key of a map.
pub(super) fn key_text(key: &Value) -> Cow<'_, str> {
    match key.as_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(key.as_int().map_or_else(|| format!("{key:?}"), |int| int.to_string())),
    }
}

/// The number of a float in JSON, or its name where JSON has no number for it.
pub(super) fn write_float(out: &mut String, float: f64) {
    if float.is_finite() {
        out.push_str(&java_float::text(float));
    } else {
        out.push('"');
        out.push_str(float_text(float));
        out.push('"');
    }
}

/// The name of a float that is not finite.
pub(super) fn float_text(float: f64) -> &'static str {
    match (float.is_nan(), 0.0 < float) {
        (true, _) => "NaN",
        (false, true) => "Infinity",
        (false, false) => "-Infinity",
    }
}

/// The depth of what is inside a value, if it may nest so deep.
pub(super) fn deeper(depth: usize) -> Result<usize> {
    if ANSWER_NESTING_MAX <= depth {
        let detail = format!("a result nests deeper than {ANSWER_NESTING_MAX}");
        return Err(Error::new(ErrorKind::LimitReached, detail));
    }
    Ok(depth + 1)
}

/// Writes entries with commas between them.
pub(in crate::neo4j_http) fn write_list<T>(
    out: &mut String,
    entries: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T) -> Result<()>,
) -> Result<()> {
    out.push('[');
    for (index, entry) in entries.into_iter().enumerate() {
        if 0 < index {
            out.push(',');
        }
        write(out, entry)?;
    }
    out.push(']');
    Ok(())
}

/// Writes the fields of an object with commas between them.
pub(super) fn write_object<'k, T>(
    out: &mut String,
    entries: impl IntoIterator<Item = (Cow<'k, str>, T)>,
    mut write: impl FnMut(&mut String, T) -> Result<()>,
) -> Result<()> {
    out.push('{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if 0 < index {
            out.push(',');
        }
        crate::json::write_string(out, &key);
        out.push(':');
        write(out, value)?;
    }
    out.push('}');
    Ok(())
}
