//! Types of columns by their first values. A type is taken only where it changes no value: a number with
//! a leading zero, or beyond what a double holds exactly, stays text.

use super::dialect::Dialect;
use super::header::Header;
use super::record::{Record, RecordReader};
use super::value::{ElementType, FieldType};
use crate::error::LoadError;
use crate::limits::{GUESS_BYTES, GUESS_ROWS};
use crate::source::{Block, BlockReader};
use crate::text;
use crate::text::json::Json;

/// Whole numbers up to this one are exact as doubles.
const EXACT_MAX: u64 = 1 << 53;

/// The types that are guessed; the first that all values of a column fit is taken.
const TYPES: &[Candidate] = &[
    Candidate::one(ElementType::Integer, is_integer),
    Candidate::one(ElementType::Double, is_double),
    Candidate::one(ElementType::Boolean, is_boolean),
    Candidate::one(ElementType::Date, is_date),
    Candidate::one(ElementType::LocalDateTime, is_local_datetime),
    Candidate::one(ElementType::DateTime, is_datetime),
    Candidate::one(ElementType::LocalTime, is_local_time),
    Candidate::one(ElementType::Time, is_time),
];

/// The same, and what APOC writes: durations, points, and lists as JSON.
pub(super) const JSON_TYPES: &[Candidate] = &[
    TYPES[0],
    TYPES[1],
    TYPES[2],
    TYPES[3],
    TYPES[4],
    TYPES[5],
    TYPES[6],
    TYPES[7],
    Candidate::one(ElementType::Duration, is_duration),
    Candidate::one(ElementType::Point, is_point),
    Candidate::list(ElementType::Integer, is_list_of_integers),
    Candidate::list(ElementType::Double, is_list_of_doubles),
    Candidate::list(ElementType::Boolean, is_list_of_booleans),
    Candidate::list(ElementType::String, is_list_of_texts),
];

/// A type, and whether a text may be a value of it.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    kind: FieldType,
    accepts: fn(&str) -> bool,
}

impl Candidate {
    const fn one(element: ElementType, accepts: fn(&str) -> bool) -> Self {
        Self { kind: FieldType { element, array: false }, accepts }
    }

    const fn list(element: ElementType, accepts: fn(&str) -> bool) -> Self {
        Self { kind: FieldType { element, array: true }, accepts }
    }
}

/// The types that a column may still have.
#[derive(Clone)]
pub(crate) struct Column {
    fits: Vec<bool>,
    types: &'static [Candidate],
    /// Whether it has a value.
    has_value: bool,
}

impl Column {
    /// A column of plain fields, without a value.
    pub(crate) fn plain() -> Self {
        Self::new(TYPES)
    }

    /// A column without a value.
    pub(super) fn new(types: &'static [Candidate]) -> Self {
        Self { fits: vec![true; types.len()], types, has_value: false }
    }

    /// One more value; an empty one is none.
    pub(crate) fn see(&mut self, field: &str) {
        let field = field.trim();
        if field.is_empty() {
            return;
        }
        self.has_value = true;
        for (fits, candidate) in self.fits.iter_mut().zip(self.types) {
            *fits = *fits && (candidate.accepts)(field);
        }
    }

    /// The values of another file, too.
    pub(super) fn join(&mut self, other: &Self) {
        self.has_value |= other.has_value;
        for (fits, other) in self.fits.iter_mut().zip(&other.fits) {
            *fits = *fits && *other;
        }
    }

    /// The first type that all values fit.
    pub(crate) fn kind(&self) -> FieldType {
        let mut fitting = self.fits.iter().zip(self.types).filter(|(fits, _)| **fits);
        match fitting.next().filter(|_| self.has_value) {
            Some((_, candidate)) => candidate.kind,
            None => FieldType::TEXT,
        }
    }
}

