//! An index in a text, as `--index` of `millrace load` and settings have it: `Film(title) range`, `[FOLLOWS](since)`.

use std::str::FromStr;

use millrace_model::schema::{IndexKind, KeyMethod};
use millrace_model::{Error, ErrorKind, Result};
use millrace_plan::{Definition, Name, OwnerName};
use millrace_store::ordered_keys::check_method;

/// An index to make where there is none of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredIndex {
    /// As it was written.
    pub text: String,
    /// What has the keys.
    pub owner: OwnerName,
    /// The properties.
    pub keys: Vec<Name>,
    /// Its kind.
    pub form: IndexForm,
}

/// A kind of index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexForm {
    /// By values.
    Kind(IndexKind),
    /// By keys that a method makes.
    Method(Name),
}

/// The kinds by their words; the first is the default.
const KINDS: [(&str, IndexKind); 3] =
    [("range", IndexKind::Range), ("exact", IndexKind::Exact), ("unique", IndexKind::Unique)];

impl FromStr for DeclaredIndex {
    type Err = Error;

    fn from_str(text: &str) -> Result<DeclaredIndex> {
        let wrong = || {
            let error = Error::new(ErrorKind::BadInput, format!("`{text}` is no index"));
            error.with_help(
                "write LABEL(KEY[,KEY]…), or [TYPE](KEY[,KEY]…) for relationships, and behind it a blank and range (the \
                 default), exact, unique or a method such as trigrams",
            )
        };
        let (of_type, rest) = match text.trim().strip_prefix('[') {
            Some(rest) => (true, rest),
            None => (false, text.trim()),
        };
        let (name, rest) = rest.split_once(if of_type { "](" } else { "(" }).ok_or_else(wrong)?;
        let (keys, form) = rest.split_once(')').ok_or_else(wrong)?;
        let (name, form) = (name.trim(), form.trim());
        let keys: Vec<Name> = keys.split(',').map(|key| key.trim().into()).collect();
        if name.is_empty() || keys.iter().any(|key| key.is_empty()) {
            return Err(wrong());
        }
        let owner = match of_type {
            true => OwnerName::EdgeType(name.into()),
            false => OwnerName::Label(name.into()),
        };
        let kind = KINDS.iter().find(|(word, _)| *word == form || form.is_empty());
        let form = match kind {
            Some((_, kind)) => IndexForm::Kind(*kind),
            None => {
                check_method(&KeyMethod(form.into()))?;
                IndexForm::Method(form.into())
            }
        };
        Ok(DeclaredIndex { text: text.to_owned(), owner, keys, form })
    }
}

impl DeclaredIndex {
    /// The change of a schema that makes it.
    pub fn definition(&self) -> Definition {
        let (owner, keys) = (self.owner.clone(), self.keys.clone());
        match &self.form {
            IndexForm::Kind(kind) => Definition::CreateIndex { owner, keys, kind: *kind },
            IndexForm::Method(method) => {
                Definition::CreateMadeIndex { owner, keys, method: method.clone() }
            }
        }
    }

    /// An error with the index that it is of.
    pub fn named(&self, mut error: Error) -> Error {
        error.detail = format!("the index `{}`: {}", self.text, error.detail);
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_read_with_its_owner_keys_and_kind() {
        let label = |name: &str| OwnerName::Label(name.into());
        let keys_of = |keys: &[&str]| keys.iter().map(|key| Name::from(*key)).collect::<Vec<_>>();
        for (text, owner, keys, kind) in [
            ("Film(title)", label("Film"), vec!["title"], IndexKind::Range),
            (
                " Film( title , year )  exact",
                label("Film"),
                vec!["title", "year"],
                IndexKind::Exact,
            ),
            (
                "[FOLLOWS](since) range",
                OwnerName::EdgeType("FOLLOWS".into()),
                vec!["since"],
                IndexKind::Range,
            ),
            ("User(name) unique", label("User"), vec!["name"], IndexKind::Unique),
        ] {
            let keys = keys_of(&keys);
            let expected = Definition::CreateIndex { owner, keys, kind };
            assert_eq!(text.parse::<DeclaredIndex>().expect(text).definition(), expected);
        }
        let (keys, method) = (keys_of(&["title"]), "scored-words(english)".into());
        let made = "Film(title) scored-words(english)".parse::<DeclaredIndex>();
        assert_eq!(
            made.expect("it is one").definition(),
            Definition::CreateMadeIndex { owner: label("Film"), keys, method }
        );
        let read = |text: &str| text.parse::<DeclaredIndex>();
        let unknown = read("Film(title) trigramz").expect_err("no such method").to_string();
        assert!(unknown.contains("`trigramz`"), "{unknown}");
        for text in ["", "Film", "Film()", "(title)", "Film(title", "[F(since)", "Film(a,)"] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(&format!("`{text}` is no index")), "{error}");
        }
    }
}
