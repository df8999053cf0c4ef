//! `--index` of `millrace load`: an index, as `Film(title) range` or `[FOLLOWS](since)`.

use std::str::FromStr;

use millrace_db::plan::{Definition, OwnerName};
use millrace_db::store::check_method;
use millrace_model::schema::{IndexKind, KeyMethod};
use millrace_model::{Error, ErrorKind, Result};
use serde_json::{Value as Json, json};

/// An index to make behind a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewIndex {
    /// As it was written.
    pub(crate) text: String,
    owner: Owner,
    keys: Vec<String>,
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    Label(String),
    EdgeType(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Kind(IndexKind),
    /// By keys that a method makes.
    Method(String),
}

/// The kinds by their words; the first is the default.
const KINDS: [(&str, IndexKind); 3] =
    [("range", IndexKind::Range), ("exact", IndexKind::Exact), ("unique", IndexKind::Unique)];

impl FromStr for NewIndex {
    type Err = Error;

    fn from_str(text: &str) -> Result<NewIndex> {
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
        let keys: Vec<String> = keys.split(',').map(|key| key.trim().to_owned()).collect();
        if name.is_empty() || keys.iter().any(String::is_empty) {
            return Err(wrong());
        }
        let owner = match of_type {
            true => Owner::EdgeType(name.to_owned()),
            false => Owner::Label(name.to_owned()),
        };
        let kind = KINDS.iter().find(|(word, _)| *word == form || form.is_empty());
        let form = match kind {
            Some((_, kind)) => Form::Kind(*kind),
            None => {
                check_method(&KeyMethod(form.into()))?;
                Form::Method(form.to_owned())
            }
        };
        Ok(NewIndex { text: text.to_owned(), owner, keys, form })
    }
}

impl NewIndex {
    /// The change of a schema that makes it.
    pub(crate) fn definition(&self) -> Definition {
        let owner = match &self.owner {
            Owner::Label(name) => OwnerName::Label(name.as_str().into()),
            Owner::EdgeType(name) => OwnerName::EdgeType(name.as_str().into()),
        };
        let keys = self.keys.iter().map(|key| key.as_str().into()).collect();
        match &self.form {
            Form::Kind(kind) => Definition::CreateIndex { owner, keys, kind: *kind },
            Form::Method(method) => {
                Definition::CreateMadeIndex { owner, keys, method: method.as_str().into() }
            }
        }
    }

    /// The same as a request to a server.
    pub(crate) fn request(&self) -> Json {
        let (owner, name) = match &self.owner {
            Owner::Label(name) => ("label", name),
            Owner::EdgeType(name) => ("edge_type", name),
        };
        let change = match &self.form {
            Form::Kind(IndexKind::Unique) => json!({"change": "create_unique"}),
            Form::Kind(kind) => {
                let word = KINDS.iter().find(|(_, own)| own == kind).map(|(word, _)| *word);
                json!({"change": "create_index", "kind": word})
            }
            Form::Method(method) => json!({"change": "create_index", "method": method}),
        };
        let mut change = change;
        change[owner] = json!(name);
        change["keys"] = json!(self.keys);
        json!({ "changes": [change] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_read_with_its_owner_keys_and_kind() {
        for (text, owner, keys, form) in [
            ("Film(title)", ("label", "Film"), vec!["title"], ("kind", "range")),
            (
                " Film( title , year )  exact",
                ("label", "Film"),
                vec!["title", "year"],
                ("kind", "exact"),
            ),
            ("[FOLLOWS](since) range", ("edge_type", "FOLLOWS"), vec!["since"], ("kind", "range")),
            ("User(name) unique", ("label", "User"), vec!["name"], ("change", "create_unique")),
            (
                "Film(title) scored-words(english)",
                ("label", "Film"),
                vec!["title"],
                ("method", "scored-words(english)"),
            ),
        ] {
            let request = text.parse::<NewIndex>().expect(text).request();
            let change = &request["changes"][0];
            assert_eq!(change[owner.0], owner.1, "{text}");
            assert_eq!(change["keys"], json!(keys), "{text}");
            assert_eq!(change[form.0], form.1, "{text}");
        }
        let read = |text: &str| text.parse::<NewIndex>();
        let unknown = read("Film(title) trigramz").expect_err("no such method").to_string();
        assert!(unknown.contains("`trigramz`"), "{unknown}");
        for text in ["", "Film", "Film()", "(title)", "Film(title", "[F(since)", "Film(a,)"] {
            let error = read(text).expect_err(text);
            assert!(error.to_string().contains(&format!("`{text}` is no index")), "{error}");
        }
    }
}
