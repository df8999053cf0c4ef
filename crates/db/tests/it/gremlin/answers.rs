//! When an answer equals a scenario's expectation: identical, but for the order of maps and sets.

use millrace_model::{Tree, Value};

/// Whether a found value is the expected one.
pub(super) fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right.iter()).all(|(a, b)| same(a, b))
        }
        (Value::Set(left), Value::Set(right)) => {
            left.len() == right.len() && left.iter().all(|a| right.iter().any(|b| same(a, b)))
        }
        (Value::Map(left), Value::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    right.iter().any(|(own, other)| same(key, own) && same(value, other))
                })
        }
        // A client gets the entry of a map as a map of one.
        (Value::Map(pairs), Value::MapEntry(entry)) => match pairs.as_slice() {
            [(key, value)] => same(key, &entry.0) && same(value, &entry.1),
            _ => false,
        },
        (Value::Path(left), Value::Path(right)) => {
            left.len() == right.len()
                && left.objects().iter().zip(right.objects().iter()).all(|(a, b)| same(a, b))
        }
        // `d[5].m` is written without digits behind the point, which a BigDecimal has here.
        (Value::Decimal(left), Value::Decimal(right)) => left.compare(**right).is_eq(),
        (Value::Tree(left), Value::Tree(right)) => same_trees(left, right),
        (Value::F64(left), Value::F64(right)) if left.is_nan() => right.is_nan(),
        (left, right) => left == right,
    }
}

fn same_trees(left: &Tree, right: &Tree) -> bool {
    left.branches.len() == right.branches.len()
        && left.branches.iter().all(|(value, below)| {
            let own = right.branches.iter().find(|(own, _)| same(value, own));
            own.is_some_and(|(_, other)| same_trees(below, other))
        })
}
