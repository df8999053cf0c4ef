//! Numbers as text, in the words that every reader here knows.

/// The digits of a finite float; otherwise its name.
pub(super) fn double_text(number: f64, digits: &str) -> String {
    match number {
        number if number.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ => digits.to_owned(),
    }
}

/// Seconds with a fraction, as one signed number: the fraction counts forward from the second.
pub(super) fn duration_seconds(seconds: i64, nanos: u32) -> String {
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let sign = if total < 0 { "-" } else { "" };
    let (whole, part) =
        (total.unsigned_abs() / 1_000_000_000, total.unsigned_abs() % 1_000_000_000);
    match part {
        0 => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{}", format!("{part:09}").trim_end_matches('0')),
    }
}
