//! A column as bytes: typed arrays where all entries are of one type, else value by value.
//!
//! ```text
//!   flags u8   bit 0: nulls follow, bit 1: absents follow
//!   [nulls bitmap] [absents bitmap]      bits u64, words u64[]
//!   type u8    1 vertex u64[]   2 edge u64[]   3 boolean bitmap   4 integer i64[]   5 double f64[]
//!              6 text: bytes u64, u64[] ends, UTF-8     7 values: count u64, value each
//!              8 timestamp: count u64, 16 bytes each    9 day: i32 as u32[]
//! ```
//!
//! Timestamps and days are arrays in bytes and plain values in memory. Bags and field lists live
//! only in results; a column of them is a bug of the caller.

use millrace_model::temporal::Date;
use millrace_model::{Bits, Column, ColumnValues, EdgeId, Strings, Value, VertexId};

use super::reader::{Reader, Result as Decoded};
use super::value::{decode_value, encode_value, put_timestamp, take_timestamp};
use super::{put_bits, put_f64s, put_i64s, put_u32s, put_u64, put_u64s};
use crate::base::error::Result;

const NULLS: u8 = 1;
const ABSENTS: u8 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Vertex = 1,
    Edge = 2,
    Boolean = 3,
    Integer = 4,
    Double = 5,
    Text = 6,
    Values = 7,
    Timestamp = 8,
    Day = 9,
}

/// Appends a column.
pub fn encode_column(bytes: &mut Vec<u8>, column: &Column) -> Result<()> {
    let flag = |bits: &Option<Bits>, flag| if bits.is_some() { flag } else { 0 };
    bytes.push(flag(&column.nulls, NULLS) | flag(&column.absents, ABSENTS));
    for marks in [&column.nulls, &column.absents].into_iter().flatten() {
        put_bits(bytes, marks);
    }
    encode_values(bytes, &column.values)
}

fn encode_values(bytes: &mut Vec<u8>, values: &ColumnValues) -> Result<()> {
    match values {
        ColumnValues::Vertex(vertices) => {
            bytes.push(Type::Vertex as u8);
            put_u64s(bytes, &vertices.iter().map(|vertex| vertex.0).collect::<Vec<_>>());
        }
        ColumnValues::Edge(edges) => {
            bytes.push(Type::Edge as u8);
            put_u64s(bytes, &edges.iter().map(|edge| edge.0).collect::<Vec<_>>());
        }
        ColumnValues::Bool(truths) => {
            bytes.push(Type::Boolean as u8);
            put_bits(bytes, &truths.iter().copied().collect());
        }
        ColumnValues::I64(ints) => {
            bytes.push(Type::Integer as u8);
            put_i64s(bytes, ints);
        }
        ColumnValues::F64(doubles) => {
            bytes.push(Type::Double as u8);
            put_f64s(bytes, doubles);
        }
        ColumnValues::String(texts) => encode_texts(bytes, texts),
        ColumnValues::Value(values) => return encode_mixed(bytes, values),
        ColumnValues::Path(_) | ColumnValues::Bag(_) | ColumnValues::Fields(_) => {
            unreachable!("results are never stored")
        }
    }
    Ok(())
}

fn encode_texts(bytes: &mut Vec<u8>, texts: &Strings) {
    bytes.push(Type::Text as u8);
    let mut end = 0;
    let ends: Vec<u64> = texts
        .iter()
        .map(|text| {
            end += text.len() as u64;
            end
        })
        .collect();
    put_u64s(bytes, &ends);
    bytes.reserve(texts.byte_size());
    texts.iter().for_each(|text| bytes.extend_from_slice(text.as_bytes()));
}

fn encode_mixed(bytes: &mut Vec<u8>, values: &[Value]) -> Result<()> {
    let timestamps = || values.iter().all(|value| matches!(value, Value::DateTime(_)));
    // Days beyond 32 bits are stored as values.
    let days = || values.iter().map(day_in_32_bits).collect::<Option<Vec<_>>>();
    if !values.is_empty() && timestamps() {
        bytes.push(Type::Timestamp as u8);
        put_u64(bytes, values.len() as u64);
        for value in values {
            if let Value::DateTime(timestamp) = value {
                put_timestamp(bytes, *timestamp);
            }
        }
        return Ok(());
    }
    if let (false, Some(days)) = (values.is_empty(), days()) {
        bytes.push(Type::Day as u8);
        put_u32s(bytes, &days);
        return Ok(());
    }
    bytes.push(Type::Values as u8);
    put_u64(bytes, values.len() as u64);
    values.iter().try_for_each(|value| encode_value(bytes, value))
}

