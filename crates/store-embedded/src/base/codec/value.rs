//! One value of any kind as bytes: a tag, then its content. Every width and every bit is kept.
//!
//! ```text
//!   tag u8   content
//!    0 null    -                  12 date       i32 days
//!    1 false   -                  13 time       u64 nanos, offset
//!    2 true    -                  14 datetime   i64 seconds, u32 nanos, i32 offset
//!    3 i8      1 byte             15 zoned      as 14, text
//!    4 i16     2 bytes            16 duration   i64 months, i64 days, i64 seconds, u32 nanos
//!    5 i32     4 bytes            17 point      u32 srid, u64 count, f64 each
//!    6 i64     8 bytes            18 list       u64 count, values
//!    7 f32     4 bytes            19 set        u64 count, values
//!    8 f64     8 bytes            20 map        u64 count, key and value each
//!    9 decimal i128, u32 scale    21 vertex     u64
//!   10 text    u32 length, UTF-8  22 edge       u64
//!   11 bytes   u32 length, bytes  23 path       u64 count, (value, u64 tags, text each) each
//!   24 uuid    16 bytes                30 graph      u64 count, u64 vertices, u64 count, u64 edges
//!   29 values  u32 next, u64 count, (u32 ordinal, value, u64 count, text and value each) each
//!   32 date    i64 days, where 12 has no room
//!   33 vector  u64 count, f32 each
//!   34 geometry  u8 type: 0 point, two f64; 1 polygon, u64 rings, each u64 positions of two f64;
//!              2 multipolygon, u64 polygons, each as 1
//! ```
//!
//! An offset is a tag byte (0 none, 1 some) and an i32. Tags are part of the format: add, never
//! renumber. Nesting is bounded, so bytes from anywhere decode without exhausting the stack.

use std::sync::Arc;

use millrace_model::decimal::Decimal;
use millrace_model::path::Path;
use millrace_model::temporal::{Date, DateTime, Duration, Time};
use millrace_model::value::Point;
use millrace_model::{
    EdgeId, Property, PropertyValue, PropertyValues, Subgraph, Token, Tree, Value, VertexId,
    VertexProperty,
};

use super::geometry::{put_geometry, take_geometry};
use super::reader::{Reader, Result as Decoded};
use super::{put_bytes, put_f64s, put_i64, put_text, put_u32, put_u64};
use crate::base::error::{Error, Result};
use crate::base::limits::VALUE_DEPTH_MAX;

/// Appends a value; refused if it nests deeper than [`VALUE_DEPTH_MAX`].
pub fn encode_value(bytes: &mut Vec<u8>, value: &Value) -> Result<()> {
    encode_at(bytes, value, 0)
}

/// Takes a value.
pub fn decode_value(reader: &mut Reader<'_>) -> Decoded<Value> {
    decode_at(reader, 0)
}

