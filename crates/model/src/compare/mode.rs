//! Order and comparison as a language has them, by its mode.

use std::cmp::Ordering;

use super::relation::{CompareMode, Relation};
use super::total_order::{class, is_nan, order, total};
use super::{ranked, three_valued};
use crate::values::value::Value;

/// The order by value in which a language sorts.
pub fn order_of(mode: CompareMode) -> fn(&Value, &Value) -> Ordering {
    match mode {
        CompareMode::NullIsUnknown => ranked::order,
        CompareMode::NullIsValue | CompareMode::Plain => order,
    }
}

/// The same; equal only for identical values.
pub fn total_of(mode: CompareMode) -> fn(&Value, &Value) -> Ordering {
    match mode {
        CompareMode::NullIsUnknown => ranked::total,
        CompareMode::NullIsValue | CompareMode::Plain => total,
    }
}

/// A language's `=`; `None` is unknown.
pub fn equal(left: &Value, right: &Value, mode: CompareMode) -> Option<bool> {
    match mode {
        CompareMode::NullIsUnknown => three_valued::equal(left, right),
        CompareMode::NullIsValue | CompareMode::Plain => Some(equal_plainly(left, right)),
    }
}

/// A language's `<` and `>`.
pub fn relate(left: &Value, right: &Value, mode: CompareMode) -> Relation {
    if mode == CompareMode::NullIsUnknown {
        return three_valued::relate(left, right);
    }
    // Nothing is below or above NaN, null included.
    if is_nan(left) || is_nan(right) {
        return Relation::Unknown;
    }
    let is_null_compared = mode == CompareMode::NullIsValue && (left.is_null() || right.is_null());
    if is_null_compared || !left.is_null() && class(left) == class(right) {
        return Relation::Ordered(order(left, right));
    }
    Relation::Unknown
}

/// The order of two values that a language compares; `None`: of others, and where it is unknown.
pub fn compare(left: &Value, right: &Value, mode: CompareMode) -> Option<Ordering> {
    match relate(left, right, mode) {
        Relation::Ordered(order) => Some(order),
        Relation::Apart | Relation::Unknown => None,
    }
}

fn equal_plainly(left: &Value, right: &Value) -> bool {
    if is_nan(left) || is_nan(right) {
        return false;
    }
    if let (Value::List(left), Value::List(right)) = (left, right) {
        let mut pairs = left.iter().zip(right.iter());
        return left.len() == right.len() && pairs.all(|(left, right)| equal_plainly(left, right));
    }
    order(left, right).is_eq()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_differ_only_by_mode() {
        let (null, one, one_f) = (Value::Null, Value::I64(1), Value::F64(1.0));
        assert_eq!(equal(&null, &null, CompareMode::NullIsValue), Some(true));
        assert_eq!(equal(&null, &null, CompareMode::NullIsUnknown), None);
        assert_eq!(equal(&one, &one_f, CompareMode::Plain), Some(true));
        let nan = Value::F64(f64::NAN);
        assert_eq!(equal(&nan, &nan, CompareMode::NullIsUnknown), Some(false));
        assert_eq!(compare(&nan, &one, CompareMode::Plain), None);
        assert_eq!(compare(&one, &Value::from("a"), CompareMode::NullIsValue), None);
        let with_null = Value::list(vec![one, null]);
        assert_eq!(equal(&with_null, &with_null, CompareMode::NullIsUnknown), None);
    }
}
