//! Values as text.

use millrace_model::temporal::{Date, DateTime, Time};
use millrace_model::uuid;
use std::fmt::Write;

/// How the values of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Boolean,
    Integer {
        signed: bool,
    },
    Float,
    Half,
    Text,
    Date,
    Time {
        per_second: i64,
        utc: bool,
    },
    Timestamp {
        per_second: i64,
        utc: bool,
    },
    /// Nanoseconds of a day, and the day by its Julian number.
    Int96,
    Decimal {
        scale: u32,
    },
    Uuid,
    /// Months, days and milliseconds.
    Interval,
}

/// A value as the file has it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Raw<'a> {
    Boolean(bool),
    Int32(i32),
    Int64(i64),
    Int96(&'a [u32]),
    Float(f64),
    Bytes(&'a [u8]),
}

const DAY_SECONDS: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

/// The Julian number of 1 January 1970.
const JULIAN_1970: i64 = 2_440_588;

/// Seconds from 1970 to the last year of nine digits, which a reader of dates accepts.
const SECONDS_MAX: i64 = 31_556_889_864_403_199;

impl Cell {
    /// Appends a value; the error says what is wrong with it.
    pub(super) fn write(self, raw: Raw<'_>, out: &mut String) -> Result<(), String> {
        match (self, raw) {
            (Self::Boolean, Raw::Boolean(truth)) => shown(out, truth),
            (Self::Integer { signed: true }, Raw::Int32(number)) => shown(out, number),
            (Self::Integer { signed: false }, Raw::Int32(number)) => {
                shown(out, number.cast_unsigned());
            }
            (Self::Integer { signed: true }, Raw::Int64(number)) => shown(out, number),
            // Beyond 64 bits with a sign it is a bad row, as in any table.
            (Self::Integer { signed: false }, Raw::Int64(number)) => {
                shown(out, number.cast_unsigned());
            }
            (Self::Float, Raw::Float(number)) => float(out, number),
            (Self::Half, Raw::Bytes(&[low, high])) => {
                float(out, half(u16::from_le_bytes([low, high])));
            }
            (Self::Text, Raw::Bytes(bytes)) => match str::from_utf8(bytes) {
                Ok(text) => out.push_str(text),
                Err(_) => return Err("holds bytes that are no UTF-8 text".into()),
            },
            (Self::Date, Raw::Int32(days)) => shown(out, Date { days: i64::from(days) }),
            (Self::Time { per_second, utc }, Raw::Int32(number)) => {
                time(out, i64::from(number), per_second, utc)?;
            }
            (Self::Time { per_second, utc }, Raw::Int64(number)) => {
                time(out, number, per_second, utc)?;
            }
            (Self::Timestamp { per_second, utc }, Raw::Int64(number)) => {
                let (seconds, part) =
                    (number.div_euclid(per_second), number.rem_euclid(per_second));
                timestamp(out, seconds, part * (NANOS / per_second), utc)?;
            }
            (Self::Int96, Raw::Int96(&[low, high, day])) => {
                let nanos = u64::from(high) << 32 | u64::from(low);
                let nanos = i64::try_from(nanos).map_err(|_| no_time())?;
                let seconds = (i64::from(day) - JULIAN_1970) * DAY_SECONDS + nanos / NANOS;
                timestamp(out, seconds, nanos % NANOS, false)?;
            }
            (Self::Decimal { scale }, raw) => decimal(out, whole(raw)?, scale),
            (Self::Uuid, Raw::Bytes(bytes)) => match <[u8; 16]>::try_from(bytes) {
                Ok(bytes) => out.push_str(&uuid::text(bytes)),
                Err(_) => return Err("holds a UUID that has not 16 bytes".into()),
            },
            (Self::Interval, Raw::Bytes(bytes)) => interval(out, bytes)?,
            _ => return Err("holds values of another type than the schema says".into()),
        }
        Ok(())
    }
}

fn shown(out: &mut String, value: impl std::fmt::Display) {
    // A text grows, or the process ends: this does not fail.
    let _written = write!(out, "{value}");
}

fn float(out: &mut String, number: f64) {
    match number {
        _ if number.is_nan() => out.push_str("NaN"),
        f64::INFINITY => out.push_str("Infinity"),
        f64::NEG_INFINITY => out.push_str("-Infinity"),
        _ => shown(out, format_args!("{number:?}")),
    }
}

/// A float of 16 bits.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff) / 1024.0);
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

fn no_time() -> String {
    "holds a date or time that is out of range".into()
}

fn time(out: &mut String, number: i64, per_second: i64, utc: bool) -> Result<(), String> {
    if !(0..DAY_SECONDS * per_second).contains(&number) {
        return Err(no_time());
    }
    let nanos = number.cast_unsigned() * (NANOS / per_second).cast_unsigned();
    shown(out, Time { nanos, offset_seconds: utc.then_some(0) });
    Ok(())
}

fn timestamp(out: &mut String, seconds: i64, nanos: i64, utc: bool) -> Result<(), String> {
    if !(-SECONDS_MAX..=SECONDS_MAX).contains(&seconds) {
        return Err(no_time());
    }
    let nanos = u32::try_from(nanos).map_err(|_| no_time())?;
    shown(out, DateTime { seconds, nanos, offset_seconds: if utc { 0 } else { DateTime::LOCAL } });
    Ok(())
}

/// The digits of a decimal as one number.
fn whole(raw: Raw<'_>) -> Result<i128, String> {
    match raw {
        Raw::Int32(number) => Ok(i128::from(number)),
        Raw::Int64(number) => Ok(i128::from(number)),
        Raw::Bytes(bytes) if (1..=16).contains(&bytes.len()) => {
            let sign = if bytes[0] < 0x80 { 0 } else { -1 };
            Ok(bytes.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte)))
        }
        _ => Err("holds a decimal that has more than 38 digits".into()),
    }
}