fn encode_at(bytes: &mut Vec<u8>, value: &Value, depth: usize) -> Result<()> {
    if depth > VALUE_DEPTH_MAX {
        return Err(Error::TooDeep { depth_max: VALUE_DEPTH_MAX });
    }
    bytes.push(tag(value));
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::I8(int) => bytes.extend_from_slice(&int.to_le_bytes()),
        Value::I16(int) => bytes.extend_from_slice(&int.to_le_bytes()),
        Value::I32(int) => bytes.extend_from_slice(&int.to_le_bytes()),
        Value::I64(int) => put_i64(bytes, *int),
        Value::F32(float) => bytes.extend_from_slice(&float.to_le_bytes()),
        Value::F64(double) => bytes.extend_from_slice(&double.to_le_bytes()),
        Value::Decimal(decimal) => {
            bytes.extend_from_slice(&decimal.unscaled.to_le_bytes());
            put_u32(bytes, decimal.scale);
        }
        Value::String(text) => put_content(bytes, text.as_bytes())?,
        Value::Bytes(content) => put_content(bytes, content)?,
        Value::Uuid(uuid) => bytes.extend_from_slice(uuid),
        Value::Date(date) => match i32::try_from(date.days) {
            Ok(days) => bytes.extend_from_slice(&days.to_le_bytes()),
            Err(_) => put_i64(bytes, date.days),
        },
        Value::Time(time) => put_time(bytes, *time),
        Value::DateTime(timestamp) => put_timestamp(bytes, *timestamp),
        Value::ZonedDateTime(zoned) => {
            put_timestamp(bytes, zoned.0);
            put_text(bytes, &zoned.1);
        }
        Value::Duration(duration) => put_duration(bytes, duration),
        Value::Point(point) => {
            put_u32(bytes, point.srid);
            put_f64s(bytes, &point.coordinates);
        }
        Value::Geometry(shape) => put_geometry(bytes, shape),
        Value::List(values) | Value::Set(values) => {
            put_u64(bytes, values.len() as u64);
            for value in values.iter() {
                encode_at(bytes, value, depth + 1)?;
            }
        }
        Value::Vector(numbers) => {
            put_u64(bytes, numbers.len() as u64);
            numbers.iter().for_each(|own| bytes.extend_from_slice(&own.to_le_bytes()));
        }
        Value::Map(pairs) => {
            put_u64(bytes, pairs.len() as u64);
            for (key, value) in pairs.iter() {
                encode_at(bytes, key, depth + 1)?;
                encode_at(bytes, value, depth + 1)?;
            }
        }
        Value::Vertex(vertex) => put_u64(bytes, vertex.0),
        Value::Edge(edge) => put_u64(bytes, edge.0),
        Value::Path(path) => encode_path(bytes, path, depth)?,
        Value::VertexProperty(property) => {
            put_u64(bytes, property.owner.0);
            put_text(bytes, &property.key);
            put_u32(bytes, property.ordinal);
        }
        Value::Property(property) => {
            encode_at(bytes, &property.owner, depth + 1)?;
            put_text(bytes, &property.key);
            encode_at(bytes, &property.value, depth + 1)?;
        }
        Value::Tree(tree) => encode_tree(bytes, tree, depth)?,
        Value::Token(token) => bytes.push(token.number()),
        Value::PropertyValues(property) => encode_property(bytes, property, depth)?,
        Value::Subgraph(part) => {
            put_u64(bytes, part.vertices().len() as u64);
            part.vertices().iter().for_each(|vertex| put_u64(bytes, vertex.0));
            put_u64(bytes, part.edges().len() as u64);
            part.edges().iter().for_each(|edge| put_u64(bytes, edge.0));
        }
        Value::MapEntry(entry) => {
            encode_at(bytes, &entry.0, depth + 1)?;
            encode_at(bytes, &entry.1, depth + 1)?;
        }
    }
    Ok(())
}

fn tag(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::I8(_) => 3,
        Value::I16(_) => 4,
        Value::I32(_) => 5,
        Value::I64(_) => 6,
        Value::F32(_) => 7,
        Value::F64(_) => 8,
        Value::Decimal(_) => 9,
        Value::String(_) => 10,
        Value::Bytes(_) => 11,
        Value::Date(date) if i32::try_from(date.days).is_err() => 32,
        Value::Date(_) => 12,
        Value::Time(_) => 13,
        Value::DateTime(_) => 14,
        Value::ZonedDateTime(_) => 15,
        Value::Duration(_) => 16,
        Value::Point(_) => 17,
        Value::List(_) => 18,
        Value::Set(_) => 19,
        Value::Map(_) => 20,
        Value::Vertex(_) => 21,
        Value::Edge(_) => 22,
        Value::Path(_) => 23,
        Value::Uuid(_) => 24,
        Value::VertexProperty(_) => 25,
        Value::Property(_) => 26,
        Value::Tree(_) => 27,
        Value::Token(_) => 28,
        Value::PropertyValues(_) => 29,
        Value::Subgraph(_) => 30,
        Value::MapEntry(_) => 31,
        Value::Vector(_) => 33,
        Value::Geometry(_) => 34,
    }
}

/// Appends the length and the bytes; refused if 4 bytes can't say the length.
fn put_content(bytes: &mut Vec<u8>, content: &[u8]) -> Result<()> {
    if u32::try_from(content.len()).is_err() {
        let (what, bytes_max) = ("one text or byte string", u64::from(u32::MAX));
        return Err(Error::TooLarge { what, bytes: content.len() as u64, bytes_max });
    }
    put_bytes(bytes, content);
    Ok(())
}

fn put_time(bytes: &mut Vec<u8>, time: Time) {
    put_u64(bytes, time.nanos);
    bytes.push(u8::from(time.offset_seconds.is_some()));
    bytes.extend_from_slice(&time.offset_seconds.unwrap_or(0).to_le_bytes());
}

pub(super) fn put_timestamp(bytes: &mut Vec<u8>, timestamp: DateTime) {
    put_i64(bytes, timestamp.seconds);
    put_u32(bytes, timestamp.nanos);
    bytes.extend_from_slice(&timestamp.offset_seconds.to_le_bytes());
}

fn put_duration(bytes: &mut Vec<u8>, duration: &Duration) {
    put_i64(bytes, duration.months);
    put_i64(bytes, duration.days);
    put_i64(bytes, duration.seconds);
    put_u32(bytes, duration.nanos);
}

