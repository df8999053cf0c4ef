//! The texts in `datetime('…')` and `UUID('…')`.

use millrace_model::Value;
use millrace_model::temporal::DateTime;

/// A month, a day, or a day with a time; UTC where no offset is said.
pub(super) fn timestamp(text: &str) -> Option<Value> {
    DateTime::parse(text).map(Value::DateTime)
}

/// Thirty-two hexadecimal digits in five groups.
pub(super) fn uuid(text: &str) -> Option<Value> {
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    let is_hex = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    if groups != [8, 4, 4, 4, 12] || !is_hex {
        return None;
    }
    let number = u128::from_str_radix(&text.replace('-', ""), 16).ok()?;
    Some(Value::Uuid(number.to_be_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_five_groups() {
        let found = uuid("f47af10b-58cc-4372-a567-0f02b2f3d479");
        assert!(matches!(found, Some(Value::Uuid([0xf4, 0x7a, .., 0xd4, 0x79]))));
        for bad in ["", "f47af10b58cc4372a5670f02b2f3d479", "g47af10b-58cc-4372-a567-0f02b2f3d479"]
        {
            assert!(uuid(bad).is_none(), "{bad}");
        }
    }
}
