//! Failures as clients of that time read them: the name of a Java exception, its message, and a code.

use std::fmt::Display;
use std::sync::Arc;

use millrace_model::{Error, ErrorKind, Phase};

use crate::bolt;
use crate::http::Refusal;
use crate::json::write_string;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The HTTP status.
    pub status: u16,
    /// The name of the exception.
    pub exception: &'static str,
    /// What is wrong, and what to do.
    pub message: Arc<str>,
    /// The error behind it.
    pub error: Box<Error>,
}

/// Packages of exceptions.
const PACKAGES: [(&str, &str); 17] = [
    ("ArithmeticException", "org.neo4j.cypher"),
    ("BadInputException", "org.neo4j.server.rest.repr"),
    ("BatchOperationFailedException", "org.neo4j.server.rest.domain"),
    ("ConstraintViolationException", "org.neo4j.graphdb"),
    ("CypherException", "org.neo4j.cypher"),
    ("CypherTypeException", "org.neo4j.cypher"),
    ("EndNodeNotFoundException", "org.neo4j.server.rest.domain"),
    ("InvalidArgumentsException", "org.neo4j.server.rest.repr"),
    ("NoSuchPropertyException", "org.neo4j.server.rest.web"),
    ("NodeNotFoundException", "org.neo4j.server.rest.web"),
    ("NotFoundException", "com.sun.jersey.api"),
    ("ParameterNotFoundException", "org.neo4j.cypher"),
    ("PropertyValueException", "org.neo4j.server.rest.web"),
    ("RelationshipNotFoundException", "org.neo4j.server.rest.web"),
    ("StartNodeNotFoundException", "org.neo4j.server.rest.domain"),
    ("SyntaxException", "org.neo4j.cypher"),
    ("UnsupportedOperationException", "java.lang"),
];