fn encode_path(bytes: &mut Vec<u8>, path: &Path, depth: usize) -> Result<()> {
    put_u64(bytes, path.len() as u64);
    for (object, tags) in path.objects().iter().zip(path.tags().iter()) {
        encode_at(bytes, object, depth + 1)?;
        put_u64(bytes, tags.len() as u64);
        tags.iter().for_each(|tag| put_text(bytes, tag));
    }
    Ok(())
}

/// A tree is as deep as its paths are long, so its depth counts like that of nested lists.
fn encode_tree(bytes: &mut Vec<u8>, tree: &Tree, depth: usize) -> Result<()> {
    if depth > VALUE_DEPTH_MAX {
        return Err(Error::TooDeep { depth_max: VALUE_DEPTH_MAX });
    }
    put_u64(bytes, tree.branches.len() as u64);
    for (value, below) in &tree.branches {
        encode_at(bytes, value, depth + 1)?;
        encode_tree(bytes, below, depth + 1)?;
    }
    Ok(())
}

fn encode_property(bytes: &mut Vec<u8>, property: &PropertyValues, depth: usize) -> Result<()> {
    put_u32(bytes, property.next_ordinal());
    put_u64(bytes, property.values().len() as u64);
    for own in property.values() {
        put_u32(bytes, own.ordinal);
        encode_at(bytes, &own.value, depth + 1)?;
        put_u64(bytes, own.meta.len() as u64);
        for (key, value) in &own.meta {
            put_text(bytes, key);
            encode_at(bytes, value, depth + 1)?;
        }
    }
    Ok(())
}

fn decode_at(reader: &mut Reader<'_>, depth: usize) -> Decoded<Value> {
    if depth > VALUE_DEPTH_MAX {
        return Err(reader.malformed("a value nests too deep"));
    }
    Ok(match reader.u8()? {
        0 => Value::Null,
        1 => Value::Bool(false),
        2 => Value::Bool(true),
        3 => Value::I8(i8::from_le_bytes([reader.u8()?])),
        4 => Value::I16(reader.u16()?.cast_signed()),
        5 => Value::I32(reader.i32()?),
        6 => Value::I64(reader.i64()?),
        7 => Value::F32(f32::from_bits(reader.u32()?)),
        8 => Value::F64(reader.f64()?),
        9 => decode_decimal(reader)?,
        10 => Value::string(reader.text()?),
        11 => Value::Bytes(Arc::from(reader.bytes()?)),
        12 => Value::Date(Date { days: reader.i32()?.into() }),
        13 => decode_time(reader)?,
        14 => Value::DateTime(take_timestamp(reader)?),
        15 => {
            let timestamp = take_timestamp(reader)?;
            Value::ZonedDateTime(Arc::new((timestamp, Arc::from(reader.text()?))))
        }
        16 => decode_duration(reader)?,
        17 => {
            let srid = reader.u32()?;
            Value::Point(Arc::new(Point { srid, coordinates: reader.f64s()? }))
        }
        18 => Value::List(decode_values(reader, depth)?),
        19 => Value::Set(decode_values(reader, depth)?),
        20 => decode_map(reader, depth)?,
        21 => Value::Vertex(VertexId(reader.u64()?)),
        22 => Value::Edge(EdgeId(reader.u64()?)),
        23 => decode_path(reader, depth)?,
        24 => Value::Uuid(reader.array()?),
        25 => {
            let (owner, key) = (VertexId(reader.u64()?), Arc::from(reader.text()?));
            let ordinal = reader.u32()?;
            Value::VertexProperty(Arc::new(VertexProperty { owner, key, ordinal }))
        }
        26 => {
            let (owner, key) = (decode_at(reader, depth + 1)?, Arc::from(reader.text()?));
            let value = decode_at(reader, depth + 1)?;
            Value::Property(Arc::new(Property { owner, key, value }))
        }
        27 => Value::Tree(Arc::new(decode_tree(reader, depth)?)),
        28 => Value::Token(decode_token(reader)?),
        29 => decode_property(reader, depth)?,
        30 => {
            let (vertices, edges) = (decode_ids(reader)?, decode_ids(reader)?);
            let vertices = vertices.into_iter().map(VertexId).collect();
            let edges = edges.into_iter().map(EdgeId).collect();
            Value::Subgraph(Arc::new(Subgraph::new(vertices, edges)))
        }
        31 => {
            let key = decode_at(reader, depth + 1)?;
            Value::map_entry(key, decode_at(reader, depth + 1)?)
        }
        32 => {
            let date = Date::from_days(reader.i64()?);
            Value::Date(date.ok_or_else(|| reader.malformed("a day is beyond all years"))?)
        }
        33 => {
            let count = reader.count(4)?;
            Value::Vector(
                (0..count).map(|_| Ok(f32::from_bits(reader.u32()?))).collect::<Decoded<_>>()?,
            )
        }
        34 => Value::from(take_geometry(reader)?),
        _ => return Err(reader.malformed("a value has an unknown tag")),
    })
}

