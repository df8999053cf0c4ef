//! Paths and queries: cut, decoded and matched against patterns.
//!
//! A pattern is segments: a word, `{name}`, or at the end `{options…}` (none to two segments). `{id}`
//! and `{id2}` match digits only, so that `/node/Person/degree` is a node of type `Person`; only when
//! nothing matches may they match anything, to be refused by name.

use millrace_model::{Error, ErrorKind, Result};

use crate::limits::{NAME_BYTES_MAX, PATH_BYTES_MAX};

/// Stands at the end of a pattern for the direction and types of a traversal.
pub(super) const OPTIONS: &str = "{options…}";

/// How many segments [`OPTIONS`] takes.
const OPTIONS_MAX: usize = 2;

/// Whether `{id}` takes digits only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ids {
    Digits,
    Anything,
}

/// The decoded segments of a path, without the empty ones a doubled or trailing slash makes.
pub(super) fn segments(path: &str) -> Result<Vec<String>> {
    if PATH_BYTES_MAX < path.len() {
        return Err(bad(format!("the path is longer than {PATH_BYTES_MAX} bytes")));
    }
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| decode(segment, false)).collect()
}

/// The value of a parameter of a query.
pub(super) fn query_value(query: Option<&str>, name: &str) -> Result<Option<String>> {
    Ok(query_values(query, name)?.into_iter().next())
}

/// The values of a parameter that may be said several times.
pub(super) fn query_values(query: Option<&str>, name: &str) -> Result<Vec<String>> {
    let pairs = query_pairs(query.unwrap_or_default())?.into_iter();
    Ok(pairs.filter(|(key, _)| key == name).map(|(_, value)| value).collect())
}

/// The names of all parameters of a query.
pub(super) fn query_names(query: Option<&str>) -> Result<Vec<String>> {
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

/// A pattern, cut into its parts.
pub(super) struct Pattern {
    parts: Vec<&'static str>,
    /// How many segments it takes.
    least: usize,
    most: usize,
}

impl Pattern {
    pub(super) fn of(pattern: &'static str) -> Pattern {
        let parts: Vec<_> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        let options = parts.last() == Some(&OPTIONS);
        let least = parts.len() - usize::from(options);
        let most = if options { least + OPTIONS_MAX } else { least };
        Pattern { parts, least, most }
    }

    /// Length and words distinguish almost all patterns, before anything is captured.
    fn may_fit(&self, segments: &[String]) -> bool {
        let words = self.parts.iter().zip(segments).filter(|(part, _)| !part.starts_with('{'));
        let length = self.least <= segments.len() && segments.len() <= self.most;
        length && words.into_iter().all(|(part, segment)| part == segment)
    }
}

/// What the segments of a path are in a pattern: the names and their values, in order; `None` if
/// the path has another shape.
pub(super) fn matched<'p>(
    pattern: &Pattern,
    segments: &'p [String],
    ids: Ids,
) -> Option<Vec<(&'static str, &'p str)>> {
    if !pattern.may_fit(segments) {
        return None;
    }
    let mut captures = Vec::new();
    let mut rest = segments.iter();
    for &part in &pattern.parts {
        if part == OPTIONS {
            let options = rest.len();
            captures.extend(rest.by_ref().map(|option| (OPTIONS, option.as_str())));
            return (options <= OPTIONS_MAX).then_some(captures);
        }
        let segment = rest.next()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) if fits(name, segment, ids) => captures.push((name, segment.as_str())),
            None if part == segment => {}
            Some(_) | None => return None,
        }
    }
    rest.next().is_none().then_some(captures)
}

fn fits(name: &str, segment: &str, ids: Ids) -> bool {
    let is_id = matches!(name, "id" | "id2");
    !is_id || ids == Ids::Anything || segment.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn bad(detail: String) -> Error {
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

    #[test]
    fn an_id_is_digits_unless_nothing_else_fits() {
        let path = segments("/node/Person/degree").unwrap();
        assert_eq!(matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, Ids::Digits), None);
        let taken = matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, Ids::Anything);
        assert_eq!(taken, Some(vec![("id", "Person")]));
    }

    #[test]
    fn options_are_none_to_two_segments() {
        let path = segments("/node/7/degree/out/A&B").unwrap();
        let taken = matched(&Pattern::of("/node/{id}/degree/{options…}"), &path, Ids::Digits);
        assert_eq!(taken, Some(vec![("id", "7"), (OPTIONS, "out"), (OPTIONS, "A&B")]));
        let long = segments("/node/7/degree/out/A/B").unwrap();
        assert_eq!(matched(&Pattern::of("/node/{id}/degree/{options…}"), &long, Ids::Digits), None);
    }
}
