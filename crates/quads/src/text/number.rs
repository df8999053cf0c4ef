//! Numbers and booleans. Infinity and NaN are values of a float here, as in every language served.

use crate::error::excerpt;

/// A whole number that fits `bits` (8 to 64) bits. It is kept in 64: widths only set bounds here,
/// since the languages of these formats know one integer type.
pub fn parse_integer(text: &str, bits: u32) -> Result<i64, String> {
    text.parse()
        .ok()
        .filter(|whole: &i64| matches!(*whole >> (bits - 1), 0 | -1))
        .ok_or_else(|| format!("expected a whole number of {bits} bits, found '{}'", excerpt(text)))
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
        for (bits, least, most) in [(8, -128, 127), (16, -32_768, 32_767), (64, i64::MIN, i64::MAX)]
        {
            assert_eq!(parse_integer(&least.to_string(), bits), Ok(least));
            assert_eq!(parse_integer(&most.to_string(), bits), Ok(most));
        }
        let refused = |text: &str, bits| parse_integer(text, bits).unwrap_err();
        assert_eq!(refused("128", 8), "expected a whole number of 8 bits, found '128'");
        assert_eq!(refused("-129", 8), "expected a whole number of 8 bits, found '-129'");
        assert_eq!(refused("1.5", 32), "expected a whole number of 32 bits, found '1.5'");
        assert!(parse_integer("9223372036854775808", 64).is_err());
    }

    #[test]
    fn doubles_have_their_three_special_values() {
        assert_eq!(parse_double("INF"), Ok(f64::INFINITY));
        assert_eq!(parse_double("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(parse_double("NaN").is_ok_and(f64::is_nan));
        assert_eq!(parse_double("1,5"), Err("expected a number, found '1,5'".into()));
    }
}