fn decode_ids(reader: &mut Reader<'_>) -> Decoded<Vec<u64>> {
    let count = reader.count(8)?;
    (0..count).map(|_| reader.u64()).collect()
}

fn decode_decimal(reader: &mut Reader<'_>) -> Decoded<Value> {
    let unscaled = i128::from_le_bytes(reader.array()?);
    Ok(Value::Decimal(Arc::new(Decimal { unscaled, scale: reader.u32()? })))
}

fn decode_time(reader: &mut Reader<'_>) -> Decoded<Value> {
    let nanos = reader.u64()?;
    let (marked, offset) = (reader.u8()?, reader.i32()?);
    let offset_seconds = match marked {
        0 => None,
        1 => Some(offset),
        _ => return Err(reader.malformed("an offset has an unknown tag")),
    };
    Ok(Value::Time(Time { nanos, offset_seconds }))
}

pub(super) fn take_timestamp(reader: &mut Reader<'_>) -> Decoded<DateTime> {
    let (seconds, nanos) = (reader.i64()?, reader.u32()?);
    Ok(DateTime { seconds, nanos, offset_seconds: reader.i32()? })
}

fn decode_duration(reader: &mut Reader<'_>) -> Decoded<Value> {
    let (months, days, seconds) = (reader.i64()?, reader.i64()?, reader.i64()?);
    Ok(Value::Duration(Arc::new(Duration { months, days, seconds, nanos: reader.u32()? })))
}

fn decode_values(reader: &mut Reader<'_>, depth: usize) -> Decoded<Arc<[Value]>> {
    let count = reader.count(1)?;
    (0..count).map(|_| decode_at(reader, depth + 1)).collect()
}

fn decode_map(reader: &mut Reader<'_>, depth: usize) -> Decoded<Value> {
    let count = reader.count(2)?;
    let pairs = (0..count)
        .map(|_| Ok((decode_at(reader, depth + 1)?, decode_at(reader, depth + 1)?)))
        .collect::<Decoded<Vec<_>>>()?;
    Ok(Value::map(pairs))
}

fn decode_tree(reader: &mut Reader<'_>, depth: usize) -> Decoded<Tree> {
    if depth > VALUE_DEPTH_MAX {
        return Err(reader.malformed("a tree nests too deep"));
    }
    let count = reader.count(9)?;
    let branches = (0..count)
        .map(|_| Ok((decode_at(reader, depth + 1)?, decode_tree(reader, depth + 1)?)))
        .collect::<Decoded<Vec<_>>>()?;
    Ok(Tree { branches })
}

fn decode_token(reader: &mut Reader<'_>) -> Decoded<Token> {
    let token = Token::of_number(reader.u8()?);
    token.ok_or_else(|| reader.malformed("a token has an unknown number"))
}

/// An encoding that no property has is damage; it is refused here, so no caller has to look for it.
fn decode_property(reader: &mut Reader<'_>, depth: usize) -> Decoded<Value> {
    let (next, count) = (reader.u32()?, reader.count(13)?);
    let mut values = Vec::new();
    for _ in 0..count {
        let (ordinal, value) = (reader.u32()?, decode_at(reader, depth + 1)?);
        let keys = reader.count(5)?;
        let meta = (0..keys)
            .map(|_| Ok((Arc::from(reader.text()?), decode_at(reader, depth + 1)?)))
            .collect::<Decoded<Vec<_>>>()?;
        values.push(PropertyValue { ordinal, value, meta });
    }
    let property = PropertyValues::of_parts(values, next);
    let property = property.ok_or_else(|| reader.malformed("values of a property are damaged"))?;
    Ok(Value::PropertyValues(Arc::new(property)))
}

fn decode_path(reader: &mut Reader<'_>, depth: usize) -> Decoded<Value> {
    let count = reader.count(9)?;
    let (mut objects, mut all_tags) = (Vec::new(), Vec::new());
    for _ in 0..count {
        objects.push(decode_at(reader, depth + 1)?);
        let tags = reader.count(4)?;
        let tags = (0..tags).map(|_| Ok(Arc::from(reader.text()?)));
        all_tags.push(tags.collect::<Decoded<Vec<_>>>()?);
    }
    Ok(Value::Path(Arc::new(Path::new(objects, all_tags))))
}