/// Whether a field is a value of a type that was guessed, and the same value.
pub(super) fn accepts(kind: FieldType, field: &str) -> bool {
    let candidate = JSON_TYPES.iter().find(|candidate| candidate.kind == kind);
    candidate.is_none_or(|candidate| (candidate.accepts)(field.trim()))
}

/// What columns may be by the first rows of a table; and the bytes of these rows, which are in memory now.
pub(super) fn types_of(
    readers: &mut [BlockReader],
    header: &Header,
    dialect: Dialect,
    columns: &[usize],
) -> Result<(Vec<Column>, u64), LoadError> {
    let mut seen = vec![Column::new(TYPES); columns.len()];
    let (mut rows, mut bytes) = (0, 0);
    for reader in readers {
        while rows < GUESS_ROWS && bytes < GUESS_BYTES && !columns.is_empty() {
            let Some(block) = reader.peek_block()? else { break };
            bytes += block.bytes.len() as u64;
            let mut take = |record: Record<'_>| {
                if record.len() == header.roles.len() {
                    seen.iter_mut()
                        .zip(columns)
                        .for_each(|(column, at)| column.see(record.field(*at)));
                }
                rows += 1;
                rows < GUESS_ROWS
            };
            for_each(block, dialect, &mut take);
        }
    }
    Ok((seen, bytes))
}

/// Calls for the good records of a block until it is said to stop.
fn for_each(block: &Block, dialect: Dialect, take: &mut dyn FnMut(Record<'_>) -> bool) {
    let mut reader = RecordReader::new(dialect, block.first_line);
    let mut rest = block.bytes.as_slice();
    // A last line without its end is one in the copy only.
    let copy: Vec<u8>;
    if !rest.ends_with(b"\n") {
        copy = [rest, b"\n"].concat();
        rest = &copy;
    }
    while let Some(next) = reader.next(&mut rest) {
        if next.is_ok_and(|record| !take(record)) {
            return;
        }
    }
}

/// Digits without a zero before others.
fn digits(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number && (text == "0" || !text.starts_with('0'))
}

fn is_integer(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    digits(unsigned) && text != "-0" && text.parse::<i64>().is_ok()
}

fn is_double(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if digits(unsigned) {
        return text != "-0" && unsigned.parse().is_ok_and(|whole: u64| whole <= EXACT_MAX);
    }
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    digits(whole)
        && is_digits(fraction)
        && is_digits(exponent)
        && text.parse().is_ok_and(|double: f64| double.is_finite() && holds(double, number))
}

/// Whether a double has all digits of a number.
fn holds(double: f64, number: &str) -> bool {
    let digits = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').to_owned()
    };
    let written = digits(number);
    let kept = format!("{:e}", double.abs());
    written.len() <= f64::DIGITS as usize
        || digits(kept.split('e').next().unwrap_or_default()) == written
}

fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// Whether a text has a form: `0` for a digit, other letters for themselves.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| match form {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

/// Only with month and day: `2020` and `2020-01` may be something else.
fn is_date(text: &str) -> bool {
    has_form(text, "0000-00-00") && text::parse_date(text).is_ok()
}

/// `12:30:00` and a fraction; `12:30` may be something else.
fn is_local_time(text: &str) -> bool {
    let clock = text.get(..8).unwrap_or_default();
    has_form(clock, "00:00:00") && text::parse_local_time(text).is_ok()
}

fn is_time(text: &str) -> bool {
    let clock = text.get(..8).unwrap_or_default();
    has_form(clock, "00:00:00") && has_zone(&text[8..]) && text::parse_time(text).is_ok()
}

fn is_timestamp(text: &str) -> bool {
    let date = text.get(..11).unwrap_or_default();
    has_form(date, "0000-00-00T") || has_form(date, "0000-00-00 ")
}

fn is_local_datetime(text: &str) -> bool {
    is_timestamp(text) && text::parse_local_datetime(text).is_ok()
}

fn is_datetime(text: &str) -> bool {
    is_timestamp(text) && has_zone(&text[11..]) && text::parse_datetime(text).is_ok()
}

