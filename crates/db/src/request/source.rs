//! The statements of a request as they came: a text, or instructions of a protocol.

use std::fmt;
use std::sync::Arc;

use millrace_plan::language::{Language, Script};

/// A query or script.
#[derive(Clone)]
pub struct Source {
    /// The language that it is in.
    pub language: &'static dyn Language,
    /// The statements.
    pub statements: Statements,
}

/// Statements as they came.
#[derive(Clone)]
pub enum Statements {
    /// As a text.
    Text(Arc<str>),
    /// As instructions, which a protocol has decoded.
    Decoded(Arc<dyn Script>),
}

impl Source {
    /// A text.
    pub fn text(language: &'static dyn Language, text: &str) -> Source {
        Source { language, statements: Statements::Text(Arc::from(text)) }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.statements {
            Statements::Text(text) => text.to_string(),
            Statements::Decoded(script) => script.text(),
        };
        f.debug_struct("Source")
            .field("language", &self.language.name())
            .field("text", &text)
            .finish()
    }
}
