//! The types of bodies.

use super::failure::{Code, Failure};

/// The type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentType {
    /// `application/json`.
    Json,
    /// `application/dql`, or the name that it had before.
    Dql,
    /// `application/rdf`.
    Rdf,
}

impl ContentType {
    /// The type of a header, if it is one of those that a path takes.
    pub(super) fn of(header: &str, taken: &[ContentType]) -> Result<ContentType, Failure> {
        let mut parts = header.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let named =
            |own: &&ContentType| own.names().iter().any(|own| own.eq_ignore_ascii_case(name));
        let Some(own) = taken.iter().find(named) else {
            let known: Vec<&str> = taken.iter().flat_map(|own| own.names()).copied().collect();
            let message = format!(
                "Unsupported Content-Type. Supported content types are {}",
                known.join(", ")
            );
            return Err(Failure::new(Code::InvalidRequest, message).without_data());
        };
        let charset = parts.filter_map(|part| part.split_once('='));
        let mut charset = charset.filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
        match charset.next().map(|(_, value)| value.trim_matches('"')) {
            Some(value) if !value.eq_ignore_ascii_case("utf-8") => {
                let message = "Unsupported charset. Supported charset is UTF-8";
                Err(Failure::new(Code::InvalidRequest, message).without_data())
            }
            Some(_) | None => Ok(*own),
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            ContentType::Json => &["application/json"],
            ContentType::Dql => &["application/graphql+-", "application/dql"],
            ContentType::Rdf => &["application/rdf"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_one_of_those_that_a_path_takes_and_its_charset_utf_8() {
        let of = |header: &str| ContentType::of(header, &[ContentType::Json, ContentType::Dql]);
        assert_eq!(of("application/json").unwrap(), ContentType::Json);
        assert_eq!(of("Application/DQL; charset=\"UTF-8\"").unwrap(), ContentType::Dql);
        assert_eq!(of("application/graphql+-").unwrap(), ContentType::Dql);
        for wrong in ["", "text/plain", "application/rdf"] {
            assert!(of(wrong).unwrap_err().message.contains("application/dql"), "{wrong}");
        }
        let latin = of("application/json;charset=latin1").unwrap_err();
        assert!(latin.message.contains("charset"), "{latin:?}");
    }
}
