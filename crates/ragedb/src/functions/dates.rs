//! Dates: a point in time is a number of seconds since 1970, its text is ISO 8601 in UTC.
//!
//! A date may also be a `date` of the module of that name.

use millrace_model::temporal::Date;
use mlua::{IntoLua, Lua};

use super::function::{CallResult, Family, Function};
use crate::arguments::Arguments;

const SECONDS_OF_DAY: i64 = 86_400;

/// Seconds from which on a double is no exact integer.
const WHOLE_MAX: f64 = 9e15;

pub(super) const FAMILY: Family = Family {
    title: "Dates",
    functions: &[
        Function::read("DateToDouble", "ISO 8601 text \\| seconds", "double", to_double),
        Function::read("DateToISO", "seconds \\| ISO 8601 text", "string", to_iso),
    ],
};

fn to_double(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let seconds = arguments.timestamp()?;
    arguments.end()?;
    match seconds.fract() == 0.0 && seconds.abs() < WHOLE_MAX {
        true => (seconds as i64).into_lua(lua),
        false => seconds.into_lua(lua),
    }
}

fn to_iso(lua: &Lua, mut arguments: Arguments) -> CallResult {
    let seconds = arguments.timestamp()?;
    arguments.end()?;
    iso_text(seconds).ok_or_else(|| out_of_range(seconds))?.into_lua(lua)
}

fn out_of_range(seconds: f64) -> mlua::Error {
    mlua::Error::runtime(format!("{seconds} seconds since 1970 is no date with a year of 4 digits"))
}

/// `2023-04-14T12:30:00.000Z`, to the millisecond.
fn iso_text(seconds: f64) -> Option<String> {
    let millis = (seconds * 1e3).round();
    if !(-1e15..1e15).contains(&millis) {
        return None;
    }
    let (whole, millis) = ((millis as i64).div_euclid(1_000), (millis as i64).rem_euclid(1_000));
    let (year, month, day) = Date { days: whole.div_euclid(SECONDS_OF_DAY) }.civil();
    let of_day = whole.rem_euclid(SECONDS_OF_DAY);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    (0..=9_999).contains(&year).then(|| {
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::seconds_of_iso;

    #[test]
    fn a_date_goes_to_seconds_and_back() {
        let noon = "2023-04-14T12:30:05.250Z";
        assert_eq!(seconds_of_iso(noon), Some(1_681_475_405.25));
        assert_eq!(iso_text(1_681_475_405.25).as_deref(), Some(noon));
        assert_eq!(iso_text(-0.5).as_deref(), Some("1969-12-31T23:59:59.500Z"));
        assert_eq!(seconds_of_iso("1970-01-02"), Some(86_400.0));
        assert_eq!(seconds_of_iso("1970-01-01T02:00+0200"), Some(0.0));
        assert_eq!(seconds_of_iso("1970-01-01 00:00:00-01:30"), Some(5_400.0));
        for bad in [
            "",
            "1970",
            "1970-13-01",
            "1970-01-01T25:00",
            "1970-01-01T1:2",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00Zx",
            "1970-01-01T00:00+é",
        ] {
            assert_eq!(seconds_of_iso(bad), None, "{bad}");
        }
        assert_eq!(iso_text(f64::NAN), None);
        assert_eq!(iso_text(1e20), None);
    }
}
