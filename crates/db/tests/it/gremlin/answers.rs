//! When an answer is what a scenario expects: identical, but for the order of maps and sets.

use millrace_db::model::Value;

/// Whether a found value is the expected one.
pub(super) fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Set(left), Value::Set(right) | Value::List(right)) => {
            left.len() == right.len() && left.iter().all(|a| right.iter().any(|b| same(a, b)))
        }
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    right.iter().any(|(own, other)| same(key, own) && same(value, other))
                })
        }
        (Value::Path(left), Value::Path(right)) => {
            left.objects.len() == right.objects.len()
                && left.objects.iter().zip(&right.objects).all(|(a, b)| same(a, b))
        }
        // `d[5].m` is written without digits behind the point, which a BigDecimal has here.
        (Value::Decimal(left), Value::Decimal(right)) => left.compare(**right).is_eq(),
        (Value::F64(left), Value::F64(right)) if left.is_nan() => right.is_nan(),
        (left, right) => left == right,
    }
}
