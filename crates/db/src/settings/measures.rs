//! Sizes and times as texts: a number in the unit of its setting, or with a unit of its own.
//!
//! A kB is 1,024 bytes, as for Neo4j, PostgreSQL and Java, and the same as a KiB (decision 0120). Numbers are read exactly,
//! as decimals, never as floats: `1.5GiB` is a whole number of bytes, and `0.1ms` is no number of milliseconds.

use std::borrow::Cow;

/// What the number of a setting counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Bytes; a part of a byte is dropped.
    Bytes,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
}

/// A unit of texts, with how many of the smallest it is.
type Name = (&'static str, u64);

/// By the smallest first; of those that are equal, the first is shown.
const SIZES: [Name; 14] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("kB", 1 << 10),
    ("k", 1 << 10),
    ("MiB", 1 << 20),
    ("MB", 1 << 20),
    ("M", 1 << 20),
    ("GiB", 1 << 30),
    ("GB", 1 << 30),
    ("G", 1 << 30),
    ("TiB", 1 << 40),
    ("TB", 1 << 40),
    ("T", 1 << 40),
    ("bytes", 1),
];

/// In microseconds.
const TIMES: [Name; 9] = [
    ("us", 1),
    ("ms", 1_000),
    ("s", 1_000_000),
    ("min", 60_000_000),
    ("m", 60_000_000),
    ("h", 3_600_000_000),
    ("d", 86_400_000_000),
    ("µs", 1),
    ("μs", 1),
];

/// Digits of a number, before and behind the point together: more are too large for any setting.
const DIGITS_MAX: usize = 24;

impl Measure {
    /// The number of a text; the error says what is wrong with the text.
    pub fn read(self, text: &str) -> Result<u64, Cow<'static, str>> {
        let text = text.trim();
        if text.starts_with('-') {
            return Err("is negative".into());
        }
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let (number, suffix) = text.split_at(end.unwrap_or(text.len()));
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let are_digits =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if !are_digits(whole) || !are_digits(part) {
            return Err("is no number".into());
        }
        let factor = match suffix.trim() {
            "" => self.factor(),
            suffix => {
                self.factor_of(suffix).ok_or_else(|| format!("has the unknown unit `{suffix}`"))?
            }
        };
        if suffix.is_empty() && number.contains('.') {
            return Err("has a fraction and no unit".into());
        }
        let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
        if DIGITS_MAX < whole.len() {
            return Err("is too large".into());
        }
        if DIGITS_MAX < whole.len() + part.len() {
            return Err("has too many digits".into());
        }
        // At most 24 digits and 11 of the largest unit: no 128 bits overflow.
        let digits: u128 = format!("0{whole}{part}").parse().map_err(|_| "is no number")?;
        let scale = 10_u128.pow(u32::try_from(part.len()).unwrap_or(u32::MAX));
        let (counted, own) = (digits * u128::from(factor), scale * u128::from(self.factor()));
        if self != Measure::Bytes && counted % own != 0 {
            return Err(format!("is no whole number of {}", self.plural()).into());
        }
        u64::try_from(counted / own).map_err(|_| "is too large".into())
    }

    /// A number with the largest unit of which it is one at least, such as `8 GiB` or `about 7.45 GiB`.
    pub fn readable(self, number: u64) -> String {
        let counted = u128::from(number) * u128::from(self.factor());
        // The names that are shown, the largest first.
        let names = self.names().iter().rev();
        let mut names = names.filter(|(name, _)| self.shown().contains(name));
        let fitting = names.find(|(_, factor)| u128::from(*factor) <= counted);
        let (name, factor) = fitting.copied().unwrap_or((self.shown()[0], self.factor()));
        let hundredths = counted * 100 / u128::from(factor);
        let about = if hundredths * u128::from(factor) == counted * 100 { "" } else { "about " };
        let (whole, part) = (hundredths / 100, hundredths % 100);
        let part = match part {
            0 => String::new(),
            part if part % 10 == 0 => format!(".{}", part / 10),
            part => format!(".{part:02}"),
        };
        format!("{about}{whole}{part} {name}")
    }

    /// What the numbers count, in words.
    pub fn plural(self) -> &'static str {
        match self {
            Measure::Bytes => "bytes",
            Measure::Millis => "milliseconds",
            Measure::Micros => "microseconds",
        }
    }

    /// The units that a text may have, in words.
    pub fn suffixes(self) -> &'static str {
        match self {
            Measure::Bytes => "B, kB, MB, GB, TB (1 kB is 1,024 bytes, as 1 KiB is)",
            Measure::Millis | Measure::Micros => "us, ms, s, min, h, d",
        }
    }

    fn names(self) -> &'static [Name] {
        match self {
            Measure::Bytes => &SIZES,
            Measure::Millis | Measure::Micros => &TIMES,
        }
    }

    /// The names that numbers are shown with, the smallest first.
    fn shown(self) -> &'static [&'static str] {
        match self {
            Measure::Bytes => &["B", "KiB", "MiB", "GiB", "TiB"],
            Measure::Millis => &["ms", "s", "min", "h", "d"],
            Measure::Micros => &["us", "ms", "s"],
        }
    }

    fn factor_of(self, name: &str) -> Option<u64> {
        let known = self.names().iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, factor)| *factor)
    }

    /// The unit of numbers without one.
    fn factor(self) -> u64 {
        match self {
            Measure::Bytes | Measure::Micros => 1,
            Measure::Millis => 1_000,
        }
    }
}

