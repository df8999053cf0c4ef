//! Failures of servers, errors that scenarios expect, and whether a failure is the expected one.
//!
//! A server sends a code and a message. The kind of the expected error is compared with the code; the detail name,
//! which leads our messages and which Neo4j does not send, is searched in all texts of the failure. A failure that
//! says that a feature is not supported is never the expected one: else a server without features would pass.
//! How a failure came never enters here.

use std::fmt;

/// A failure that a server reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
    /// All other texts that came with it.
    pub(crate) details: Vec<String>,
}

impl Failure {
    /// The message and all other texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.message).chain(&self.details).map(String::as_str)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.rsplit('.').next().unwrap_or_default();
        write!(f, "{code}: {}", self.message)
    }
}

/// An error that a scenario expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExpectedError<'s> {
    /// Its kind, such as `TypeError`.
    pub(crate) kind: &'s str,
    pub(crate) phase: Phase,
    /// Its detail name, such as `InvalidArgumentType`; `*` for any.
    pub(crate) name: &'s str,
}

/// When an error is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Before the query runs: `EXPLAIN` fails as well.
    CompileTime,
    /// While it runs: `EXPLAIN` succeeds.
    Runtime,
    /// At any time.
    Any,
}

/// Kinds of errors, and the last words of the codes that are accepted for each. Servers differ in the codes of errors
/// that are found by static types.
const CODES: [(&str, &[&str]); 17] = [
    ("ArgumentError", &["ArgumentError", "TypeError", "SyntaxError", "ExecutionFailed"]),
    ("ArithmeticError", &["ArithmeticError", "ArgumentError", "TypeError"]),
    ("ConstraintAlreadyExists", &["ConstraintAlreadyExists"]),
    ("ConstraintCreationFailed", &["ConstraintCreationFailed"]),
    ("ConstraintDropFailed", &["ConstraintDropFailed"]),
    (
        "ConstraintVerificationFailed",
        &["ConstraintValidationFailed", "ConstraintVerificationFailed"],
    ),
    ("ConstraintWithNameAlreadyExists", &["ConstraintWithNameAlreadyExists"]),
    ("DatabaseNotFound", &["DatabaseNotFound"]),
    ("EntityNotFound", &["EntityNotFound", "TypeError"]),
    ("IndexAlreadyExists", &["IndexAlreadyExists"]),
    ("IndexDropFailed", &["IndexDropFailed"]),
    ("IndexWithNameAlreadyExists", &["IndexWithNameAlreadyExists"]),
    ("ParameterMissing", &["ParameterMissing"]),
    ("ProcedureError", &["ProcedureNotFound", "ProcedureCallFailed", "SyntaxError"]),
    ("SemanticError", &["SemanticError", "SyntaxError", "TypeError"]),
    ("SyntaxError", &["SyntaxError", "SemanticError", "TypeError", "ArgumentError"]),
    ("TypeError", &["TypeError", "SyntaxError"]),
];

