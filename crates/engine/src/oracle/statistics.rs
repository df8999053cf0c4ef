//! Deviations and percentiles of values that are there, and sums of durations: each from its definition.

use std::cmp::Ordering;

use millrace_model::temporal::Duration;
use millrace_model::{Error, ErrorKind, Result, Value, compare};

use super::sum;

/// The standard deviation; null of no number, and 0 of one.
pub(super) fn deviation(values: &[Value], of_population: bool) -> Result<Value> {
    if values.is_empty() {
        return Ok(Value::Null);
    }
    let mean = sum::mean(values)?.as_double();
    let (Some(mean), 2..) = (mean, values.len()) else { return Ok(Value::F64(0.0)) };
    let square = |value: &Value| {
        let from_mean = value.as_double().unwrap_or(f64::NAN) - mean;
        Value::F64(from_mean * from_mean)
    };
    let squares = sum::sum(&values.iter().map(square).collect::<Vec<_>>())?;
    let divisor = if of_population { values.len() } else { values.len() - 1 };
    Ok(Value::F64((squares.as_double().unwrap_or(f64::NAN) / divisor as f64).sqrt()))
}

/// The percentile of lists of two, a number and the fraction.
pub(super) fn percentile(pairs: &[Value], interpolated: bool) -> Result<Value> {
    let mut numbers = Vec::new();
    let mut fractions: Vec<f64> = Vec::new();
    for pair in pairs {
        let Value::List(pair) = pair else { continue };
        let [number, fraction] = &pair[..] else { continue };
        if number.is_null() {
            continue;
        }
        let fraction = fraction.as_double().filter(|fraction| 0.0 <= *fraction && *fraction <= 1.0);
        fractions.push(fraction.ok_or_else(|| bad("no fraction of a percentile"))?);
        if number.as_double().is_none() {
            return Err(bad("no number"));
        }
        numbers.push(number.clone());
    }
    let Some(&fraction) = fractions.first() else { return Ok(Value::Null) };
    if fractions.iter().any(|other| *other != fraction) {
        return Err(bad("several fractions of one percentile"));
    }
    numbers.sort_by(compare::total);
    let (count, last) = (numbers.len() as f64, numbers.len() - 1);
    if interpolated {
        return Ok(Value::F64(between(&numbers, fraction * last as f64)));
    }
    // The first number at which the share of numbers reaches the fraction.
    let reaches = |index: &usize| fraction * count <= (*index + 1) as f64;
    let index = (0..last).find(reaches).unwrap_or(last);
    Ok(numbers[index].clone())
}

fn between(numbers: &[Value], exact: f64) -> f64 {
    let number = |index: f64| numbers[index as usize].as_double().unwrap_or(f64::NAN);
    let (below, above) = (exact.floor(), exact.ceil());
    match below.partial_cmp(&above) {
        Some(Ordering::Less) => number(below) * (above - exact) + number(above) * (exact - below),
        _ => number(below),
    }
}

/// The sum of durations if the values are some, and their mean; `None`: they are numbers.
pub(super) fn durations(values: &[Value], mean: bool) -> Result<Option<Value>> {
    let all: Vec<&Duration> = values
        .iter()
        .filter_map(|value| if let Value::Duration(own) = value { Some(&**own) } else { None })
        .collect();
    if all.is_empty() {
        return Ok(None);
    }
    if all.len() != values.len() {
        return Err(bad("durations and other values in one sum"));
    }
    let sum = |part: fn(&Duration) -> i64| all.iter().map(|own| i128::from(part(own))).sum();
    let (months, days, seconds): (i128, i128, i128) =
        (sum(|own| own.months), sum(|own| own.days), sum(|own| own.seconds));
    let nanos: i128 = sum(|own| own.nanos.into());
    let nanos = seconds * 1_000_000_000 + nanos;
    if !mean {
        return duration(months, days, nanos).map(Some);
    }
    // What is left of a part, in nanoseconds times the count.
    let count = all.len() as i128;
    let day = 86_400_000_000_000i128;
    let of_days = days * day + (months % count) * 2_629_746_000_000_000;
    let days = of_days / (day * count);
    let nanos = (of_days - days * day * count + nanos) / count;
    duration(months / count, days, nanos).map(Some)
}

fn duration(months: i128, days: i128, nanos: i128) -> Result<Value> {
    let fit = |part: i128| i64::try_from(part).map_err(|_| bad("a duration that is too long"));
    let seconds = fit(nanos.div_euclid(1_000_000_000))?;
    let (months, days, nanos) = (fit(months)?, fit(days)?, nanos.rem_euclid(1_000_000_000) as u32);
    Ok(Value::Duration(Duration { months, days, seconds, nanos }.into()))
}

fn bad(detail: &str) -> Error {
    Error::new(ErrorKind::BadQuery, detail)
}
