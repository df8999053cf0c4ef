//! Errors as Neo4j's codes: the one table of this protocol.
//!
//! A driver runs a transaction again after any `Neo.TransientError`, so only errors that a repeat may cure have such
//! a code. Before 5.7 a failure is its code and message; from then on it has GQL's status, too.

use std::borrow::Cow;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase, READ_ONLY_DATABASE, Result};

use super::packstream::{Datum, Writer};

/// The code of a request that its connection cannot take now.
pub const REQUEST_INVALID: &str = "Neo.ClientError.Request.Invalid";
/// The code of bytes that are no message.
pub const REQUEST_INVALID_FORMAT: &str = "Neo.ClientError.Request.InvalidFormat";
/// The code of a wrong login.
pub const UNAUTHORIZED: &str = "Neo.ClientError.Security.Unauthorized";
/// The code of a login after too many wrong ones.
pub const AUTHENTICATION_RATE_LIMIT: &str = "Neo.ClientError.Security.AuthenticationRateLimit";
/// The code of a write where none is allowed.
pub const ACCESS_MODE: &str = "Neo.ClientError.Statement.AccessMode";
/// The code of a bookmark that is none of this server's.
pub const INVALID_BOOKMARK: &str = "Neo.ClientError.Transaction.InvalidBookmark";
/// The code of a request for a transaction that another request has.
pub const TRANSACTION_ACCESSED_CONCURRENTLY: &str =
    "Neo.ClientError.Transaction.TransactionAccessedConcurrently";
/// The code of a transaction that was idle too long.
pub const TRANSACTION_TIMED_OUT: &str =
    "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration";

/// GQL's status of an error without one of its own.
const GENERAL_STATUS: &str = "50N42";

/// A failure as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Neo4j's code.
    pub code: Cow<'static, str>,
    /// What is wrong, for a person.
    pub message: Arc<str>,
    /// GQL's status.
    pub gql_status: Cow<'static, str>,
}

impl Failure {
    /// A failure with a code.
    pub fn new(code: &'static str, message: impl Into<Arc<str>>) -> Failure {
        let gql_status = Cow::Borrowed(gql_status(code));
        Failure { code: Cow::Borrowed(code), message: message.into(), gql_status }
    }

    /// The failure of an error while a statement ran.
    pub fn of(error: &Error) -> Failure {
        let code = error.name.and_then(|name| code_of_name(name, error.phase));
        let code = code.unwrap_or_else(|| code_of_kind(error.kind, error.phase));
        Failure::new(code, message(error, code))
    }

    /// Whether a driver may run the transaction again.
    pub fn is_transient(&self) -> bool {
        self.code.starts_with("Neo.TransientError.")
    }

    /// The last part of the code: `SyntaxError`.
    pub fn title(&self) -> &str {
        self.code.rsplit('.').next().unwrap_or_default()
    }

    /// The failure of the fields of a message.
    pub(super) fn of_fields(fields: &[(Arc<str>, Datum)]) -> Failure {
        let text = |wanted: &str| {
            let found = fields.iter().find(|(name, _)| &**name == wanted);
            found.and_then(|(_, datum)| datum.as_str()).map(str::to_owned)
        };
        let code = text("neo4j_code").or_else(|| text("code")).unwrap_or_default();
        let status = text("gql_status").unwrap_or_else(|| GENERAL_STATUS.to_owned());
        let message = text("message").or_else(|| text("description")).unwrap_or_default();
        Failure { code: code.into(), message: message.into(), gql_status: status.into() }
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) -> Result<()> {
        if !writer.has_gql_failures() {
            writer.map(2)?;
            writer.string("code")?;
            writer.string(&self.code)?;
            writer.string("message")?;
            return writer.string(&self.message);
        }
        writer.map(5)?;
        let description = format!("error: {}. {}", condition(&self.gql_status), self.message);
        for (name, text) in [
            ("neo4j_code", &*self.code),
            ("message", &*self.message),
            ("gql_status", &*self.gql_status),
            ("description", &description),
        ] {
            writer.string(name)?;
            writer.string(text)?;
        }
        writer.string("diagnostic_record")?;
        writer.map(4)?;
        for (name, text) in [
            ("OPERATION", ""),
            ("OPERATION_CODE", "0"),
            ("CURRENT_SCHEMA", "/"),
            ("_classification", self.classification()),
        ] {
            writer.string(name)?;
            writer.string(text)?;
        }
        Ok(())
    }

    fn classification(&self) -> &'static str {
        match self.code.split('.').nth(1) {
            Some("ClientError") => "CLIENT_ERROR",
            Some("TransientError") => "TRANSIENT_ERROR",
            Some(_) | None => "DATABASE_ERROR",
        }
    }
}

