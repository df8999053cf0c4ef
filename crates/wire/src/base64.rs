//! Base64 with the standard alphabet, as SASL, Basic authentication and JSON have it (RFC 4648).

use ::base64::Engine;
use ::base64::alphabet::STANDARD;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Padded when written; drivers leave the padding out, or bits behind the last byte set.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The text of bytes, padded.
pub fn encode(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
}

/// The bytes of a text, with or without padding; `None` if it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    ENGINE.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_there_and_back() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"\x00stephen\x00password", "AHN0ZXBoZW4AcGFzc3dvcmQ="),
            (b"\xff\xfe\xfd", "//79"),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(decode("Zg").as_deref(), Some(&b"f"[..]));
        for text in ["Z", "Zm9v Z", "é", "Zg=a"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
