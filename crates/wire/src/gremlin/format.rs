//! The formats of messages, by their mime types.
//!
//! `application/json` is GraphSON 3 with its types, as in all of 3.x.

use super::graphson::Version;

/// A format of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// GraphBinary 1.
    GraphBinary,
    /// GraphSON.
    GraphSon(Version),
}

/// The mime types, the preferred one of each format first among its own; a client that accepts anything
/// gets the first of all.
const TYPES: [(&str, Format); 6] = [
    ("application/json", Format::GraphSon(Version::V3)),
    ("application/vnd.gremlin-v3.0+json", Format::GraphSon(Version::V3)),
    ("application/vnd.gremlin-v2.0+json", Format::GraphSon(Version::V2)),
    ("application/vnd.graphbinary-v1.0", Format::GraphBinary),
    ("application/vnd.gremlin-v3.0+json;types=false", Format::GraphSon(Version::Untyped)),
    ("application/vnd.gremlin-v2.0+json;types=false", Format::GraphSon(Version::Untyped)),
];

impl Format {
    /// The format of a mime type, whatever its case and spaces.
    pub fn of_mime(mime: &str) -> Option<Format> {
        find(&canonical(mime)).map(|(_, format)| *format)
    }

    /// The mime type of the format that says it all.
    pub fn mime(self) -> &'static str {
        match self {
            Format::GraphBinary => "application/vnd.graphbinary-v1.0",
            Format::GraphSon(Version::V3) => "application/vnd.gremlin-v3.0+json",
            Format::GraphSon(Version::V2) => "application/vnd.gremlin-v2.0+json",
            Format::GraphSon(Version::Untyped) => "application/vnd.gremlin-v3.0+json;types=false",
        }
    }

    /// The mime types that are known, for messages.
    pub fn known() -> String {
        TYPES.map(|(name, _)| name).join(", ")
    }
}

fn find(name: &str) -> Option<&'static (&'static str, Format)> {
    TYPES.iter().find(|(known, _)| *known == name)
}

/// The type without spaces, a weight, a character set, and without saying that there are types.
fn canonical(mime: &str) -> String {
    let mut parts = mime.split(';').map(|part| part.trim().to_ascii_lowercase());
    let mut name = parts.next().unwrap_or_default();
    for part in parts {
        if let Some(typed) = part.strip_prefix("types=")
            && typed != "true"
        {
            name = format!("{name};types={typed}");
        }
    }
    name
}

/// The mime type and the format that fits an `Accept` best; `None` if none fits.
pub(super) fn accepted(accept: Option<&str>) -> Option<(&'static str, Format)> {
    let Some(accept) = accept.filter(|accept| !accept.trim().is_empty()) else {
        return Some(TYPES[0]);
    };
    let mut best: Option<(f32, &(&str, Format))> = None;
    for range in accept.split(',') {
        let weight = weight(range);
        let name = canonical(range);
        let any = ["*/*", "application/*"].contains(&name.as_str());
        let Some(found) = (if any { Some(&TYPES[0]) } else { find(&name) }) else { continue };
        // Of equal weight, a named type comes before a wildcard, and the first before later ones.
        let weight = if any { weight - f32::EPSILON } else { weight };
        if 0.0 < weight && best.is_none_or(|(heaviest, _)| heaviest < weight) {
            best = Some((weight, found));
        }
    }
    best.map(|(_, found)| *found)
}

/// How much a range of an `Accept` is wanted; one that cannot be read is not.
fn weight(range: &str) -> f32 {
    let weights = range.split(';').skip(1).filter_map(|part| part.trim().strip_prefix("q="));
    let weight = weights.map(|weight| weight.trim().parse().unwrap_or(0.0)).next();
    weight.filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or_else(|| {
        let has_weight = range.split(';').skip(1).any(|part| part.trim().starts_with("q="));
        if has_weight { 0.0 } else { 1.0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mime_type_is_known_by_its_name_and_whether_it_has_types() {
        for (mime, format) in TYPES {
            assert_eq!(Format::of_mime(mime), Some(format));
            assert_eq!(Format::of_mime(format.mime()), Some(format));
        }
        let v3 = Some(Format::GraphSon(Version::V3));
        assert_eq!(Format::of_mime("Application/JSON; charset=UTF-8"), v3);
        assert_eq!(Format::of_mime("application/vnd.gremlin-v3.0+json;types=true"), v3);
        let untyped = Format::of_mime("application/vnd.gremlin-v3.0+json; types=false");
        assert_eq!(untyped, Some(Format::GraphSon(Version::Untyped)));
        for mime in
            ["", "text/html", "application/vnd.graphbinary-v4.0", "application/json;types=0"]
        {
            assert_eq!(Format::of_mime(mime), None, "{mime}");
        }
    }

    #[test]
    fn the_heaviest_range_wins_and_none_is_refused() {
        let name = |accept| accepted(Some(accept)).map(|(name, _)| name);
        assert_eq!(accepted(None), Some(TYPES[0]));
        for (accept, expected) in [
            ("*/*", "application/json"),
            ("text/html, application/*;q=0.8", "application/json"),
            ("application/vnd.graphbinary-v1.0", "application/vnd.graphbinary-v1.0"),
            ("*/*, application/vnd.graphbinary-v1.0", "application/vnd.graphbinary-v1.0"),
            (
                "application/json;q=0.5, application/vnd.gremlin-v2.0+json;q=0.9",
                "application/vnd.gremlin-v2.0+json",
            ),
            (
                "application/vnd.gremlin-v3.0+json;types=false;q=0.1",
                "application/vnd.gremlin-v3.0+json;types=false",
            ),
        ] {
            assert_eq!(name(accept), Some(expected), "{accept}");
        }
        for accept in ["text/html", "application/json;q=0", "application/json;q=x", ";;,"] {
            assert_eq!(name(accept), None, "{accept}");
        }
    }
}
