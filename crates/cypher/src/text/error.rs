//! Errors of syntax: each has a place, its help says what was expected, and most have a name in openCypher's TCK.

use millrace_model::{Error, ErrorKind, Phase, TextPosition};

/// A result of reading.
pub(crate) type Read<T> = Result<T, SyntaxError>;

/// An error of syntax and its name in openCypher's TCK.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SyntaxError {
    /// Its name; bounds and refused features have none.
    pub(crate) name: Option<Detail>,
    /// The error, with a position.
    pub(crate) error: Error,
}

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

impl SyntaxError {
    /// The same with a remedy.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> SyntaxError {
        self.error = self.error.with_help(help);
        self
    }
}

impl From<SyntaxError> for Error {
    fn from(SyntaxError { name, error }: SyntaxError) -> Error {
        match name {
            Some(name) => error.with_name(name.name()),
            None => error,
        }
    }
}

/// A text that is no Cypher.
pub(crate) fn syntax(name: Detail, at: TextPosition, detail: impl Into<String>) -> SyntaxError {
    SyntaxError { name: Some(name), error: placed(ErrorKind::BadQuery, at, detail) }
}

/// Cypher that is not supported: the feature, and the remedy.
pub(crate) fn unsupported(
    at: TextPosition,
    detail: impl Into<String>,
    help: impl Into<String>,
) -> SyntaxError {
    SyntaxError { name: None, error: placed(ErrorKind::Unsupported, at, detail).with_help(help) }
}

/// A text beyond a bound.
pub(crate) fn too_much(at: TextPosition, detail: impl Into<String>) -> SyntaxError {
    SyntaxError { name: None, error: placed(ErrorKind::LimitReached, at, detail) }
}

fn placed(kind: ErrorKind, at: TextPosition, detail: impl Into<String>) -> Error {
    Error::new(kind, detail).in_phase(Phase::Parse).at(at)
}
