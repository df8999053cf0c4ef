//! Whether two answers are the same: sums in another order differ in their last digits, and rows may have any order.

use serde_json::Value;

/// The share by which two sums may differ.
const NEAR: f64 = 1e-9;

/// Says where an answer differs from another one.
pub(super) fn compare(own: &[Value], other: &[Value], is_ordered: bool) -> Result<(), String> {
    if own.len() != other.len() {
        return Err(format!("{} rows and {}", own.len(), other.len()));
    }
    let (mut own, mut other): (Vec<&Value>, Vec<&Value>) =
        (own.iter().collect(), other.iter().collect());
    if !is_ordered {
        own.sort_by_key(|row| key(row));
        other.sort_by_key(|row| key(row));
    }
    match own.iter().zip(&other).find(|(own, other)| !is_same(own, other)) {
        None => Ok(()),
        Some((own, other)) => {
            let shown = |row: &Value| row.to_string().chars().take(200).collect::<String>();
            Err(format!("{} and {}", shown(own), shown(other)))
        }
    }
}

/// The first value of a row, which is a key where there are several rows.
fn key(row: &Value) -> String {
    row[0].to_string()
}

fn is_same(own: &Value, other: &Value) -> bool {
    match (own, other) {
        (Value::Array(own), Value::Array(other)) => {
            own.len() == other.len()
                && own.iter().zip(other).all(|(own, other)| is_same(own, other))
        }
        (Value::Number(own), Value::Number(other)) => match (own.as_f64(), other.as_f64()) {
            (Some(one), Some(two)) if own.is_f64() || other.is_f64() => {
                (one - two).abs() <= NEAR * one.abs().max(two.abs())
            }
            _ => own == other,
        },
        (own, other) => own == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(rows: &Value) -> Vec<Value> {
        rows.as_array().cloned().unwrap_or_default()
    }

    #[test]
    fn rows_are_compared_in_order_where_there_is_one() {
        let (own, other) = (rows(&json!([["a", 1], ["b", 2]])), rows(&json!([["b", 2], ["a", 1]])));
        assert_eq!(compare(&own, &other, false), Ok(()));
        assert_eq!(compare(&own, &other, true), Err("[\"a\",1] and [\"b\",2]".to_owned()));
        assert_eq!(compare(&own, &other[..1], false), Err("2 rows and 1".to_owned()));
    }

    #[test]
    fn sums_may_differ_in_their_last_digits_and_counts_may_not() {
        let compared =
            |own: Value, other: Value| compare(&[json!([own])], &[json!([other])], false);
        assert_eq!(compared(json!(0.1 + 0.2), json!(0.3)), Ok(()));
        assert_eq!(compared(json!(3.0), json!(3)), Ok(()));
        assert!(compared(json!(0.3), json!(0.300001)).is_err());
        assert!(
            compared(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)).is_err()
        );
        assert!(compared(json!([1, 2]), json!([1, 2, 3])).is_err());
        assert!(compared(json!("1"), json!(1)).is_err());
    }
}
