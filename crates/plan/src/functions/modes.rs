//! What languages see differently, as modes of functions.

/// What becomes of a whole number that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// An error.
    Error,
    /// It goes round, as in Java.
    Wrap,
    /// A double.
    Double,
}

/// What a quotient is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Division {
    /// Of whole numbers the whole part; by zero an error.
    Whole,
    /// A double in any case; by zero infinite, or not a number.
    Exact,
}

/// How places are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndexMode {
    /// The number of the first place.
    pub first: u8,
    /// Whether places before it are counted from the end.
    pub from_end: bool,
    /// What becomes of a place that is not there.
    pub outside: Outside,
}

/// What becomes of a place that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outside {
    /// Null for an entry; a range is cut to what is there.
    Missing,
    /// An error.
    Error,
}

/// Which way a half is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Away from zero.
    HalfUp,
    /// To the even neighbour.
    HalfEven,
    /// Towards the greater, as in Java.
    HalfCeiling,
}

/// How texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collation {
    /// By code points.
    CodePoint,
    /// By code points, upper and lower case alike.
    CaseFold,
}

/// What becomes of a value that does not convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// An error.
    Error,
    /// Null.
    Null,
}

/// What becomes of a day that its month does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MonthEnd {
    /// The month's last.
    Clamp,
    /// A day of the next month.
    Spill,
}

/// A part of a day, or of a date and time by its own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatePart {
    /// The year.
    Year,
    /// The month, from 1.
    Month,
    /// The day of the month, from 1.
    Day,
    /// The day of the week, Monday is 1.
    Weekday,
    /// The day of the year, from 1.
    YearDay,
    /// The hour.
    Hour,
    /// The minute.
    Minute,
    /// The second.
    Second,
}
