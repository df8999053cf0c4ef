//! Procedures on what a client notes about its transaction.

use std::sync::Arc;

use millrace_engine::Context;
use millrace_engine::procedures::{Arguments, Procedure, Yielded};
use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::{Signature, ValueType};

use crate::limits::TRANSACTION_NOTE_CHARS_MAX;

/// Characters of a number, a date or a truth value, about.
const SCALAR_CHARS: usize = 10;

/// `tx.getMetaData`.
pub(super) struct GetMetadata;

/// `tx.setMetaData`.
pub(super) struct SetMetadata;

impl Procedure for GetMetadata {
    fn signature(&self) -> Signature {
        let description = "What the client has noted about its transaction.";
        Signature::reading("tx.getMetaData", description).yields("metadata", ValueType::Map)
    }

    fn call(&self, _: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        let none = || Value::map(Vec::new());
        let metadata = context.caller().map_or_else(none, |caller| caller.metadata());
        Yielded::of_rows(1, (0..len).map(|_| Ok(vec![vec![metadata.clone()]])))
    }
}

impl Procedure for SetMetadata {
    fn signature(&self) -> Signature {
        let description = "Notes something about the transaction, in place of the earlier note.";
        Signature::reading("tx.setMetaData", description).argument("data", ValueType::Map)
    }

    fn call(&self, columns: &[Arc<Column>], len: usize, context: &Context) -> Result<Yielded> {
        for row in 0..len {
            let data = Arguments { columns, row }.value(0);
            let Value::Map(entries) = &data else {
                let detail = format!("the note is a {}, and not a map", data.type_name());
                let error = Error::new(ErrorKind::BadQuery, detail);
                return Err(error.with_name("ProcedureCallFailed"));
            };
            let chars: usize = entries.iter().map(|(name, value)| shown(name) + shown(value)).sum();
            if TRANSACTION_NOTE_CHARS_MAX <= chars {
                let detail = format!(
                    "Invalid transaction meta-data, expected the total number of chars for keys and values to \
                     be less than {TRANSACTION_NOTE_CHARS_MAX}, got {chars}"
                );
                let error = Error::new(ErrorKind::LimitReached, detail);
                return Err(error.with_name("ProcedureCallFailed"));
            }
            if let Some(caller) = context.caller() {
                caller.set_metadata(data);
            }
        }
        Ok(Yielded::void(len))
    }
}

/// Characters of a value as text, about.
fn shown(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::List(values) => values.iter().map(shown).sum(),
        Value::Map(entries) => entries.iter().map(|(name, value)| shown(name) + shown(value)).sum(),
        _ => SCALAR_CHARS,
    }
}
