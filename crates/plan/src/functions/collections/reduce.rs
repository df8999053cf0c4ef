//! A first value put together with the entries of a list, one after the other.
//!
//! Unlike an aggregate, the order counts, and the type of the result is that of the operands: a
//! difference, a quotient or a map that later entries change. Null entries are passed over; a first
//! value that is null is replaced by the first entry.

use std::cmp::Ordering;

use millrace_model::compare::order;
use millrace_model::{Result, Value};

use crate::functions::arguments::{bad, list, misplaced};
use crate::functions::{Division, Function, Overflow, Reduction, SetOperation};

/// The rows of this family; see `functions!`.
macro_rules! reduce_rows {
    ([$next:ident $(, $rest:ident)*] $($rows:tt)*) => {
        $next! {
            [$($rest),*] $($rows)*
            /// A first value put together with the entries of a list, one after the other.
            Reduce(Reduction): [2, 2], 0, Fails::May => collections::reduce::call;
        }
    };
}

/// A first value of null is none; null in place of the entries gives null.
pub(in crate::functions) fn call(function: Function, arguments: &[Value]) -> Result<Value> {
    let (Function::Reduce(reduction), [first, entries]) = (function, arguments) else {
        return Err(misplaced(function));
    };
    let entries = match entries {
        Value::Null => return Ok(Value::Null),
        Value::Set(entries) => entries,
        other => list(function, other)?,
    };
    let mut all = first.clone();
    for entry in entries.iter().filter(|entry| !entry.is_null()) {
        all = if all.is_null() { entry.clone() } else { step(reduction, &all, entry)? };
    }
    Ok(all)
}

fn step(reduction: Reduction, all: &Value, entry: &Value) -> Result<Value> {
    let call = |function: Function| function.call(&[all.clone(), entry.clone()]);
    match reduction {
        Reduction::Sum => call(Function::Add(Overflow::Widen)),
        Reduction::Minus => call(Function::Subtract(Overflow::Widen)),
        Reduction::Product => call(Function::Multiply(Overflow::Widen)),
        Reduction::Quotient => call(Function::Divide(Division::Widen)),
        Reduction::Min => best(all, entry, Ordering::Less),
        Reduction::Max => best(all, entry, Ordering::Greater),
        Reduction::And | Reduction::Or => match (all, entry) {
            (Value::Bool(left), Value::Bool(right)) => Ok(Value::Bool(match reduction {
                Reduction::And => *left && *right,
                _ => *left || *right,
            })),
            _ => Err(bad("booleans are joined with booleans")),
        },
        Reduction::Last => Ok(entry.clone()),
        Reduction::Join => join(all, entry),
    }
}

/// The lesser or greater; of two numbers it has the wider type of both, of equals the first stays.
fn best(all: &Value, entry: &Value, wanted: Ordering) -> Result<Value> {
    let (kept, other) = if order(entry, all) == wanted { (entry, all) } else { (all, entry) };
    if kept.number_width() == other.number_width() && kept.type_name() == other.type_name() {
        return Ok(kept.clone());
    }
    match other {
        Value::F32(_) | Value::F64(_) if kept.as_int().is_some() => {
            Function::Add(Overflow::Widen).call(&[kept.clone(), zero_like(other)])
        }
        other if kept.as_int().is_some() && other.as_int().is_some() => {
            Function::Add(Overflow::Widen).call(&[kept.clone(), zero_like(other)])
        }
        Value::F64(_) if matches!(kept, Value::F32(_)) => {
            Ok(Value::F64(kept.as_double().unwrap_or(f64::NAN)))
        }
        _ => Ok(kept.clone()),
    }
}

fn zero_like(number: &Value) -> Value {
    match number {
        Value::F32(_) => Value::F32(0.0),
        Value::F64(_) => Value::F64(0.0),
        other => {
            let width = other.number_width().unwrap_or(8);
            Value::integer_of_width(0, width).unwrap_or(Value::I64(0))
        }
    }
}

/// All that either holds: a map's later pairs win, a list goes on, a set has each value once.
fn join(all: &Value, entry: &Value) -> Result<Value> {
    let arguments = [all.clone(), entry.clone()];
    match (all, entry) {
        (Value::Map(_), Value::Map(_)) => Function::MergeMaps.call(&arguments),
        (Value::Set(_), Value::List(_) | Value::Set(_)) => {
            Function::SetOf(SetOperation::Union).call(&arguments)
        }
        (Value::List(_), Value::List(_)) => Function::ConcatLists.call(&arguments),
        (Value::List(own), Value::Set(entries)) => {
            Ok(Value::list(own.iter().chain(entries.iter()).cloned().collect()))
        }
        (all, entry) => {
            let [all, entry] = [all, entry].map(Value::type_name);
            Err(bad(format!("a {all} cannot take all of a {entry}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(reduction: Reduction, first: Value, entries: Vec<Value>) -> Value {
        let function = Function::Reduce(reduction);
        function.call(&[first, Value::list(entries)]).expect("values that go together")
    }

    #[test]
    fn entries_are_put_together_in_their_order() {
        let ints = |ints: &[i32]| ints.iter().copied().map(Value::I32).collect::<Vec<_>>();
        for (reduction, first, wanted) in [
            (Reduction::Sum, 0, 9),
            (Reduction::Minus, 10, 1),
            (Reduction::Product, 2, 48),
            (Reduction::Quotient, 48, 2),
            (Reduction::Min, 3, 2),
            (Reduction::Max, 3, 4),
            (Reduction::Last, 0, 3),
        ] {
            let all = reduced(reduction, Value::I32(first), ints(&[2, 4, 3]));
            assert_eq!(all, Value::I32(wanted), "{reduction:?}");
        }
        assert_eq!(reduced(Reduction::Minus, Value::Null, ints(&[2, 4])), Value::I32(-2));
        assert_eq!(reduced(Reduction::Sum, Value::Null, Vec::new()), Value::Null);
        assert_eq!(reduced(Reduction::Sum, Value::I32(1), vec![Value::Null]), Value::I32(1));
    }

    #[test]
    fn the_greatest_of_several_widths_has_the_widest() {
        let mixed = vec![Value::I32(29), Value::F64(0.4)];
        assert_eq!(reduced(Reduction::Max, Value::Null, mixed), Value::F64(29.0));
        let ints = vec![Value::I32(29), Value::I64(4)];
        assert_eq!(reduced(Reduction::Max, Value::Null, ints), Value::I64(29));
        let texts = vec!["b".into(), "c".into(), "a".into()];
        assert_eq!(reduced(Reduction::Min, Value::Null, texts), "a".into());
    }

    #[test]
    fn collections_take_all_of_each_entry() {
        let map = |value| Value::map(vec![("b".into(), Value::I64(value))]);
        let joined = reduced(Reduction::Join, Value::map(Vec::new()), vec![map(2), map(4)]);
        assert_eq!(joined, map(4));
        let list = Value::list(vec![Value::I64(1)]);
        let twice = Value::list(vec![Value::I64(1), Value::I64(1)]);
        assert_eq!(reduced(Reduction::Join, list.clone(), vec![list]), twice);
        let error = Function::Reduce(Reduction::Join).call(&[map(1), Value::list(vec![1.into()])]);
        assert!(error.is_err());
    }
}
