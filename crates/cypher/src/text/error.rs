//! Errors of syntax: each has a place, its help says what was expected, and most have a name in openCypher's TCK.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

use crate::limits::SHOWN_CHARACTERS_MAX;

/// A result of reading.
pub(crate) type Read<T> = millrace_model::Result<T>;

/// The names that openCypher's TCK gives to errors of syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    UnexpectedSyntax,
    InvalidRelationshipPattern,
    InvalidParameterUse,
    InvalidNumberLiteral,
    IntegerOverflow,
    FloatingPointOverflow,
    InvalidUnicodeLiteral,
    InvalidUnicodeCharacter,
}

impl Detail {
    /// The name as text.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Detail::UnexpectedSyntax => "UnexpectedSyntax",
            Detail::InvalidRelationshipPattern => "InvalidRelationshipPattern",
            Detail::InvalidParameterUse => "InvalidParameterUse",
            Detail::InvalidNumberLiteral => "InvalidNumberLiteral",
            Detail::IntegerOverflow => "IntegerOverflow",
            Detail::FloatingPointOverflow => "FloatingPointOverflow",
            Detail::InvalidUnicodeLiteral => "InvalidUnicodeLiteral",
            Detail::InvalidUnicodeCharacter => "InvalidUnicodeCharacter",
        }
    }
}

/// A text that is no Cypher.
pub(crate) fn syntax(name: Detail, at: TextPosition, detail: impl Into<String>) -> Error {
    placed(ErrorKind::BadQuery, at, detail).with_name(name.name())
}

/// Cypher that is not supported: the feature, and the remedy.
pub(crate) fn unsupported(
    at: TextPosition,
    detail: impl Into<String>,
    help: impl Into<String>,
) -> Error {
    placed(ErrorKind::Unsupported, at, detail).with_help(help)
}

/// A text beyond a bound.
pub(crate) fn too_much(at: TextPosition, detail: impl Into<String>) -> Error {
    placed(ErrorKind::LimitReached, at, detail)
}

fn placed(kind: ErrorKind, at: TextPosition, detail: impl Into<String>) -> Error {
    Error::new(kind, detail).in_phase(Phase::Parse).at(at)
}

/// The beginning of a piece of text, for an error.
pub(super) fn shown(written: &str) -> String {
    match written.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", written.get(..end).unwrap_or_default()),
        None => written.to_owned(),
    }
}
