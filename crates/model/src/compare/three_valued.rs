//! `=` and `<` where null is unknown, as in Cypher: null inside lists and maps counts too.
//!
//! Equality is finer than that of the order in one place: timestamps of one instant in two zones are not equal.
//! Only values of one type with an order are less or greater than each other; all else is unknown. Elements and paths
//! are in the order of their ids; durations, points and geometries have no order, but each is at most and at least itself.

use std::cmp::Ordering;

use super::ranked;
use super::relation::Relation;
use super::total_order::{is_nan, is_number, order, timestamp, total};
use crate::limits::query_limits;
use crate::values::value::Value;

/// `=`; `None` is unknown.
pub(super) fn equal(left: &Value, right: &Value) -> Option<bool> {
    if left.is_null() || right.is_null() {
        return None;
    }
    if is_nan(left) || is_nan(right) {
        return Some(false);
    }
    match (left, right) {
        (Value::List(left), Value::List(right)) | (Value::Set(left), Value::Set(right)) => {
            if left.len() != right.len() {
                return Some(false);
            }
            all_equal(left.iter().zip(right.iter()))
        }
        (Value::Map(left), Value::Map(right)) => maps(left, right),
        (
            Value::DateTime(_) | Value::ZonedDateTime(_),
            Value::DateTime(_) | Value::ZonedDateTime(_),
        ) => Some(total(left, right).is_eq()),
        _ => Some(order(left, right).is_eq()),
    }
}

