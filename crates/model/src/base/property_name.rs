//! How a key, a language and a facet make the one name that a store keeps a value under.
//!
//! `name@en` is the key `name` in English, and `name@en|since` is a facet of that value. A store
//! knows none of this: for it each such name is a key. Every name of this form is read this way: a
//! key `a@b` is `a` in the language `b` for a query that asks for languages, and `a@b` for any
//! other.

/// The parts of a property's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyName<'a> {
    /// The key, bare.
    pub key: &'a str,
    /// The tag of the language that the value is in: letters, digits and '-'.
    pub language: Option<&'a str>,
    /// The facet: the value describes the value of the same key and language.
    pub facet: Option<&'a str>,
}

impl<'a> PropertyName<'a> {
    /// The parts of a name.
    pub fn of(name: &'a str) -> PropertyName<'a> {
        let (rest, facet) = split(name, '|', is_of_facet);
        let (key, language) = split(rest, '@', is_of_language);
        PropertyName { key, language, facet }
    }

    /// Appends the name.
    pub fn push_to(&self, name: &mut String) {
        name.push_str(self.key);
        for (mark, part) in [('@', self.language), ('|', self.facet)] {
            if let Some(part) = part {
                name.push(mark);
                name.push_str(part);
            }
        }
    }
}

/// The parts before and behind the last mark; the second is `None` where either is no valid name.
fn split(name: &str, mark: char, is_part: impl Fn(char) -> bool) -> (&str, Option<&str>) {
    match name.rsplit_once(mark) {
        Some((before, part))
            if !before.is_empty() && !part.is_empty() && part.chars().all(is_part) =>
        {
            (before, Some(part))
        }
        _ => (name, None),
    }
}

fn is_of_language(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}

fn is_of_facet(character: char) -> bool {
    !character.is_ascii() || character.is_ascii_alphanumeric() || "_.-~".contains(character)
}

#[cfg(test)]
mod tests {
    use super::PropertyName;

    #[test]
    fn a_name_is_its_parts_and_they_make_it_again() {
        for (name, key, language, facet) in [
            ("name", "name", None, None),
            ("name@en", "name", Some("en"), None),
            ("name@zh-Hant|since", "name", Some("zh-Hant"), Some("since")),
            ("name|since", "name", None, Some("since")),
            ("a@b@de", "a@b", Some("de"), None),
            ("a|b|c", "a|b", None, Some("c")),
            ("a|b@en", "a|b", Some("en"), None),
            ("http://x/@home/name", "http://x/@home/name", None, None),
            ("@en", "@en", None, None),
            ("name@", "name@", None, None),
            ("|x", "|x", None, None),
            ("name@en|", "name@en|", None, None),
            ("", "", None, None),
        ] {
            let parts = PropertyName::of(name);
            assert_eq!(parts, PropertyName { key, language, facet });
            let mut again = String::new();
            parts.push_to(&mut again);
            assert_eq!(again, name);
        }
    }
}
