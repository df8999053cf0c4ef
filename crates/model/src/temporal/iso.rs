//! Temporal values and durations as ISO 8601 text.
//!
//! Cypher's `toString` writes the seconds of a time always, and of a fraction the digits that it has.
//! `Display` of the types is older text of other languages and stays as it is.

use std::fmt::Write;

use super::parts::{SECOND_NANOS, TemporalParts, Zone};
use crate::calendar::{Date, Duration};
use crate::values::value::Value;

/// Whether a time shows its seconds if there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seconds {
    /// Always: `12:00:00`.
    Always,
    /// Only if there are seconds or a fraction: `12:00`.
    IfAny,
    /// The same, with 3, 6 or 9 digits of a fraction, as Java writes them.
    Java,
}

/// The text of a temporal value or duration; `None` if the value is of another type.
pub fn text(value: &Value, seconds: Seconds) -> Option<String> {
    match value {
        Value::Duration(duration) => Some(duration_text(duration)),
        other => TemporalParts::of(other).map(|parts| parts_text(&parts, seconds)),
    }
}

pub(super) fn parts_text(parts: &TemporalParts, seconds: Seconds) -> String {
    let mut text = parts.date.map(date_text).unwrap_or_default();
    if let Some(nanos) = parts.nanos {
        if parts.date.is_some() {
            text.push('T');
        }
        put_clock(&mut text, nanos, seconds);
    }
    if let Some(Zone { name, offset_seconds }) = &parts.zone {
        text.push_str(&offset_text(*offset_seconds));
        if let Some(name) = name {
            text.push('[');
            text.push_str(name);
            text.push(']');
        }
    }
    text
}

fn date_text(date: Date) -> String {
    let (year, month, day) = date.civil();
    let sign = match year {
        ..0 => "-",
        0..10_000 => "",
        10_000.. => "+",
    };
    format!("{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
}

fn put_clock(text: &mut String, nanos: u64, seconds: Seconds) {
    let (whole, fraction) = (nanos / SECOND_NANOS, nanos % SECOND_NANOS);
    let mut put = |piece: std::fmt::Arguments<'_>| {
        let _ = text.write_fmt(piece);
    };
    put(format_args!("{:02}:{:02}", whole / 3_600, whole / 60 % 60));
    if seconds == Seconds::Always || whole % 60 != 0 || fraction != 0 {
        put(format_args!(":{:02}", whole % 60));
    }
    if fraction != 0 {
        let digits = format!("{fraction:09}");
        let shortest = digits.trim_end_matches('0');
        let count = match seconds {
            Seconds::Java => shortest.len().next_multiple_of(3),
            Seconds::Always | Seconds::IfAny => shortest.len(),
        };
        put(format_args!(".{}", &digits[..count]));
    }
}

/// `Z`, or a sign, hours and minutes, and seconds if there are any.
pub(super) fn offset_text(offset_seconds: i32) -> String {
    let all = offset_seconds.unsigned_abs();
    let sign = match offset_seconds {
        0 => return "Z".to_owned(),
        ..0 => '-',
        1.. => '+',
    };
    let (hours, minutes, seconds) = (all / 3_600, all / 60 % 60, all % 60);
    match seconds {
        0 => format!("{sign}{hours:02}:{minutes:02}"),
        _ => format!("{sign}{hours:02}:{minutes:02}:{seconds:02}"),
    }
}

/// Parts that are zero are left out; hours, minutes and seconds have the sign of all seconds.
pub(super) fn duration_text(duration: &Duration) -> String {
    let mut text = String::from("P");
    let mut put = |quantity: i128, unit: char| {
        if quantity != 0 {
            text.push_str(&quantity.to_string());
            text.push(unit);
        }
    };
    put((duration.months / 12).into(), 'Y');
    put((duration.months % 12).into(), 'M');
    put(duration.days.into(), 'D');
    let nanos = duration.clock_nanos();
    if nanos != 0 {
        let second = i128::from(SECOND_NANOS);
        let (seconds, fraction) = (nanos / second, (nanos % second).unsigned_abs());
        let mut clock = String::new();
        for (quantity, unit) in [(seconds / 3_600, 'H'), (seconds / 60 % 60, 'M')] {
            if quantity != 0 {
                clock.push_str(&format!("{quantity}{unit}"));
            }
        }
        let rest = seconds % 60;
        if rest != 0 || fraction != 0 {
            // Of a fraction alone the sign would be lost.
            clock.push_str(if nanos < 0 { "-" } else { "" });
            clock.push_str(&rest.unsigned_abs().to_string());
            if fraction != 0 {
                clock.push('.');
                clock.push_str(format!("{fraction:09}").trim_end_matches('0'));
            }
            clock.push('S');
        }
        text.push('T');
        text.push_str(&clock);
    }
    if text == "P" { "PT0S".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_their_seconds_always_or_if_there_are_any() {
        let shown = |nanos, seconds| {
            let parts = TemporalParts { date: None, nanos: Some(nanos), zone: None };
            parts_text(&parts, seconds)
        };
        let noon = 43_200 * SECOND_NANOS;
        assert_eq!(shown(noon, Seconds::Always), "12:00:00");
        assert_eq!(shown(noon, Seconds::IfAny), "12:00");
        assert_eq!(shown(noon + 500_000_000, Seconds::IfAny), "12:00:00.5");
        assert_eq!(shown(noon + 7 * SECOND_NANOS + 3, Seconds::Always), "12:00:07.000000003");
    }

    #[test]
    fn durations_show_one_sign_for_the_clock() {
        let shown = |months, days, seconds, nanos| {
            duration_text(&Duration { months, days, seconds, nanos })
        };
        assert_eq!(shown(0, 0, 0, 0), "PT0S");
        assert_eq!(shown(-13, 0, 0, 0), "P-1Y-1M");
        assert_eq!(shown(12, -1, 3_600, 0), "P1Y-1DT1H");
        assert_eq!(shown(0, 0, -1, 600_000_000), "PT-0.4S");
        assert_eq!(shown(0, 0, -2, 400_000_000), "PT-1.6S");
        assert_eq!(shown(0, 0, -86_400, 100_000_000), "PT-23H-59M-59.9S");
        assert_eq!(shown(0, 0, -60, 0), "PT-1M");
        assert_eq!(shown(0, 0, i64::MAX, 0), "PT2562047788015215H30M7S");
    }
}
