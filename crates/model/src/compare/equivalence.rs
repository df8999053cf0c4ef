//! The equivalence by which Cypher groups: null is null, NaN is NaN, and 1 is 1.0, at any depth.

use std::sync::Arc;

use super::ranked::by_key;
use crate::base::decimal::Decimal;
use crate::limits::query_limits::is_over;
use crate::values::path::Path;
use crate::values::value::Value;
use crate::values::vector::entries_of;

/// -2^63, and the first double above all 64-bit integers.
const INTEGERS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;

/// A value that is identical for equivalent values, and for no others.
pub fn equivalence_key(value: &Value) -> Value {
    match value {
        Value::I8(_) | Value::I16(_) | Value::I32(_) => {
            value.as_int().map_or(Value::Null, Value::I64)
        }
        Value::F32(float) => double(f64::from(*float)),
        Value::F64(number) => double(*number),
        Value::Decimal(number) => decimal(**number),
        Value::List(values) => keys(values).map_or_else(|| value.clone(), Value::list),
        Value::Vector(numbers) => equivalence_key(&Value::list(entries_of(numbers))),
        Value::Set(values) => {
            keys(values).map_or_else(|| value.clone(), |keys| Value::Set(Arc::from(keys)))
        }
        Value::Map(pairs) => {
            let pairs = by_key(pairs).into_iter();
            Value::map(pairs.map(|(key, value)| (key.clone(), equivalence_key(value))).collect())
        }
        Value::MapEntry(entry) => Value::map_entry(entry.0.clone(), equivalence_key(&entry.1)),
        // Tags are no part of a path's value; vertices and edges are their own keys.
        Value::Path(path) if !path.is_walk() => {
            let objects = path.objects();
            let keys = keys(&objects).unwrap_or_else(|| objects.to_vec());
            Value::Path(Arc::new(Path::untagged(keys)))
        }
        other => other.clone(),
    }
}

/// The keys of entries; none where each is its own. Those of a query that is over are any.
fn keys(values: &[Value]) -> Option<Vec<Value>> {
    if is_over(values.len() as u64) || values.iter().all(is_own_key) {
        return None;
    }
    Some(values.iter().map(equivalence_key).collect())
}

/// Whether a value is surely its own key.
fn is_own_key(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(_) | Value::I64(_) | Value::String(_))
}

/// A whole number as an integer, if it has 64 bits.
fn double(number: f64) -> Value {
    if number.is_nan() {
        return Value::F64(f64::NAN);
    }
    if number.fract() == 0.0 && INTEGERS.contains(&number) {
        return Value::I64(number as i64);
    }
    Value::F64(number)
}

/// As the double or integer that it equals; else with no more digits than it needs.
fn decimal(number: Decimal) -> Value {
    let Decimal { mut unscaled, mut scale } = number;
    while 0 < scale && unscaled % 10 == 0 {
        (unscaled, scale) = (unscaled / 10, scale - 1);
    }
    if scale == 0
        && let Ok(int) = i64::try_from(unscaled)
    {
        return Value::I64(int);
    }
    let nearest = number.to_f64();
    if number.compare_double(nearest).is_eq() {
        return double(nearest);
    }
    Value::Decimal(Arc::new(Decimal { unscaled, scale }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_values_have_one_key() {
        let decimal = |text| Value::Decimal(Arc::new(Decimal::parse(text).expect("reads")));
        let nan = f64::from_bits(f64::NAN.to_bits() | 1);
        let map = |pairs: &[(&str, Value)]| {
            Value::map(pairs.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
        };
        for (left, right) in [
            (Value::Null, Value::Null),
            (Value::F64(nan), Value::F32(f32::NAN)),
            (Value::I8(1), Value::F64(1.0)),
            (Value::F64(-0.0), Value::I64(0)),
            (decimal("1.00"), Value::I64(1)),
            (decimal("0.50"), Value::F32(0.5)),
            (decimal("0.10"), decimal("0.1")),
            (decimal("9223372036854775808"), Value::F64(9_223_372_036_854_775_808.0)),
            (Value::list(vec![1.into(), Value::Null]), Value::list(vec![1.0.into(), Value::Null])),
            (
                map(&[("a", 1.into()), ("b", Value::Null)]),
                map(&[("b", Value::Null), ("a", 1.0.into())]),
            ),
        ] {
            assert_eq!(equivalence_key(&left), equivalence_key(&right), "{left:?} and {right:?}");
        }
    }

    #[test]
    fn others_have_keys_of_their_own() {
        let decimal = |text| Value::Decimal(Arc::new(Decimal::parse(text).expect("reads")));
        let two_53 = 9_007_199_254_740_992i64;
        for (left, right) in [
            (Value::Null, Value::F64(f64::NAN)),
            (Value::I64(1), "1".into()),
            (Value::I64(two_53 + 1), Value::F64(two_53 as f64)),
            (decimal("0.1"), Value::F64(0.1)),
            (Value::list(vec![]), Value::map(vec![])),
            (Value::list(vec![Value::Null]), Value::list(vec![])),
            (Value::I64(1), true.into()),
        ] {
            assert_ne!(equivalence_key(&left), equivalence_key(&right), "{left:?} and {right:?}");
        }
    }
}
