//! Times as texts by patterns of Java's `DateTimeFormatter`: the letters that people use, and texts in quotes. An unknown
//! letter is refused, so that none is left out silently.

use std::fmt::Write;

use millrace_model::temporal::{Date, ZoneId};
use millrace_model::{Error, Result};

use crate::functions::arguments::bad;

const NANOS: i128 = 1_000_000_000;
const DAY_SECONDS: i64 = 86_400;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A part of a pattern.
enum Part<'p> {
    /// A letter so many times.
    Field(char, usize),
    Text(&'p str),
}

/// Nanoseconds of a unit.
pub(super) fn nanos_of(unit: &str) -> Result<i64> {
    Ok(match unit.to_lowercase().as_str() {
        "ms" | "milli" | "millis" | "millisecond" | "milliseconds" => 1_000_000,
        "s" | "sec" | "second" | "seconds" => 1_000_000_000,
        "m" | "min" | "minute" | "minutes" => 60_000_000_000,
        "h" | "hour" | "hours" => 3_600_000_000_000,
        "d" | "day" | "days" => 86_400_000_000_000,
        other => {
            return Err(bad(format!("there is no unit of time `{other}`"))
                .with_help("write 'ms', 's', 'm', 'h' or 'd'"));
        }
    })
}

fn parts(pattern: &str) -> Result<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let length;
        if first == '\'' {
            let end =
                rest[1..].find('\'').ok_or_else(|| bad("a quote of a pattern is not closed"))?;
            // Two quotes are one.
            parts.push(Part::Text(if end == 0 { "'" } else { &rest[1..=end] }));
            length = end + 2;
        } else if first.is_ascii_alphabetic() {
            length = rest.chars().take_while(|letter| *letter == first).count();
            parts.push(Part::Field(first, length));
        } else {
            let is_text = |letter: char| letter != '\'' && !letter.is_ascii_alphabetic();
            length = rest.find(|letter| !is_text(letter)).unwrap_or(rest.len());
            parts.push(Part::Text(&rest[..length]));
        }
        rest = &rest[length..];
    }
    Ok(parts)
}

fn zone_of(zone: &str) -> Result<ZoneId> {
    match zone {
        "" | "Z" | "UTC" | "GMT" => Ok(ZoneId::UTC),
        other => ZoneId::read(other),
    }
}

fn unknown(letter: char, count: usize) -> Error {
    let field: String = std::iter::repeat_n(letter, count).collect();
    bad(format!("`{field}` of a pattern of time is not supported"))
        .with_help("fields are y, M, d, E, H, h, m, s, S, a, X, x and Z; put text in single quotes")
}

/// A time in nanoseconds since 1970 by a pattern.
pub(super) fn format(nanos: i128, pattern: &str, zone: &str) -> Result<String> {
    let far = || bad("a time is beyond the years that dates have");
    let seconds = i64::try_from(nanos.div_euclid(NANOS)).map_err(|_| far())?;
    let fraction = nanos.rem_euclid(NANOS) as u32;
    let offset = zone_of(zone)?.at(seconds)?.offset_seconds;
    let local = seconds.checked_add(i64::from(offset)).ok_or_else(far)?;
    let date = Date::from_days(local.div_euclid(DAY_SECONDS)).ok_or_else(far)?;
    let (year, month, day) = date.civil();
    let of_day = local.rem_euclid(DAY_SECONDS);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let mut output = String::new();
    for part in parts(pattern)? {
        let (letter, count) = match part {
            Part::Text(text) => {
                output.push_str(text);
                continue;
            }
            Part::Field(letter, count) => (letter, count),
        };
        let number = |number: i64| format!("{number:0count$}");
        let name = |name: &str| if count < 4 { name[..3].to_owned() } else { name.to_owned() };
        output.push_str(&match letter {
            'y' | 'u' if count == 2 => format!("{:02}", year.rem_euclid(100)),
            'y' | 'u' => number(i64::from(year)),
            'M' | 'L' if 2 < count => name(MONTHS[month as usize - 1]),
            'M' | 'L' => number(i64::from(month)),
            'd' => number(i64::from(day)),
            'D' => number(date.ordinal_day()),
            'E' => name(WEEKDAYS[date.weekday() as usize - 1]),
            'H' => number(hour),
            'h' => number((hour + 11) % 12 + 1),
            'm' => number(minute),
            's' => number(second),
            'S' => {
                format!("{fraction:09}").chars().chain(std::iter::repeat('0')).take(count).collect()
            }
            'a' => (if hour < 12 { "AM" } else { "PM" }).to_owned(),
            'X' if offset == 0 => "Z".to_owned(),
            'X' | 'x' if count <= 3 => offset_text(offset, count),
            'Z' if count <= 3 => offset_text(offset, 2),
            'z' | 'V' => zone.to_owned(),
            _ => return Err(unknown(letter, count)),
        });
    }
    Ok(output)
}

/// `+01`, `+0100` or `+01:00`.
pub(super) fn offset_text(offset: i32, form: usize) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let mut text = format!("{sign}{hours:02}");
    let _infallible = match (form, minutes) {
        (1, 0) => Ok(()),
        (1 | 2, _) => write!(text, "{minutes:02}"),
        _ => write!(text, ":{minutes:02}"),
    };
    text
}

/// What a text says of a time.
struct Fields {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    nanos: i64,
    is_afternoon: Option<bool>,
    offset: Option<i32>,
}

