//! A day, and the calendars that name it: month, ISO week, quarter, and day of the year.
//!
//! Civil-date arithmetic follows Howard Hinnant's "chrono-compatible low-level date algorithms".

use std::fmt;

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Days since 1970-01-01, negative before.
    pub days: i64,
}

/// Whether a year has a 29 February.
fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The days of a month.
fn month_days(year: i64, month: u32) -> Option<u32> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(28 + u32::from(is_leap(year))),
        _ => None,
    }
}

impl Date {
    /// The greatest year; the least is its negative.
    pub const YEAR_MAX: i32 = 999_999_999;
    /// The first day of the least year.
    pub const MIN: Date = Date { days: -365_243_219_162 };
    /// The last day of the greatest year.
    pub const MAX: Date = Date { days: 365_241_780_471 };

    /// The day so many days after 1970-01-01; `None` beyond the years there are.
    pub fn from_days(days: i64) -> Option<Date> {
        (Date::MIN.days..=Date::MAX.days).contains(&days).then_some(Date { days })
    }

    /// The date of a civil year, month and day; `None` if there is no such day.
    pub fn from_civil(year: i32, month: u32, day: u32) -> Option<Date> {
        let last = month_days(year.into(), month)?;
        if day == 0 || day > last || !(-Date::YEAR_MAX..=Date::YEAR_MAX).contains(&year) {
            return None;
        }
        let shifted = i64::from(year) - i64::from(month <= 2);
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let month_from_march = i64::from((month + 9) % 12);
        let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Some(Date { days: era * 146_097 + day_of_era - 719_468 })
    }

    /// The same, of numbers that may have no room in fewer bits.
    pub(crate) fn from_numbers(year: i64, month: i64, day: i64) -> Option<Date> {
        let (month, day) = (u32::try_from(month).ok()?, u32::try_from(day).ok()?);
        Date::from_civil(i32::try_from(year).ok()?, month, day)
    }

    /// Year, month and day.
    pub fn civil(self) -> (i32, u32, u32) {
        let days = self.days.saturating_add(719_468);
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year as i32, month as u32, day as u32)
    }

    /// The day of a year of weeks: week 1 has the year's first Thursday, and Monday is day 1.
    pub fn from_week(year: i64, week: i64, weekday: i64) -> Option<Date> {
        let fourth = Date::from_numbers(year, 1, 4)?;
        let monday = fourth.days - (fourth.weekday() - 1);
        let last_week = weeks_of(fourth, year);
        if !(1..=last_week).contains(&week) || !(1..=7).contains(&weekday) {
            return None;
        }
        Date::from_days(monday + (week - 1) * 7 + weekday - 1)
    }

    /// The day of a quarter, from 1.
    pub fn from_quarter(year: i64, quarter: i64, day: i64) -> Option<Date> {
        if !(1..=4).contains(&quarter) || day < 1 {
            return None;
        }
        let first = Date::from_numbers(year, quarter * 3 - 2, 1)?;
        let date = Date::from_days(first.days.checked_add(day - 1)?)?;
        (date.quarter() == quarter && i64::from(date.civil().0) == year).then_some(date)
    }

    /// The day of a year, from 1.
    pub fn from_ordinal(year: i64, day: i64) -> Option<Date> {
        let first = Date::from_numbers(year, 1, 1)?;
        let days = 365 + i64::from(is_leap(year));
        if !(1..=days).contains(&day) {
            return None;
        }
        Date::from_days(first.days + day - 1)
    }

    /// The date of a month that has this day, or of the month's last day.
    pub(crate) fn clamped(year: i64, month: i64, day: u32) -> Option<Date> {
        let last = month_days(year, u32::try_from(month).ok()?)?;
        Date::from_numbers(year, month, day.min(last).into())
    }

    /// The day of the week; Monday is 1.
    pub fn weekday(self) -> i64 {
        // 1970-01-01 was a Thursday.
        (self.days.rem_euclid(7) + 3) % 7 + 1
    }

    /// The year of weeks, and the week of it.
    pub fn week(self) -> (i64, i64) {
        let year = i64::from(self.civil().0);
        let week = (self.ordinal_day() - self.weekday() + 10) / 7;
        if week == 0 {
            let before = Date { days: self.days - self.ordinal_day() };
            return (year - 1, (before.ordinal_day() - before.weekday() + 10) / 7);
        }
        let thursday = Date { days: self.days + 4 - self.weekday() };
        if i64::from(thursday.civil().0) > year { (year + 1, 1) } else { (year, week) }
    }

    /// The day of the year, from 1.
    pub fn ordinal_day(self) -> i64 {
        let (year, month, day) = self.civil();
        let days = (1..month).filter_map(|month| month_days(year.into(), month));
        i64::from(days.sum::<u32>() + day)
    }

    /// The quarter of the year, from 1.
    pub fn quarter(self) -> i64 {
        i64::from(self.civil().1 + 2) / 3
    }

    /// The day of the quarter, from 1.
    pub fn day_of_quarter(self) -> i64 {
        let (year, month, day) = self.civil();
        let first = (month - 1) / 3 * 3 + 1;
        let days = (first..month).filter_map(|month| month_days(year.into(), month));
        i64::from(days.sum::<u32>() + day)
    }

    /// The day so many months later, or the last of its month.
    pub fn add_months(self, months: i64) -> Option<Date> {
        let (year, month, day) = self.civil();
        let sum = (i64::from(year) * 12 + i64::from(month) - 1).checked_add(months)?;
        Date::clamped(sum.div_euclid(12), sum.rem_euclid(12) + 1, day)
    }

    /// The day so many days later.
    pub fn add_days(self, days: i64) -> Option<Date> {
        Date::from_days(self.days.checked_add(days)?)
    }
}

