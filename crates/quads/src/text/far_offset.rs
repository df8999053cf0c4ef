//! Timestamps whose offset from UTC is of more than 18 hours. ISO 8601, as databases read it, has none of them; Dgraph
//! reads up to 23 hours and 59 minutes, and writes them again as they were.

use super::temporal::parse_datetime;
use millrace_model::Value;

/// `2019-03-28T07:41:57+23:00`. None for any other text, also for one with a nearer offset.
pub fn parse_far_offset(text: &str) -> Option<Value> {
    let (local, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let [sign @ (b'+' | b'-'), tens, ones, b':', ten_minutes, minutes] = offset.as_bytes() else {
        return None;
    };
    let number = |tens: u8, ones: u8| {
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        is_number.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
    };
    let (hours, minutes) = (number(*tens, *ones)?, number(*ten_minutes, *minutes)?);
    let seconds = hours * 3_600 + minutes * 60;
    if !(18..=23).contains(&hours) || 59 < minutes || seconds <= 18 * 3_600 {
        return None;
    }
    let Value::DateTime(mut timestamp) = parse_datetime(&format!("{local}Z")).ok()? else {
        return None;
    };
    timestamp.offset_seconds = if *sign == b'-' { -seconds } else { seconds };
    timestamp.seconds -= i64::from(timestamp.offset_seconds);
    Some(Value::DateTime(timestamp))
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_model::temporal::{Seconds, text};

    #[test]
    fn a_far_offset_is_read_and_written_again() {
        for written in ["2019-03-28T07:41:57+23:00", "2019-03-28T07:41:57.5-18:30"] {
            let value = parse_far_offset(written).unwrap();
            assert_eq!(text(&value, Seconds::Always).unwrap(), written);
        }
        let utc = parse_datetime("2019-03-27T08:41:57Z").unwrap();
        let far = parse_far_offset("2019-03-28T07:41:57+23:00").unwrap();
        let (Value::DateTime(utc), Value::DateTime(far)) = (utc, far) else { panic!() };
        assert_eq!(far.seconds, utc.seconds);
    }

    #[test]
    fn other_texts_are_left_to_others() {
        for text in [
            "",
            "+23:00",
            "2019-03-28T07:41:57+18:00",
            "2019-03-28T07:41:57+24:00",
            "2019-03-28T07:41:57+19:60",
            "2019-03-28T07:41:57Z+19:00",
            "2019-03-28",
            "é23:00",
        ] {
            assert_eq!(parse_far_offset(text), None, "{text}");
        }
    }
}
