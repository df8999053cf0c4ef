//! The one total order of all values, by value and by identity.

use std::cmp::Ordering;

use crate::base::decimal::Decimal;
use crate::calendar::DateTime;
use crate::values::parts::Tree;
use crate::values::property_values::{PropertyValue, PropertyValues};
use crate::values::value::{Point, Value};
use crate::values::vector::entries_of;

/// The total order; equal only for identical values.
pub fn total(left: &Value, right: &Value) -> Ordering {
    order(left, right).then_with(|| identity(left, right))
}

/// The total order by value: numbers of equal value are equal whatever their width.
pub fn order(left: &Value, right: &Value) -> Ordering {
    class(left).cmp(&class(right)).then_with(|| within_class(left, right))
}

/// The class of numbers.
pub(super) const NUMBER: u8 = 2;

/// The order of types. Null is lowest; a mode of `Sort` may put it elsewhere. Files hold these
/// numbers (`order_key`), so they never change.
pub(crate) fn class(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Decimal(_) => NUMBER,
        Value::Date(_) => 3,
        Value::Time(_) => 4,
        Value::DateTime(_) | Value::ZonedDateTime(_) => 5,
        Value::Duration(_) => 6,
        Value::String(_) => 7,
        Value::Uuid(_) => 8,
        Value::Bytes(_) => 9,
        Value::Point(_) => 10,
        Value::Vertex(_) => 11,
        Value::Edge(_) => 12,
        Value::VertexProperty(_) => 13,
        Value::Property(_) => 14,
        Value::Path(_) => 15,
        Value::Set(_) => 16,
        Value::List(_) | Value::Vector(_) => 17,
        Value::Map(_) => 18,
        Value::Tree(_) => 19,
        Value::Token(_) => 20,
        Value::PropertyValues(_) => 21,
        Value::Subgraph(_) => 22,
        Value::MapEntry(_) => 23,
        Value::Geometry(_) => 24,
    }
}

fn within_class(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Bytes(left), Value::Bytes(right)) => left.cmp(right),
        (Value::Uuid(left), Value::Uuid(right)) => left.cmp(right),
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::Time(left), Value::Time(right)) => left.cmp(right),
        (Value::Duration(left), Value::Duration(right)) => left.cmp(right),
        (Value::Point(left), Value::Point(right)) => compare_points(left, right),
        (Value::Geometry(left), Value::Geometry(right)) => left.cmp(right),
        (Value::Vertex(left), Value::Vertex(right)) => left.cmp(right),
        (Value::Edge(left), Value::Edge(right)) => left.cmp(right),
        // Rows with a long path are mostly compared with themselves.
        (Value::Path(left), Value::Path(right)) if left.is_same_walk(right) => Ordering::Equal,
        (Value::Path(left), Value::Path(right)) => sequences(&left.objects(), &right.objects()),
        (Value::VertexProperty(left), Value::VertexProperty(right)) => left.cmp(right),
        (Value::Property(left), Value::Property(right)) => order(&left.owner, &right.owner)
            .then_with(|| left.key.cmp(&right.key))
            .then_with(|| order(&left.value, &right.value)),
        (Value::Tree(left), Value::Tree(right)) => trees(left, right),
        (Value::Token(left), Value::Token(right)) => left.cmp(right),
        (Value::PropertyValues(left), Value::PropertyValues(right)) => property_values(left, right),
        (Value::Subgraph(left), Value::Subgraph(right)) => left.cmp(right),
        (Value::List(left), Value::List(right)) | (Value::Set(left), Value::Set(right)) => {
            sequences(left, right)
        }
        // A vector is in the order of lists, as the list that it is to a language.
        (Value::Vector(left), Value::Vector(right)) => vectors(left, right),
        (Value::Vector(left), Value::List(right)) => sequences(&entries_of(left), right),
        (Value::List(left), Value::Vector(right)) => sequences(left, &entries_of(right)),
        (Value::Map(left), Value::Map(right)) => compare_maps(left, right),
        (Value::MapEntry(left), Value::MapEntry(right)) => {
            order(&left.0, &right.0).then_with(|| order(&left.1, &right.1))
        }
        _ => match (timestamp(left), timestamp(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => compare_numbers(left, right),
        },
    }
}

fn sequences(left: &[Value], right: &[Value]) -> Ordering {
    let pairs = left.iter().zip(right).map(|(left, right)| order(left, right));
    pairs.fold(Ordering::Equal, Ordering::then).then(left.len().cmp(&right.len()))
}

