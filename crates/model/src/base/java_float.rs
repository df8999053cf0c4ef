//! Doubles as Java writes them, which is how Neo4j does: from 0.001 to below 10,000,000 without an exponent.

/// The text of a double.
pub fn text(double: f64) -> String {
    of_digits(double, &format!("{:e}", double.abs()))
}

/// The text of a 32-bit float.
pub fn text_of_f32(float: f32) -> String {
    of_digits(f64::from(float), &format!("{:e}", float.abs()))
}

/// The text of a double of which the shortest digits are known, with their exponent.
fn of_digits(double: f64, digits: &str) -> String {
    let sign = if double.is_sign_negative() && !double.is_nan() { "-" } else { "" };
    let Some((mantissa, exponent)) = digits.split_once('e') else {
        return format!("{sign}{}", if double.is_nan() { "NaN" } else { "Infinity" });
    };
    if double == 0.0 {
        return format!("{sign}0.0");
    }
    if !(1e-3..1e7).contains(&double.abs()) {
        let fraction = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{sign}{mantissa}{fraction}E{exponent}");
    }
    let digits = mantissa.replace('.', "");
    match exponent.parse::<i32>().unwrap_or(0) {
        below if below < 0 => {
            let zeros = "0".repeat(below.unsigned_abs() as usize - 1);
            format!("{sign}0.{zeros}{digits}")
        }
        above => {
            let count = above as usize + 1;
            let (whole, fraction) = digits.split_at(count.min(digits.len()));
            let zeros = "0".repeat(count - whole.len());
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            format!("{sign}{whole}{zeros}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_written_as_in_java() {
        for (double, expected) in [
            (1e300, "1.0E300"),
            (1e-7, "1.0E-7"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (0.001, "0.001"),
            (0.00099, "9.9E-4"),
            (-1.5, "-1.5"),
            (-0.0, "-0.0"),
            (123_456.789, "123456.789"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(text(double), expected);
        }
        assert_eq!(text_of_f32(0.1), "0.1");
    }
}