/// The time that a text means by a pattern, in nanoseconds since 1970.
pub(super) fn parse(text: &str, pattern: &str, zone: &str) -> Result<i128> {
    let wrong = || bad(format!("`{text}` is not a time by the pattern `{pattern}`"));
    let mut fields = Fields {
        year: 1970,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        nanos: 0,
        is_afternoon: None,
        offset: None,
    };
    let parts = parts(pattern)?;
    let mut rest = text;
    for (place, part) in parts.iter().enumerate() {
        rest = match part {
            Part::Text(own) => rest.strip_prefix(own).ok_or_else(wrong)?,
            Part::Field(letter, count) => {
                // Fields without a text between them have just so many digits.
                let is_fixed = matches!(parts.get(place + 1), Some(Part::Field(..)));
                fields.read(rest, (*letter, *count), is_fixed)?.ok_or_else(wrong)?
            }
        };
    }
    if !rest.is_empty() {
        return Err(wrong());
    }
    fields.nanos_since_1970(zone).ok_or_else(wrong)?
}

impl Fields {
    /// Reads a field at the start of a text; the text behind it.
    fn read<'t>(
        &mut self,
        text: &'t str,
        (letter, count): (char, usize),
        is_fixed: bool,
    ) -> Result<Option<&'t str>> {
        let names: Option<&[&str]> = match letter {
            'M' | 'L' if 2 < count => Some(&MONTHS),
            'E' => Some(&WEEKDAYS),
            _ => None,
        };
        if let Some(names) = names {
            let shown = |name: &'static str| if count < 4 { &name[..3] } else { name };
            let mut all = (1..).zip(names);
            let found = all.find_map(|(number, name)| {
                let shown = shown(name);
                let is_it = text.get(..shown.len())?.eq_ignore_ascii_case(shown);
                is_it.then_some((number, &text[shown.len()..]))
            });
            let Some((number, rest)) = found else { return Ok(None) };
            if letter != 'E' {
                self.month = number;
            }
            return Ok(Some(rest));
        }
        if matches!(letter, 'X' | 'x' | 'Z') {
            return Ok(self.read_offset(text));
        }
        if letter == 'a' {
            let Some(word) = text.get(..2) else { return Ok(None) };
            self.is_afternoon = Some(word.eq_ignore_ascii_case("PM"));
            let is_word = word.eq_ignore_ascii_case("AM") || self.is_afternoon == Some(true);
            return Ok(is_word.then(|| &text[2..]));
        }
        let digits_max = if is_fixed || letter == 'S' { count } else { count.max(9) };
        let is_negative = matches!(letter, 'y' | 'u') && text.starts_with('-');
        let own = &text[usize::from(is_negative)..];
        let length = own.bytes().take(digits_max).take_while(u8::is_ascii_digit).count();
        let Ok(number) = own[..length].parse::<i64>() else { return Ok(None) };
        let field = match letter {
            'y' | 'u' => &mut self.year,
            'M' | 'L' => &mut self.month,
            'd' => &mut self.day,
            'H' | 'h' => &mut self.hour,
            'm' => &mut self.minute,
            's' => &mut self.second,
            'S' => &mut self.nanos,
            _ => return Err(unknown(letter, count)),
        };
        *field = match (letter, count) {
            ('y' | 'u', 2) if length == 2 => 2000 + number,
            ('S', _) => number * 10_i64.pow(9 - length.min(9) as u32),
            _ if is_negative => -number,
            _ => number,
        };
        Ok(Some(&own[length..]))
    }

    fn read_offset<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if let Some(rest) = text.strip_prefix('Z') {
            self.offset = Some(0);
            return Some(rest);
        }
        let sign = match text.chars().next()? {
            '+' => 1,
            '-' => -1,
            _ => return None,
        };
        let hours: i32 = text.get(1..3)?.parse().ok()?;
        let rest = &text[3..];
        let behind = rest.strip_prefix(':').unwrap_or(rest);
        let minutes = behind.get(..2).and_then(|digits| digits.parse::<i32>().ok());
        self.offset = Some(sign * (hours * 3600 + minutes.unwrap_or(0) * 60));
        Some(if minutes.is_some() { &behind[2..] } else { rest })
    }

    fn nanos_since_1970(&self, zone: &str) -> Option<Result<i128>> {
        let hour = match self.is_afternoon {
            Some(is_afternoon) => self.hour % 12 + if is_afternoon { 12 } else { 0 },
            None => self.hour,
        };
        let is_clock = hour < 24 && self.minute < 60 && self.second < 60;
        let part = |number: i64| u32::try_from(number).ok();
        let year = i32::try_from(self.year).ok()?;
        let date =
            Date::from_civil(year, part(self.month)?, part(self.day)?).filter(|_| is_clock)?;
        let days = Date::from_civil(1970, 1, 1)?;
        let day = date.days - days.days;
        let local = day * DAY_SECONDS + hour * 3600 + self.minute * 60 + self.second;
        let seconds = match self.offset {
            Some(offset) => Ok(local - i64::from(offset)),
            None => zone_of(zone)
                .and_then(|zone| zone.at_local(local, None))
                .map(|(zone, local)| local - i64::from(zone.offset_seconds)),
        };
        Some(seconds.map(|seconds| i128::from(seconds) * NANOS + i128::from(self.nanos)))
    }
}
