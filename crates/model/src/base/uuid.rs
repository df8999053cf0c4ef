//! The text of a UUID: 32 hexadecimal digits in five groups (RFC 9562).

use ::uuid::{Builder, Uuid};

/// Characters of the text.
const LENGTH: usize = 36;

/// The UUID of a text with hyphens; `None` for any other form.
pub fn parse(text: &str) -> Option<[u8; 16]> {
    let has_groups = text.len() == LENGTH;
    has_groups.then(|| Uuid::try_parse(text).ok()).flatten().map(Uuid::into_bytes)
}

/// The text of a UUID, in lower case.
pub fn text(bytes: [u8; 16]) -> String {
    Uuid::from_bytes(bytes).to_string()
}

/// A UUID of version 4 from random bits.
pub fn random(bits: u128) -> [u8; 16] {
    Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_five_groups() {
        let bytes = parse("F47AF10B-58cc-4372-a567-0f02b2f3d479").unwrap();
        assert!(matches!(bytes, [0xf4, 0x7a, .., 0xd4, 0x79]));
        assert_eq!(text(bytes), "f47af10b-58cc-4372-a567-0f02b2f3d479");
        for bad in [
            "",
            "f47af10b58cc4372a5670f02b2f3d479",
            "g47af10b-58cc-4372-a567-0f02b2f3d479",
            "{47af10b-58cc-4372-a567-0f02b2f3d47}",
            "f47af10b5-8cc-4372-a567-0f02b2f3d479",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_random_one_says_so() {
        let text = text(random(u128::MAX));
        assert_eq!(text, "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
