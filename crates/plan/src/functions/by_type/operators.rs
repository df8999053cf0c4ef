//! `+`, `-`, `*`, `/` and `%` of numbers, texts, lists and temporal values.
//!
//! Of numbers, whole ones stay whole and are checked, and others are doubles as IEEE 754 has them.

use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, check_bytes, check_entries, double, list, misplaced};
use crate::functions::by_type::{convert, temporal};
use crate::functions::{Arithmetic, Division, Function, Overflow};

/// The rows of this family; see `functions!`.
macro_rules! operators_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// An operator on two values. Of numbers its result is a number; `+` also joins texts, a text and any
            /// value that has one, lists, and a list and an entry.
            Operate(Arithmetic): [2, 2], ALL, Fails::May => by_type::operators::call;
        }
    };
}

pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Function::Operate(operation), [left, right]) = (function, arguments) else {
        return Err(misplaced(function));
    };
    if left.as_double().is_some() && right.as_double().is_some() {
        return of_numbers(operation, left, right);
    }
    if let Some(result) = temporal::operate(operation, left, right) {
        return result;
    }
    if operation == Arithmetic::Add
        && let Some(result) = joined(left, right)
    {
        return result;
    }
    Err(wrong(operation, left, right))
}

fn of_numbers(operation: Arithmetic, left: &Value, right: &Value) -> Result<Value> {
    let function = match operation {
        Arithmetic::Add => Function::Add(Overflow::Error),
        Arithmetic::Subtract => Function::Subtract(Overflow::Error),
        Arithmetic::Multiply => Function::Multiply(Overflow::Error),
        Arithmetic::Divide => Function::Divide(Division::Whole),
        Arithmetic::Remainder => return remainder(left, right),
    };
    function.call(&[left.clone(), right.clone()])
}

/// The remainder with the sign of the dividend.
fn remainder(left: &Value, right: &Value) -> Result<Value> {
    let function = Function::Operate(Arithmetic::Remainder);
    match (left.as_int(), right.as_int()) {
        (Some(_), Some(0)) => Err(bad("division by zero").with_name("DivisionByZero")),
        (Some(left), Some(right)) => Ok(Value::I64(left.wrapping_rem(right))),
        _ => Ok(Value::F64(double(function, left)? % double(function, right)?)),
    }
}

/// Lists and texts as one; `None` if neither is one.
fn joined(left: &Value, right: &Value) -> Option<Result<Value>> {
    let is_list = |value: &Value| matches!(value, Value::List(_) | Value::Set(_));
    if is_list(left) || is_list(right) {
        return Some(one_list(left, right));
    }
    let texts = match (left, right) {
        (Value::String(left), Value::String(right)) => (left.clone(), right.clone()),
        (Value::String(left), right) => (left.clone(), convert::text_of(right)?),
        (left, Value::String(right)) => (convert::text_of(left)?, right.clone()),
        _ => return None,
    };
    Some(check_bytes(texts.0.len() + texts.1.len()).map(|()| {
        let joined = [&*texts.0, &*texts.1].concat();
        Value::string(&joined)
    }))
}

fn one_list(left: &Value, right: &Value) -> Result<Value> {
    let function = Function::Operate(Arithmetic::Add);
    let entries = |value| list(function, value).unwrap_or(std::slice::from_ref(value));
    let (left, right) = (entries(left), entries(right));
    check_entries(left.len() + right.len())?;
    Ok(Value::list([left, right].concat()))
}

fn wrong(operation: Arithmetic, left: &Value, right: &Value) -> millrace_model::Error {
    let sign = match operation {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
    };
    let (left, right) = (left.type_name(), right.type_name());
    bad(format!("{sign} is not defined between a {left} and a {right}"))
}
