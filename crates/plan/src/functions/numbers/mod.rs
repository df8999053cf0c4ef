//! Functions on numbers. Whole numbers stay whole where the result is one.

use millrace_model::{Result, Value};

use super::arguments::{bad, double, int, misplaced};
use super::{Division, Function, Overflow, Rounding};

#[macro_use]
pub(super) mod elementary;
#[macro_use]
pub(super) mod random;
#[macro_use]
pub(super) mod rounding;

/// The rows of this family; see `functions!`.
macro_rules! numbers_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A number without its sign.
            Abs(Overflow): [1, 1], ALL, Fails::May => numbers::call;
            /// -1, 0 or 1.
            Sign: [1, 1], ALL, Fails::May => numbers::call;
            /// The least whole number that is not below.
            Ceil: [1, 1], ALL, Fails::May => numbers::call;
            /// The greatest whole number that is not above.
            Floor: [1, 1], ALL, Fails::May => numbers::call;
            /// A number rounded to so many decimal places (none: to a whole one).
            Round(Rounding): [1, 2], ALL, Fails::May => numbers::call;
            /// The square root; of a number below zero not a number.
            Sqrt: [1, 1], ALL, Fails::May => numbers::call;
            /// e to the power.
            Exp: [1, 1], ALL, Fails::May => numbers::call;
            /// The natural logarithm.
            Ln: [1, 1], ALL, Fails::May => numbers::call;
            /// The angle of a point by its y and x, from -pi to pi.
            Atan2: [2, 2], ALL, Fails::May => numbers::call;
            /// Whether a double is not a number; a whole number is one.
            IsNan: [1, 1], ALL, Fails::May => numbers::call;
            /// A double to the power of another.
            Power: [2, 2], ALL, Fails::May => numbers::call;
            /// A sum.
            Add(Overflow): [2, 2], ALL, Fails::May => numbers::call;
            /// A difference.
            Subtract(Overflow): [2, 2], ALL, Fails::May => numbers::call;
            /// A product.
            Multiply(Overflow): [2, 2], ALL, Fails::May => numbers::call;
            /// A quotient.
            Divide(Division): [2, 2], ALL, Fails::May => numbers::call;
            /// The remainder with the sign of the divisor.
            Modulo: [2, 2], ALL, Fails::May => numbers::call;
        }
    };
}

/// Decimal places beyond which a double has none.
const PLACES_MAX: i64 = 300;

pub(super) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    match function {
        Function::Add(mode) | Function::Subtract(mode) | Function::Multiply(mode) => {
            calculate(function, mode, &arguments[0], &arguments[1])
        }
        Function::Divide(division) => divide(function, division, &arguments[0], &arguments[1]),
        Function::Modulo => modulo(function, &arguments[0], &arguments[1]),
        Function::Power => {
            let (base, power) =
                (double(function, &arguments[0])?, double(function, &arguments[1])?);
            Ok(Value::F64(base.powf(power)))
        }
        Function::Atan2 => {
            let (y, x) = (double(function, &arguments[0])?, double(function, &arguments[1])?);
            Ok(Value::F64(y.atan2(x)))
        }
        Function::IsNan => Ok(Value::Bool(double(function, &arguments[0])?.is_nan())),
        Function::Round(rounding) => round(function, rounding, arguments),
        Function::Abs(mode) => match arguments[0].as_int() {
            Some(int) => fit(mode, i128::from(int).abs()),
            None => Ok(Value::F64(double(function, &arguments[0])?.abs())),
        },
        Function::Sign => match arguments[0].as_int() {
            Some(int) => Ok(Value::I64(int.signum())),
            None => {
                let number = double(function, &arguments[0])?;
                let sign = if number == 0.0 || number.is_nan() { 0.0 } else { number.signum() };
                Ok(Value::I64(sign as i64))
            }
        },
        Function::Ceil | Function::Floor if arguments[0].as_int().is_some() => {
            Ok(arguments[0].clone())
        }
        Function::Ceil => Ok(Value::F64(double(function, &arguments[0])?.ceil())),
        Function::Floor => Ok(Value::F64(double(function, &arguments[0])?.floor())),
        Function::Sqrt => Ok(Value::F64(double(function, &arguments[0])?.sqrt())),
        Function::Exp => Ok(Value::F64(double(function, &arguments[0])?.exp())),
        Function::Ln => Ok(Value::F64(double(function, &arguments[0])?.ln())),
        other => Err(misplaced(other)),
    }
}

