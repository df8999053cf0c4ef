//! Literals as values.

use millrace_model::Value;

use crate::tree::Literal;

/// The value of a literal.
pub(super) fn value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Boolean(truth) => Value::Bool(*truth),
        Literal::Integer(number) => Value::I64(*number),
        Literal::Float(number) => Value::F64(*number),
        Literal::String(text) => Value::String(text.clone()),
    }
}
