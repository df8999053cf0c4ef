//! The order of values of all types that Cypher sorts by, in which null comes last.
//!
//! It has ties where numbers of several widths are equal, and nowhere that [`order`](super::order) has none.

use std::cmp::Ordering;

use super::total_order::{self, identity, timestamp};
use crate::calendar::{DateTime, Duration, Time};
use crate::values::path::Path;
use crate::values::value::Value;

/// Seconds of an average month: a year of 365.2425 days has twelve.
const MONTH_SECONDS: i128 = 2_629_746;
const DAY_SECONDS: i128 = 86_400;

/// The order, in which numbers of equal value are equal whatever their width.
pub(super) fn order(left: &Value, right: &Value) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| within_rank(left, right))
}

/// The same; equal only for identical values.
pub(super) fn total(left: &Value, right: &Value) -> Ordering {
    order(left, right).then_with(|| identity(left, right))
}

/// The place of a type. Those that Cypher lacks stand beside the most similar one.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Map(_) => 0,
        Value::MapEntry(_) => 1,
        Value::Tree(_) => 2,
        Value::Vertex(_) => 3,
        Value::VertexProperty(_) => 4,
        Value::Edge(_) => 5,
        Value::Property(_) => 6,
        Value::List(_) | Value::Vector(_) => 7,
        Value::Set(_) => 8,
        Value::PropertyValues(_) => 9,
        Value::Path(_) => 10,
        Value::Subgraph(_) => 11,
        Value::Point(_) => 12,
        Value::Geometry(_) => 13,
        Value::ZonedDateTime(_) => 14,
        Value::DateTime(timestamp) if timestamp.offset_seconds != DateTime::LOCAL => 14,
        Value::DateTime(_) => 15,
        Value::Date(_) => 16,
        Value::Time(Time { offset_seconds: Some(_), .. }) => 17,
        Value::Time(_) => 18,
        Value::Duration(_) => 19,
        Value::Uuid(_) => 20,
        Value::Bytes(_) => 21,
        Value::Token(_) => 22,
        Value::String(_) => 23,
        Value::Bool(_) => 24,
        Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::F32(_)
        | Value::F64(_)
        | Value::Decimal(_) => 25,
        Value::Null => 26,
    }
}

fn within_rank(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::List(left), Value::List(right)) | (Value::Set(left), Value::Set(right)) => {
            sequences(left, right)
        }
        (Value::Map(left), Value::Map(right)) => maps(left, right),
        (Value::Path(left), Value::Path(right)) => paths(left, right),
        (Value::Time(left), Value::Time(right)) => {
            instant(left).cmp(&instant(right)).then(left.offset_seconds.cmp(&right.offset_seconds))
        }
        (Value::Duration(left), Value::Duration(right)) => {
            average(left).cmp(&average(right)).then_with(|| left.cmp(right))
        }
        _ => match (timestamp(left), timestamp(right)) {
            (Some(own), Some(other)) => own.cmp(&other).then_with(|| identity(left, right)),
            _ => total_order::order(left, right),
        },
    }
}