fn day_in_32_bits(value: &Value) -> Option<u32> {
    match value {
        Value::Date(date) => i32::try_from(date.days).ok().map(i32::cast_unsigned),
        _ => None,
    }
}

/// Takes a column.
pub fn decode_column(reader: &mut Reader<'_>) -> Decoded<Column> {
    let flags = reader.u8()?;
    if flags & !(NULLS | ABSENTS) != 0 {
        return Err(reader.malformed("a column has unknown flags"));
    }
    let mut marks = |flag| (flags & flag != 0).then(|| reader.bits()).transpose();
    let (nulls, absents) = (marks(NULLS)?, marks(ABSENTS)?);
    let values = decode_values(reader)?;
    let fits = |marks: &Option<Bits>| marks.as_ref().is_none_or(|bits| bits.len() <= values.len());
    if !fits(&nulls) || !fits(&absents) {
        return Err(reader.malformed("a column has more marks than entries"));
    }
    Ok(Column { values, nulls, absents })
}

fn decode_values(reader: &mut Reader<'_>) -> Decoded<ColumnValues> {
    let code = reader.u8()?;
    Ok(match Type::of(code) {
        Some(Type::Vertex) => {
            ColumnValues::Vertex(reader.u64s()?.into_iter().map(VertexId).collect())
        }
        Some(Type::Edge) => ColumnValues::Edge(reader.u64s()?.into_iter().map(EdgeId).collect()),
        Some(Type::Boolean) => {
            let bits = reader.bits()?;
            ColumnValues::Bool((0..bits.len()).map(|index| bits.get(index)).collect())
        }
        Some(Type::Integer) => ColumnValues::I64(reader.i64s()?),
        Some(Type::Double) => ColumnValues::F64(reader.f64s()?),
        Some(Type::Text) => ColumnValues::String(decode_texts(reader)?),
        Some(Type::Values) => {
            let count = reader.count(1)?;
            ColumnValues::Value((0..count).map(|_| decode_value(reader)).collect::<Decoded<_>>()?)
        }
        Some(Type::Timestamp) => {
            let count = reader.count(16)?;
            let timestamps = (0..count).map(|_| Ok(Value::DateTime(take_timestamp(reader)?)));
            ColumnValues::Value(timestamps.collect::<Decoded<_>>()?)
        }
        Some(Type::Day) => {
            let days = reader.u32s()?.into_iter();
            ColumnValues::Value(
                days.map(|days| Value::Date(Date { days: days.cast_signed().into() })).collect(),
            )
        }
        None => return Err(reader.malformed("a column has an unknown type")),
    })
}

fn decode_texts(reader: &mut Reader<'_>) -> Decoded<Strings> {
    let ends = reader.u64s()?;
    let length = ends.last().copied().unwrap_or(0);
    let length = u32::try_from(length).map_err(|_| reader.malformed("texts exceed 4 GiB"))?;
    let bytes = reader.take(length as usize)?;
    let text = std::str::from_utf8(bytes).map_err(|_| reader.malformed("a text is not UTF-8"))?;
    let mut texts = Strings::default();
    let mut start = 0;
    for end in ends {
        let end = end as usize;
        let piece = text.get(start..end);
        texts.push(piece.ok_or_else(|| reader.malformed("the ends of texts do not ascend"))?);
        start = end;
    }
    Ok(texts)
}

impl Type {
    const ALL: [Type; 9] = [
        Type::Vertex,
        Type::Edge,
        Type::Boolean,
        Type::Integer,
        Type::Double,
        Type::Text,
        Type::Values,
        Type::Timestamp,
        Type::Day,
    ];

    fn of(code: u8) -> Option<Type> {
        Self::ALL.into_iter().find(|&kind| kind as u8 == code)
    }
}