impl Failure {
    pub(super) fn new(
        (status, exception): (u16, &'static str),
        kind: ErrorKind,
        message: impl Into<String>,
    ) -> Failure {
        let error = Error::new(kind, message);
        let message = Arc::from(error.to_string());
        Failure { status, exception, message, error: Box::new(error) }
    }

    /// A body or a part of a path that is wrong.
    pub(super) fn bad_input(message: impl Into<String>) -> Failure {
        Failure::new((400, "BadInputException"), ErrorKind::BadInput, message)
    }

    /// What is known by its name, and not there.
    pub(super) fn unsupported(what: impl Display, help: &str) -> Failure {
        let detail = format!("{what} is not supported");
        let error = Error::new(ErrorKind::Unsupported, detail).with_help(help);
        Failure::of(&error)
    }

    /// That of an error while a request was read or run.
    pub fn of(error: &Error) -> Failure {
        let (status, exception) = match (error.kind, error.phase) {
            (ErrorKind::Unsupported, _) => (501, "UnsupportedOperationException"),
            (ErrorKind::BadQuery, Phase::Parse | Phase::Compile) => {
                (400, exception_of(error).unwrap_or("SyntaxException"))
            }
            (ErrorKind::BadQuery, _) if error.name == Some("InvalidPropertyType") => {
                (400, "PropertyValueException")
            }
            (ErrorKind::BadInput, _) => (400, "BadInputException"),
            (ErrorKind::BadQuery | ErrorKind::Failed, _) => {
                (400, exception_of(error).unwrap_or("CypherException"))
            }
            (ErrorKind::Constraint | ErrorKind::AlreadyExists, _) => {
                (409, "ConstraintViolationException")
            }
            (ErrorKind::Conflict, _) => (409, "DeadlockDetectedException"),
            (ErrorKind::NotFound, _) => (404, "NotFoundException"),
            (ErrorKind::LimitReached, _) => (413, "TransactionFailureException"),
            (ErrorKind::Forbidden, _) => (403, "AuthorizationViolationException"),
            (ErrorKind::DeadlineExceeded, _) => (504, "TransactionFailureException"),
            (ErrorKind::ReadOnly, _) if error.is_of_read_only_database() => {
                (403, "WriteOperationsNotAllowedException")
            }
            (ErrorKind::Cancelled | ErrorKind::ReadOnly | ErrorKind::Unavailable, _) => {
                (503, "TransactionFailureException")
            }
            (
                ErrorKind::OutcomeUnknown | ErrorKind::Corrupt | ErrorKind::Io | ErrorKind::Bug,
                _,
            ) => (500, "TransactionFailureException"),
        };
        let message = Arc::from(error.to_string());
        Failure { status, exception, message, error: Box::new(error.clone()) }
    }

    /// That of a request without a route.
    pub(super) fn of_refusal(refusal: &Refusal, method: &str, path: &str) -> Failure {
        let (status, error) = refusal.error();
        match refusal {
            Refusal::NoRoute => {
                let error =
                    Error::new(ErrorKind::NotFound, format!("there is no route {method} {path}"))
                        .with_help("the routes are listed in docs/reference/neo4j-rest.md");
                Failure { status, ..Failure::of(&error) }
            }
            Refusal::Method(_) | Refusal::Bad(_) => Failure { status, ..Failure::of(&error) },
        }
    }

    /// The body of the answer.
    pub fn body(&self) -> String {
        let mut out = String::from("{");
        self.write_fields(&mut out);
        out.push('}');
        out
    }

    /// Writes the fields of the body.
    pub(super) fn write_fields(&self, out: &mut String) {
        self.write_as(out, self.exception, &self.message);
    }

    /// The same with the name of another exception, and its message.
    pub(super) fn write_as(&self, out: &mut String, exception: &str, message: &str) {
        let package = PACKAGES.iter().find(|(name, _)| *name == exception);
        let package = package.map_or("org.neo4j.graphdb", |(_, package)| package);
        for (name, text) in [("\"message\":", message), (",\"exception\":", exception)] {
            out.push_str(name);
            write_string(out, text);
        }
        out.push_str(",\"fullname\":");
        write_string(out, &format!("{package}.{exception}"));
        out.push_str(",\"stackTrace\":[],\"errors\":[{\"code\":");
        write_string(out, &self.code(&self.error));
        out.push_str(",\"message\":");
        write_string(out, message);
        out.push_str("}]");
    }

    fn code(&self, error: &Error) -> String {
        match self.exception {
            "NodeNotFoundException"
            | "RelationshipNotFoundException"
            | "StartNodeNotFoundException"
            | "EndNodeNotFoundException" => "Neo.ClientError.Statement.EntityNotFound".to_owned(),
            "NoSuchPropertyException" => "Neo.ClientError.Statement.PropertyNotFound".to_owned(),
            "PropertyValueException" | "InvalidArgumentsException" => {
                "Neo.ClientError.Statement.ArgumentError".to_owned()
            }
            "BadInputException" => bolt::errors::REQUEST_INVALID_FORMAT.to_owned(),
            "NotFoundException" | "UnsupportedOperationException" => {
                bolt::errors::REQUEST_INVALID.to_owned()
            }
            _ => bolt::Failure::of(error).code.into_owned(),
        }
    }
}

/// The exception of a query, where the code of its failure has one.
fn exception_of(error: &Error) -> Option<&'static str> {
    match bolt::Failure::of(error).title() {
        "ArithmeticError" => Some("ArithmeticException"),
        "ParameterMissing" => Some("ParameterNotFoundException"),
        "TypeError" => Some("CypherTypeException"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_names_the_exception_and_a_code() {
        let failure = Failure::bad_input("x");
        assert_eq!(
            failure.body(),
            concat!(
                r#"{"message":"x","exception":"BadInputException","#,
                r#""fullname":"org.neo4j.server.rest.repr.BadInputException","stackTrace":[],"#,
                r#""errors":[{"code":"Neo.ClientError.Request.InvalidFormat","message":"x"}]}"#
            )
        );
        assert!(PACKAGES.is_sorted());
        let conflict = Failure::of(&Error::new(ErrorKind::Conflict, "x"));
        assert_eq!((conflict.status, conflict.error.kind), (409, ErrorKind::Conflict));
    }
}
