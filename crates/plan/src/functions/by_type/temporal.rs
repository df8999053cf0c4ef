//! Temporal values under operators and as things with components. What they mean is in `model::temporal`.

use millrace_model::temporal::{
    component as component_of, divide, is_temporal, minus, plus, times,
};
use millrace_model::{Result, Value};

use crate::functions::Arithmetic;

/// Calculates with two values.
type Calculate = fn(&Value, &Value) -> Result<Value>;

/// An operator between two values of which one is temporal; `None` if it has no meaning between them.
pub(super) fn operate(operation: Arithmetic, left: &Value, right: &Value) -> Option<Result<Value>> {
    let (is_duration, is_number) = (
        |value: &Value| matches!(value, Value::Duration(_)),
        |value: &Value| value.as_double().is_some(),
    );
    let (has_meaning, calculate): (bool, Calculate) = match operation {
        Arithmetic::Add => (
            is_temporal(left) && is_duration(right) || is_duration(left) && is_temporal(right),
            plus,
        ),
        Arithmetic::Subtract => (is_temporal(left) && is_duration(right), minus),
        Arithmetic::Multiply => {
            (is_duration(left) && is_number(right) || is_number(left) && is_duration(right), times)
        }
        Arithmetic::Divide => (is_duration(left) && is_number(right), divide),
        Arithmetic::Remainder => (false, times),
    };
    has_meaning.then(|| calculate(left, right))
}

/// A component of a temporal value; `None` if the value is not temporal.
pub(super) fn component(value: &Value, name: &str) -> Option<Result<Value>> {
    is_temporal(value).then(|| component_of(value, name))
}
