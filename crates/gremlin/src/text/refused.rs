//! Errors for refused texts: the position, the token found, and the name of the Groovy construct.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

use super::lexer::Token;
use crate::limits::SHOWN_CHARACTERS_MAX;
use crate::replacements::{Use, instead};

/// Keywords of Groovy that begin or join constructs other than traversals.
const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "interface",
    "native",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "trait",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
];

/// The error for a malformed text.
pub(super) fn bad(position: TextPosition, detail: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadQuery, detail).in_phase(Phase::Parse).at(position)
}

/// The error for a construct that is known by its name and not supported.
pub(super) fn refused(position: TextPosition, what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, what).in_phase(Phase::Parse).at(position)
}

/// The error for a text that exceeds a bound.
pub(super) fn too_much(position: TextPosition, what: impl Into<String>) -> Error {
    Error::new(ErrorKind::LimitReached, what).in_phase(Phase::Parse).at(position)
}

/// Whether a word is one of Groovy's, and no name.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// A token that cannot stand where it does; Groovy's are refused by their names.
pub(super) fn unexpected(position: TextPosition, found: Token<'_>, expected: &str) -> Error {
    let (construct, word) = match found {
        Token::Word(word) if is_keyword(word) || matches!(word, "as" | "in") => {
            (format!("Groovy's `{word}` is not supported"), word)
        }
        Token::Operator("->") | Token::Mark("{") => (NO_CLOSURES.to_owned(), "closure"),
        Token::Operator("/" | "$") if expected.contains("argument") => {
            (format!("{} begins no string here: strings stand in quotes", shown(found)), "")
        }
        Token::Number(text) if text.starts_with(['+', '-']) => {
            let construct =
                format!("arithmetic, as {} behind a value, is not supported", shown(found));
            (construct, &text[..1])
        }
        Token::Operator(sign) => (format!("the operator {} is not supported", shown(found)), sign),
        _ => return bad(position, format!("{} where {expected} is expected", shown(found))),
    };
    let error = refused(position, format!("{construct}; {expected} is expected in its place"));
    error.with_help(
        instead(Use::Word, word)
            .unwrap_or("texts of Gremlin are traversals, assignments and literals"),
    )
}

/// The message for a closure of Groovy.
pub(super) const NO_CLOSURES: &str = "closures are not supported";

/// A token as messages show it.
pub(super) fn shown(token: Token<'_>) -> String {
    match token {
        Token::Word(text) | Token::Number(text) | Token::Operator(text) => {
            format!("`{}`", cut(text))
        }
        Token::Text(quoted) => format!("the string '{}'", cut(quoted.raw)),
        Token::Mark(mark) => format!("`{mark}`"),
        Token::End => "the end of the text".to_owned(),
    }
}

/// A text, or its beginning.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }
}
