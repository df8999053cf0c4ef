//! Base64 with the standard alphabet: what SASL, Basic authentication and JSON say bytes in.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of bytes, padded.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for index in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * index) & 63) as usize];
            text.push(if index <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// The bytes of a text; its padding may be missing. `None` if it is no base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        let mut bits = 0u32;
        for digit in chunk {
            let digit = ALPHABET.iter().position(|known| known == digit)?;
            bits = bits << 6 | digit as u32;
        }
        let missing = 4 - chunk.len();
        let whole = (bits << (6 * missing)).to_be_bytes();
        let count = 3usize.checked_sub(missing).filter(|count| *count != 0)?;
        bytes.extend_from_slice(&whole[1..=count]);
    }
    Some(bytes)
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