impl<'s> ExpectedError<'s> {
    /// The error of `a KIND should be raised at PHASE: NAME`.
    pub(crate) fn parse(line: &'s str) -> Option<ExpectedError<'s>> {
        let rest = line.strip_prefix("a ").or_else(|| line.strip_prefix("an "))?;
        let (kind, rest) = rest.split_once(" should be raised at ")?;
        let (phase, name) = rest.split_once(": ")?;
        let phase = match phase {
            "compile time" => Phase::CompileTime,
            "runtime" => Phase::Runtime,
            "any time" => Phase::Any,
            _ => return None,
        };
        Some(ExpectedError { kind, phase, name: name.trim() })
    }

    /// Whether a detail name is expected.
    pub(crate) fn has_name(&self) -> bool {
        self.name != "*"
    }

    /// Whether the failure has the expected detail name.
    pub(crate) fn is_named(&self, failure: &Failure) -> bool {
        let in_code = failure.code.rsplit('.').next() == Some(self.name);
        !self.has_name() || in_code || failure.texts().any(|text| has_word(text, self.name))
    }

    /// Fails with the reason if a failure is of another kind.
    pub(crate) fn check_kind(&self, failure: &Failure) -> Result<(), String> {
        let own = failure.code.rsplit('.').next().unwrap_or_default();
        let accepted = CODES.iter().find(|(kind, _)| *kind == self.kind);
        let (_, codes) =
            accepted.ok_or_else(|| format!("there is no kind of error `{}`", self.kind))?;
        // Neo4j blames the database if a command on the schema cannot be carried out.
        let classes = ["Neo.ClientError.", "Neo.DatabaseError.Schema."];
        let of_client = classes.iter().any(|class| failure.code.starts_with(class));
        if !of_client || !codes.contains(&own) || says_unsupported(&failure.message) {
            return Err(format!("expected {} {}, not {failure}", self.kind, self.name));
        }
        Ok(())
    }
}

/// Our words for it. Neo4j says of some errors, such as two columns of one name, that they "are not supported".
fn says_unsupported(message: &str) -> bool {
    message.contains(" is not supported")
}

/// Whether a name stands in a text, not as a part of a longer name.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(code: &str, message: &str) -> Failure {
        Failure { code: code.to_owned(), message: message.to_owned(), details: Vec::new() }
    }

    #[test]
    fn a_line_has_kind_phase_and_name() {
        let parsed = ExpectedError::parse(
            "a SyntaxError should be raised at compile time: UndefinedVariable",
        );
        let expected = ExpectedError {
            kind: "SyntaxError",
            phase: Phase::CompileTime,
            name: "UndefinedVariable",
        };
        assert_eq!(parsed, Some(expected));
        let phase = |line| ExpectedError::parse(line).map(|error| error.phase);
        assert_eq!(phase("an ArgumentError should be raised at runtime: X"), Some(Phase::Runtime));
        assert_eq!(phase("a TypeError should be raised at any time: *"), Some(Phase::Any));
        assert_eq!(phase("a TypeError should be raised at noon: *"), None);
    }

    #[test]
    fn the_kind_is_compared_with_the_code() {
        let expected = ExpectedError { kind: "TypeError", phase: Phase::Any, name: "*" };
        let check = |code, message| expected.check_kind(&failure(code, message)).is_ok();
        assert!(check("Neo.ClientError.Statement.TypeError", "no"));
        assert!(check("Neo.ClientError.Statement.SyntaxError", "no"));
        assert!(!check("Neo.ClientError.Statement.EntityNotFound", "no"));
        assert!(!check("Neo.DatabaseError.Statement.TypeError", "no"));
        let dropped = ExpectedError { kind: "IndexDropFailed", ..expected };
        assert!(
            dropped.check_kind(&failure("Neo.DatabaseError.Schema.IndexDropFailed", "")).is_ok()
        );
        assert!(!check("Neo.ClientError.Statement.SyntaxError", "MERGE is not supported"));
        assert!(check("Neo.ClientError.Statement.SyntaxError", "Equal names are not supported"));
        let unknown = ExpectedError { kind: "OddError", ..expected };
        assert!(unknown.check_kind(&failure("Neo.ClientError.Statement.TypeError", "")).is_err());
    }

    #[test]
    fn a_name_is_searched_as_a_word_in_all_texts() {
        let expected =
            ExpectedError { kind: "SyntaxError", phase: Phase::Any, name: "InvalidDelete" };
        assert!(expected.is_named(&failure("", "InvalidDelete: no")));
        assert!(!expected.is_named(&failure("", "InvalidDeletes")));
        let detailed = Failure { details: vec!["(InvalidDelete)".to_owned()], ..failure("", "") };
        assert!(expected.is_named(&detailed));
        assert!(ExpectedError { name: "*", ..expected }.is_named(&failure("", "")));
    }
}
