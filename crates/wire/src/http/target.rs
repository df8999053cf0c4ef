//! The target of a request: the path as decoded segments, the query as decoded pairs, both bounded.

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::{NAME_BYTES_MAX, PATH_BYTES_MAX};

/// The decoded segments of a path, without the empty ones a doubled or trailing slash makes.
pub(crate) fn segments(path: &str) -> Result<Vec<String>> {
    if PATH_BYTES_MAX < path.len() {
        return Err(bad(format!("the path is longer than {PATH_BYTES_MAX} bytes")));
    }
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| decode(segment, false)).collect()
}

/// The value of a parameter of a query.
pub(crate) fn query_value(query: Option<&str>, name: &str) -> Result<Option<String>> {
    Ok(query_values(query, name)?.into_iter().next())
}

/// The values of a parameter that may be said several times.
pub(crate) fn query_values(query: Option<&str>, name: &str) -> Result<Vec<String>> {
    let pairs = query_pairs(query.unwrap_or_default())?.into_iter();
    Ok(pairs.filter(|(key, _)| key == name).map(|(_, value)| value).collect())
}

/// The names of all parameters of a query.
pub(crate) fn query_names(query: Option<&str>) -> Result<Vec<String>> {
    let pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| decode(pair.split_once('=').map_or(pair, |(key, _)| key), true)).collect()
}

/// The names and values of a query's parameters, in order; a value may be as long as the query.
pub(crate) fn query_pairs(query: &str) -> Result<Vec<(String, String)>> {
    if PATH_BYTES_MAX < query.len() {
        return Err(bad(format!("the query is longer than {PATH_BYTES_MAX} bytes")));
    }
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(key, value)| Ok((decode_any(key, true)?, decode_any(value, true)?))).collect()
}

fn decode(text: &str, plus_is_space: bool) -> Result<String> {
    let decoded = decode_any(text, plus_is_space)?;
    if NAME_BYTES_MAX < decoded.len() {
        return Err(bad(format!("a name in the path is longer than {NAME_BYTES_MAX} bytes")));
    }
    Ok(decoded)
}

fn decode_any(text: &str, plus_is_space: bool) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => hex(rest.next(), rest.next())
                .ok_or_else(|| bad(format!("`{text}`: a % is followed by two hex digits")))?,
            b'+' if plus_is_space => b' ',
            plain => plain,
        });
    }
    String::from_utf8(bytes).map_err(|_| bad(format!("`{text}` is not UTF-8 once decoded")))
}

fn hex(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

pub(crate) fn bad(detail: String) -> Error {
    Error::new(ErrorKind::BadInput, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_decoded_and_bounded() {
        assert_eq!(segments("/db/a%20b//x%2Fy/").unwrap(), ["db", "a b", "x/y"]);
        for bad in ["/%", "/%4", "/%zz", "/%ff"] {
            assert_eq!(segments(bad).unwrap_err().kind, ErrorKind::BadInput, "{bad}");
        }
        assert!(segments(&"/a".repeat(PATH_BYTES_MAX)).is_err());
        assert!(segments(&format!("/{}", "a".repeat(NAME_BYTES_MAX + 1))).is_err());
    }
}