/// The text of an error. A name that no code expresses leads it, so that a client can tell errors of one code apart.
/// A broken rule of the schema is named in the words that clients look for.
fn message(error: &Error, code: &str) -> String {
    if let Some(violation) = &error.violation {
        let help = error.help.as_ref().map(|help| format!(" ({help})"));
        return format!("{violation}{}", help.unwrap_or_default());
    }
    let is_news = |name: &&str| code.rsplit('.').next() != Some(*name);
    match (error.name.filter(is_news), error.kind) {
        (Some(name), _) => format!("{name}: {error}"),
        (None, ErrorKind::Conflict) => format!("write conflict: {error}"),
        (None, _) => error.to_string(),
    }
}

/// The code of an exact fault.
fn code_of_name(name: &str, phase: Phase) -> Option<&'static str> {
    Some(match name {
        "ParameterMissing" | "MissingParameter" => "Neo.ClientError.Statement.ParameterMissing",
        "ArgumentError" | "NumberOutOfRange" | "NegativeIntegerArgument" if phase == Phase::Run => {
            "Neo.ClientError.Statement.ArgumentError"
        }
        "ArithmeticError" | "DivisionByZero" | "IntegerOverflow" if phase == Phase::Run => {
            "Neo.ClientError.Statement.ArithmeticError"
        }
        "EntityNotFound" | "DeletedEntityAccess" => "Neo.ClientError.Statement.EntityNotFound",
        "SemanticError" => "Neo.ClientError.Statement.SemanticError",
        "MergeReadOwnWrites" => "Neo.ClientError.Statement.SemanticError",
        "TokenNameError" => "Neo.ClientError.Schema.TokenNameError",
        "SamePathEnds" => "Neo.DatabaseError.Statement.ExecutionFailed",
        "TypeError" => "Neo.ClientError.Statement.TypeError",
        "AccessMode" => ACCESS_MODE,
        READ_ONLY_DATABASE => "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
        "InvalidBookmark" => INVALID_BOOKMARK,
        "ProcedureCallFailed" => "Neo.ClientError.Procedure.ProcedureCallFailed",
        "ProcedureTimedOut" => "Neo.ClientError.Procedure.ProcedureTimedOut",
        "ProcedureNotFound" => "Neo.ClientError.Procedure.ProcedureNotFound",
        "DatabaseNotFound" => "Neo.ClientError.Database.DatabaseNotFound",
        "TransactionAccessedConcurrently" => TRANSACTION_ACCESSED_CONCURRENTLY,
        "TransactionNotFound" => "Neo.ClientError.Transaction.TransactionNotFound",
        "BookmarkTimeout" => "Neo.TransientError.Transaction.BookmarkTimeout",
        "ExistingDatabaseFound" => "Neo.ClientError.Database.ExistingDatabaseFound",
        "EquivalentSchemaRuleAlreadyExists" => {
            "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
        }
        "IndexAlreadyExists" => "Neo.ClientError.Schema.IndexAlreadyExists",
        "IndexWithNameAlreadyExists" => "Neo.ClientError.Schema.IndexWithNameAlreadyExists",
        "RepeatedLabelInSchema" => "Neo.ClientError.Schema.RepeatedLabelInSchema",
        "RepeatedRelationshipTypeInSchema" => {
            "Neo.ClientError.Schema.RepeatedRelationshipTypeInSchema"
        }
        "RepeatedPropertyInCompositeSchema" => {
            "Neo.ClientError.Schema.RepeatedPropertyInCompositeSchema"
        }
        "IndexCreationFailed" => "Neo.DatabaseError.Schema.IndexCreationFailed",
        "IndexDropFailed" => "Neo.DatabaseError.Schema.IndexDropFailed",
        "ConstraintAlreadyExists" => "Neo.ClientError.Schema.ConstraintAlreadyExists",
        "ConstraintWithNameAlreadyExists" => {
            "Neo.ClientError.Schema.ConstraintWithNameAlreadyExists"
        }
        "ConstraintCreationFailed" => "Neo.DatabaseError.Schema.ConstraintCreationFailed",
        "ConstraintDropFailed" => "Neo.DatabaseError.Schema.ConstraintDropFailed",
        "IndexNotFound" => "Neo.ClientError.Schema.IndexNotFound",
        "ExternalResourceFailed" => "Neo.ClientError.Statement.ExternalResourceFailed",
        "TransactionStartFailed" => "Neo.DatabaseError.Transaction.TransactionStartFailed",
        "DeleteConnectedNode" => "Neo.ClientError.Schema.ConstraintValidationFailed",
        _ => return None,
    })
}

