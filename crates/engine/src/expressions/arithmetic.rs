//! `+` and kin: integers checked, doubles as IEEE has them, null where a side is missing.
//!
//! Integers of any width give 64 bits. A decimal with an integer or a decimal stays exact under
//! `+`, `-`, `*`; anything else with a float is a double.

use millrace_model::{Bits, Column, ColumnValues, Decimal, Error, ErrorKind, Result, Value};
use millrace_plan::Arithmetic;

use super::operand::Operand;

pub(super) fn calculate(
    operation: Arithmetic,
    left: &Operand,
    right: &Operand,
    len: usize,
) -> Result<Operand> {
    if let Some(column) = plain(operation, left, right, len)? {
        return Ok(Operand::of(column));
    }
    let mut column = Column::default();
    for row in 0..len {
        column.push(values(operation, &left.value(row), &right.value(row))?);
    }
    Ok(Operand::of(column))
}

/// Both sides 64-bit integers, or both doubles; null where a side is missing. Else `None`.
pub(super) fn plain(
    operation: Arithmetic,
    left: &Operand,
    right: &Operand,
    len: usize,
) -> Result<Option<Column>> {
    let values = if let (Some(left), Some(right)) = (Ints::of(left), Ints::of(right)) {
        let columns = [left.column(), right.column()];
        let is_there = presence(&columns);
        let int = |row: usize| match is_there(row) {
            true => integers(operation, left.get(row), right.get(row)),
            false => Ok(0),
        };
        ColumnValues::I64((0..len).map(int).collect::<Result<_>>()?)
    } else if let (Some(left), Some(right)) = (Doubles::of(left), Doubles::of(right)) {
        let result = (0..len).map(|row| doubles(operation, left.get(row), right.get(row)));
        ColumnValues::F64(result.collect())
    } else {
        return Ok(None);
    };
    let mut nulls: Option<Bits> = None;
    for operand in [left, right] {
        let Operand::Column(column) = operand else { continue };
        for marks in [&column.nulls, &column.absents].into_iter().flatten() {
            let nulls = nulls.get_or_insert_with(|| Bits::unset(len));
            marks.ones().for_each(|row| {
                nulls.insert(row);
            });
        }
    }
    Ok(Some(Column { values, nulls, absents: None }))
}

/// Whether a row has a value on both sides.
fn presence<'a>(columns: &'a [Option<&'a Column>; 2]) -> impl Fn(usize) -> bool + use<'a> {
    let is_whole =
        columns.iter().flatten().all(|column| column.nulls.is_none() && column.absents.is_none());
    move |row| {
        is_whole || columns.iter().flatten().all(|own| !own.is_null(row) && !own.is_absent(row))
    }
}

enum Ints<'a> {
    Column(&'a [i64], &'a Column),
    Constant(i64),
}

impl Ints<'_> {
    fn of(operand: &Operand) -> Option<Ints<'_>> {
        match operand {
            Operand::Column(column) => match &column.values {
                ColumnValues::I64(ints) => Some(Ints::Column(ints, column)),
                _ => None,
            },
            Operand::Constant(Value::I64(int)) => Some(Ints::Constant(*int)),
            Operand::Constant(_) => None,
        }
    }

    fn get(&self, row: usize) -> i64 {
        match self {
            Ints::Column(ints, _) => ints[row],
            Ints::Constant(int) => *int,
        }
    }

    fn column(&self) -> Option<&Column> {
        match self {
            Ints::Column(_, column) => Some(column),
            Ints::Constant(_) => None,
        }
    }
}

enum Doubles<'a> {
    Column(&'a [f64]),
    Constant(f64),
}

impl Doubles<'_> {
    fn of(operand: &Operand) -> Option<Doubles<'_>> {
        match operand {
            Operand::Column(column) => match &column.values {
                ColumnValues::F64(doubles) => Some(Doubles::Column(doubles)),
                _ => None,
            },
            Operand::Constant(Value::F64(double)) => Some(Doubles::Constant(*double)),
            Operand::Constant(_) => None,
        }
    }

    fn get(&self, row: usize) -> f64 {
        match self {
            Doubles::Column(doubles) => doubles[row],
            Doubles::Constant(double) => *double,
        }
    }
}

fn values(operation: Arithmetic, left: &Value, right: &Value) -> Result<Value> {
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    if let (Some(left), Some(right)) = (left.as_int(), right.as_int()) {
        return integers(operation, left, right).map(Value::I64);
    }
    if let (Some(left), Some(right)) = (as_decimal(left), as_decimal(right))
        && let Some(exact) = decimals(operation, left, right)
    {
        return exact.map(|decimal| Value::Decimal(decimal.into()));
    }
    match (left.as_double(), right.as_double()) {
        (Some(left), Some(right)) => Ok(Value::F64(doubles(operation, left, right))),
        _ => {
            let (left, right) = (left.type_name(), right.type_name());
            let symbol = symbol(operation);
            let detail = format!("{symbol} expects two numbers but got a {left} and a {right}");
            Err(Error::new(ErrorKind::BadQuery, detail))
        }
    }
}

fn integers(operation: Arithmetic, left: i64, right: i64) -> Result<i64> {
    let result = match operation {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide => left.checked_div(right),
        // By -1 nothing is left, also of the least integer, though its quotient does not fit.
        Arithmetic::Remainder => (right != 0).then(|| left.wrapping_rem(right)),
    };
    result.ok_or_else(|| {
        let symbol = symbol(operation);
        let divides = matches!(operation, Arithmetic::Divide | Arithmetic::Remainder);
        let (reason, name) = if divides && right == 0 {
            ("divides an integer by zero", "DivisionByZero")
        } else {
            ("does not fit a 64-bit integer", "IntegerOverflow")
        };
        let detail = format!("{left} {symbol} {right} {reason}");
        Error::new(ErrorKind::BadQuery, detail).with_name(name)
    })
}

fn doubles(operation: Arithmetic, left: f64, right: f64) -> f64 {
    match operation {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
        Arithmetic::Remainder => left % right,
    }
}

fn as_decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Decimal(decimal) => Some(**decimal),
        other => other.as_int().map(|int| Decimal { unscaled: int.into(), scale: 0 }),
    }
}

/// `None` for the operations that are done in doubles.
fn decimals(operation: Arithmetic, left: Decimal, right: Decimal) -> Option<Result<Decimal>> {
    let scale = left.scale.max(right.scale);
    let widen =
        |decimal: Decimal| 10i128.checked_pow(scale - decimal.scale)?.checked_mul(decimal.unscaled);
    let exact = match operation {
        Arithmetic::Add => {
            let sum = widen(left).zip(widen(right)).and_then(|(a, b)| a.checked_add(b));
            sum.map(|unscaled| Decimal { unscaled, scale })
        }
        Arithmetic::Subtract => {
            let rest = widen(left).zip(widen(right)).and_then(|(a, b)| a.checked_sub(b));
            rest.map(|unscaled| Decimal { unscaled, scale })
        }
        Arithmetic::Multiply => {
            let product = left.unscaled.checked_mul(right.unscaled);
            let scale = left.scale.checked_add(right.scale);
            product.zip(scale).map(|(unscaled, scale)| Decimal { unscaled, scale })
        }
        Arithmetic::Divide | Arithmetic::Remainder => return None,
    };
    Some(exact.ok_or_else(|| {
        let symbol = symbol(operation);
        Error::new(ErrorKind::BadQuery, format!("{left} {symbol} {right} does not fit a decimal"))
    }))
}

fn symbol(operation: Arithmetic) -> &'static str {
    match operation {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
    }
}
