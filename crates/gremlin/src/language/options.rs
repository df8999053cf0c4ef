//! Options that a traversal sets for its own run: `g.with('evaluationTimeout', 500)`.
//!
//! The server frames results as the request says. An option with any other name belongs to the client, as in
//! TinkerPop, and has no effect here.

use millrace_bytecode::Bytecode;
use millrace_model::{ElementDetail, Error, ErrorKind, Result, Value};
use millrace_plan::language::Options;

use crate::translate::options;

/// The options of a traversal.
pub(super) fn of(bytecode: &Bytecode) -> Result<Options> {
    let mut found = Options::default();
    for (name, value) in options(bytecode)? {
        match &*name {
            "evaluationTimeout" | "scriptEvaluationTimeout" => {
                let millis = value.as_int().and_then(|millis| u64::try_from(millis).ok());
                let millis = millis.ok_or_else(|| wrong(&name, "a number of milliseconds"))?;
                // 0 asks for no timeout of its own.
                found.timeout_ms = Some(millis).filter(|millis| *millis != 0);
            }
            "materializeProperties" => {
                found.detail = Some(match &value {
                    Value::String(word) if &**word == "all" => ElementDetail::All,
                    Value::String(word) if &**word == "tokens" => ElementDetail::Tokens,
                    _ => return Err(wrong(&name, "'all' or 'tokens'")),
                });
            }
            "isolation" => {
                found.serializable = match &value {
                    Value::String(word) if &**word == "serializable" => true,
                    Value::String(word) if &**word == "snapshot" => false,
                    _ => return Err(wrong(&name, "'snapshot' or 'serializable'")),
                };
            }
            _ => {}
        }
    }
    Ok(found)
}

fn wrong(name: &str, wanted: &str) -> Error {
    Error::new(ErrorKind::BadQuery, format!("with('{name}', …) expects {wanted}"))
}