fn code_of_kind(kind: ErrorKind, phase: Phase) -> &'static str {
    match (kind, phase) {
        (ErrorKind::BadQuery | ErrorKind::LimitReached, Phase::Parse | Phase::Compile)
        | (ErrorKind::Unsupported, _) => "Neo.ClientError.Statement.SyntaxError",
        (ErrorKind::BadQuery, Phase::Run | Phase::Commit) => "Neo.ClientError.Statement.TypeError",
        (ErrorKind::BadInput, _) => "Neo.ClientError.Statement.ArgumentError",
        (ErrorKind::Failed, _) => "Neo.ClientError.Statement.ExecutionFailed",
        (ErrorKind::Constraint, _) => "Neo.ClientError.Schema.ConstraintValidationFailed",
        (ErrorKind::Conflict, _) => "Neo.TransientError.Transaction.DeadlockDetected",
        (ErrorKind::NotFound, _) => "Neo.ClientError.Database.DatabaseNotFound",
        (ErrorKind::AlreadyExists, _) => "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
        (ErrorKind::LimitReached, _) => "Neo.ClientError.General.TransactionOutOfMemoryError",
        (ErrorKind::DeadlineExceeded, _) => "Neo.ClientError.Transaction.TransactionTimedOut",
        (ErrorKind::Cancelled, _) => "Neo.ClientError.Transaction.Terminated",
        (ErrorKind::Forbidden, _) => ACCESS_MODE,
        (ErrorKind::ReadOnly, _) => "Neo.TransientError.General.DatabaseUnavailable",
        (ErrorKind::OutcomeUnknown, _) => "Neo.DatabaseError.Transaction.TransactionCommitFailed",
        (ErrorKind::Unavailable, _) => "Neo.TransientError.Request.NoThreadsAvailable",
        (ErrorKind::Corrupt | ErrorKind::Io | ErrorKind::Bug, _) => {
            "Neo.DatabaseError.General.UnknownError"
        }
    }
}

/// GQL's status of a code.
fn gql_status(code: &str) -> &'static str {
    match code.rsplit('.').next().unwrap_or_default() {
        "SyntaxError" => "42001",
        "ParameterMissing" => "42N51",
        "TypeError" => "22G03",
        "ArgumentError" => "22N05",
        "ArithmeticError" => "22012",
        "EntityNotFound" => "25N11",
        "ConstraintValidationFailed" => "22N77",
        "Unauthorized" => "42NFF",
        "AccessMode" => "25G03",
        READ_ONLY_DATABASE => "42N18",
        "InvalidBookmark" => "25N01",
        "DatabaseNotFound" => "22000",
        "Invalid" | "InvalidFormat" => "08N06",
        "TransactionTimedOut" | "Terminated" => "25N14",
        "DeadlockDetected" => "50N05",
        _ => GENERAL_STATUS,
    }
}

/// The standard words for a status, by its class.
fn condition(status: &str) -> &'static str {
    match status.get(..2).unwrap_or_default() {
        "08" => "connection exception",
        "22" => "data exception",
        "25" => "invalid transaction state",
        "42" => "syntax error or access rule violation",
        _ => "general processing exception",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_to_a_read_only_database_has_the_code_of_neo4j_and_no_repeat_cures_it() {
        let full = Error::new(ErrorKind::ReadOnly, "the disk is nearly full");
        assert!(Failure::of(&full).is_transient());
        let failure = Failure::of(&full.with_name(READ_ONLY_DATABASE));
        assert_eq!(failure.code, "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase");
        assert!(!failure.is_transient());
        assert_eq!((&*failure.gql_status, &*failure.message), ("42N18", "the disk is nearly full"));
    }

    #[test]
    fn only_errors_that_a_repeat_may_cure_are_transient() {
        let transient = [ErrorKind::Conflict, ErrorKind::ReadOnly, ErrorKind::Unavailable];
        for kind in [
            ErrorKind::BadQuery,
            ErrorKind::BadInput,
            ErrorKind::Failed,
            ErrorKind::Unsupported,
            ErrorKind::Constraint,
            ErrorKind::Conflict,
            ErrorKind::NotFound,
            ErrorKind::AlreadyExists,
            ErrorKind::LimitReached,
            ErrorKind::DeadlineExceeded,
            ErrorKind::Cancelled,
            ErrorKind::Forbidden,
            ErrorKind::ReadOnly,
            ErrorKind::OutcomeUnknown,
            ErrorKind::Unavailable,
            ErrorKind::Corrupt,
            ErrorKind::Io,
            ErrorKind::Bug,
        ] {
            let failure = Failure::of(&Error::new(kind, "x"));
            assert_eq!(failure.is_transient(), transient.contains(&kind), "{kind:?}");
            assert_eq!(failure.gql_status.len(), 5);
        }
    }

    #[test]
    fn the_phase_and_the_name_refine_a_code() {
        let error = Error::new(ErrorKind::BadQuery, "x");
        assert_eq!(Failure::of(&error).title(), "TypeError");
        assert_eq!(Failure::of(&error.clone().in_phase(Phase::Parse)).title(), "SyntaxError");
        let named = Failure::of(&error.with_name("DivisionByZero"));
        assert_eq!(named.title(), "ArithmeticError");
        assert!(named.message.starts_with("DivisionByZero"), "{}", named.message);
        let conflict = Failure::of(&Error::new(ErrorKind::Conflict, "x was changed"));
        assert_eq!(&*conflict.message, "write conflict: x was changed");
    }
}