fn vectors(left: &[f32], right: &[f32]) -> Ordering {
    let pairs = left.iter().zip(right);
    let differs = pairs.map(|(left, right)| doubles(f64::from(*left), f64::from(*right)));
    let first = differs.into_iter().find(|order| order.is_ne());
    first.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn trees(left: &Tree, right: &Tree) -> Ordering {
    let pairs = left.branches.iter().zip(&right.branches);
    let pairs = pairs.map(|((left, below_left), (right, below_right))| {
        order(left, right).then_with(|| trees(below_left, below_right))
    });
    pairs.fold(Ordering::Equal, Ordering::then).then(left.branches.len().cmp(&right.branches.len()))
}

fn property_values(left: &PropertyValues, right: &PropertyValues) -> Ordering {
    let meta = |left: &PropertyValue, right: &PropertyValue| {
        let pairs = left.meta.iter().zip(&right.meta);
        let pairs =
            pairs.map(|(left, right)| left.0.cmp(&right.0).then_with(|| order(&left.1, &right.1)));
        pairs.fold(Ordering::Equal, Ordering::then).then(left.meta.len().cmp(&right.meta.len()))
    };
    let pairs = left.values().iter().zip(right.values()).map(|(left, right)| {
        let ordinals = left.ordinal.cmp(&right.ordinal);
        ordinals.then_with(|| order(&left.value, &right.value)).then_with(|| meta(left, right))
    });
    pairs
        .fold(Ordering::Equal, Ordering::then)
        .then(left.values().len().cmp(&right.values().len()))
        .then(left.next_ordinal().cmp(&right.next_ordinal()))
}

fn compare_maps(left: &[(Value, Value)], right: &[(Value, Value)]) -> Ordering {
    let flat = |pairs: &[(Value, Value)]| {
        let mut pairs = pairs.to_vec();
        pairs.sort();
        pairs.into_iter().flat_map(|(key, value)| [key, value]).collect::<Vec<_>>()
    };
    sequences(&flat(left), &flat(right))
}

fn compare_points(left: &Point, right: &Point) -> Ordering {
    left.srid.cmp(&right.srid).then_with(|| {
        let pairs = left.coordinates.iter().zip(&right.coordinates);
        let order = pairs.map(|(left, right)| left.total_cmp(right));
        order
            .fold(Ordering::Equal, Ordering::then)
            .then(left.coordinates.len().cmp(&right.coordinates.len()))
    })
}

/// Timestamps are ordered by the instant they name; local ones come before those with an offset.
pub(crate) fn timestamp(value: &Value) -> Option<(bool, i64, u32)> {
    let timestamp = match value {
        Value::DateTime(timestamp) => timestamp,
        Value::ZonedDateTime(zoned) => &zoned.0,
        _ => return None,
    };
    let zoned = timestamp.offset_seconds != DateTime::LOCAL;
    Some((zoned, timestamp.seconds, timestamp.nanos))
}

/// All numbers are compared exactly, whatever their width; NaN is above every number.
fn compare_numbers(left: &Value, right: &Value) -> Ordering {
    match (left.as_int(), right.as_int()) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => int_to_other(left, right),
        (None, Some(right)) => int_to_other(right, left).reverse(),
        (None, None) => match (left, right) {
            (Value::Decimal(left), Value::Decimal(right)) => decimals(left, right),
            (Value::Decimal(left), right) => left.compare_double(as_f64(right)),
            (left, Value::Decimal(right)) => right.compare_double(as_f64(left)).reverse(),
            _ => doubles(as_f64(left), as_f64(right)),
        },
    }
}

fn decimals(left: &Decimal, right: &Decimal) -> Ordering {
    if left.scale == right.scale {
        return left.unscaled.cmp(&right.unscaled);
    }
    left.compare(*right)
}

fn as_f64(value: &Value) -> f64 {
    value.as_double().unwrap_or(f64::NAN)
}

