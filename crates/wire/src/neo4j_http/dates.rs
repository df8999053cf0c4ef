//! Timestamps as HTTP's headers have them (RFC 9110, section 5.6.7).

use millrace_model::temporal::Date;

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The text of so many seconds after the beginning of 1970: `Wed, 26 Jan 2022 12:00:00 GMT`.
pub fn http_date(seconds: u64) -> String {
    let days = i64::try_from(seconds / 86_400).unwrap_or(i64::MAX);
    let date = Date::from_days(days).unwrap_or(Date { days: 0 });
    let (year, month, day) = date.civil();
    let clock = seconds % 86_400;
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    let named = |names: &[&'static str], number: i64| {
        let place = usize::try_from(number - 1).ok();
        place.and_then(|place| names.get(place)).copied().unwrap_or_default()
    };
    let weekday = named(&WEEKDAYS, date.weekday());
    let month = named(&MONTHS, i64::from(month));
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_has_the_form_of_headers() {
        assert_eq!(http_date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    }
}