/// One pair that differs decides; else one that is unknown does.
fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Option<bool> {
    let mut all = Some(true);
    for (left, right) in pairs {
        // Lists may be in each other many times over.
        if query_limits::is_over(1) {
            return None;
        }
        match equal(left, right) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// Maps with other keys differ, whatever their values are.
fn maps(left: &[(Value, Value)], right: &[(Value, Value)]) -> Option<bool> {
    let [left, right] = [left, right].map(ranked::by_key);
    let differ = |pair: (&&(Value, Value), &&(Value, Value))| order(&pair.0.0, &pair.1.0).is_ne();
    if left.len() != right.len() || left.iter().zip(&right).any(differ) {
        return Some(false);
    }
    all_equal(left.iter().zip(&right).map(|(left, right)| (&left.1, &right.1)))
}

/// `<` and `>`.
pub(super) fn relate(left: &Value, right: &Value) -> Relation {
    let within = || Relation::Ordered(ranked::order(left, right));
    match (left, right) {
        (Value::List(left), Value::List(right)) => lists(left, right),
        (Value::Map(left), Value::Map(right)) => map_order(left, right),
        (Value::Bool(_), Value::Bool(_))
        | (Value::String(_), Value::String(_))
        | (Value::Date(_), Value::Date(_))
        | (Value::Uuid(_), Value::Uuid(_))
        | (Value::Bytes(_), Value::Bytes(_))
        | (Value::Vertex(_), Value::Vertex(_))
        | (Value::Edge(_), Value::Edge(_))
        | (Value::Path(_), Value::Path(_)) => within(),
        (Value::Duration(_), Value::Duration(_))
        | (Value::Point(_), Value::Point(_))
        | (Value::Geometry(_), Value::Geometry(_)) => {
            let is_same = order(left, right).is_eq();
            if is_same { Relation::Ordered(Ordering::Equal) } else { Relation::Unknown }
        }
        (Value::Time(left), Value::Time(right)) => {
            let zoned = [left, right].map(|time| time.offset_seconds.is_some());
            if zoned[0] == zoned[1] { within() } else { Relation::Unknown }
        }
        _ if is_number(left) && is_number(right) => {
            if is_nan(left) || is_nan(right) {
                return Relation::Apart;
            }
            within()
        }
        _ => match (timestamp(left), timestamp(right)) {
            (Some((left, ..)), Some((right, ..))) if left == right => within(),
            _ => Relation::Unknown,
        },
    }
}

/// The first entries that are not equal decide, and where there are none the lengths.
fn lists(left: &[Value], right: &[Value]) -> Relation {
    for (left, right) in left.iter().zip(right) {
        match relate(left, right) {
            Relation::Ordered(Ordering::Equal) => {}
            Relation::Apart => return Relation::Unknown,
            decided => return decided,
        }
    }
    Relation::Ordered(left.len().cmp(&right.len()))
}

/// Maps with fewer keys come first, then those with the lesser keys; of maps with the same keys, the first value in the
/// order of keys that differs decides, and one that cannot be compared leaves it open.
fn map_order(left: &[(Value, Value)], right: &[(Value, Value)]) -> Relation {
    let [left, right] = [left, right].map(ranked::by_key);
    let pairs = || left.iter().zip(&right);
    let keys = pairs().map(|(left, right)| order(&left.0, &right.0)).find(|order| order.is_ne());
    let decided = left.len().cmp(&right.len()).then(keys.unwrap_or(Ordering::Equal));
    if decided.is_ne() {
        return Relation::Ordered(decided);
    }
    for (left, right) in pairs() {
        match relate(&left.1, &right.1) {
            Relation::Ordered(Ordering::Equal) => {}
            Relation::Ordered(decided) => return Relation::Ordered(decided),
            Relation::Unknown | Relation::Apart if equal(&left.1, &right.1) == Some(true) => {}
            Relation::Unknown | Relation::Apart => return Relation::Unknown,
        }
    }
    Relation::Ordered(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::super::{CompareMode, compare, equal, relate};
    use super::*;
    use crate::calendar::{DateTime, Duration, Time};

    const MODE: CompareMode = CompareMode::NullIsUnknown;

    fn list(values: &[Value]) -> Value {
        Value::list(values.to_vec())
    }

    fn int(int: i64) -> Value {
        Value::I64(int)
    }

    fn map(pairs: &[(&str, Value)]) -> Value {
        Value::map(pairs.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
    }

    fn zoned(seconds: i64, zone: &str) -> Value {
        let timestamp = DateTime { seconds, nanos: 0, offset_seconds: 3_600 };
        Value::ZonedDateTime((timestamp, zone.into()).into())
    }

    fn timestamp(seconds: i64, offset_seconds: i32) -> Value {
        Value::DateTime(DateTime { seconds, nanos: 0, offset_seconds })
    }

    fn time(hours: u64, offset_seconds: Option<i32>) -> Value {
        Value::Time(Time { nanos: hours * 3_600_000_000_000, offset_seconds })
    }

    #[test]
    fn null_inside_is_unknown_unless_another_part_differs() {
        let null = || Value::Null;
        for (left, right, wanted) in [
            (null(), null(), None),
            (null(), int(1), None),
            (int(1), Value::F64(1.0), Some(true)),
            (int(1), "1".into(), Some(false)),
            (list(&[int(1), int(2)]), list(&[int(1)]), Some(false)),
            (list(&[null()]), list(&[int(1)]), None),
            (list(&[null(), int(1)]), list(&[null(), int(2)]), Some(false)),
            (list(&[list(&[int(1)])]), list(&[list(&[int(1)]), list(&[null()])]), Some(false)),
            (list(&[]), list(&[]), Some(true)),
            (map(&[("a", null())]), map(&[("a", null())]), None),
            (
                map(&[("a", int(1)), ("b", null())]),
                map(&[("b", null()), ("a", int(2))]),
                Some(false),
            ),
            (
                map(&[("a", int(1)), ("b", int(2))]),
                map(&[("b", int(2)), ("a", int(1))]),
                Some(true),
            ),
            (map(&[("a", null())]), map(&[("b", null())]), Some(false)),
            (map(&[("a", null())]), map(&[]), Some(false)),
        ] {
            assert_eq!(equal(&left, &right, MODE), wanted, "{left:?} = {right:?}");
            assert_eq!(equal(&right, &left, MODE), wanted, "{right:?} = {left:?}");
        }
    }

    #[test]
    fn nan_is_neither_less_nor_greater_than_numbers_and_unknown_beside_texts() {
        let nan = || Value::F64(f64::NAN);
        assert_eq!(relate(&nan(), &int(1), MODE), Relation::Apart);
        assert_eq!(relate(&nan(), &nan(), MODE), Relation::Apart);
        assert_eq!(relate(&nan(), &"a".into(), MODE), Relation::Unknown);
        assert_eq!(relate(&list(&[nan()]), &list(&[int(1)]), MODE), Relation::Unknown);
        assert_eq!(equal(&nan(), &nan(), MODE), Some(false));
        assert_eq!(equal(&list(&[nan()]), &list(&[nan()]), MODE), Some(false));
    }

    #[test]
    fn lists_are_compared_entry_by_entry() {
        let null = || Value::Null;
        for (left, right, wanted) in [
            (list(&[int(1), int(0)]), list(&[int(1)]), Some(Ordering::Greater)),
            (list(&[int(1), null()]), list(&[int(1)]), Some(Ordering::Greater)),
            (list(&[int(1), int(2)]), list(&[int(1), null()]), None),
            (list(&[int(1), "a".into()]), list(&[int(1), null()]), None),
            (list(&[int(1), int(2)]), list(&[int(3), null()]), Some(Ordering::Less)),
        ] {
            assert_eq!(compare(&left, &right, MODE), wanted, "{left:?} to {right:?}");
        }
    }

    #[test]
    fn maps_are_compared_by_how_many_keys_then_by_keys_then_by_values() {
        let one = |key: &str, value: Value| map(&[(key, value)]);
        let vertex = || Value::Vertex(crate::base::ids::VertexId(1));
        for (left, right, wanted) in [
            (map(&[]), map(&[]), Some(Ordering::Equal)),
            (map(&[]), one("a", Value::Null), Some(Ordering::Less)),
            (one("z", int(9)), map(&[("a", int(1)), ("b", Value::Null)]), Some(Ordering::Less)),
            (one("a", int(2)), one("b", int(1)), Some(Ordering::Less)),
            (one("a", int(1)), one("a", Value::F64(1.5)), Some(Ordering::Less)),
            (
                map(&[("b", int(2)), ("a", int(1))]),
                map(&[("a", int(2)), ("b", int(1))]),
                Some(Ordering::Less),
            ),
            (one("a", Value::Null), one("a", int(1)), None),
            (one("a", "x".into()), one("a", int(1)), None),
            (one("a", Value::F64(f64::NAN)), one("a", int(1)), None),
            (
                map(&[("a", int(1)), ("b", Value::Null)]),
                map(&[("a", int(2)), ("b", int(1))]),
                Some(Ordering::Less),
            ),
            (one("a", one("b", int(1))), one("a", one("b", int(2))), Some(Ordering::Less)),
            (list(&[one("a", int(1))]), list(&[one("a", int(2))]), Some(Ordering::Less)),
            (one("a", vertex()), one("a", vertex()), Some(Ordering::Equal)),
        ] {
            assert_eq!(compare(&left, &right, MODE), wanted, "{left:?} to {right:?}");
            let reversed = wanted.map(Ordering::reverse);
            assert_eq!(compare(&right, &left, MODE), reversed, "{right:?} to {left:?}");
        }
    }

    #[test]
    fn only_values_with_an_order_of_one_type_compare() {
        let duration =
            |days| Value::Duration(Duration { months: 0, days, seconds: 0, nanos: 0 }.into());
        let unordered = [
            (duration(1), duration(2)),
            (map(&[]), list(&[])),
            (
                Value::Vertex(crate::base::ids::VertexId(1)),
                Value::Edge(crate::base::ids::EdgeId(2)),
            ),
            (true.into(), int(1)),
            (time(1, None), time(1, Some(0))),
            (timestamp(0, DateTime::LOCAL), timestamp(0, 0)),
            (Value::Null, int(1)),
        ];
        for (left, right) in unordered {
            assert_eq!(relate(&left, &right, MODE), Relation::Unknown, "{left:?} to {right:?}");
        }
        assert_eq!(equal(&duration(1), &duration(1), MODE), Some(true));
        let same = Relation::Ordered(Ordering::Equal);
        assert_eq!(relate(&duration(1), &duration(1), MODE), same);
        let vertices = [1, 2].map(|id| Value::Vertex(crate::base::ids::VertexId(id)));
        assert_eq!(compare(&vertices[0], &vertices[1], MODE), Some(Ordering::Less));
    }

    #[test]
    fn instants_decide_and_zones_separate_equal_ones() {
        assert_eq!(
            compare(&time(10, Some(3_600)), &time(9, Some(0)), MODE),
            Some(Ordering::Greater)
        );
        assert_eq!(compare(&time(10, Some(7_200)), &time(9, Some(0)), MODE), Some(Ordering::Less));
        assert_eq!(equal(&time(10, Some(3_600)), &time(9, Some(0)), MODE), Some(false));
        assert_eq!(equal(&timestamp(0, 0), &timestamp(0, 3_600), MODE), Some(false));
        assert_eq!(equal(&zoned(0, "Europe/Berlin"), &timestamp(0, 3_600), MODE), Some(false));
        assert_eq!(equal(&zoned(0, "Europe/Berlin"), &zoned(0, "Europe/Rome"), MODE), Some(false));
        assert_eq!(equal(&zoned(0, "Europe/Rome"), &zoned(0, "Europe/Rome"), MODE), Some(true));
        assert_eq!(compare(&timestamp(0, 3_600), &timestamp(1, 0), MODE), Some(Ordering::Less));
    }
}