/// A whole number of 64 bits, or the result of the overflow mode.
fn fit(mode: Overflow, whole: i128) -> Result<Value> {
    match (i64::try_from(whole), mode) {
        (Ok(int), _) => Ok(Value::I64(int)),
        (Err(_), Overflow::Wrap) => Ok(Value::I64(whole as i64)),
        (Err(_), Overflow::Double) => Ok(Value::F64(whole as f64)),
        (Err(_), Overflow::Missing) => Ok(Value::Null),
        (Err(_), Overflow::Error | Overflow::Widen) => {
            Err(bad(format!("{whole} is not a 64-bit integer")).with_name("IntegerOverflow"))
        }
    }
}

/// The result of an operation on wide numbers, as wide as the wider of its operands.
fn widened(result: Value, left: &Value, right: &Value) -> Value {
    let widths = [left, right].map(|operand| operand.number_width().unwrap_or(8));
    let width = widths[0].max(widths[1]);
    match result {
        Value::I64(int) => {
            Value::integer_of_width(i128::from(int), width).unwrap_or(Value::I64(int))
        }
        Value::F64(double) => Value::float_of_width(double, width),
        other => other,
    }
}

fn calculate(function: Function, mode: Overflow, left: &Value, right: &Value) -> Result<Value> {
    let result = calculate_wide(function, mode, left, right)?;
    Ok(if mode == Overflow::Widen { widened(result, left, right) } else { result })
}

fn calculate_wide(
    function: Function,
    mode: Overflow,
    left: &Value,
    right: &Value,
) -> Result<Value> {
    if let (Some(left), Some(right)) = (left.as_int(), right.as_int()) {
        let (left, right) = (i128::from(left), i128::from(right));
        return fit(
            mode,
            match function {
                Function::Add(_) => left + right,
                Function::Subtract(_) => left - right,
                _ => left * right,
            },
        );
    }
    let (left, right) = (double(function, left)?, double(function, right)?);
    Ok(Value::F64(match function {
        Function::Add(_) => left + right,
        Function::Subtract(_) => left - right,
        _ => left * right,
    }))
}

fn divide(function: Function, division: Division, left: &Value, right: &Value) -> Result<Value> {
    if division == Division::Widen {
        let result = divide(function, Division::Whole, left, right)?;
        return Ok(widened(result, left, right));
    }
    match (left.as_int(), right.as_int(), division) {
        (Some(_), Some(0), Division::Whole) => {
            Err(bad("division by zero").with_name("DivisionByZero"))
        }
        (Some(left), Some(right), Division::Whole) => {
            fit(Overflow::Error, i128::from(left) / i128::from(right))
        }
        _ if division == Division::Checked && right.as_double() == Some(0.0) => {
            Err(bad("division by zero").with_name("DivisionByZero"))
        }
        _ => Ok(Value::F64(double(function, left)? / double(function, right)?)),
    }
}

fn modulo(function: Function, left: &Value, right: &Value) -> Result<Value> {
    match (left.as_int(), right.as_int()) {
        (Some(_), Some(0)) => Err(bad("division by zero").with_name("DivisionByZero")),
        (Some(left), Some(right)) => {
            let (left, right) = (i128::from(left), i128::from(right));
            let remainder = left % right;
            let turned = remainder != 0 && (remainder < 0) != (right < 0);
            fit(Overflow::Error, if turned { remainder + right } else { remainder })
        }
        _ => {
            let (left, right) = (double(function, left)?, double(function, right)?);
            Ok(Value::F64(left - right * (left / right).floor()))
        }
    }
}

fn round(function: Function, rounding: Rounding, arguments: &[Value]) -> Result<Value> {
    let places = arguments.get(1).map_or(Ok(0), |places| int(function, places))?;
    if arguments[0].as_int().is_some() && 0 <= places {
        return Ok(arguments[0].clone());
    }
    let number = double(function, &arguments[0])?;
    if !(-PLACES_MAX..=PLACES_MAX).contains(&places) {
        return Err(bad(format!("a number is rounded to at most {PLACES_MAX} places")));
    }
    let scale = 10f64.powi(places as i32);
    let scaled = number * scale;
    // A double without a fraction is as round as it can be.
    if !scaled.is_finite() || scaled.fract() == 0.0 {
        return Ok(Value::F64(number));
    }
    let rounded = match rounding {
        Rounding::HalfUp => scaled.round(),
        Rounding::HalfEven => scaled.round_ties_even(),
        Rounding::HalfCeiling => (scaled + 0.5).floor(),
    };
    Ok(Value::F64(rounded / scale))
}
