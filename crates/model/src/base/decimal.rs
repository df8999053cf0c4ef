//! Exact decimals: an unscaled 128-bit integer and the number of its digits behind the point.
//!
//! Two decimals of different scale may be numerically equal and still not be identical
//! (`1.0` and `1.00`): equality here is of fields; numeric order is in `compare`.

use std::cmp::Ordering;
use std::fmt;

/// Significant decimal digits that say any double exactly.
const DOUBLE_DIGITS: usize = 767;

/// `unscaled × 10^-scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits as one integer.
    pub unscaled: i128,
    /// How many of them stand behind the point.
    pub scale: u32,
}

impl Decimal {
    /// The nearest double, rounded once: so a smaller decimal never becomes a larger double.
    pub fn to_f64(self) -> f64 {
        if self.scale == 0 {
            return self.unscaled as f64;
        }
        let text = format!("{}e-{}", self.unscaled, self.scale);
        text.parse().expect("digits with an exponent are a number")
    }

    /// The order against another, exact at any scale.
    pub fn compare(self, other: Decimal) -> Ordering {
        let signs = self.unscaled.signum().cmp(&other.unscaled.signum());
        signs.then_with(|| {
            let magnitudes = self.digits().cmp(&other.digits());
            if self.unscaled < 0 { magnitudes.reverse() } else { magnitudes }
        })
    }

    /// The order against a double, exact; NaN is above every number.
    pub fn compare_double(self, double: f64) -> Ordering {
        if double.is_nan() {
            return Ordering::Less;
        }
        // The nearest double of one is only equal to the other where all digits are needed to
        // distinguish them.
        let nearest = self.to_f64();
        if nearest != double {
            return if nearest < double { Ordering::Less } else { Ordering::Greater };
        }
        if double == 0.0 {
            return self.unscaled.cmp(&0);
        }
        let magnitudes = self.digits().cmp(&digits_of(double.abs()));
        if self.unscaled < 0 { magnitudes.reverse() } else { magnitudes }
    }

    /// The magnitude as `0.digits × 10^exponent`, the first and the last digit not zero; equal
    /// numbers have equal digits, and the order is that of the magnitudes. Zero has none.
    pub fn digits(self) -> (i64, Vec<u8>) {
        let mut digits = self.unscaled.unsigned_abs().to_string().into_bytes();
        if self.unscaled == 0 {
            return (i64::MIN, Vec::new());
        }
        let exponent = digits.len() as i64 - i64::from(self.scale);
        digits.truncate(digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1));
        (exponent, digits)
    }

    /// Reads `[-+]digits[.digits]`; `None` where it is something else or does not fit.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut unscaled = 0i128;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = (byte as char).to_digit(10)?;
            unscaled = unscaled.checked_mul(10)?.checked_add(i128::from(digit))?;
        }
        let unscaled = if negative { -unscaled } else { unscaled };
        Some(Decimal { unscaled, scale: u32::try_from(fraction.len()).ok()? })
    }
}

impl Decimal {
    /// The same with an exponent behind it or none, as `1.5e-3`; none also where it needs more than so many digits behind
    /// the point.
    pub fn parse_with_exponent(text: &str, scale_max: u32) -> Option<Decimal> {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let Decimal { unscaled, scale } = Decimal::parse(digits)?;
        let exponent: i64 = exponent.parse::<i32>().ok()?.into();
        if unscaled == 0 && exponent > 0 {
            return Some(Decimal { unscaled, scale: 0 });
        }
        let scale = i64::from(scale) - exponent;
        let zeros = u32::try_from((-scale).max(0)).ok()?;
        let unscaled = unscaled.checked_mul(10_i128.checked_pow(zeros)?)?;
        let scale = u32::try_from(scale.max(0)).ok().filter(|scale| *scale <= scale_max)?;
        Some(Decimal { unscaled, scale })
    }
}

/// The exact digits of a double above zero, as [`Decimal::digits`] gives them.
fn digits_of(double: f64) -> (i64, Vec<u8>) {
    let text = format!("{:.*e}", DOUBLE_DIGITS - 1, double);
    let (mantissa, exponent) = text.split_once('e').expect("it was printed with an exponent");
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    digits.truncate(digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1));
    let exponent: i64 = exponent.parse().expect("an exponent is a number");
    (exponent + 1, digits)
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.unscaled < 0 { "-" } else { "" };
        let digits = self.unscaled.unsigned_abs().to_string();
        let scale = self.scale as usize;
        if scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let digits = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_doubles_compare_by_all_their_digits() {
        let decimal = |text: &str| Decimal::parse(text).expect("reads");
        let exact = "0.1000000000000000055511151231257827";
        assert_eq!(decimal("0.1").compare_double(0.1), Ordering::Less);
        assert_eq!(decimal(exact).compare_double(0.1), Ordering::Less, "0.1 has 55 digits");
        assert_eq!(decimal("0.10000000000000001").compare_double(0.1), Ordering::Greater);
        assert_eq!(decimal("-0.1").compare_double(-0.1), Ordering::Greater);
        assert_eq!(decimal("0.50").compare_double(0.5), Ordering::Equal);
        assert_eq!(decimal("-2.0").compare_double(-2.0), Ordering::Equal);
        let tiny = Decimal { unscaled: 1, scale: 5_000 };
        assert_eq!(tiny.compare_double(0.0), Ordering::Greater);
        assert_eq!(tiny.compare(Decimal { unscaled: 10, scale: 5_001 }), Ordering::Equal);
        assert_eq!(tiny.compare(Decimal { unscaled: i128::MAX, scale: 0 }), Ordering::Less);
    }

    #[test]
    fn decimals_print_what_they_read() {
        for text in ["0", "-1.50", "0.001", "123456789012345678901234567890.5"] {
            assert_eq!(Decimal::parse(text).expect("reads").to_string(), text);
        }
        for bad in ["", "-", ".", "1e5", "1.2.3", "１"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_exponent_moves_the_point() {
        let read = |text: &str| Decimal::parse_with_exponent(text, 400).map(|own| own.to_string());
        let pairs = [("1e2", "100"), ("-1.25E+1", "-12.5"), ("15e-3", "0.015"), ("1.5", "1.5")];
        for (text, same) in [("1.23456789e+29", "123456789000000000000000000000"), ("0e99999", "0")]
            .into_iter()
            .chain(pairs)
        {
            assert_eq!(read(text).as_deref(), Some(same), "{text}");
        }
        for bad in ["1e39", "1e-401", "e5", "1e", "1e5e5", "1e99999999999", "0x10"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
