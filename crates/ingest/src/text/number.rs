//! Numbers and booleans. Infinity and NaN are values of a float here, as in every language served.

use crate::error::excerpt;

/// A whole number of the width of `T`; `bounds` names them in the message.
pub fn parse_integer<T: TryFrom<i64>>(text: &str, bounds: &str) -> Result<T, String> {
    let whole: i64 = text
        .parse()
        .map_err(|_| format!("expected a whole number {bounds}, found '{}'", excerpt(text)))?;
    T::try_from(whole).map_err(|_| format!("expected a whole number {bounds}, found {whole}"))
}

/// A 64-bit float.
pub fn parse_double(text: &str) -> Result<f64, String> {
    let special = match text {
        "INF" | "+INF" | "Infinity" | "+Infinity" => f64::INFINITY,
        "-INF" | "-Infinity" => f64::NEG_INFINITY,
        "NaN" => f64::NAN,
        _ => return text.parse().map_err(|_| not_a_number(text)),
    };
    Ok(special)
}

/// A 32-bit float.
pub fn parse_float(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(float) => Ok(float),
        Err(_) => parse_double(text).map(|double| double as f32),
    }
}

fn not_a_number(text: &str) -> String {
    format!("expected a number, found '{}'", excerpt(text))
}

/// `true`, `false` in any case; `1` and `0` as the XML types have them.
pub fn parse_boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(format!("expected true or false, found '{}'", excerpt(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_its_width_is_refused() {
        assert_eq!(parse_integer::<i8>("-128", "of 8 bits"), Ok(-128));
        assert_eq!(
            parse_integer::<i8>("128", "of 8 bits"),
            Err("expected a whole number of 8 bits, found 128".into())
        );
        assert_eq!(
            parse_integer::<i64>("9223372036854775808", "of 64 bits"),
            Err("expected a whole number of 64 bits, found '9223372036854775808'".into())
        );
    }

    #[test]
    fn floats_have_their_three_special_values() {
        assert_eq!(parse_double("INF"), Ok(f64::INFINITY));
        assert_eq!(parse_float("-Infinity"), Ok(f32::NEG_INFINITY));
        assert!(parse_double("NaN").is_ok_and(f64::is_nan));
        assert_eq!(parse_double("1,5"), Err("expected a number, found '1,5'".into()));
    }
}
