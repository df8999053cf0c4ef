//! Exact sums: every double is taken apart into parts that do not overlap, and rounded once.
//!
//! Shewchuk, "Adaptive Precision Floating-Point Arithmetic" (1997), in the form of Python's
//! `math.fsum`. Deliberately not the engine's way. Not for partial sums beyond the largest double.

use millrace_model::{Decimal, Error, ErrorKind, Result, Value};

use super::statistics;

/// The sum of values that are there; null of none. Integers stay integers.
pub(super) fn sum(values: &[Value]) -> Result<Value> {
    if values.is_empty() {
        return Ok(Value::Null);
    }
    if let Some(sum) = statistics::durations(values, false)? {
        return Ok(sum);
    }
    if let Some(sum) = vectors(values, 1.0)? {
        return Ok(sum);
    }
    let numbers = Numbers::of(values)?;
    let width = values.iter().filter_map(Value::number_width).max().unwrap_or(8);
    if !numbers.doubles.is_empty() {
        return Ok(Value::float_of_width(numbers.as_double()?, width));
    }
    match numbers.decimal {
        Some(_) => numbers.exact().map(|exact| Value::Decimal(exact.into())),
        None => Value::integer_of_width(numbers.integer, width).ok_or_else(too_large),
    }
}

/// The mean, as a double; null of none.
pub(super) fn mean(values: &[Value]) -> Result<Value> {
    if values.is_empty() {
        return Ok(Value::Null);
    }
    if let Some(mean) = statistics::durations(values, true)? {
        return Ok(mean);
    }
    if let Some(mean) = vectors(values, values.len() as f32)? {
        return Ok(mean);
    }
    Ok(Value::F64(Numbers::of(values)?.as_double()? / values.len() as f64))
}

/// The sum of vectors, number by number, by a count; `None`: there are none.
fn vectors(values: &[Value], count: f32) -> Result<Option<Value>> {
    let bad = |detail: &str| Err(Error::new(ErrorKind::BadQuery, detail));
    let vector = |value: &Value| match value {
        Value::Vector(numbers) => Some(numbers.to_vec()),
        _ => None,
    };
    let all: Vec<Vec<f32>> = values.iter().filter_map(vector).collect();
    let Some(length) = all.first().map(Vec::len) else { return Ok(None) };
    if all.len() != values.len() {
        return bad("vectors and other values in one sum");
    }
    if all.iter().any(|own| own.len() != length) {
        return bad("The length of vectors must match");
    }
    let at = |dimension: usize| {
        let numbers: Vec<f64> = all.iter().map(|own| f64::from(own[dimension])).collect();
        sum_doubles(&numbers) as f32 / count
    };
    let numbers: Vec<f32> = (0..length).map(at).collect();
    let is_finite = numbers.iter().all(|number| number.is_finite());
    Ok(Some(if is_finite { Value::vector(&numbers) } else { Value::Null }))
}

#[derive(Default)]
struct Numbers {
    integer: i128,
    decimal: Option<Decimal>,
    doubles: Vec<f64>,
}

impl Numbers {
    fn of(values: &[Value]) -> Result<Numbers> {
        let mut numbers = Numbers::default();
        for value in values {
            match value {
                Value::F32(float) => numbers.doubles.push(f64::from(*float)),
                Value::F64(double) => numbers.doubles.push(*double),
                Value::Decimal(decimal) => {
                    let zero = Decimal { unscaled: 0, scale: 0 };
                    let sum = numbers.decimal.unwrap_or(zero);
                    numbers.decimal = Some(add_decimals(sum, **decimal)?);
                }
                other => match other.as_int() {
                    Some(int) => numbers.integer += i128::from(int),
                    None => {
                        let kind = other.type_name();
                        let detail = format!("a {kind} cannot be summed");
                        return Err(Error::new(ErrorKind::BadQuery, detail));
                    }
                },
            }
        }
        Ok(numbers)
    }

    fn exact(&self) -> Result<Decimal> {
        let whole = Decimal { unscaled: self.integer, scale: 0 };
        self.decimal.map_or(Ok(whole), |decimal| add_decimals(decimal, whole))
    }

    fn as_double(&self) -> Result<f64> {
        let mut doubles = self.doubles.clone();
        // In pieces of 32 bits, each of which a double holds exactly.
        let magnitude = self.integer.unsigned_abs();
        let sign = if self.integer < 0 { -1.0 } else { 1.0 };
        for piece in 0..4 {
            let bits = (magnitude >> (piece * 32)) as u32;
            doubles.push(sign * f64::from(bits) * 2f64.powi(piece * 32));
        }
        doubles.extend(self.decimal.map(Decimal::to_f64));
        Ok(sum_doubles(&doubles))
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::BadQuery, "a sum does not fit")
}

/// The exact sum of two decimals, with the larger scale.
pub(super) fn add_decimals(left: Decimal, right: Decimal) -> Result<Decimal> {
    let scale = left.scale.max(right.scale);
    let widen =
        |decimal: Decimal| 10i128.checked_pow(scale - decimal.scale)?.checked_mul(decimal.unscaled);
    let sum = widen(left).zip(widen(right)).and_then(|(left, right)| left.checked_add(right));
    Ok(Decimal { unscaled: sum.ok_or_else(too_large)?, scale })
}

fn sum_doubles(doubles: &[f64]) -> f64 {
    if doubles.iter().any(|double| !double.is_finite()) {
        return doubles.iter().filter(|double| !double.is_finite()).sum();
    }
    let mut parts: Vec<f64> = Vec::new();
    for &double in doubles {
        let mut carried = double;
        let mut kept = Vec::new();
        for &part in &parts {
            let (large, small) =
                if carried.abs() < part.abs() { (part, carried) } else { (carried, part) };
            let high = large + small;
            let low = small - (high - large);
            if low != 0.0 {
                kept.push(low);
            }
            carried = high;
        }
        kept.push(carried);
        parts = kept;
    }
    round_once(&parts)
}

/// The nearest double of parts in ascending order that do not overlap; ties to even.
fn round_once(parts: &[f64]) -> f64 {
    let mut rest = parts.iter().rev().copied();
    let mut high = rest.next().unwrap_or(0.0);
    let mut low = 0.0;
    for part in rest.by_ref() {
        let sum = high + part;
        low = part - (sum - high);
        high = sum;
        if low != 0.0 {
            break;
        }
    }
    // Half-way cases: the next lower part decides, if it has the sign of the remainder.
    let below = rest.next().unwrap_or(0.0);
    if low < 0.0 && below < 0.0 || 0.0 < low && 0.0 < below {
        let doubled = low * 2.0;
        let rounded = high + doubled;
        if doubled == rounded - high {
            return rounded;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_rounded_once() {
        assert_eq!(sum_doubles(&[1e300, 1.0, -1e300]), 1.0);
        assert_eq!(sum_doubles(&[0.1; 10]), 1.0);
        let ulp = f64::EPSILON;
        assert_eq!(sum_doubles(&[1.0, ulp / 2.0]), 1.0);
        assert_eq!(sum_doubles(&[1.0, ulp / 2.0, 5e-324]), 1.0 + ulp);
    }

    #[test]
    fn integers_and_doubles_meet_exactly() {
        let large = Value::I64(i64::MAX);
        let sum = sum(&[large, Value::F64(0.5), Value::I64(-i64::MAX)]);
        assert_eq!(sum, Ok(Value::F64(0.5)));
    }
}
