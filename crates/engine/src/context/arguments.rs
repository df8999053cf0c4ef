//! The arguments of one row of a call, as values of the types that a procedure wants.

use std::sync::Arc;

use millrace_model::{Column, Error, ErrorKind, Result, Value};
use millrace_plan::Name;

/// One row of the arguments of a call. One that was left out is null.
#[derive(Clone, Copy)]
pub struct Arguments<'a> {
    /// All rows of the arguments.
    pub columns: &'a [Arc<Column>],
    /// The row.
    pub row: usize,
}

impl Arguments<'_> {
    /// The argument at a place.
    pub fn value(&self, place: usize) -> Value {
        self.columns.get(place).and_then(|column| column.get(self.row)).unwrap_or_default()
    }

    /// The text at a place; `None` of null.
    pub fn text(&self, place: usize) -> Result<Option<Name>> {
        match self.value(place) {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            other => Err(wrong(place, "a text", &other)),
        }
    }

    /// The text at a place; null is an error.
    pub fn must_text(&self, place: usize) -> Result<Name> {
        self.text(place)?.ok_or_else(|| wrong(place, "a text", &Value::Null))
    }

    /// The texts at a place: of a list, or one; none of null.
    pub fn texts(&self, place: usize) -> Result<Vec<Name>> {
        match self.value(place) {
            Value::Null => Ok(Vec::new()),
            Value::String(text) => Ok(vec![text]),
            Value::List(entries) => entries
                .iter()
                .map(|entry| match entry {
                    Value::String(text) => Ok(text.clone()),
                    other => Err(wrong(place, "a list of texts", other)),
                })
                .collect(),
            other => Err(wrong(place, "a list of texts", &other)),
        }
    }
}

fn wrong(place: usize, wanted: &str, given: &Value) -> Error {
    let (number, given) = (place + 1, given.type_name());
    let detail = format!("argument {number} must be {wanted}, and is of type {given}");
    Error::new(ErrorKind::BadInput, detail).with_name("InvalidArgumentValue")
}
