//! Texts in the codes of forms and of Base64. Decoded bytes that are no UTF-8 are an error.

use millrace_model::Result;

use crate::functions::TextCode;
use crate::functions::arguments::bad;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(in crate::functions) fn encode(code: TextCode, own: &str) -> String {
    match code {
        TextCode::Base64 => encode_base64(own.as_bytes(), STANDARD),
        TextCode::Base64Url => encode_base64(own.as_bytes(), FOR_URLS),
        TextCode::Url => encode_url(own),
    }
}

pub(in crate::functions) fn decode(code: TextCode, own: &str) -> Result<String> {
    let bytes = match code {
        TextCode::Base64 => decode_base64(own, STANDARD),
        TextCode::Base64Url => decode_base64(own, FOR_URLS),
        TextCode::Url => decode_url(own),
    };
    let decoded = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.ok_or_else(|| bad("this text is not in the code that is decoded"))
}

fn encode_base64(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut output = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |place: usize| u32::from(part.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sextet = (bits >> (18 - 6 * place)) & 63;
            output.push(if place <= part.len() {
                char::from(alphabet[sextet as usize])
            } else {
                '='
            });
        }
    }
    output
}

fn decode_base64(own: &str, alphabet: &[u8; 64]) -> Option<Vec<u8>> {
    let own = own.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(own.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in own.bytes() {
        let sextet = alphabet.iter().position(|own| *own == letter)?;
        bits = (bits << 6 | sextet as u32) & 0xFFF;
        count += 6;
        if 8 <= count {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn encode_url(own: &str) -> String {
    let mut output = String::with_capacity(own.len());
    for byte in own.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'*' | b'_' => {
                output.push(char::from(byte));
            }
            b' ' => output.push('+'),
            other => output.push_str(&format!("%{other:02X}")),
        }
    }
    output
}

fn decode_url(own: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(own.len());
    let mut rest = own.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let (digits, behind) = rest.split_at_checked(2)?;
                rest = behind;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoded_text_is_the_one_that_was_encoded() {
        for own in ["", "n", "ne", "neo4j", "ab cd=gh&ij?", "é–ß", "?>?>"] {
            for code in [TextCode::Base64, TextCode::Base64Url, TextCode::Url] {
                assert_eq!(decode(code, &encode(code, own)).as_deref(), Ok(own), "{code:?}");
            }
        }
        assert_eq!(encode(TextCode::Base64, "neo4j"), "bmVvNGo=");
        assert_eq!(encode(TextCode::Url, "ab cd=gh&ij?"), "ab+cd%3Dgh%26ij%3F");
        for (code, own) in [(TextCode::Base64, "ä"), (TextCode::Url, "%4"), (TextCode::Url, "%FF")]
        {
            decode(code, own).expect_err("it is in no such code");
        }
    }
}
