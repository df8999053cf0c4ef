//! Errors across the border: the model's error as Lua raises it, and the error that a script failed with.
//!
//! It knows errors and the names of types in their messages; it never knows a session, a result or a function.

use millrace_model::{Error, ErrorKind, Phase};

/// Why a script failed.
#[derive(Clone, Debug)]
pub struct ScriptError {
    /// The error, by kind; a plain Lua error is `BadQuery`.
    pub error: Error,
    /// The message of Lua: the error's text with its place and the calls that led there.
    pub text: String,
}

/// An error as Lua raises it.
pub(crate) fn raise(error: Error) -> mlua::Error {
    mlua::Error::external(error)
}

/// The type of a value as Lua's `type` says it.
pub(crate) fn type_name(value: &mlua::Value) -> &'static str {
    match value {
        mlua::Value::LightUserData(_) => "userdata",
        other => other.type_name(),
    }
}

/// The model's error inside a Lua error, if it is one of ours.
fn inner_error(error: &mlua::Error) -> Option<Error> {
    match error {
        mlua::Error::CallbackError { cause, .. } => inner_error(cause),
        mlua::Error::WithContext { cause, .. } => inner_error(cause),
        mlua::Error::ExternalError(external) => external.downcast_ref::<Error>().cloned(),
        mlua::Error::MemoryError(text) => {
            let detail = format!("the script needs more memory than it may have: {text}");
            Some(Error::new(ErrorKind::LimitReached, detail))
        }
        mlua::Error::SyntaxError { message, .. } => {
            Some(Error::new(ErrorKind::BadQuery, message.clone()).in_phase(Phase::Parse))
        }
        _ => None,
    }
}

/// What a script failed with; an error that ended it comes first.
pub(crate) fn script_error(error: &mlua::Error, fatal: Option<Error>) -> ScriptError {
    let text = error.to_string();
    let plain = || Error::new(ErrorKind::BadQuery, text.lines().next().unwrap_or("?"));
    let error = fatal.or_else(|| inner_error(error)).unwrap_or_else(plain);
    ScriptError { error, text }
}
