//! The text of a query as it came, and as a log shows it: without its values.

use std::sync::Arc;

use millrace_model::Catalog;

use super::redact::{Language, without_values};
use crate::limits::SLOW_QUERY_CHARS_MAX;
use crate::request::source::{Source, Statements};

/// The text of a query.
#[derive(Clone)]
pub enum QueryText {
    /// A script of Lua.
    Lua(Arc<str>),
    /// Statements of a language.
    Statements(Source),
    /// The end of a transaction whose queries were in this language.
    Commit(&'static str),
}

impl QueryText {
    /// The text of a request.
    pub fn of(source: &Source) -> QueryText {
        QueryText::Statements(source.clone())
    }

    /// The language it is in.
    pub fn language(&self) -> &'static str {
        match self {
            QueryText::Lua(_) => "lua",
            QueryText::Commit(language) => language,
            QueryText::Statements(source) => source.language.name(),
        }
    }

    /// The text on one line, without values, cut.
    pub fn redacted(&self, catalog: Option<&Catalog>) -> String {
        let text = match self {
            QueryText::Lua(text) => without_values(text, Language::Lua, catalog),
            QueryText::Commit(_) => "COMMIT".to_owned(),
            QueryText::Statements(source) => {
                let written = match &source.statements {
                    Statements::Text(text) => text.to_string(),
                    Statements::Decoded(script) => script.text(),
                };
                let language = match source.language.name() {
                    "cypher" => Language::Cypher,
                    _ => Language::Gremlin,
                };
                without_values(&written, language, catalog)
            }
        };
        cut(text)
    }
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SLOW_QUERY_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let long = "é".repeat(SLOW_QUERY_CHARS_MAX + 1);
        let redacted = QueryText::Lua(long.as_str().into()).redacted(None);
        assert_eq!(redacted.chars().count(), SLOW_QUERY_CHARS_MAX + 1);
        assert!(redacted.ends_with('…'));
    }
}
