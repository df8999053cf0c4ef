//! Values as bytes in the order of the values, so that a sorted file can be searched.
//!
//! `encode(a) < encode(b)` exactly where [`order`](crate::compare::order) says less, and equal
//! exactly where it says equal, so `1` and `1.0` are one key. No encoding begins another, so those
//! of several values, one after the other, are ordered like tuples. Files hold these bytes, so the
//! encoding may never change.
//!
//! ```text
//!   value      class u8, then
//!   number     greatest double that is not above it, 8 bytes; 0, or 1 and all its digits
//!   text       its bytes, 00 as 00 FF; 00 00        (bytes alike)
//!   sequence   01 and an element, for each; 00
//!   the rest   fields of fixed width, big-endian, signs flipped
//! ```

use super::total_order::{class, timestamp};
use crate::base::decimal::Decimal;
use crate::geometry::{Coordinates, Geometry};
use crate::values::parts::Tree;
use crate::values::property_values::PropertyValues;
use crate::values::value::{Point, Value};
use crate::values::vector::entries_of;

const END: u8 = 0;
const MORE: u8 = 1;

/// Appends the key of a value.
pub fn encode(value: &Value, bytes: &mut Vec<u8>) {
    bytes.push(class(value));
    match value {
        Value::Null => {}
        Value::Bool(truth) => bytes.push(u8::from(*truth)),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => {
            integer(value.as_int().expect("an integer of any width"), bytes);
        }
        Value::F32(float) => put_double(f64::from(*float), None, bytes),
        Value::F64(double) => put_double(*double, None, bytes),
        Value::Decimal(number) => decimal(**number, bytes),
        Value::Date(date) => signed(date.days, bytes),
        Value::Time(time) => {
            unsigned(time.nanos, bytes);
            bytes.push(u8::from(time.offset_seconds.is_some()));
            signed(time.offset_seconds.unwrap_or(0).into(), bytes);
        }
        Value::DateTime(_) | Value::ZonedDateTime(_) => {
            let (zoned, seconds, nanos) = timestamp(value).expect("a timestamp");
            bytes.push(u8::from(zoned));
            signed(seconds, bytes);
            unsigned(nanos.into(), bytes);
        }
        Value::Duration(amount) => {
            [amount.months, amount.days, amount.seconds].iter().for_each(|n| signed(*n, bytes));
            unsigned(amount.nanos.into(), bytes);
        }
        Value::String(text) => ended(text.as_bytes(), bytes),
        Value::Uuid(uuid) => bytes.extend(uuid),
        Value::Bytes(content) => ended(content, bytes),
        Value::Point(place) => point(place, bytes),
        Value::Geometry(shape) => geometry(shape, bytes),
        Value::Vertex(vertex) => unsigned(vertex.0, bytes),
        Value::Edge(edge) => unsigned(edge.0, bytes),
        Value::VertexProperty(property) => {
            unsigned(property.owner.0, bytes);
            ended(property.key.as_bytes(), bytes);
            unsigned(property.ordinal.into(), bytes);
        }
        Value::Property(property) => {
            encode(&property.owner, bytes);
            ended(property.key.as_bytes(), bytes);
            encode(&property.value, bytes);
        }
        Value::Path(path) => sequence(&path.objects(), bytes),
        Value::Set(values) | Value::List(values) => sequence(values, bytes),
        Value::Vector(numbers) => sequence(&entries_of(numbers), bytes),
        Value::Map(pairs) => {
            let mut pairs = pairs.to_vec();
            pairs.sort();
            for value in pairs.iter().flat_map(|(key, value)| [key, value]) {
                bytes.push(MORE);
                encode(value, bytes);
            }
            bytes.push(END);
        }
        Value::MapEntry(entry) => {
            encode(&entry.0, bytes);
            encode(&entry.1, bytes);
        }
        Value::Tree(folded) => tree(folded, bytes),
        Value::Token(token) => bytes.push(token.number()),
        Value::PropertyValues(property) => property_values(property, bytes),
        Value::Subgraph(part) => {
            ids(part.vertices().iter().map(|vertex| vertex.0), bytes);
            ids(part.edges().iter().map(|edge| edge.0), bytes);
        }
    }
}

/// Bytes that every value which compares with this one begins with, and no other does.
pub fn class_prefix(value: &Value) -> [u8; 1] {
    [class(value)]
}

/// The first bytes behind all that begin with these; empty if there are none.
pub fn after_prefix(prefix: &[u8]) -> Vec<u8> {
    let mut bytes = prefix.to_vec();
    while let Some(last) = bytes.pop() {
        if last != u8::MAX {
            bytes.push(last + 1);
            break;
        }
    }
    bytes
}