/// The weeks of a year, by one of its days: 53 where it begins or ends with a Thursday.
fn weeks_of(date: Date, year: i64) -> i64 {
    let first = Date { days: date.days - date.ordinal_day() + 1 }.weekday();
    52 + i64::from(first == 4 || first == 3 && is_leap(year))
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        // The sign of a year before 0 stands before its four digits; one of more digits has a sign always.
        let sign = match year {
            ..0 => "-",
            0..10_000 => "",
            10_000.. => "+",
        };
        write!(f, "{sign}{:04}-{month:02}-{day:02}", year.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn civil_dates_go_there_and_back() {
        for days in (-800_000..800_000).step_by(37) {
            let date = Date { days };
            let (year, month, day) = date.civil();
            assert_eq!(Date::from_civil(year, month, day), Some(date));
        }
        assert_eq!(Date::from_civil(1970, 1, 1), Some(Date { days: 0 }));
        assert_eq!(Date::from_civil(2000, 2, 30), None);
        assert_eq!(Date::from_civil(1900, 2, 29), None);
    }

    #[test]
    fn years_end_at_nine_digits() {
        assert_eq!(Date::from_civil(-Date::YEAR_MAX, 1, 1), Some(Date::MIN));
        assert_eq!(Date::from_civil(Date::YEAR_MAX, 12, 31), Some(Date::MAX));
        assert_eq!(Date::MAX.civil(), (Date::YEAR_MAX, 12, 31));
        assert_eq!(Date::from_civil(Date::YEAR_MAX + 1, 1, 1), None);
        assert_eq!(Date::MAX.add_days(1), None);
        assert_eq!(Date::MIN.add_months(-1), None);
    }

    #[test]
    fn all_calendars_name_the_same_day() {
        for days in -200_000..200_000 {
            let date = Date { days };
            let year = i64::from(date.civil().0);
            let (week_year, week) = date.week();
            assert_eq!(Date::from_week(week_year, week, date.weekday()), Some(date));
            let quarter = Date::from_quarter(year, date.quarter(), date.day_of_quarter());
            assert_eq!(quarter, Some(date));
            assert_eq!(Date::from_ordinal(year, date.ordinal_day()), Some(date));
        }
        assert_eq!(Date::from_week(2021, 53, 1), None);
        assert_eq!(Date::from_week(2020, 53, 7), Date::from_civil(2021, 1, 3));
        assert_eq!(Date::from_quarter(2021, 1, 91), None);
        assert_eq!(Date::from_quarter(2020, 1, 91), Date::from_civil(2020, 3, 31));
        assert_eq!(Date::from_quarter(2020, 4, 93), None);
        assert_eq!(Date::from_ordinal(2021, 366), None);
    }

    #[test]
    fn adding_months_ends_at_most_on_the_last_day() {
        let date = |year, month, day| Date::from_civil(year, month, day).expect("a day");
        assert_eq!(date(2024, 1, 31).add_months(1), Some(date(2024, 2, 29)));
        assert_eq!(date(2024, 1, 31).add_months(-11), Some(date(2023, 2, 28)));
        assert_eq!(date(2024, 1, 31).add_months(i64::MAX), None);
    }
}
