//! Errors as clients of Dgraph read them: a message, which decides whether a client tries again, and a code.

use millrace_model::{Error, ErrorKind};

use crate::json::write_string;

/// The message of a transaction that has lost a conflict or is not known any more: clients run it again.
pub const ABORTED: &str = "Transaction has been aborted. Please retry";

/// The message for a token whose time is up: clients log in again.
pub const TOKEN_EXPIRED: &str = "Token is expired";

/// The message for a request without a token, where clients have to log in.
pub const NO_TOKEN: &str = "no accessJwt available";

/// The message for a login that is refused, whatever is wrong with it.
pub const WRONG_LOGIN: &str = "invalid username or password";

/// The code of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The request failed.
    InvalidRequest,
    /// The path takes other methods.
    InvalidMethod,
    /// The client has to log in.
    Unauthorized,
    /// Anything else.
    Error,
}

impl Code {
    fn word(self) -> &'static str {
        match self {
            Code::InvalidRequest => "ErrorInvalidRequest",
            Code::InvalidMethod => "ErrorInvalidMethod",
            Code::Unauthorized => "ErrorUnauthorized",
            Code::Error => "Error",
        }
    }
}

/// An error for a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What clients read.
    pub message: String,
    /// Its code over HTTP.
    pub code: Code,
    /// What it is of; its code over gRPC follows.
    pub kind: ErrorKind,
    /// Whether the answer has an empty `data`, as answers to queries and mutations do.
    has_data: bool,
}

impl Failure {
    /// A failure of the request itself.
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code, kind: ErrorKind::BadInput, has_data: true }
    }

    /// The failure that an error is.
    pub fn of(error: &Error) -> Failure {
        let kind = error.kind;
        let code = Code::InvalidRequest;
        let message = match kind {
            ErrorKind::Conflict => ABORTED.to_owned(),
            _ => message(error),
        };
        Failure { message, code, kind, has_data: true }
    }

    /// The same, where the answer has no `data`.
    pub fn without_data(self) -> Failure {
        Failure { has_data: false, ..self }
    }

    /// The same with another code.
    pub fn coded(self, code: Code) -> Failure {
        Failure { code, ..self }
    }

    /// The body of the answer.
    pub fn body(&self) -> String {
        let mut text = String::from("{\"errors\":[{\"message\":");
        write_string(&mut text, &self.message);
        text.push_str(",\"extensions\":{\"code\":\"");
        text.push_str(self.code.word());
        text.push_str("\"}}]");
        text.push_str(if self.has_data { ",\"data\":null}" } else { "}" });
        text
    }
}

/// The position as Dgraph writes it, then the detail and the help.
fn message(error: &Error) -> String {
    let mut text = String::new();
    if let Some(position) = error.position {
        text.push_str(&format!("line {} column {}: ", position.line, position.column));
    }
    text.push_str(&error.detail);
    if let Some(help) = &error.help {
        text.push_str(&format!(" ({help})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use millrace_model::TextPosition;

    use super::*;

    #[test]
    fn a_failure_has_the_position_the_code_and_the_words_that_clients_look_for() {
        let error = Error::new(ErrorKind::BadQuery, "a \"b\"").with_help("write c");
        let failure = Failure::of(&error.at(TextPosition { line: 2, column: 7 }));
        assert_eq!(
            failure.body(),
            "{\"errors\":[{\"message\":\"line 2 column 7: a \\\"b\\\" (write c)\",\
             \"extensions\":{\"code\":\"ErrorInvalidRequest\"}}],\"data\":null}"
        );
        let lost = Failure::of(&Error::new(ErrorKind::Conflict, "another was first"));
        assert_eq!(lost.message, "Transaction has been aborted. Please retry");
        let plain = lost.coded(Code::Error).without_data().body();
        assert!(plain.ends_with("\"extensions\":{\"code\":\"Error\"}}]}"), "{plain}");
    }
}