/// Whether a time of day has its zone behind it.
fn has_zone(clock: &str) -> bool {
    clock.ends_with(['Z', 'z', ']']) || clock.contains(['+', '-'])
}

fn is_duration(text: &str) -> bool {
    text.trim_start_matches('-').starts_with('P') && text::parse_duration(text).is_ok()
}

fn is_point(text: &str) -> bool {
    text.starts_with('{') && text.contains("\"crs\"") && text::parse_point(text).is_ok()
}

fn is_list(text: &str, accepts: impl Fn(&Json) -> bool) -> bool {
    let list = text.starts_with('[').then(|| Json::parse(text.as_bytes()).ok()).flatten();
    list.is_some_and(|list| list.as_array().is_some_and(|values| values.iter().all(accepts)))
}

fn is_list_of_integers(text: &str) -> bool {
    is_list(text, |value| matches!(value, Json::Number(digits) if is_integer(digits)))
}

fn is_list_of_doubles(text: &str) -> bool {
    is_list(text, |value| matches!(value, Json::Number(digits) if is_double(digits)))
}

fn is_list_of_booleans(text: &str) -> bool {
    is_list(text, |value| matches!(value, Json::Bool(_)))
}

fn is_list_of_texts(text: &str) -> bool {
    is_list(text, |value| matches!(value, Json::String(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[&str]) -> Column {
        let mut column = Column::new(TYPES);
        values.iter().for_each(|value| column.see(value));
        column
    }

    fn guess(values: &[&str]) -> ElementType {
        column(values).kind().element
    }

    #[test]
    fn files_have_the_type_that_the_values_of_all_fit() {
        for (first, second) in [
            (&["01234"][..], &["10001"][..]),
            (&["1"], &["2.5"]),
            (&["9007199254740993"], &["2.5"]),
            (&["true"], &["1"]),
            (&["", ""], &["7"]),
            (&[], &[]),
        ] {
            let mut joined = column(first);
            joined.join(&column(second));
            let both = guess(&[first, second].concat());
            assert_eq!(joined.kind().element, both, "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_type_is_taken_where_it_changes_no_value() {
        use ElementType::{
            Boolean, Date, DateTime, Double, Integer, LocalDateTime, LocalTime, String, Time,
        };
        for (values, kind) in [
            (&["1", "-20", "", "0"][..], Integer),
            (&["1", "2.5", "-1e10", "3E-2"], Double),
            (&["9007199254740993", "1.5"], String),
            (&["0.30000000000000004", "1.10", "0.000001"], Double),
            (&["0.10000000000000000001"], String),
            (&["123456789.123456789123"], String),
            (&["99999999999999999999"], String),
            (&["007", "12"], String),
            (&["+45"], String),
            (&["-0"], String),
            (&["1.", ".5"], String),
            (&["00.5"], String),
            (&["NaN", "1.5"], String),
            (&["inf"], String),
            (&["1e999"], String),
            (&["true", "False"], Boolean),
            (&["0", "1"], Integer),
            (&["yes"], String),
            (&["2020-02-29", "1999-12-31"], Date),
            (&["2021-02-29"], String),
            (&["2020-01"], String),
            (&["20200131"], Integer),
            (&["2020-02-29", "2020-02-29T10:00:00"], String),
            (&["2020-02-29T10:00:00", "2020-02-29 10:00"], LocalDateTime),
            (&["2020-02-29T10:00:00Z", "2020-02-29T10:00:00+01:00"], DateTime),
            (&["2020-02-29T10:00:00Z", "2020-02-29T10:00:00"], String),
            (&["12:30:00.5"], LocalTime),
            (&["12:30:00.1234567890"], LocalTime),
            (&["12:30:00.1234567891"], String),
            (&["12:30"], String),
            (&["12:30:00Z", "12:30:00-05:00"], Time),
            (&["", ""], String),
            (&["1", "x"], String),
        ] {
            assert_eq!(guess(values), kind, "{values:?}");
        }
    }
}
