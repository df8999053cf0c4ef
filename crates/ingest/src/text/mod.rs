//! Text to values, for every format. Each function takes the whole text of one value and says what
//! it expected; where the value stood is the caller's knowledge.

mod duration;
mod number;
mod point;
mod temporal;

pub use duration::parse_duration;
pub use number::{parse_boolean, parse_double, parse_float, parse_integer};
pub use point::parse_point;
pub use temporal::{
    days_of, parse_bare_moment, parse_date, parse_datetime, parse_local_datetime, parse_local_time,
    parse_time, parse_year, parse_year_month,
};

/// A value that isn't text, with the width its declaration gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `true`, `false`.
    Boolean(bool),
    /// 8 bits.
    Byte(i8),
    /// 16 bits.
    Short(i16),
    /// 32 bits.
    Int(i32),
    /// 64 bits.
    Long(i64),
    /// 32 bits.
    Float(f32),
    /// 64 bits.
    Double(f64),
    /// Days since 1970-01-01.
    Date(i64),
    /// Nanoseconds since midnight.
    LocalTime(u64),
    /// The same, with seconds east of UTC.
    Time(u64, i32),
    /// A moment by the wall clock.
    LocalDateTime(Moment),
    /// A moment by the wall clock, with seconds east of UTC.
    DateTime(Moment, i32),
    /// Months, days, seconds, nanoseconds.
    Duration(Span),
    /// Coordinates in a reference system.
    Point(Point),
}

/// A wall-clock moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Days since 1970-01-01.
    pub days: i64,
    /// Nanoseconds since midnight.
    pub nanos: u64,
}

/// A length of time whose parts don't convert into one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Months (a year is 12).
    pub months: i64,
    /// Days (a week is 7).
    pub days: i64,
    /// Seconds.
    pub seconds: i64,
    /// Nanoseconds, with the sign of the fraction they come from.
    pub nanos: i32,
}

/// A point in one of four reference systems, known by their EPSG-like numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// 4326 and 4979: degrees on earth; 7203 and 9157: a plane, a space.
    pub srid: u32,
    /// Longitude or x.
    pub x: f64,
    /// Latitude or y.
    pub y: f64,
    /// Height or z, in the two systems that have it.
    pub z: Option<f64>,
}

/// A value whose type nobody declared: integer, float, boolean, date and time, in this order.
pub fn parse_bare(text: &str) -> Option<Scalar> {
    if let Ok(whole) = text.parse() {
        return Some(Scalar::Long(whole));
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        if let Ok(double) = text.parse() {
            return Some(Scalar::Double(double));
        }
    }
    match text {
        "true" => Some(Scalar::Boolean(true)),
        "false" => Some(Scalar::Boolean(false)),
        _ => parse_bare_moment(text).ok(),
    }
}