/// Seconds of a flag: a number of them, or a time with a unit.
pub fn seconds_of_flag(text: &str) -> Result<f64, String> {
    of_flag(text, 1e6, "30, 30s, 500ms or 1.5min")
}

/// Milliseconds of a flag: a number of them, or a time with a unit.
pub fn millis_of_flag(text: &str) -> Result<f64, String> {
    of_flag(text, 1e3, "250, 250ms or 1.5s")
}

/// Whole milliseconds of a flag: a number of them, or a time with a unit.
pub fn whole_millis_of_flag(text: &str) -> Result<u64, String> {
    let help = "write a time in milliseconds or with a unit, as 250, 250ms, 1.5s or 2min";
    Measure::Millis.read(text).map_err(|wrong| format!("it {wrong}: {help}"))
}

fn of_flag(text: &str, micros: f64, examples: &str) -> Result<f64, String> {
    if let Ok(number) = text.parse::<f64>()
        && number.is_finite()
        && 0.0 <= number
    {
        return Ok(number);
    }
    let time = Measure::Micros.read(text).map_err(|wrong| {
        format!("it {wrong}: write a time as {examples}; units are {}", Measure::Micros.suffixes())
    })?;
    Ok(time as f64 / micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_every_suffix_and_without_one() {
        for (text, bytes) in [
            ("8192", 8_192),
            ("8GB", 8 << 30),
            ("16MiB", 16 << 20),
            ("512 kB", 512 << 10),
            ("512m", 512 << 20),
            ("1.5GiB", 3 << 29),
            ("1.1k", 1_126),
            ("0.5 TB", 1 << 39),
            ("7 B", 7),
            ("7bytes", 7),
            ("0", 0),
            (" 010KB ", 10 << 10),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(Measure::Bytes.read(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn times_are_exact_in_the_measure_of_their_setting() {
        for (text, millis) in [
            ("100ms", 100),
            ("30s", 30_000),
            ("5m", 300_000),
            ("5 min", 300_000),
            ("1h", 3_600_000),
            ("1.5H", 5_400_000),
            ("0.25s", 250),
            ("2000us", 2),
            ("2000µs", 2),
            ("365d", 31_536_000_000),
            ("250", 250),
        ] {
            assert_eq!(Measure::Millis.read(text), Ok(millis), "{text}");
        }
        assert_eq!(Measure::Micros.read("1.5ms"), Ok(1_500));
        assert_eq!(Measure::Micros.read("200"), Ok(200));
    }

    #[test]
    fn what_is_wrong_with_a_text_is_named() {
        for (measure, text, wrong) in [
            (Measure::Bytes, "-5MB", "is negative"),
            (Measure::Bytes, "5XB", "has the unknown unit `XB`"),
            (Measure::Bytes, "5 s", "has the unknown unit `s`"),
            (Measure::Bytes, "1.5", "has a fraction and no unit"),
            (Measure::Bytes, "", "is no number"),
            (Measure::Bytes, "GB", "is no number"),
            (Measure::Bytes, ".5GB", "is no number"),
            (Measure::Bytes, "5.GB", "is no number"),
            (Measure::Bytes, "1.2.3GB", "is no number"),
            (Measure::Bytes, "1e9", "has the unknown unit `e9`"),
            (Measure::Bytes, "18446744073709551616", "is too large"),
            (Measure::Bytes, "99999999999999999999TB", "is too large"),
            (Measure::Bytes, &"9".repeat(400), "is too large"),
            (Measure::Bytes, &format!("1.{}GB", "3".repeat(400)), "has too many digits"),
            (Measure::Millis, "100us", "is no whole number of milliseconds"),
            (Measure::Millis, "soon", "is no number"),
            (Measure::Millis, "5 weeks", "has the unknown unit `weeks`"),
            (Measure::Micros, "0.1us", "is no whole number of microseconds"),
        ] {
            assert_eq!(measure.read(text).unwrap_err(), wrong, "{text}");
        }
    }

    #[test]
    fn numbers_are_shown_with_the_suffix_that_fits() {
        for (measure, number, shown) in [
            (Measure::Bytes, 0, "0 B"),
            (Measure::Bytes, 1_023, "1023 B"),
            (Measure::Bytes, 8 << 30, "8 GiB"),
            (Measure::Bytes, 3 << 29, "1.5 GiB"),
            (Measure::Bytes, 8_000_000_000, "about 7.45 GiB"),
            (Measure::Bytes, 1 << 50, "1024 TiB"),
            (Measure::Millis, 999, "999 ms"),
            (Measure::Millis, 90_000, "1.5 min"),
            (Measure::Millis, 61_000, "about 1.01 min"),
            (Measure::Millis, 31_536_000_000, "365 d"),
            (Measure::Micros, 100_000, "100 ms"),
        ] {
            assert_eq!(measure.readable(number), shown);
            if !shown.starts_with("about") {
                assert_eq!(measure.read(shown), Ok(number), "{shown}");
            }
        }
    }

    #[test]
    fn flags_take_numbers_as_before_and_suffixes() {
        assert_eq!(seconds_of_flag("0.5"), Ok(0.5));
        assert_eq!(seconds_of_flag("1.5min"), Ok(90.0));
        assert_eq!(millis_of_flag("2.5"), Ok(2.5));
        assert_eq!(millis_of_flag("2.5s"), Ok(2_500.0));
        assert_eq!(whole_millis_of_flag("2s"), Ok(2_000));
        for wrong in ["-1", "soon", "NaN", "inf", "5 parsecs"] {
            let refused = seconds_of_flag(wrong).unwrap_err();
            assert!(refused.contains("units are us, ms, s, min, h, d"), "{refused}");
        }
    }
}
