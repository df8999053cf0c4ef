//! `=`, `<` and kin over columns: straight loops where both sides have one plain type, numbers of two types included.
//!
//! A row without a value is unknown where a language says so; rows that a loop does not decide (null where it is a
//! value, NaN, integers that are no doubles) are compared one by one behind it.

use std::cmp::Ordering;

use millrace_model::compare::{self, CompareMode};
use millrace_model::{Bits, Column, ColumnValues, Value, query_limits};
use millrace_plan::Comparison;

use super::operand::Operand;

/// Integers up to here are doubles, each of its own.
const EXACT_INTEGER_MAX: i64 = 1 << 53;

/// A column of truths; unknown where the languages' comparison says so or a side is absent.
pub(super) fn compare(
    comparison: Comparison,
    left: &Operand,
    right: &Operand,
    len: usize,
    mode: CompareMode,
) -> Operand {
    let one = |row: usize| {
        let (left, right) = (left.get(row)?, right.get(row)?);
        let units = query_limits::work_of(&left).min(query_limits::work_of(&right));
        // The truths of a query that has ended are of no account.
        if query_limits::is_over(units) {
            return None;
        }
        compare_values(comparison, &left, &right, mode)
    };
    let Some(Decided { mut truths, open }) = decide(comparison, left, right) else {
        return Operand::truths((0..len).map(one));
    };
    let mut unknown = missing([left, right], len, mode == CompareMode::NullIsUnknown);
    let open = open.into_iter().chain(match mode {
        CompareMode::NullIsUnknown => Vec::new(),
        CompareMode::NullIsValue | CompareMode::Plain => nulls([left, right]),
    });
    for row in open {
        let truth = one(row);
        truths[row] = truth == Some(true);
        if truth.is_none() {
            unknown.get_or_insert_default().insert(row);
        }
    }
    for row in unknown.iter().flat_map(Bits::ones) {
        truths[row] = false;
    }
    Operand::of(Column { values: ColumnValues::Bool(truths), nulls: unknown, absents: None })
}

/// The rows where a side is absent, or null where that is asked for.
fn missing(operands: [&Operand; 2], len: usize, or_null: bool) -> Option<Bits> {
    let columns = operands.into_iter().filter_map(|operand| match operand {
        Operand::Column(column) => Some(column),
        Operand::Constant(_) => None,
    });
    let mut all: Option<Bits> = None;
    for column in columns {
        for marks in [column.absents.as_ref(), column.nulls.as_ref().filter(|_| or_null)] {
            let Some(marks) = marks else { continue };
            let all = all.get_or_insert_with(|| Bits::unset(len));
            marks.ones().for_each(|row| {
                all.insert(row);
            });
        }
    }
    all
}

/// The rows where a side is null.
fn nulls(operands: [&Operand; 2]) -> Vec<usize> {
    let mut rows = Vec::new();
    for operand in operands {
        if let Operand::Column(column) = operand {
            rows.extend(column.nulls.iter().flat_map(Bits::ones));
        }
    }
    rows
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

/// The comparison with its sides changed.
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal | Comparison::NotEqual => comparison,
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
    }
}

/// Truths of the rows that have values, and the rows that are still to be compared.
struct Decided {
    truths: Vec<bool>,
    open: Vec<usize>,
}

impl From<Vec<bool>> for Decided {
    fn from(truths: Vec<bool>) -> Decided {
        Decided { truths, open: Vec::new() }
    }
}

/// A column beside a constant or a column, both of plain types.
fn decide(comparison: Comparison, left: &Operand, right: &Operand) -> Option<Decided> {
    match (left, right) {
        (Operand::Column(left), Operand::Column(right)) => {
            columns(comparison, &left.values, &right.values)
        }
        (Operand::Column(left), Operand::Constant(right)) => {
            constant(comparison, &left.values, right)
        }
        (Operand::Constant(left), Operand::Column(right)) => {
            constant(mirrored(comparison), &right.values, left)
        }
        (Operand::Constant(_), Operand::Constant(_)) => None,
    }
}

fn columns(comparison: Comparison, left: &ColumnValues, right: &ColumnValues) -> Option<Decided> {
    Some(match (left, right) {
        (ColumnValues::I64(left), ColumnValues::I64(right)) => pairs(comparison, left, right),
        (ColumnValues::Vertex(left), ColumnValues::Vertex(right)) => pairs(comparison, left, right),
        (ColumnValues::Edge(left), ColumnValues::Edge(right)) => pairs(comparison, left, right),
        (ColumnValues::Bool(left), ColumnValues::Bool(right)) => pairs(comparison, left, right),
        (ColumnValues::String(left), ColumnValues::String(right)) => {
            let pairs = left.iter().zip(right.iter());
            pairs.map(|(left, right)| holds(comparison, left.cmp(right))).collect::<Vec<_>>().into()
        }
        (ColumnValues::F64(left), ColumnValues::F64(right)) => {
            let truths = by(comparison, left.iter().copied().zip(right.iter().copied()));
            let open = unordered(left.iter().zip(right).map(|(left, right)| left + right));
            Decided { truths, open }
        }
        _ => return None,
    })
}

fn pairs<T: PartialOrd + Copy>(comparison: Comparison, left: &[T], right: &[T]) -> Decided {
    by(comparison, left.iter().copied().zip(right.iter().copied())).into()
}

