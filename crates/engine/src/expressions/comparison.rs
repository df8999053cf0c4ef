//! `=`, `<` and kin over columns: straight loops where both sides have one plain type.

use std::cmp::Ordering;

use millrace_model::compare::{self, CompareMode};
use millrace_model::{Column, ColumnValues, Value, query_limits};
use millrace_plan::Comparison;

use super::operand::Operand;

/// A column of truths; unknown where the languages' comparison says so or a side is absent.
pub(super) fn compare(
    comparison: Comparison,
    left: &Operand,
    right: &Operand,
    len: usize,
    mode: CompareMode,
) -> Operand {
    if left.is_complete()
        && right.is_complete()
        && let Some(bits) = compare_plain(comparison, left, right)
    {
        return Operand::of(Column::of(ColumnValues::Bool(bits)));
    }
    let truths = (0..len).map(|row| {
        let (left, right) = (left.get(row)?, right.get(row)?);
        let units = query_limits::work_of(&left).min(query_limits::work_of(&right));
        // The truths of a query that has ended are of no account.
        if query_limits::is_over(units) {
            return None;
        }
        compare_values(comparison, &left, &right, mode)
    });
    Operand::truths(truths)
}

/// The comparison of two values; `None` is unknown.
fn compare_values(
    comparison: Comparison,
    left: &Value,
    right: &Value,
    mode: CompareMode,
) -> Option<bool> {
    match comparison {
        Comparison::Equal => compare::equal(left, right, mode),
        Comparison::NotEqual => compare::equal(left, right, mode).map(|equal| !equal),
        Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual => {
            compare::relate(left, right, mode).holds(|order| holds(comparison, order))
        }
    }
}

#[inline]
fn holds(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
    }
}

/// A column against a constant or a column of the same plain type, nothing missing.
fn compare_plain(comparison: Comparison, left: &Operand, right: &Operand) -> Option<Vec<bool>> {
    match (left, right) {
        (Operand::Column(left), Operand::Column(right)) => {
            columns(comparison, &left.values, &right.values)
        }
        (Operand::Column(left), Operand::Constant(right)) => {
            constant(&left.values, right, |order| holds(comparison, order))
        }
        (Operand::Constant(left), Operand::Column(right)) => {
            constant(&right.values, left, |order| holds(comparison, order.reverse()))
        }
        (Operand::Constant(_), Operand::Constant(_)) => None,
    }
}

fn columns(comparison: Comparison, left: &ColumnValues, right: &ColumnValues) -> Option<Vec<bool>> {
    Some(match (left, right) {
        (ColumnValues::I64(left), ColumnValues::I64(right)) => pairs(comparison, left, right),
        (ColumnValues::Vertex(left), ColumnValues::Vertex(right)) => pairs(comparison, left, right),
        (ColumnValues::Edge(left), ColumnValues::Edge(right)) => pairs(comparison, left, right),
        (ColumnValues::Bool(left), ColumnValues::Bool(right)) => pairs(comparison, left, right),
        (ColumnValues::String(left), ColumnValues::String(right)) => {
            let pairs = left.iter().zip(right.iter());
            pairs.map(|(left, right)| holds(comparison, left.cmp(right))).collect()
        }
        _ => return None,
    })
}

fn pairs<T: Ord>(comparison: Comparison, left: &[T], right: &[T]) -> Vec<bool> {
    left.iter().zip(right).map(|(left, right)| holds(comparison, left.cmp(right))).collect()
}

fn constant(
    entries: &ColumnValues,
    constant: &Value,
    holds: impl Fn(Ordering) -> bool,
) -> Option<Vec<bool>> {
    Some(match (entries, constant) {
        (ColumnValues::I64(entries), Value::I64(constant)) => {
            entries.iter().map(|entry| holds(entry.cmp(constant))).collect()
        }
        (ColumnValues::Vertex(entries), Value::Vertex(constant)) => {
            entries.iter().map(|entry| holds(entry.cmp(constant))).collect()
        }
        (ColumnValues::Edge(entries), Value::Edge(constant)) => {
            entries.iter().map(|entry| holds(entry.cmp(constant))).collect()
        }
        (ColumnValues::Bool(entries), Value::Bool(constant)) => {
            entries.iter().map(|entry| holds(entry.cmp(constant))).collect()
        }
        (ColumnValues::String(entries), Value::String(constant)) => {
            entries.iter().map(|entry| holds(entry.cmp(constant))).collect()
        }
        // A NaN compares as nothing: such columns take the careful way.
        (ColumnValues::F64(entries), Value::F64(constant)) if !constant.is_nan() => {
            let orders = entries.iter().map(|entry| entry.partial_cmp(constant));
            orders.map(|order| order.map(&holds)).collect::<Option<_>>()?
        }
        _ => return None,
    })
}
