//! Points in time as Dgraph reads them: a year, a month, a day, or a day and a time, in UTC where no offset is given.

use millrace_model::Value;
use millrace_model::temporal::{Date, DateTime};
use millrace_quads::text::{parse_datetime, parse_far_offset};

/// A point in time; `None` if the text has none of the forms.
pub(super) fn datetime_of(text: &str) -> Option<DateTime> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u32>().ok();
    let day = |year: &str, month: &str, day: &str| {
        let is_written = year.len() == 4 && month.len() == 2 && day.len() == 2;
        let is_written = is_written && digits(year) && digits(month) && digits(day);
        let year = year.parse().ok().filter(|_| is_written)?;
        Date::from_civil(year, number(month)?, number(day)?).map(DateTime::at_start_of)
    };
    let parts: Vec<&str> = text.splitn(4, '-').collect();
    match parts[..] {
        [year] if text.len() == 4 => day(year, "01", "01"),
        [year, month] if text.len() == 7 => day(year, month, "01"),
        [year, month, rest] if text.len() == 10 => day(year, month, rest),
        _ => time_of(text),
    }
}

fn time_of(text: &str) -> Option<DateTime> {
    // ISO 8601 has days without hyphens, which Dgraph does not read.
    let has_time = text.contains(['T', 't', ' ']);
    let read = parse_datetime(text).ok().or_else(|| parse_far_offset(text));
    match read.filter(|_| has_time)? {
        Value::DateTime(time) => Some(time),
        // A zone by name is no form of RFC 3339.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_a_month_a_day_and_a_time_are_points_in_time() {
        let seconds = |text: &str| datetime_of(text).map(|time| time.seconds);
        assert_eq!(seconds("1970"), Some(0));
        assert_eq!(seconds("1970-02"), Some(31 * 86_400));
        assert_eq!(seconds("1970-01-02"), Some(86_400));
        assert_eq!(seconds("1970-01-02T00:00:01"), Some(86_401));
        assert_eq!(seconds("1970-01-02T00:00:01Z"), Some(86_401));
        assert_eq!(seconds("1970-01-02T01:00:01.5+01:00"), Some(86_401));
        for text in ["", "x", "70", "1970-13", "1970-02-30", "01970", "1970-1-2", "+970"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