/// The order of doubles with one zero and one NaN, above everything.
fn doubles(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

fn int_to_other(int: i64, other: &Value) -> Ordering {
    if let Value::Decimal(decimal) = other {
        return decimals(&Decimal { unscaled: int.into(), scale: 0 }, decimal);
    }
    int_to_double(int, as_f64(other))
}

/// Exact: rounding `int` to a double first would call 2^53 + 1 and 2^53 equal.
fn int_to_double(int: i64, double: f64) -> Ordering {
    const TWO_POW_63: f64 = 9_223_372_036_854_775_808.0;
    if double.is_nan() || double >= TWO_POW_63 {
        return Ordering::Less;
    }
    if double < -TWO_POW_63 {
        return Ordering::Greater;
    }
    let whole = double.trunc();
    int.cmp(&(whole as i64)).then(doubles(0.0, double - whole))
}

/// Distinguishes values of equal order by type, then by bits.
pub(super) fn identity(left: &Value, right: &Value) -> Ordering {
    let rank = kind(left).cmp(&kind(right));
    rank.then_with(|| match (left, right) {
        (Value::F32(left), Value::F32(right)) => left.to_bits().cmp(&right.to_bits()),
        (Value::F64(left), Value::F64(right)) => left.to_bits().cmp(&right.to_bits()),
        (Value::Decimal(left), Value::Decimal(right)) => left.scale.cmp(&right.scale),
        (Value::DateTime(left), Value::DateTime(right)) => {
            left.offset_seconds.cmp(&right.offset_seconds)
        }
        (Value::ZonedDateTime(left), Value::ZonedDateTime(right)) => {
            (left.0.offset_seconds, &left.1).cmp(&(right.0.offset_seconds, &right.1))
        }
        (Value::List(left), Value::List(right)) | (Value::Set(left), Value::Set(right)) => {
            left.cmp(right)
        }
        (Value::Vector(left), Value::Vector(right)) => {
            let bits =
                |numbers: &[f32]| numbers.iter().map(|own| own.to_bits()).collect::<Vec<_>>();
            bits(left).cmp(&bits(right))
        }
        (Value::Map(left), Value::Map(right)) => left.cmp(right),
        (Value::MapEntry(left), Value::MapEntry(right)) => left.cmp(right),
        (Value::Property(left), Value::Property(right)) => left.cmp(right),
        (Value::Tree(left), Value::Tree(right)) => left.cmp(right),
        (Value::PropertyValues(left), Value::PropertyValues(right)) => left.cmp(right),
        (Value::Path(left), Value::Path(right)) => {
            if left.is_same_walk(right) {
                return Ordering::Equal;
            }
            left.objects().cmp(&right.objects()).then_with(|| left.tags().cmp(&right.tags()))
        }
        _ => Ordering::Equal,
    })
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::I8(_) => 1,
        Value::I16(_) => 2,
        Value::I32(_) => 3,
        Value::I64(_) => 4,
        Value::F32(_) => 5,
        Value::F64(_) => 6,
        Value::Decimal(_) => 7,
        Value::DateTime(_) => 8,
        Value::ZonedDateTime(_) => 9,
        Value::Vector(_) => 10,
        _ => 0,
    }
}

/// Whether it is a number.
pub(super) fn is_number(value: &Value) -> bool {
    class(value) == NUMBER
}

/// Whether it is a floating number that is none.
pub(super) fn is_nan(value: &Value) -> bool {
    match value {
        Value::F32(float) => float.is_nan(),
        Value::F64(double) => double.is_nan(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::Geometry;
    use crate::values::parts::Token;

    fn tree(branches: Vec<(Value, Vec<Value>)>) -> Value {
        let leaf = |value| (value, Tree::default());
        let branch = |(value, below): (Value, Vec<Value>)| {
            (value, Tree { branches: below.into_iter().map(leaf).collect() })
        };
        Value::Tree(Arc::new(Tree { branches: branches.into_iter().map(branch).collect() }))
    }

    fn samples() -> Vec<Value> {
        let decimal = |text| Value::Decimal(Arc::new(Decimal::parse(text).expect("reads")));
        let two_53 = 9_007_199_254_740_992i64;
        vec![
            Value::Null,
            Value::Bool(false),
            Value::Bool(true),
            Value::F64(f64::NEG_INFINITY),
            Value::I64(i64::MIN),
            Value::I64(-1),
            Value::F64(-0.5),
            Value::I32(0),
            Value::I64(0),
            Value::F64(0.0),
            decimal("0.1"),
            Value::F64(0.1),
            decimal("0.10000000000000001"),
            Value::F64(0.5),
            Value::I32(1),
            Value::I64(1),
            Value::F64(1.0),
            Value::I64(two_53),
            Value::F64(two_53 as f64),
            decimal("9007199254740992.5"),
            Value::I64(two_53 + 1),
            Value::I64(i64::MAX),
            Value::F64(f64::INFINITY),
            Value::F64(f64::NAN),
            Value::from(""),
            Value::from("a"),
            Value::list(vec![]),
            Value::list(vec![Value::I64(1)]),
            Value::list(vec![Value::F64(1.0)]),
            Value::list(vec![Value::I64(1), Value::Null]),
            tree(vec![]),
            tree(vec![(Value::I64(1), vec![])]),
            tree(vec![(Value::F64(1.0), vec![])]),
            tree(vec![(Value::I64(1), vec![Value::I64(0)])]),
            Value::Token(Token::Id),
            Value::Token(Token::Value),
            Value::from(Geometry::Point([-0.0, 0.0])),
            Value::from(Geometry::Point([0.0, 0.0])),
            Value::from(Geometry::Polygon(vec![])),
        ]
    }

    #[test]
    fn the_total_order_is_total_and_transitive() {
        let samples = samples();
        for (i, left) in samples.iter().enumerate() {
            for (j, right) in samples.iter().enumerate() {
                assert_eq!(total(left, right), i.cmp(&j), "{left:?} to {right:?}");
            }
        }
    }
}
