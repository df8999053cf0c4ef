//! Temporal values under operators and as things with components.
//!
//! Functions on days and timestamps stand in `dates`; an operator or component without a meaning here is
//! refused by name.

use millrace_model::{Error, ErrorKind, Result, Value};

use crate::expr::Arithmetic;

/// Whether a value is a point in time or an amount of it.
pub(in crate::functions) fn is_temporal(value: &Value) -> bool {
    matches!(
        value,
        Value::Date(_)
            | Value::Time(_)
            | Value::DateTime(_)
            | Value::ZonedDateTime(_)
            | Value::Duration(_)
    )
}

/// An operator between two values of which one is temporal; `None` if it has no meaning between them.
pub(super) fn operate(operation: Arithmetic, left: &Value, right: &Value) -> Option<Result<Value>> {
    let (is_duration, is_number) = (
        |value: &Value| matches!(value, Value::Duration(_)),
        |value: &Value| value.as_double().is_some(),
    );
    let has_meaning = match operation {
        Arithmetic::Add => {
            is_temporal(left) && is_duration(right) || is_duration(left) && is_temporal(right)
        }
        Arithmetic::Subtract => is_temporal(left) && is_duration(right),
        Arithmetic::Multiply => {
            is_duration(left) && is_number(right) || is_number(left) && is_duration(right)
        }
        Arithmetic::Divide => is_duration(left) && is_number(right),
        Arithmetic::Remainder => false,
    };
    has_meaning.then(|| {
        let (left, right) = (left.type_name(), right.type_name());
        let detail = format!("arithmetic between a {left} and a {right} is not supported yet");
        let help = "add days to a day, or seconds to a timestamp, by a function";
        Err(Error::new(ErrorKind::Unsupported, detail).with_help(help))
    })
}

/// A component of a temporal value; `None` if it has none of that name.
pub(super) fn component(_value: &Value, _name: &str) -> Option<Result<Value>> {
    None
}
