//! A duration from a map of its parts, from its text, or from a duration.

use std::sync::Arc;

use super::amounts::{Amount, carried};
use super::read;
use super::sums::too_long;
use crate::calendar::Duration;
use crate::errors::error::Result;
use crate::temporal::failures::bad;
use crate::values::value::Value;

/// The parts by name: the place of the sum that each belongs to, and how many of its units it has.
const PARTS: [(&str, usize, i64); 11] = [
    ("years", MONTHS, 12),
    ("quarters", MONTHS, 3),
    ("months", MONTHS, 1),
    ("weeks", DAYS, 7),
    ("days", DAYS, 1),
    ("hours", SECONDS, 3_600),
    ("minutes", SECONDS, 60),
    ("seconds", SECONDS, 1),
    ("milliseconds", NANOS, 1_000_000),
    ("microseconds", NANOS, 1_000),
    ("nanoseconds", NANOS, 1),
];

const MONTHS: usize = 0;
const DAYS: usize = 1;
const SECONDS: usize = 2;
const NANOS: usize = 3;

/// A duration from a map of parts, a text, or a duration. Null gives null.
pub fn make_duration(value: &Value) -> Result<Value> {
    let duration = match value {
        Value::Null => return Ok(Value::Null),
        Value::Duration(_) => return Ok(value.clone()),
        Value::String(text) => read::read(text)?,
        Value::Map(pairs) => from_parts(pairs)?,
        other => {
            let found = other.type_name();
            return Err(bad(format!(
                "a duration is created from a map or a text, not from a {found}"
            )));
        }
    };
    Ok(Value::Duration(Arc::new(duration)))
}

/// A part that is null is an error: a duration that is shorter than was meant would pass unnoticed.
fn from_parts(pairs: &[(Value, Value)]) -> Result<Duration> {
    if pairs.is_empty() {
        return Err(bad("a duration expects at least one part").with_help("as {days: 1}"));
    }
    let mut sums = [Amount::ZERO; 4];
    for (name, value) in pairs {
        let Some((name, place, units)) = name.as_str().and_then(part) else {
            let found = name.as_str().unwrap_or("of another type than text");
            let names = PARTS.map(|(name, ..)| name).join(", ");
            return Err(bad(format!("a duration has no part {found}"))
                .with_help(format!("its parts are {names}")));
        };
        let amount = amount(value).ok_or_else(|| {
            bad(format!("{name} of a duration expects a number but got a {}", value.type_name()))
        })?;
        let sum = amount.by(units).and_then(|amount| sums[place].plus(amount));
        sums[place] = sum.ok_or_else(too_long)?;
    }
    let [months, days, seconds, nanos] = sums;
    carried(months, days, seconds, nanos).ok_or_else(too_long)
}

fn part(name: &str) -> Option<(&'static str, usize, i64)> {
    PARTS.into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))
}

/// A number as an amount.
pub(in crate::temporal) fn amount(value: &Value) -> Option<Amount> {
    match value.as_int() {
        Some(int) => Some(Amount::from(int)),
        None => Amount::from_double(value.as_double()?),
    }
}
