//! Decimal numbers of 18 places, for parts of a duration with fractions.
//!
//! A fraction is carried into the next smaller part: half a month is 15.2184375 days, half a day 43,200
//! seconds. Doubles are taken as the shortest decimal that names them, so a tenth of a second has
//! 100,000,000 nanoseconds and not one less.

use crate::calendar::Duration;
use crate::calendar::SECOND_NANOS;

/// A number in units of 10^-18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::temporal) struct Amount(i128);

const ONE: i128 = 1_000_000_000_000_000_000;
const DIGITS: usize = 18;
/// The days of a month on average, in millionths: 146,097 days in 400 years.
const MONTH_DAYS_MILLIONTHS: i128 = 30_436_875;

impl From<i64> for Amount {
    fn from(number: i64) -> Amount {
        Amount(i128::from(number) * ONE)
    }
}

impl Amount {
    pub(super) const ZERO: Amount = Amount(0);

    /// A double, if it is finite and not too large.
    pub(super) fn from_double(double: f64) -> Option<Amount> {
        if !double.is_finite() || double.abs() >= 1e19 {
            return None;
        }
        // Without an exponent, however small or large it is.
        Amount::parse(&format!("{double}"))
    }

    /// A sign, digits, and perhaps a point or comma and more digits; places beyond 18 are cut off.
    pub(super) fn parse(text: &str) -> Option<Amount> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let places = &fraction[..fraction.len().min(DIGITS)];
        let scale = 10i128.pow((DIGITS - places.len()) as u32);
        let whole = whole.parse::<i128>().ok()?.checked_mul(ONE)?;
        let amount = whole.checked_add(places.parse::<i128>().ok()? * scale)?;
        Some(Amount(if text.starts_with('-') { -amount } else { amount }))
    }

    /// Whether it has no fraction.
    pub(super) fn is_whole(self) -> bool {
        self.0 % ONE == 0
    }

    /// Whether it is zero.
    pub(in crate::temporal) fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The whole number towards zero, and the rest.
    fn split(self) -> (i128, Amount) {
        (self.0 / ONE, Amount(self.0 % ONE))
    }

    pub(super) fn plus(self, other: Amount) -> Option<Amount> {
        self.0.checked_add(other.0).map(Amount)
    }

    pub(super) fn by(self, factor: i64) -> Option<Amount> {
        self.0.checked_mul(factor.into()).map(Amount)
    }

    /// The numerator and denominator, without common tens.
    fn reduced(self) -> (i128, i128) {
        let (mut numerator, mut denominator) = (self.0, ONE);
        while denominator > 1 && numerator % 10 == 0 {
            (numerator, denominator) = (numerator / 10, denominator / 10);
        }
        (numerator, denominator)
    }

    /// The product, exact if 128 bits have room on the way, else as doubles have it.
    pub(super) fn times(self, factor: Amount) -> Option<Amount> {
        let (numerator, denominator) = factor.reduced();
        let exact = self.0.checked_mul(numerator).map(|product| Amount(product / denominator));
        exact.or_else(|| Amount::from_double(self.as_double() * factor.as_double()))
    }

    /// The quotient, exact if 128 bits have room on the way, else as doubles have it.
    pub(super) fn divided(self, divisor: Amount) -> Option<Amount> {
        let (numerator, denominator) = divisor.reduced();
        let product = self.0.checked_mul(denominator);
        let exact = product.and_then(|product| product.checked_div(numerator)).map(Amount);
        exact.or_else(|| Amount::from_double(self.as_double() / divisor.as_double()))
    }

    fn as_double(self) -> f64 {
        self.0 as f64 / ONE as f64
    }
}

/// A duration of parts with fractions, each carried into the next smaller part.
pub(super) fn carried(
    months: Amount,
    days: Amount,
    seconds: Amount,
    nanos: Amount,
) -> Option<Duration> {
    let (months, fraction) = months.split();
    let (days, fraction) =
        days.plus(Amount(fraction.0 * MONTH_DAYS_MILLIONTHS / 1_000_000))?.split();
    let (seconds, fraction) = seconds.plus(Amount(fraction.0 * 86_400))?.split();
    let nanos = nanos.plus(Amount(fraction.0.checked_mul(SECOND_NANOS)?))?;
    // A third of a month is 10 days and 12,582 seconds, though a third has no end as a decimal.
    let (nanos, _) = nanos.plus(Amount(nanos.0.signum() * (ONE / 100)))?.split();
    Duration::of(months, days, seconds.checked_mul(SECOND_NANOS)?.checked_add(nanos)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporal::iso::duration_text;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("a number")
    }

    #[test]
    fn doubles_are_the_decimals_that_name_them() {
        assert_eq!(Amount::from_double(0.1), Some(amount("0.1")));
        assert_eq!(Amount::from_double(-12.5), Some(amount("-12.5")));
        assert_eq!(Amount::from_double(1e-30), Some(Amount::ZERO));
        assert_eq!(Amount::from_double(1e18), Some(amount("1000000000000000000")));
        for none in [f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Amount::from_double(none), None);
        }
        for text in ["", "-", "1.", ".5", "1e3", "0x1", "1.-2", "١"] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
    }

    #[test]
    fn fractions_are_carried_into_smaller_parts() {
        let zero = Amount::ZERO;
        let shown = |months: &str, days: &str, seconds: &str| {
            let carried = carried(amount(months), amount(days), amount(seconds), zero);
            duration_text(&carried.expect("fits"))
        };
        assert_eq!(shown("0.75", "0", "0"), "P22DT19H51M49.5S");
        assert_eq!(shown("5", "1.5", "0"), "P5M1DT12H");
        assert_eq!(shown("0", "-1.5", "0.3"), "P-1DT-11H-59M-59.7S");
        assert_eq!(shown("0", "0", "-0.4"), "PT-0.4S");
    }

    #[test]
    fn products_and_quotients_are_exact() {
        assert_eq!(amount("58390").divided(amount("2")), Some(amount("29195")));
        assert_eq!(amount("1").divided(amount("0.5")), Some(amount("2")));
        assert_eq!(amount("149").times(amount("0.5")), Some(amount("74.5")));
        assert_eq!(amount("1").divided(Amount::ZERO), None);
        let large = Amount::from(i64::MAX);
        assert_eq!(large.times(large), None);
        assert_eq!(large.divided(amount("0.000000000000000001")), None);
    }
}