fn integer(int: i64, bytes: &mut Vec<u8>) {
    let nearest = int as f64;
    let exact = i128::from(int);
    match (nearest as i128).cmp(&exact) {
        std::cmp::Ordering::Equal => put_double(nearest, None, bytes),
        std::cmp::Ordering::Less => put_double(nearest, Some(whole(int)), bytes),
        std::cmp::Ordering::Greater => put_double(nearest.next_down(), Some(whole(int)), bytes),
    }
}

fn decimal(number: Decimal, bytes: &mut Vec<u8>) {
    let nearest = number.to_f64();
    match number.compare_double(nearest) {
        std::cmp::Ordering::Equal => put_double(nearest, None, bytes),
        std::cmp::Ordering::Greater => put_double(nearest, Some(number), bytes),
        std::cmp::Ordering::Less => put_double(zero(nearest).next_down(), Some(number), bytes),
    }
}

fn whole(int: i64) -> Decimal {
    Decimal { unscaled: int.into(), scale: 0 }
}

/// The double at or below a number and, where they differ, the number itself, which lies below the
/// next double.
fn put_double(double: f64, above: Option<Decimal>, bytes: &mut Vec<u8>) {
    bytes.extend(ordered_bits(zero(double)).to_be_bytes());
    let Some(number) = above else { return bytes.push(END) };
    bytes.push(MORE);
    let first = bytes.len();
    let (exponent, digits) = number.digits();
    signed(exponent, bytes);
    bytes.extend(digits);
    bytes.push(END);
    if number.unscaled < 0 {
        bytes[first..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// One zero and one NaN.
fn zero(double: f64) -> f64 {
    if double == 0.0 {
        0.0
    } else if double.is_nan() {
        f64::NAN.abs()
    } else {
        double
    }
}

/// The order of `f64::total_cmp`.
fn ordered_bits(double: f64) -> u64 {
    let bits = double.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn signed(number: i64, bytes: &mut Vec<u8>) {
    unsigned(number as u64 ^ 1 << 63, bytes);
}

fn ids(ids: impl Iterator<Item = u64>, bytes: &mut Vec<u8>) {
    for id in ids {
        bytes.push(MORE);
        unsigned(id, bytes);
    }
    bytes.push(END);
}

fn unsigned(number: u64, bytes: &mut Vec<u8>) {
    bytes.extend(number.to_be_bytes());
}

fn ended(content: &[u8], bytes: &mut Vec<u8>) {
    for byte in content {
        bytes.push(*byte);
        if *byte == 0 {
            bytes.push(u8::MAX);
        }
    }
    bytes.extend([0, 0]);
}

fn sequence(values: &[Value], bytes: &mut Vec<u8>) {
    for value in values {
        bytes.push(MORE);
        encode(value, bytes);
    }
    bytes.push(END);
}

fn point(place: &Point, bytes: &mut Vec<u8>) {
    bytes.extend(place.srid.to_be_bytes());
    for coordinate in &place.coordinates {
        bytes.push(MORE);
        unsigned(ordered_bits(*coordinate), bytes);
    }
    bytes.push(END);
}

fn geometry(shape: &Geometry, bytes: &mut Vec<u8>) {
    bytes.push(shape.type_number());
    if let Geometry::Point(at) = shape {
        return position(*at, bytes);
    }
    for rings in shape.polygons() {
        bytes.push(MORE);
        for ring in rings {
            bytes.push(MORE);
            for at in ring {
                bytes.push(MORE);
                position(*at, bytes);
            }
            bytes.push(END);
        }
        bytes.push(END);
    }
    bytes.push(END);
}

fn position(at: Coordinates, bytes: &mut Vec<u8>) {
    at.iter().for_each(|coordinate| unsigned(ordered_bits(*coordinate), bytes));
}

fn tree(folded: &Tree, bytes: &mut Vec<u8>) {
    for (value, below) in &folded.branches {
        bytes.push(MORE);
        encode(value, bytes);
        tree(below, bytes);
    }
    bytes.push(END);
}

fn property_values(property: &PropertyValues, bytes: &mut Vec<u8>) {
    for own in property.values() {
        bytes.push(MORE);
        unsigned(own.ordinal.into(), bytes);
        encode(&own.value, bytes);
        for (key, value) in &own.meta {
            bytes.push(MORE);
            ended(key.as_bytes(), bytes);
            encode(value, bytes);
        }
        bytes.push(END);
    }
    bytes.push(END);
    unsigned(property.next_ordinal().into(), bytes);
}

#[cfg(test)]
#[path = "order_key_tests.rs"]
mod tests;