/// A loop for each comparison, so that each is a plain one.
fn by<T: PartialOrd>(comparison: Comparison, pairs: impl Iterator<Item = (T, T)>) -> Vec<bool> {
    match comparison {
        Comparison::Equal => pairs.map(|(left, right)| left == right).collect(),
        Comparison::NotEqual => pairs.map(|(left, right)| left != right).collect(),
        Comparison::Less => pairs.map(|(left, right)| left < right).collect(),
        Comparison::LessEqual => pairs.map(|(left, right)| left <= right).collect(),
        Comparison::Greater => pairs.map(|(left, right)| left > right).collect(),
        Comparison::GreaterEqual => pairs.map(|(left, right)| left >= right).collect(),
    }
}

fn with<T: PartialOrd + Copy>(comparison: Comparison, entries: &[T], constant: T) -> Vec<bool> {
    by(comparison, entries.iter().map(|entry| (*entry, constant)))
}

/// The rows of doubles that are NaN.
fn unordered(doubles: impl Iterator<Item = f64> + Clone) -> Vec<usize> {
    if !doubles.clone().fold(false, |any, double| any | double.is_nan()) {
        return Vec::new();
    }
    doubles.enumerate().filter(|(_, double)| double.is_nan()).map(|(row, _)| row).collect()
}

fn constant(comparison: Comparison, entries: &ColumnValues, constant: &Value) -> Option<Decided> {
    // A number is compared by its value, whatever its width.
    let constant = &match constant {
        Value::I8(_) | Value::I16(_) | Value::I32(_) => Value::I64(constant.as_int()?),
        Value::F32(float) => Value::F64(f64::from(*float)),
        other => other.clone(),
    };
    Some(match (entries, constant) {
        (ColumnValues::I64(entries), Value::I64(constant)) => {
            with(comparison, entries, *constant).into()
        }
        (ColumnValues::Vertex(entries), Value::Vertex(constant)) => {
            with(comparison, entries, *constant).into()
        }
        (ColumnValues::Edge(entries), Value::Edge(constant)) => {
            with(comparison, entries, *constant).into()
        }
        (ColumnValues::Bool(entries), Value::Bool(constant)) => {
            with(comparison, entries, *constant).into()
        }
        (ColumnValues::String(entries), Value::String(constant)) => {
            texts(comparison, (0..entries.len()).map(|row| entries.bytes_of(row)), constant).into()
        }
        (ColumnValues::F64(entries), constant) => {
            let constant = match constant {
                Value::F64(constant) if !constant.is_nan() => *constant,
                Value::I64(constant) if is_exact(*constant) => *constant as f64,
                _ => return None,
            };
            let open = unordered(entries.iter().copied());
            Decided { truths: with(comparison, entries, constant), open }
        }
        (ColumnValues::I64(entries), Value::F64(constant)) if !constant.is_nan() => {
            let pairs = entries.iter().map(|entry| (*entry as f64, *constant));
            let open = entries.iter().enumerate().filter(|(_, entry)| !is_exact(**entry));
            Decided { truths: by(comparison, pairs), open: open.map(|(row, _)| row).collect() }
        }
        _ => return None,
    })
}

fn texts<'t>(
    comparison: Comparison,
    entries: impl Iterator<Item = &'t [u8]>,
    constant: &str,
) -> Vec<bool> {
    by(comparison, entries.map(|entry| (entry, constant.as_bytes())))
}

fn is_exact(int: i64) -> bool {
    (-EXACT_INTEGER_MAX..=EXACT_INTEGER_MAX).contains(&int)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of one type with missing entries, and constants of all.
    fn operands() -> Vec<Operand> {
        let ints = [0, 1, -1, 1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN].map(Value::I64);
        let doubles = [0.0, -0.0, 1.0, 0.5, f64::NAN, f64::INFINITY, 9_007_199_254_740_993.0];
        let doubles = doubles.map(Value::F64);
        let texts = ["", "a", "ab", "b", "é", "A", "aa"].map(Value::from);
        let narrow = [Value::I32(1), Value::I8(-1), Value::F32(0.5), Value::F32(f32::NAN)];
        let bools = [true, false, true, false, true, true, false].map(Value::Bool);
        let mut all = Vec::new();
        for values in [ints, doubles, texts, bools] {
            all.push(Operand::of(Column::from_values(values.clone())));
            let mut holed = Column::default();
            for (row, value) in values.iter().enumerate() {
                match row {
                    2 => holed.push(Value::Null),
                    5 => holed.push_absent(),
                    _ => holed.push(value.clone()),
                }
            }
            all.push(Operand::of(holed));
            all.extend(values.map(Operand::Constant));
        }
        all.extend(narrow.map(Operand::Constant));
        all.push(Operand::Constant(Value::Null));
        all
    }

    #[test]
    fn loops_say_what_the_comparison_of_each_pair_says() {
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ];
        let modes = [CompareMode::NullIsValue, CompareMode::NullIsUnknown, CompareMode::Plain];
        let all = operands();
        for (left, right) in all.iter().flat_map(|left| all.iter().map(move |own| (left, own))) {
            for (comparison, mode) in
                comparisons.iter().flat_map(|own| modes.map(|mode| (own, mode)))
            {
                let truths = compare(*comparison, left, right, 7, mode);
                for row in 0..7 {
                    let expected = left
                        .get(row)
                        .zip(right.get(row))
                        .and_then(|(left, right)| compare_values(*comparison, &left, &right, mode));
                    let found = match truths.value(row) {
                        Value::Bool(truth) => Some(truth),
                        _ => None,
                    };
                    assert_eq!(
                        found, expected,
                        "{comparison:?} {mode:?} {row}: {left:?} {right:?}"
                    );
                }
            }
        }
    }
}