fn decimal(out: &mut String, number: i128, scale: u32) {
    let digits = format!("{:0width$}", number.unsigned_abs(), width = scale as usize + 1);
    let (before, behind) = digits.split_at(digits.len() - scale as usize);
    out.push_str(if number < 0 { "-" } else { "" });
    out.push_str(before);
    if !behind.is_empty() {
        out.push('.');
        out.push_str(behind);
    }
}

fn interval(out: &mut String, bytes: &[u8]) -> Result<(), String> {
    let parts: Vec<u32> =
        bytes.as_chunks::<4>().0.iter().map(|part| u32::from_le_bytes(*part)).collect();
    let [months, days, millis] = parts[..] else {
        return Err("holds an interval that has not 12 bytes".into());
    };
    shown(out, format_args!("P{months}M{days}DT{}.{:03}S", millis / 1000, millis % 1000));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cell: Cell, raw: Raw<'_>) -> String {
        let mut out = String::new();
        cell.write(raw, &mut out).unwrap_or_else(|detail| out = detail);
        out
    }

    #[test]
    fn numbers_keep_their_digits_and_sign() {
        assert_eq!(text(Cell::Integer { signed: false }, Raw::Int32(-1)), "4294967295");
        assert_eq!(text(Cell::Integer { signed: true }, Raw::Int64(-5)), "-5");
        assert_eq!(text(Cell::Float, Raw::Float(0.1)), "0.1");
        assert_eq!(text(Cell::Float, Raw::Float(f64::NEG_INFINITY)), "-Infinity");
        for (bits, number) in [(0x3c00_u16, 1.0), (0xc000, -2.0), (0x0001, 2f64.powi(-24))] {
            assert_eq!(half(bits).to_bits(), f64::to_bits(number));
        }
        let decimal = Cell::Decimal { scale: 2 };
        assert_eq!(text(decimal, Raw::Int32(-5)), "-0.05");
        assert_eq!(text(decimal, Raw::Bytes(&[0xff, 0x38])), "-2.00");
        assert_eq!(
            text(decimal, Raw::Bytes(&[0; 17])),
            "holds a decimal that has more than 38 digits"
        );
        assert_eq!(text(Cell::Decimal { scale: 0 }, Raw::Int64(120)), "120");
    }

    #[test]
    fn dates_and_times_are_those_of_iso_8601() {
        assert_eq!(text(Cell::Date, Raw::Int32(-1)), "1969-12-31");
        let utc = Cell::Timestamp { per_second: 1_000, utc: true };
        assert_eq!(text(utc, Raw::Int64(-1)), "1969-12-31T23:59:59.999Z");
        let local = Cell::Timestamp { per_second: 1_000_000_000, utc: false };
        assert_eq!(text(local, Raw::Int64(1_500_000_000)), "1970-01-01T00:00:01.5");
        assert_eq!(text(utc, Raw::Int64(i64::MAX)), "+292278994-08-17T07:12:55.807Z");
        let time = Cell::Time { per_second: 1_000_000, utc: false };
        assert_eq!(text(time, Raw::Int64(1_000_000)), "00:00:01");
        assert_eq!(text(time, Raw::Int64(-1)), no_time());
        assert_eq!(text(Cell::Int96, Raw::Int96(&[0, 0, 2_440_589])), "1970-01-02T00:00:00");
        let parts = [1, 0, 0, 0, 2, 0, 0, 0, 0xdc, 5, 0, 0];
        assert_eq!(text(Cell::Interval, Raw::Bytes(&parts)), "P1M2DT1.500S");
    }
}