fn sequences(left: &[Value], right: &[Value]) -> Ordering {
    if std::ptr::eq(left, right) {
        return Ordering::Equal;
    }
    let pairs = left.iter().zip(right);
    let first = pairs.map(|(left, right)| order(left, right)).find(|order| order.is_ne());
    first.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn paths(left: &Path, right: &Path) -> Ordering {
    // Rows with a long path are mostly compared with themselves.
    if left.is_same_walk(right) {
        return Ordering::Equal;
    }
    sequences(&left.objects(), &right.objects())
}

/// Of two maps the one with fewer pairs, then with the lesser keys, then with the lesser values comes first.
fn maps(left: &[(Value, Value)], right: &[(Value, Value)]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| {
        let [left, right] = [left, right].map(by_key);
        let pairs = || left.iter().zip(&right);
        let keys = pairs().map(|(left, right)| total_order::order(&left.0, &right.0));
        let values = pairs().map(|(left, right)| order(&left.1, &right.1));
        keys.chain(values).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
}

/// A map's pairs in the order of their keys.
pub(super) fn by_key(pairs: &[(Value, Value)]) -> Vec<&(Value, Value)> {
    let mut sorted: Vec<&(Value, Value)> = pairs.iter().collect();
    sorted.sort_by(|left, right| total_order::order(&left.0, &right.0));
    sorted
}

/// Nanoseconds from midnight by UTC.
fn instant(time: &Time) -> i128 {
    i128::from(time.nanos) - i128::from(time.offset_seconds.unwrap_or(0)) * 1_000_000_000
}

/// The length with months of average length.
fn average(duration: &Duration) -> (i128, u32) {
    let months = i128::from(duration.months) * MONTH_SECONDS;
    let days = i128::from(duration.days) * DAY_SECONDS;
    (months + days + i128::from(duration.seconds), duration.nanos)
}

#[cfg(test)]
mod tests {
    use super::super::{CompareMode, order_of, total_of};
    use super::*;
    use crate::base::ids::{EdgeId, VertexId};
    use crate::calendar::Date;
    use crate::values::value::Point;

    fn samples() -> Vec<Value> {
        let map = |pairs: &[(&str, i64)]| {
            Value::map(pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect())
        };
        let timestamp = |seconds, offset_seconds| {
            Value::DateTime(DateTime { seconds, nanos: 0, offset_seconds })
        };
        let time = |hours: u64, offset_seconds| {
            Value::Time(Time { nanos: hours * 3_600_000_000_000, offset_seconds })
        };
        let duration = |months, days, seconds| {
            Value::Duration(Duration { months, days, seconds, nanos: 0 }.into())
        };
        let path = |objects: Vec<Value>| Value::Path(Path::untagged(objects).into());
        let (vertex, edge) = (Value::Vertex(VertexId(7)), Value::Edge(EdgeId(3)));
        let point = Point { srid: 7_203, coordinates: vec![1.0, 2.0] };
        vec![
            map(&[]),
            map(&[("b", 1)]),
            map(&[("a", 1), ("b", 1)]),
            map(&[("b", 0), ("a", 2)]),
            map(&[("a", 0), ("c", 0)]),
            vertex.clone(),
            edge.clone(),
            Value::list(vec![]),
            Value::list(vec!["a".into()]),
            Value::list(vec!["a".into(), 1.into()]),
            Value::list(vec![1.into()]),
            Value::list(vec![1.into(), "a".into()]),
            Value::list(vec![1.into(), Value::Null]),
            Value::list(vec![Value::Null, 1.into()]),
            Value::list(vec![Value::Null, 2.into()]),
            path(vec![vertex.clone()]),
            path(vec![vertex, edge]),
            Value::Point(point.into()),
            timestamp(0, 0),
            timestamp(0, 3_600),
            timestamp(1, 0),
            timestamp(0, DateTime::LOCAL),
            Value::Date(Date { days: 1 }),
            time(10, Some(7_200)),
            time(9, Some(0)),
            time(10, Some(3_600)),
            time(1, None),
            duration(0, 30, 0),
            duration(1, 0, 0),
            duration(0, 31, 0),
            duration(0, 30, 86_401),
            "".into(),
            "text".into(),
            false.into(),
            true.into(),
            Value::F64(f64::NEG_INFINITY),
            Value::I64(1),
            Value::F64(1.0),
            Value::F64(1.5),
            Value::F64(f64::INFINITY),
            Value::F64(f64::NAN),
            Value::Null,
        ]
    }

    #[test]
    fn types_come_in_their_order_and_null_comes_last() {
        let total = total_of(CompareMode::NullIsUnknown);
        let samples = samples();
        for (i, left) in samples.iter().enumerate() {
            for (j, right) in samples.iter().enumerate() {
                assert_eq!(total(left, right), i.cmp(&j), "{left:?} to {right:?}");
            }
        }
    }

    #[test]
    fn only_numbers_of_equal_value_tie() {
        let order = order_of(CompareMode::NullIsUnknown);
        let samples = samples();
        for pair in samples.windows(2) {
            let ties = pair[0] == Value::I64(1);
            assert_eq!(order(&pair[0], &pair[1]).is_eq(), ties, "{pair:?}");
        }
    }
}
