//! Times from one format of Java to another: a format is a pattern, or one of the names that Java has for those of
//! ISO 8601, as `iso_offset_date_time`. These print seconds always, and of a fraction the digits that there are.

use millrace_model::temporal::{Date, TemporalKind, TemporalParts, Zone, make};
use millrace_model::{Result, Value};

use super::java_time;
use crate::functions::arguments::bad;

const SECOND: i128 = 1_000_000_000;
const DAY_SECONDS: i64 = 86_400;

/// A text by one format as a text by another.
pub(super) fn convert(text: &str, from: &str, to: &str) -> Result<String> {
    let parts = read(text, from)?;
    match named(to)? {
        Some(kind) => Ok(write(&parts, to, kind)),
        None => java_time::format(nanos_since_1970(&parts), to, &zone_text(parts.zone.as_ref())),
    }
}

/// What a name of a format prints; `None` of a pattern.
fn named(format: &str) -> Result<Option<TemporalKind>> {
    Ok(Some(match format.to_lowercase().as_str() {
        "iso_date_time" | "iso_instant" | "iso_offset_date_time" | "iso_zoned_date_time" => {
            TemporalKind::DateTime
        }
        "iso_local_date_time" => TemporalKind::LocalDateTime,
        "iso_date" | "iso_local_date" => TemporalKind::Date,
        name if name.starts_with("iso_") => {
            return Err(bad(format!("the format `{format}` of a time is not supported"))
                .with_help("write `iso_offset_date_time`, `iso_date` or a pattern"));
        }
        _ => return Ok(None),
    }))
}

fn read(text: &str, format: &str) -> Result<TemporalParts> {
    let value = match named(format)? {
        Some(kind) => make(kind, &Value::from(text), &Value::Null)?,
        None => {
            let nanos = java_time::parse(text, format, "UTC")?;
            let seconds = i64::try_from(nanos.div_euclid(SECOND)).unwrap_or(i64::MAX);
            millrace_model::temporal::from_epoch(seconds, nanos.rem_euclid(SECOND) as i64)?
        }
    };
    TemporalParts::of(&value).ok_or_else(|| bad(format!("`{text}` is not a time")))
}

fn zone_text(zone: Option<&Zone>) -> String {
    match zone.map_or(0, |zone| zone.offset_seconds) {
        0 => "Z".to_owned(),
        offset => java_time::offset_text(offset, 3),
    }
}

fn nanos_since_1970(parts: &TemporalParts) -> i128 {
    let days = parts.date.map_or(0, |date| date.days);
    let offset = parts.zone.as_ref().map_or(0, |zone| zone.offset_seconds);
    let seconds = days * DAY_SECONDS - i64::from(offset);
    i128::from(seconds) * SECOND + i128::from(parts.nanos.unwrap_or(0))
}

fn write(parts: &TemporalParts, format: &str, kind: TemporalKind) -> String {
    let mut date = parts.date.unwrap_or(Date { days: 0 });
    let mut nanos = parts.nanos.unwrap_or(0);
    let is_instant = format.eq_ignore_ascii_case("iso_instant");
    if is_instant {
        let utc = nanos_since_1970(parts);
        date.days = utc.div_euclid(SECOND * i128::from(DAY_SECONDS)) as i64;
        nanos = utc.rem_euclid(SECOND * i128::from(DAY_SECONDS)) as u64;
    }
    let (year, month, day) = date.civil();
    let mut output = format!("{year:04}-{month:02}-{day:02}");
    if kind == TemporalKind::Date {
        return output;
    }
    let (seconds, fraction) = (nanos / SECOND as u64, nanos % SECOND as u64);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    output.push_str(&format!("T{hour:02}:{minute:02}:{second:02}"));
    if fraction != 0 {
        output.push_str(format!(".{fraction:09}").trim_end_matches('0'));
    }
    if is_instant {
        output.push('Z');
    } else if kind == TemporalKind::DateTime {
        output.push_str(&zone_text(parts.zone.as_ref()));
        let has_name = !format.eq_ignore_ascii_case("iso_offset_date_time");
        if let Some(name) = parts.zone.as_ref().and_then(|zone| zone.name.as_ref())
            && has_name
        {
            output.push_str(&format!("[{name}]"));
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_change_their_format() {
        let zoned = "2020-01-02T03:04+01:00[Europe/Stockholm]";
        for (text, from, to, wanted) in [
            (zoned, "iso_zoned_date_time", "iso_offset_date_time", "2020-01-02T03:04:00+01:00"),
            (zoned, "ISO_ZONED_DATE_TIME", "iso_instant", "2020-01-02T02:04:00Z"),
            (
                zoned,
                "iso_zoned_date_time",
                "iso_zoned_date_time",
                "2020-01-02T03:04:00+01:00[Europe/Stockholm]",
            ),
            (zoned, "iso_zoned_date_time", "dd.MM.yyyy HH:mm XXX", "02.01.2020 03:04 +01:00"),
            (
                "2020-01-02T03:04:05.120Z",
                "iso_date_time",
                "iso_date_time",
                "2020-01-02T03:04:05.12Z",
            ),
            ("02/01/2020", "dd/MM/yyyy", "iso_local_date", "2020-01-02"),
            ("02/01/2020", "dd/MM/yyyy", "iso_local_date_time", "2020-01-02T00:00:00"),
            ("2020-01-02", "iso_date", "yyyy/MM/dd", "2020/01/02"),
        ] {
            assert_eq!(convert(text, from, to).as_deref(), Ok(wanted), "{from} {to}");
        }
        convert("2020-W01-1", "iso_week_date", "iso_date").expect_err("an unknown name");
        convert("x", "iso_date", "iso_date").expect_err("no date");
    }
}
