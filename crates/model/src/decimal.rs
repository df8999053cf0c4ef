//! Exact decimals: an unscaled 128-bit integer and the number of its digits behind the point.
//!
//! Two decimals of different scale may be numerically equal and still not be identical
//! (`1.0` and `1.00`): equality here is of fields; numeric order is in [`crate::compare`].

use std::fmt;

/// `unscaled × 10^-scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// All digits as one integer.
    pub unscaled: i128,
    /// How many of them stand behind the point.
    pub scale: u32,
}

impl Decimal {
    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.unscaled as f64 / 10f64.powi(self.scale as i32)
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
    fn decimals_print_what_they_read() {
        for text in ["0", "-1.50", "0.001", "123456789012345678901234567890.5"] {
            assert_eq!(Decimal::parse(text).expect("reads").to_string(), text);
        }
        for bad in ["", "-", ".", "1e5", "1.2.3", "１"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
    }
}
