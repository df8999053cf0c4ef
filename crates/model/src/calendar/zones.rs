//! The rules of named zones, from the IANA data that `jiff` bundles.
//!
//! Nothing else in the crate knows `jiff`. The data of the system is never read, so that an answer does not
//! depend on the machine. `jiff` ends at the year 9999. The rules of a zone repeat every 400 years at its
//! ends, so a time beyond is looked up in an equivalent year within.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use super::date::Date;

/// The offsets that a zone has at a time of its own clocks, in seconds east of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offsets {
    /// One.
    One(i32),
    /// The clocks were set back: the time came twice, first with the earlier offset.
    Twice {
        /// That of the first time.
        first: i32,
        /// That of the second.
        second: i32,
    },
    /// The clocks were set forward: there was no such time.
    Skipped {
        /// The offset before.
        before: i32,
        /// The offset after.
        after: i32,
    },
}

const DAY_SECONDS: i64 = 86_400;
/// 400 years have 146,097 days, which are whole weeks.
const CYCLE_DAYS: i64 = 146_097;
/// Years that `jiff` knows, less one at each end for offsets.
const YEARS: std::ops::RangeInclusive<i64> = -9_998..=9_998;

fn database() -> &'static TimeZoneDatabase {
    static DATABASE: OnceLock<TimeZoneDatabase> = OnceLock::new();
    DATABASE.get_or_init(TimeZoneDatabase::bundled)
}

fn zone(name: &str) -> Option<TimeZone> {
    database().get(name).ok()
}

/// The name of a zone as IANA writes it; `None` if there is no such zone. Case does not matter, and a
/// space stands for an underscore.
pub(crate) fn canonical(name: &str) -> Option<Arc<str>> {
    let zone = zone(&name.replace(' ', "_"))?;
    zone.iana_name().map(Arc::from)
}

/// The offset of a zone at an instant, in seconds since 1970; `None` if there is no such zone.
pub fn offset_at(name: &str, seconds: i64) -> Option<i32> {
    let days = equivalent(seconds.div_euclid(DAY_SECONDS));
    let within = days * DAY_SECONDS + seconds.rem_euclid(DAY_SECONDS);
    let timestamp = Timestamp::from_second(within).ok()?;
    Some(zone(name)?.to_offset(timestamp).seconds())
}

/// The offsets of a zone at a time of its own clocks, in seconds since 1970 by these clocks.
pub(crate) fn offsets_of(name: &str, wall_seconds: i64) -> Option<Offsets> {
    let days = equivalent(wall_seconds.div_euclid(DAY_SECONDS));
    let (year, month, day) = Date { days }.civil();
    let clock = wall_seconds.rem_euclid(DAY_SECONDS);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    let wall = civil::DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(hour).ok()?,
        i8::try_from(minute).ok()?,
        i8::try_from(second).ok()?,
        0,
    );
    let offset = zone(name)?.to_ambiguous_timestamp(wall.ok()?).offset();
    Some(match offset {
        AmbiguousOffset::Unambiguous { offset } => Offsets::One(offset.seconds()),
        AmbiguousOffset::Fold { before, after } => {
            Offsets::Twice { first: before.seconds(), second: after.seconds() }
        }
        AmbiguousOffset::Gap { before, after } => {
            Offsets::Skipped { before: before.seconds(), after: after.seconds() }
        }
    })
}

/// The offset of a zone at a time of its own clocks: of one that came twice the first, of one that there was not
/// that before.
pub fn offset_at_wall(name: &str, wall_seconds: i64) -> Option<i32> {
    Some(match offsets_of(name, wall_seconds)? {
        Offsets::One(offset) => offset,
        Offsets::Twice { first, .. } => first,
        Offsets::Skipped { before, .. } => before,
    })
}

/// The same day of an equivalent year that `jiff` knows.
fn equivalent(days: i64) -> i64 {
    let year = days.div_euclid(CYCLE_DAYS) * 400 + 1970;
    let (first, last) = (*YEARS.start() + 800, *YEARS.end() - 800);
    let cycles = if year > last {
        (year - last) / 400 + 1
    } else if year < first {
        -((first - year) / 400 + 1)
    } else {
        0
    };
    days - cycles * CYCLE_DAYS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(year: i32, month: u32, day: u32, hour: i64) -> i64 {
        let date = Date::from_civil(year, month, day).expect("a day");
        date.days * DAY_SECONDS + hour * 3_600
    }

    #[test]
    fn names_are_those_of_iana() {
        assert_eq!(canonical("europe/stockholm").as_deref(), Some("Europe/Stockholm"));
        assert_eq!(canonical("America/New York").as_deref(), Some("America/New_York"));
        assert_eq!(canonical("UTC").as_deref(), Some("UTC"));
        for none in ["", "Mars/Olympus", "../etc/passwd", "é"] {
            assert_eq!(canonical(none), None, "{none}");
        }
    }

    #[test]
    fn offsets_follow_the_clocks() {
        let stockholm = "Europe/Stockholm";
        assert_eq!(offsets_of(stockholm, seconds(2024, 1, 1, 12)), Some(Offsets::One(3_600)));
        assert_eq!(offsets_of(stockholm, seconds(2024, 7, 1, 12)), Some(Offsets::One(7_200)));
        let twice = Offsets::Twice { first: 7_200, second: 3_600 };
        assert_eq!(offsets_of(stockholm, seconds(2017, 10, 29, 2)), Some(twice));
        let skipped = Offsets::Skipped { before: 3_600, after: 7_200 };
        assert_eq!(offsets_of(stockholm, seconds(2017, 3, 26, 2)), Some(skipped));
        assert_eq!(offset_at(stockholm, seconds(1818, 7, 21, 12)), Some(3_208));
    }

    #[test]
    fn years_beyond_the_data_have_the_rules_of_equivalent_years() {
        let stockholm = "Europe/Stockholm";
        for year in [9_999, 10_000, 12_024, 1_000_000, Date::YEAR_MAX] {
            let offsets = [1, 7].map(|month| offset_at(stockholm, seconds(year, month, 15, 0)));
            assert_eq!(offsets, [Some(3_600), Some(7_200)], "{year}");
        }
        for year in [-9_999, -10_000, -1_000_000, -Date::YEAR_MAX] {
            let local = seconds(year, 7, 15, 0);
            assert_eq!(offsets_of(stockholm, local), Some(Offsets::One(3_208)), "{year}");
        }
    }
}
