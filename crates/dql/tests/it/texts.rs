//! Texts to test with, and what holds of every text.

use std::path::Path;

use millrace_dql::{parse, parse_condition, parse_schema};
use millrace_testkit::shared;
use serde_json::Value;

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A document.
    Document,
    /// The condition of a mutation.
    Condition,
    /// A schema.
    Schema,
}

/// A text of the suite.
pub(crate) struct Text {
    pub(crate) kind: Kind,
    /// The index of its entry.
    pub(crate) entry: usize,
    pub(crate) text: String,
    /// The error that Dgraph answers.
    pub(crate) error: Option<String>,
}

/// The texts of Dgraph's suite, if it is there; the N-Quads of a mutation as a document around them.
pub(crate) fn suite() -> Option<Vec<Text>> {
    let file = shared()?.join("suites/dql/vectors.json");
    Path::new(&file).is_file().then(|| {
        let text = std::fs::read_to_string(&file).expect("it is read");
        let entries: Vec<Value> = serde_json::from_str(&text).expect("it is JSON");
        entries.iter().enumerate().flat_map(|(entry, of)| texts_of(entry, of)).collect()
    })
}

fn texts_of(entry: usize, of: &Value) -> Vec<Text> {
    let error = of["expect_error"].as_str().map(str::to_owned);
    let text = |kind, text: String| Text { kind, entry, text, error: error.clone() };
    let mut texts = Vec::new();
    texts.extend(of["query"].as_str().map(|query| text(Kind::Document, query.to_owned())));
    texts.extend(of["schema"].as_str().map(|schema| text(Kind::Schema, schema.to_owned())));
    for mutation in of["mutations"].as_array().into_iter().flatten() {
        let part = |key: &str| mutation[key].as_str().unwrap_or_default();
        let (set, delete) = (part("set_nquads"), part("del_nquads"));
        texts.push(text(Kind::Document, format!("{{ set {{{set}}} delete {{{delete}}} }}")));
        texts.push(text(Kind::Condition, part("cond").to_owned()));
    }
    texts
}

/// Reads a text, and what it is written as again.
///
/// # Errors
/// The error of the text, as a person sees it.
pub(crate) fn normal_text(kind: Kind, text: &str) -> Result<String, millrace_model::Error> {
    Ok(match kind {
        Kind::Document => parse(text)?.to_string(),
        Kind::Condition => {
            parse_condition(text)?.map(|filter| format!("@if({filter})")).unwrap_or_default()
        }
        Kind::Schema => parse_schema(text)?.to_string(),
    })
}

/// Whether a text is read; if so, its tree is written as a text of an equal tree, and if not, the error is in the
/// text.
pub(crate) fn is_read(kind: Kind, text: &str) -> bool {
    match normal_text(kind, text) {
        Ok(normal) => {
            let is_equal = match kind {
                Kind::Document => parse(text) == parse(&normal),
                Kind::Condition => parse_condition(text) == parse_condition(&normal),
                Kind::Schema => parse_schema(text) == parse_schema(&normal),
            };
            assert!(is_equal, "the tree of\n{text}\nis another one than that of\n{normal}");
            assert_eq!(normal_text(kind, &normal).as_ref(), Ok(&normal), "{text}");
            true
        }
        Err(error) => {
            let at = error.position.unwrap_or_else(|| panic!("{error}: {text}"));
            let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
            assert!((1..=lines).contains(&at.line), "{error}: {text}");
            false
        }
    }
}
